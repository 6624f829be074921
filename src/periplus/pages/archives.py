"""Archives of other programs (wget, Heritrix, Browsertrix, Common Crawl, warcio, StormCrawler …), record by record.

WARC 0.17 to 1.1, plain or compressed with gzip, zstd or lz4, also with the whole file in one gzip member; ARC versions
1 and 2; WACZ (a zip with WARC files in `archive/`). A broken record is returned as a `Fault` that names the file and
the byte, and reading continues at the next record that can be recognised. Other libraries stop there and lose the rest.

A record is *broken* if its header cannot be read, its block is cut short, its block does not match the digest in its
header, or no record can start where its length says that it ends.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, cast

from periplus.errors import FormatError, UnknownFormatError
from periplus.pages.scan import Fault
from periplus.pages.stream import ByteStream, DamageError, chunks
from periplus.pages.warc import (
    MAX_RECORD,
    BrokenRecordError,
    WarcRecord,
    check_digest,
    parse_date,
    parse_fields,
    parse_head,
    split_head,
    warc_date,
)

_MAX_HEADER = 64 * 1024
_VERSION = re.compile(rb"WARC/[01]\.\d+\s*$")
_INSIDE = re.compile(rb"\nWARC/[01]\.\d+\r?\n")
_ARC_LINE = re.compile(rb"^\w+://.* \d{12,} \S+ \S+\s*$")


def read_archive(path: Path) -> Iterator[WarcRecord | Fault]:
    """Every record of a WARC, ARC or WACZ file."""
    with path.open("rb") as file:
        if file.read(4) == b"PK\x03\x04":
            yield from _read_wacz(path)
        else:
            file.seek(0)
            yield from _read_stream(file, path.name, path)


def _read_wacz(path: Path) -> Iterator[WarcRecord | Fault]:
    try:
        with zipfile.ZipFile(path) as bundle:
            names = sorted(name for name in bundle.namelist() if name.startswith("archive/") and ".warc" in name)
            if not names:
                raise UnknownFormatError(f"{path} is a zip file without WARC files in archive/, so not a WACZ")
            for name in names:
                with bundle.open(name) as member:
                    yield from _read_stream(cast(BinaryIO, member), f"{path.name}:{name}", path)
    except zipfile.BadZipFile as error:
        raise FormatError(path, f"the zip file is broken ({error})") from error


def _read_stream(file: BinaryIO, name: str, path: Path) -> Iterator[WarcRecord | Fault]:
    stream = ByteStream(chunks(file))
    try:
        first = stream.readline(_MAX_HEADER)
    except DamageError as error:
        raise UnknownFormatError(f"{path} cannot be decompressed: {error}") from error
    stream.unread(first)
    if first.startswith(b"filedesc://"):
        yield from read_arc(stream, name)
    elif first.startswith(b"WARC/"):
        yield from read_warc(stream, name)
    else:
        raise UnknownFormatError(f"{path} is not a WARC, ARC, WACZ or HTML file: its first bytes are {first[:20]!r}")


# -- WARC ----------------------------------------------------------------------------------------------------


def read_warc(stream: ByteStream, name: str) -> Iterator[WarcRecord | Fault]:
    """The records of a WARC stream, intact or broken, in order."""
    lost = False  # True while searching for the next record after a broken one, so a problem is reported once
    while True:
        at = stream.at
        try:
            line = stream.readline(_MAX_HEADER)
            if not line:
                return
            if not _VERSION.match(line):
                if line.strip() and not lost:
                    lost = True
                    yield Fault(name, at, "no record starts where one should")
                continue
            lost = False
            at = at if stream.plain else stream.at
            yield _warc_record(stream, line)
        except DamageError as error:
            yield Fault(name, at, str(error))
            stream.pass_damage()
            lost = True
        except BrokenRecordError as error:
            yield Fault(name, at, str(error))
            lost = True


def _warc_record(stream: ByteStream, version: bytes) -> WarcRecord:
    head = version + _header_lines(stream)
    fields = parse_fields(head)
    length = fields.get("content-length", "")
    about = f"{fields.get('warc-type', 'record')} of {fields.get('warc-target-uri', 'no URL')[:200]}"
    if not length.isdigit():
        raise BrokenRecordError(f"{about}: Content-Length is {length[:20]!r}")
    if int(length) > MAX_RECORD:
        stream.skip(int(length))
        raise BrokenRecordError(f"{about}: {length} bytes are more than the limit of {MAX_RECORD}")
    block = stream.read(int(length))
    record = WarcRecord(fields, block)
    try:
        _check_end(stream, record, int(length))
        check_digest(record)
        record.date()
    except BrokenRecordError as error:
        raise BrokenRecordError(f"{about}: {error}") from error
    return record


def _header_lines(stream: ByteStream) -> bytes:
    lines: list[bytes] = []
    size = 0
    while line := stream.readline(_MAX_HEADER):
        if not line.strip():
            return b"".join(lines)
        size += len(line)
        if size > _MAX_HEADER:
            raise BrokenRecordError("a record header that does not end")
        lines.append(line)
    raise BrokenRecordError("the record header is cut short")


def _check_end(stream: ByteStream, record: WarcRecord, length: int) -> None:
    """Raise if the block is cut short or runs into the next record; the next record is then read separately."""
    if len(record.block) < length:
        stream.unread(_from_next_record(record.block))
        raise BrokenRecordError(f"cut short: {len(record.block)} of {length} bytes")
    try:
        after = stream.read(4)
    except DamageError:
        return  # the block is complete; the damage after it is reported with the next record
    if after == b"\r\n\r\n" or not after.strip(b"\r\n"):
        stream.unread(after.lstrip(b"\r\n"))
        return
    if after.lstrip(b"\r\n").startswith(b"WARC"[: len(after.lstrip(b"\r\n"))]):
        stream.unread(after.lstrip(b"\r\n"))
        return
    if record.fields.get("warc-block-digest"):
        stream.unread(after)
        check_digest(record)
        return  # the block is correct; only what follows it is not
    stream.unread(_from_next_record(record.block) + after)
    raise BrokenRecordError("Content-Length is wrong: no record ends there")


def _from_next_record(block: bytes) -> bytes:
    """The bytes of a block from the next record on, which the block swallowed."""
    found = _INSIDE.search(block)
    return block[found.start() + 1 :] if found else b""


# -- ARC -----------------------------------------------------------------------------------------------------


def read_arc(stream: ByteStream, name: str) -> Iterator[WarcRecord | Fault]:
    """The records of an ARC stream as `response` records; the description of the file becomes a `warcinfo`."""
    columns, lost = 5, False
    while True:
        at = stream.at
        try:
            line = stream.readline(_MAX_HEADER)
            if not line:
                return
            if not line.strip():
                continue
            if lost and not _ARC_LINE.match(line):
                continue
            lost = False
            record = _arc_record(stream, line, columns)
            if record.kind == "warcinfo":
                columns = _arc_columns(record.block)
            yield record
        except DamageError as error:
            yield Fault(name, at, str(error))
            stream.pass_damage()
            lost = True
        except BrokenRecordError as error:
            yield Fault(name, at, str(error))
            lost = True


def _arc_columns(block: bytes) -> int:
    lines = block.splitlines()
    return max(5, len(lines[1].split())) if len(lines) > 1 else 5


def _arc_record(stream: ByteStream, line: bytes, columns: int) -> WarcRecord:
    words = line.strip().rsplit(b" ", columns - 1)
    text = line.strip()[:200].decode("latin-1")
    if len(words) != columns or not words[-1].isdigit():
        raise BrokenRecordError(f"{text!r} is not an ARC record header")
    length = int(words[-1])
    if length > MAX_RECORD:
        stream.skip(length)
        raise BrokenRecordError(f"{text!r}: more than the limit of {MAX_RECORD} bytes")
    block = stream.read(length)
    if len(block) < length and not _whole_response(block):
        raise BrokenRecordError(f"{text!r}: cut short at {len(block)} of {length} bytes")
    url = words[0].decode("utf-8", "replace")
    kind = "warcinfo" if url.startswith("filedesc://") else "response"
    if kind == "response" and url.startswith("http") and not block.startswith(b"HTTP/"):
        raise BrokenRecordError(f"{text!r}: contains no HTTP response")
    fields = {
        "warc-type": kind,
        "warc-target-uri": url,
        "warc-date": warc_date(_arc_date(words[2])),
        "warc-ip-address": words[1].decode("latin-1"),
        "content-type": "application/http;msgtype=response",
    }
    return WarcRecord(fields, block)


def _whole_response(block: bytes) -> bool:
    """Whether a block has as many bytes as its own HTTP `Content-Length` says, whatever the ARC header says."""
    head, payload = split_head(block)
    length = dict(parse_head(head)[1]).get("Content-Length", "")
    return length.isdigit() and len(payload) >= int(length)


def _arc_date(text: bytes) -> datetime:
    try:
        return datetime.strptime(text.decode("latin-1"), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return parse_date(text.decode("latin-1"))
