"""CDXJ: one line per stored page, sorted, so that bisection finds a page in a file of any size.

    com,example)https/path 20261116055600 {"url": "https://example.com/path", "status": "200", …}

The first word is the sort key of `web/url.py` (host labels reversed, then scheme and path): unlike SURT, it keeps
distinct URLs distinct. The second is the time of the fetch, to the second. The JSON object has the fields that pywb and
Common Crawl use, and a revisit has their media type `warc/revisit`; `redirect` and `truncated` are present only where
they apply. The first line of the merged file, `!files […]`, names the WARC files that it covers.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from periplus.durable import atomic_files
from periplus.errors import FormatError
from periplus.pages.warc import REVISIT
from periplus.web.url import sort_key

if TYPE_CHECKING:
    from periplus.pages.warc import Capture

_HEADER = b"!files "


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one stored page is, and what is known of it without opening it."""

    url: str
    timestamp: str
    status: int
    mime: str
    digest: str
    filename: str
    offset: int
    length: int
    redirect: str | None = None
    truncated: str | None = None

    @classmethod
    def of_capture(cls, capture: Capture, digest: str, length: int, filename: str = "", offset: int = 0) -> Entry:
        """The entry of a capture whose record has this length and this place."""
        mime = REVISIT if capture.kind == "revisit" else capture.media_type or "unk"
        moment = timestamp(capture.fetched)
        place = (filename, offset, length)
        return cls(capture.url, moment, capture.status, mime, digest, *place, capture.redirect, capture.truncated)

    def to_plain(self) -> tuple[str | int | None, ...]:
        """The fields as a tuple of plain values, for another process: `Entry(*plain)` makes the entry again."""
        return tuple(getattr(self, name) for name in self.__slots__)

    @property
    def fetched(self) -> datetime:
        """The time of the fetch, to the second."""
        return datetime.strptime(self.timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)

    @property
    def is_revisit(self) -> bool:
        """Whether the record says only that nothing changed since an earlier one."""
        return self.mime == REVISIT

    @property
    def end(self) -> int:
        return self.offset + self.length

    def line(self) -> bytes:
        """The entry as a line of CDXJ, without the line end."""
        values = {
            "url": self.url,
            "mime": self.mime,
            "status": str(self.status),
            "digest": self.digest,
            "length": str(self.length),
            "offset": str(self.offset),
            "filename": self.filename,
        }
        if self.redirect is not None:
            values["redirect"] = self.redirect
        if self.truncated is not None:
            values["truncated"] = self.truncated
        return f"{sort_key(self.url)} {self.timestamp} {json.dumps(values)}".encode()


def timestamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S")


def parse_line(line: bytes) -> Entry | None:
    """The entry of a line; None if the line is incomplete or not CDXJ."""
    try:
        _, stamp, body = line.decode().split(" ", 2)
        values = json.loads(body)
        return Entry(
            url=values["url"],
            timestamp=stamp,
            status=int(values["status"]),
            mime=values["mime"],
            digest=values["digest"],
            filename=values["filename"],
            offset=int(values["offset"]),
            length=int(values["length"]),
            redirect=values.get("redirect"),
            truncated=values.get("truncated"),
        )
    except (ValueError, KeyError, TypeError):
        return None


def read_entries(path: Path) -> Iterator[Entry]:
    """Every entry of a CDXJ file; any other line is damage."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith(_HEADER):
                continue
            entry = parse_line(line)
            if entry is None:
                raise FormatError(path, "not a line of CDXJ: `periplus verify` reports all damage", line=number)
            yield entry


def write_sorted(path: Path, lines: Iterable[bytes], files: Sequence[str] | None = None) -> None:
    """Replace a file by lines that are already sorted; they are on disk when this returns."""
    with atomic_files(path) as (draft,), draft.open("wb") as out:
        if files is not None:
            out.write(_HEADER + json.dumps(sorted(files)).encode() + b"\n")
        out.writelines(lines)


def is_exact(line: bytes) -> bool:
    """Whether a line is what `Entry.line` writes, byte for byte: a damaged key or name would hide the entry."""
    entry = parse_line(line)
    return entry is not None and entry.line() + b"\n" == line


def covered(path: Path) -> set[str]:
    """The WARC files that a merged CDXJ covers."""
    if not path.exists():
        return set()
    with path.open("rb") as lines:
        first = lines.readline()
    try:
        return set(json.loads(first[len(_HEADER) :])) if first.startswith(_HEADER) else set()
    except ValueError:
        return set()


def merge(target: Path, pieces: Sequence[Path], files: Sequence[str]) -> None:
    """Merge sorted CDXJ files into `target`, in constant memory."""
    with merged_lines(pieces) as lines:
        write_sorted(target, lines, files)


def is_merged(target: Path, pieces: Sequence[Path]) -> bool:
    """Whether a merged CDXJ holds the lines of these pieces, byte for byte."""
    with merged_lines(pieces) as lines, merged_lines([target]) as stored:
        return all(one == two for one, two in zip_longest(lines, stored))


@contextmanager
def merged_lines(pieces: Sequence[Path]) -> Iterator[Iterator[bytes]]:
    """The lines of sorted CDXJ files, sorted."""
    with ExitStack() as opened:
        handles = [opened.enter_context(piece.open("rb")) for piece in pieces]
        yield heapq.merge(*((line for line in handle if not line.startswith(_HEADER)) for handle in handles))


def lookup(path: Path, url: str) -> list[Entry]:
    """The entries of one URL in a sorted CDXJ file, oldest first, found by bisection over its bytes."""
    prefix = sort_key(url).encode() + b" "
    with path.open("rb") as file:
        _seek_to(file, prefix, path.stat().st_size)
        found = []
        for line in file:
            if not line.startswith(prefix):
                break
            entry = parse_line(line)
            if entry is not None and entry.url == url:
                found.append(entry)
    return found


def _seek_to(file: BinaryIO, prefix: bytes, size: int) -> None:
    """Seek to the first line that does not sort before `prefix`."""
    low, high = 0, size  # the line starts in [low, high]; `low` is always the start of a line
    while high - low > 512:
        middle = (low + high) // 2
        file.seek(middle)
        file.readline()
        start = file.tell()
        if start >= high:
            high = middle
            continue
        if file.readline() < prefix:
            low = file.tell()
        else:
            high = start
    file.seek(low)
    at = low
    for line in file:
        if line >= prefix:
            break
        at += len(line)
    file.seek(at)
