"""An archive for others: one WARC file, or a WACZ (a zip with WARC, index and list of pages) that ReplayWeb.page shows.

Records are copied byte for byte, the responses without their requests. A revisit brings along the capture it refers to.
The index of a WACZ is sorted by SURT as in wabac.js: host labels reversed, `www` dropped, lower case, the query sorted.
WACZ 1.1.1: https://specs.webrecorder.net/wacz/1.1.1/
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from urllib.parse import parse_qsl, urlencode, urlsplit

from periplus import __version__
from periplus.durable import atomic_files
from periplus.errors import ParameterError
from periplus.pages.cdx import Entry
from periplus.pages.history import is_page
from periplus.pages.store import PageStore
from periplus.pages.warc import warcinfo

_DATA = "data.warc.gz"
_WWW = re.compile(r"www\d*\.")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which captures: patterns that a URL must match (any of `include`) and must not, media types, a span of time."""

    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()
    media: tuple[str, ...] = ()
    since: str = ""  # 14 digits, as in an index
    until: str = "9"

    def __contains__(self, entry: Entry) -> bool:
        if self.include and not any(pattern.search(entry.url) for pattern in self.include):
            return False
        if any(pattern.search(entry.url) for pattern in self.exclude):
            return False
        if self.media and not entry.is_revisit and entry.mime not in self.media:
            return False
        return self.since <= entry.timestamp <= self.until


@dataclass(slots=True)
class Exported:
    """What was written."""

    captures: int = 0
    pages: int = 0
    bytes: int = 0
    entries: list[Entry] = field(default_factory=list, repr=False)


def export(
    store: PageStore,
    path: Path,
    choice: Choice | None = None,
    *,
    name: str = "",
    titles: Mapping[str, str] | None = None,
) -> Exported:
    """Write the chosen captures to a `.wacz` or `.warc.gz` file, whole or not at all."""
    wanted = list(_wanted(store, choice or Choice()))
    if not wanted:
        raise ParameterError("include", str(path), "a choice that fits at least one capture")
    with atomic_files(path) as (draft,):
        if path.name.endswith(".wacz"):
            done = _write_wacz(store, draft, wanted, name or path.stem, titles or {})
        elif path.name.endswith(".warc.gz"):
            with draft.open("wb") as out:
                done = _copy(store, out, path.name, wanted)
        else:
            raise ParameterError("output", str(path), "a file named .wacz or .warc.gz")
    done.bytes = path.stat().st_size
    return done


def _wanted(store: PageStore, choice: Choice) -> Iterator[Entry]:
    """The chosen captures, each after the one that it refers to."""
    taken: set[tuple[str, int]] = set()
    for entry in store.entries():
        if entry not in choice:
            continue
        for one in (store.original(entry) or entry, entry):
            if (one.filename, one.offset) not in taken:
                taken.add((one.filename, one.offset))
                yield one


def _copy(store: PageStore, out: IO[bytes], filename: str, wanted: Iterable[Entry]) -> Exported:
    """Copy the records of these captures into one file."""
    done = Exported()
    first = warcinfo(filename, f"periplus/{__version__}")
    out.write(first)
    at = len(first)
    for entry in wanted:
        store.record(entry)  # a damaged record ends the export here, not at its reader
        with store.path_of(entry.filename).open("rb") as file:
            file.seek(entry.offset)
            out.write(file.read(entry.length))
        done.entries.append(replace(entry, filename=filename, offset=at))
        at += entry.length
    done.captures = len(done.entries)
    done.pages = len({entry.url for entry in done.entries if _is_page(entry)})
    return done


def _write_wacz(store: PageStore, path: Path, wanted: list[Entry], name: str, titles: Mapping[str, str]) -> Exported:
    resources: list[dict[str, str | int]] = []
    large = sum(entry.length for entry in wanted) > zipfile.ZIP64_LIMIT // 2
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as bundle:

        def put(inside: str, write: Callable[[IO[bytes]], Exported | None]) -> Exported | None:
            # wabac.js takes both headers of a member to be equally long, which those of zip64 are not.
            with bundle.open(inside, "w", force_zip64=large) as member:
                counted = _Counted(member)
                made = write(counted)  # type: ignore[arg-type]
            resources.append(
                {"name": inside.rpartition("/")[2], "path": inside, "hash": counted.digest, "bytes": counted.size}
            )
            return made

        done = put(f"archive/{_DATA}", lambda out: _copy(store, out, _DATA, wanted)) or Exported()
        put("indexes/index.cdx", lambda out: out.writelines(sorted(map(_line, done.entries))))
        put("pages/pages.jsonl", lambda out: out.writelines(_page_lines(done.entries, titles)))
        described = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": name,
            "software": f"periplus/{__version__}",
            "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": list(resources),
        }
        package = json.dumps(described, indent=2).encode()
        bundle.writestr("datapackage.json", package)
        digest = f"sha256:{hashlib.sha256(package).hexdigest()}"
        bundle.writestr("datapackage-digest.json", json.dumps({"path": "datapackage.json", "hash": digest}))
    return done


class _Counted:
    """Passes bytes on, and counts and digests them."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._sum, self.size = out, hashlib.sha256(), 0

    def write(self, data: bytes) -> None:
        self._out.write(data)
        self._sum.update(data)
        self.size += len(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)

    @property
    def digest(self) -> str:
        return f"sha256:{self._sum.hexdigest()}"


def _is_page(entry: Entry) -> bool:
    return is_page(entry) and entry.mime in ("text/html", "application/xhtml+xml")


def _page_lines(entries: Iterable[Entry], titles: Mapping[str, str]) -> Iterator[bytes]:
    """The newest capture of each page, as ReplayWeb.page lists them."""
    newest: dict[str, Entry] = {}
    for entry in entries:
        if _is_page(entry) and entry.timestamp >= newest.get(entry.url, entry).timestamp:
            newest[entry.url] = entry
    yield b'{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n'
    for url, entry in newest.items():
        row = {"id": str(uuid.uuid5(uuid.NAMESPACE_URL, url)), "url": url, "title": titles.get(url) or url,
               "ts": entry.fetched.strftime("%Y-%m-%dT%H:%M:%SZ")}  # fmt: skip
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _line(entry: Entry) -> bytes:
    return f"{surt(entry.url)} {entry.timestamp} {json.dumps(public_fields(entry))}\n".encode()


def public_fields(entry: Entry) -> dict[str, str]:
    """An entry as the CDXJ of other programs has it."""
    return {
        "url": entry.url,
        "mime": entry.mime,
        "status": str(entry.status),
        "digest": f"sha1:{entry.digest}",
        "length": str(entry.length),
        "offset": str(entry.offset),
        "filename": entry.filename,
    }


def surt(url: str) -> str:
    """The sort key of other programs: `http://www.Example.com/B?z=1&a=2` → `com,example)/b?a=2&z=1`."""
    parts = urlsplit(url.lower())
    host, colon, port = parts.netloc.rpartition(":") if not parts.netloc.endswith("]") else (parts.netloc, "", "")
    host, port = (host, port) if colon else (parts.netloc, "")
    labels = ",".join(reversed(_WWW.sub("", host, count=1).split("."))) if not host.startswith("[") else host
    query = f"?{urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))}" if parts.query else ""
    return f"{labels}{':' + port if port else ''}){parts.path or '/'}{query}"
