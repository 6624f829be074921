"""The files of a folder: which of them are pages, and what an HTTP head at their front says.

A file is a page by its ending (`.html`, also in `index.html?p=2`), or by its content where the ending tells nothing.
Mirrors often lack endings, and some keep the HTTP head of a page before its text (`wget --save-headers`; the WebKB
pages have one without a status line): its type then decides, and its date is that of the page.
"""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from periplus.pages.warc import Capture, as_received, head_bytes, parse_head
from periplus.web.html import is_html

SUFFIXES = {".html", ".htm", ".xhtml", ".shtml"}
ARCHIVES = (".warc", ".arc", ".wacz", ".warc.gz", ".arc.gz", ".warc.zst", ".warc.lz4", ".warc.open")
MAX_FILE = 8 * 1024 * 1024
_MAX_HEAD = 16 * 1024
_TYPES = mimetypes.MimeTypes()  # the same on every machine
_HEAD = re.compile(rb"(HTTP/\d(?:\.\d)?[ ]\d{3}[^\n]*\n)?((?:[A-Za-z0-9 _-]*:[^\n]*\n)+)\r?\n")
_TELLING = {"content-type", "server", "date", "last-modified", "mime-version"}
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_XML = re.compile(rb"[\t\n\x0c\r ]*<\?xml")
_ROOT = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)


@dataclass(slots=True)
class Files:
    """The files below a folder, sorted: pages, and all others but archives. `ours` are a mirror program's own."""

    pages: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    ours: int = 0


def files_of(folder: Path) -> Files:
    """Look at every file below a folder; only those of unknown kind are opened."""
    found = Files()
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.lower().endswith(ARCHIVES):
            continue
        if _of_httrack(path, folder):
            found.ours += 1
        elif is_page(path):
            found.pages.append(path)
        else:
            found.others.append(path)
    return found


def _of_httrack(path: Path, folder: Path) -> bool:
    """Whether HTTrack made this file for itself: its cache, its log, and the page that lists its mirrors."""
    project = next((above for above in path.parents if (above / "hts-cache").is_dir()), None)
    if project is None or (project != folder and folder not in project.parents):
        return False
    return path.parent == project or project / "hts-cache" in path.parents


def is_page(path: Path) -> bool:
    """Whether a file is a page: by its ending, else by its HTTP head, else by how its text begins."""
    name = path.name.partition("?")[0]
    if Path(name).suffix.lower() in SUFFIXES or path.suffix.lower() in SUFFIXES:
        return True
    with path.open("rb") as file:
        start = file.read(_MAX_HEAD)
    head, body = split(start)
    if head:
        declared = next((value for key, value in parse_head(head)[1] if key.lower() == "content-type"), None)
        return is_html(declared, body) or (declared or "").lower().startswith("text/plain")
    if _TYPES.guess_type(name, strict=False)[0] not in (None, "text/html"):
        return False
    return is_html(None, body) and (not _XML.match(body) or _ROOT.search(body) is not None)


def split(data: bytes) -> tuple[bytes, bytes]:
    """The HTTP head at the front of a file, ready to store, and the rest; no head where there is none."""
    found = _HEAD.match(data[:_MAX_HEAD])
    if found is None:
        return b"", data
    status, headers = parse_head((found[1] or b"\n") + found[2])
    if not status and _TELLING.isdisjoint(name.lower() for name, _ in headers):
        return b"", data  # text with colons, like any letter
    body = data[found.end() :]
    moved = any(name.lower() == "location" for name, _ in headers)
    kept = [(name.encode(), value.encode()) for name, value in headers if _TOKEN.fullmatch(name)]
    sent = (found[1] or b"").decode("latin-1").split(None, 2)
    reason = sent[2].strip() if len(sent) > 2 else "Found" if moved else "OK"
    return head_bytes(status or (302 if moved else 200), reason, as_received(kept, len(body))), body


def capture_of_file(path: Path, url: str) -> Capture:
    """What a web server would have sent for a file at this URL, or did send where the file begins with that."""
    with path.open("rb") as file:
        data = file.read(MAX_FILE + 1)
    truncated = "length" if len(data) > MAX_FILE else None
    head, body = split(data[:MAX_FILE])
    fetched = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    if not head:
        return Capture(url, fetched, b"", body, truncated, kind="resource", mime="text/html")
    return Capture(url, _date(head) or fetched, head, body, truncated)


def _date(head: bytes) -> datetime | None:
    told = next((value for name, value in parse_head(head)[1] if name.lower() == "date"), "")
    try:
        found = parsedate_to_datetime(told)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
