"""Read one of our WARC files from start to end, to complete its index after a crash or to check it for damage."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from periplus.pages import cdx
from periplus.pages.cdx import Entry
from periplus.pages.warc import MAX_RECORD, BrokenRecordError, capture_from, parse_record

_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem in a stored file, and the byte where it is."""

    file: str
    byte: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}, byte {self.byte}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Scanned:
    """A complete record: where it ends, and its entry if it is a page."""

    end: int
    entry: Entry | None


def scan(path: Path, start: int = 0) -> Iterator[Scanned | Fault]:
    """The records of a file from byte `start` on; ends at a problem, because the next record cannot be located."""
    filename = path.name.removesuffix(".open")
    at = start
    with path.open("rb") as file:
        while True:
            try:
                data, length = _member_at(file, at)
                if not data and not length:
                    return
                entry = entry_of(data, filename, at, length)
            except BrokenRecordError as error:
                yield Fault(path.name, at, str(error))
                return
            at += length
            yield Scanned(at, entry)


def _member_at(file: BinaryIO, at: int) -> tuple[bytes, int]:
    """The gzip member at a byte, decompressed, and its length; empty at the end of the file."""
    file.seek(at)
    packer, data, used = zlib.decompressobj(31), bytearray(), 0
    while not packer.eof:
        piece = file.read(_PIECE)
        if not piece:
            if used == 0:
                return b"", 0
            raise BrokenRecordError("the gzip member is cut short")
        try:
            data += packer.decompress(piece)
        except zlib.error as error:
            raise BrokenRecordError(f"not an intact gzip member ({error})") from error
        if len(data) > MAX_RECORD:
            raise BrokenRecordError(f"a record of more than {MAX_RECORD} bytes")
        used += len(piece)
    return bytes(data), used - len(packer.unused_data)


def entry_of(data: bytes, filename: str, offset: int, length: int) -> Entry | None:
    """The index entry of an uncompressed record; None if it is not a page."""
    record = parse_record(data)
    if record.kind not in ("response", "resource", "revisit"):
        return None
    capture = capture_from(record)
    return Entry.of_capture(capture, capture.digest(), length, filename, offset)


def check_file(path: Path, index: Path) -> list[Fault]:
    """All problems of a WARC file and its index; after a broken record it continues at the next one in the index."""
    problems, listed = _listed(index)
    found: set[int] = set()
    at: int | None = 0
    while at is not None:
        start, at = at, None
        for item in scan(path, start):
            if isinstance(item, Fault):
                problems.append(item)
                at = min((offset for offset in listed if offset > item.byte), default=None)
            elif item.entry is not None:
                found.add(item.entry.offset)
                if listed.get(item.entry.offset) != item.entry:
                    problems.append(Fault(index.name, 0, f"does not describe the record at byte {item.entry.offset}"))
    known_broken = {problem.byte for problem in problems}
    for offset in sorted(set(listed) - found - known_broken):
        problems.append(Fault(path.name, offset, f"{listed[offset].url} should be here but is not"))
    return problems


def _listed(index: Path) -> tuple[list[Fault], dict[int, Entry]]:
    """The entries of an index by their offset, and a problem for each line that is not one."""
    problems, listed = [], {}
    at, before = 0, b""
    with index.open("rb") as lines:
        for line in lines:
            entry = cdx.parse_line(line)
            if entry is not None:
                listed[entry.offset] = entry
            if line < before or not cdx.is_exact(line):
                problems.append(Fault(index.name, at, "not a line as it was written: the next build repairs it"))
            at, before = at + len(line), line
    return problems, listed
