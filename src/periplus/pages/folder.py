"""A folder of HTML files as captures: each file becomes the page that a web server would make of it.

The URL of a file is the first that applies: `base` and the path of the file in the folder; the `<link rel="canonical">`
of the file; `http://FOLDER.local/` and the path. As on web servers, `index.html` is the page of its folder; its own URL
becomes a redirect to that page, so both kinds of links work.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from periplus.pages.warc import Capture, head_bytes
from periplus.web.html import parse_html
from periplus.web.url import canonical

SUFFIXES = {".html", ".htm", ".xhtml", ".shtml"}
_MAX_FILE = 8 * 1024 * 1024


def html_files(folder: Path) -> list[Path]:
    """The HTML files below a folder, sorted."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


def captures(folder: Path, base: str | None = None) -> Iterator[Capture]:
    """The pages of a folder, or of a single HTML file."""
    files = [folder] if folder.is_file() else html_files(folder)
    root = folder.parent if folder.is_file() else folder
    for path in files:
        yield from _captures_of(path, root, base)


def _captures_of(path: Path, root: Path, base: str | None) -> Iterator[Capture]:
    with path.open("rb") as file:
        body = file.read(_MAX_FILE + 1)
    fetched = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    truncated = "length" if len(body) > _MAX_FILE else None
    relative = quote(path.relative_to(root).as_posix(), safe="/~!$&'()*+,;=:@")
    url = canonical((base or local_base(root)) + relative)
    if url is None:
        return
    declared = None if base else parse_html(body, url, "text/html").canonical
    if declared:
        url = declared
    elif (folder_url := _without_index(url)) is not None:
        location = [(b"Location", folder_url.encode()), (b"Content-Length", b"0")]
        yield Capture(url, fetched, head_bytes(301, "Moved Permanently", location), b"")
        url = folder_url
    yield Capture(url, fetched, b"", body[:_MAX_FILE], truncated, kind="resource", mime="text/html")


def local_base(folder: Path) -> str:
    """The base URL of a folder without one: its name as a host in `.local`, which the public web does not use."""
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in folder.resolve().name.lower()).strip("-")
    return f"http://{name[:60].strip('-') or 'folder'}.local/"


def _without_index(url: str) -> str | None:
    head, _, name = url.rpartition("/")
    return f"{head}/" if name.lower() in {f"index{suffix}" for suffix in SUFFIXES} else None
