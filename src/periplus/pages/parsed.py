"""What was read out of the stored pages, kept so that graph and index need not parse HTML again.

There is one segment per WARC file: for each batch of captures, in the order of the WARC, a frame that zstd skips, with
three lengths; then three zstd frames of so many bytes, of JSON lines, one line per capture: heads, words, links. So a
reader passes over what it does not need, and `zstdcat` shows it all. A segment is written under a temporary name and
renamed when it is complete, so a segment that exists is complete. Pages are parsed in sandboxed processes, batch by
batch: all cores work, and memory does not grow with the archive. A page on which a process dies or runs out of CPU time
loses its words and links; no other page does.

Cost: one pass over the WARC files.
"""

from __future__ import annotations

import asyncio
import json
import struct
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal
from zlib import crc32

import zstandard

from periplus.durable import atomic_files
from periplus.errors import FormatError, MissingStageError, PeriplusError
from periplus.pages.store import Entry, PageStore
from periplus.sandbox import clock
from periplus.sandbox.pool import ProcessDiedError, Sandbox, run_to_end
from periplus.web.html import is_html, parse_html
from periplus.web.link import Link
from periplus.web.page import Document, Page
from periplus.web.url import canonical

BATCH = 64
CPU_SECONDS_PER_PAGE = 5.0
TASK = f"{__name__}:parse_batch"
_SUFFIX = ".2.jsonl.zst"
_BATCH_HEAD = struct.Struct("<5I")
_SKIPPED = 0x184D2A50, 12

Depth = Literal["heads", "words", "links"]
_DEPTHS: tuple[Depth, ...] = ("heads", "words", "links")


@dataclass(frozen=True, slots=True)
class ParsedCapture:
    """One stored response after parsing: a document, a redirect, or neither.

    `blocks` has four bytes for each line of the document's text, equal for equal lines.
    """

    url: str
    status: int
    fetched: str
    digest: str
    redirect: str | None = None
    document: Document | None = None
    failed: str | None = None
    blocks: bytes = b""

    @property
    def is_document(self) -> bool:
        return self.document is not None


class ParsedPages:
    """The segments in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def segment(self, warc_name: str) -> Path:
        return self.folder / (warc_name + _SUFFIX)

    def missing(self, warc_names: Iterable[str]) -> list[str]:
        """The WARC files that have no segment yet."""
        return [name for name in warc_names if not self.segment(name).exists()]

    def remove_others(self, warc_names: Iterable[str]) -> None:
        """Remove what is no segment of these WARC files, as those of an earlier version."""
        kept = {self.segment(name) for name in warc_names}
        for path in self.folder.iterdir():
            if path not in kept:
                path.unlink()

    def parse(self, store: PageStore, warc_names: Sequence[str], progress: Callable[[int], None] | None = None) -> int:
        """Write the segments of these WARC files; returns the number of captures read."""
        return run_to_end(self._parse(store, warc_names, progress)) if warc_names else 0

    async def _parse(self, store: PageStore, warc_names: Sequence[str], progress: Callable[[int], None] | None) -> int:
        captures = 0
        async with Sandbox(TASK, cpu_seconds=CPU_SECONDS_PER_PAGE) as sandbox:
            for name in warc_names:
                with atomic_files(self.segment(name)) as (draft,), draft.open("wb") as out:
                    async for frame, count in _frames(sandbox, store, store.entries(name)):
                        out.write(frame)
                        captures += count
                        if progress is not None:
                            progress(captures)
        return captures

    def read(self, warc_names: Iterable[str], *, upto: Depth = "links") -> Iterator[ParsedCapture]:
        """The captures of these WARC files, in order.

        Up to "heads" every document is empty, up to "words" it has no links: what is not asked for is not decoded.
        """
        for name in warc_names:
            path = self.segment(name)
            if not path.exists():
                raise MissingStageError(f"{path} is missing: run `periplus build` on its collection")
            with path.open("rb") as file:
                while head := file.read(_BATCH_HEAD.size):
                    try:
                        yield from _read_batch(file, head, upto)
                    except (zstandard.ZstdError, ValueError, KeyError, TypeError, struct.error) as error:
                        problem = f"damaged ({error}): delete it and run `periplus build` again"
                        raise FormatError(path, problem) from error


async def _frames(sandbox: Sandbox, store: PageStore, entries: Iterable[Entry]) -> AsyncIterator[tuple[bytes, int]]:
    """Compressed frames of parsed captures, in order, with the number of captures in each."""
    remaining = (entry for entry in entries if not entry.is_revisit)  # what did not change is read already
    reading: deque[tuple[asyncio.Task[bytes], int]] = deque()
    while True:
        while len(reading) < 2 * sandbox.size and (batch := list(islice(remaining, BATCH))):
            reading.append((asyncio.create_task(_frame_of(sandbox, store, batch)), len(batch)))
        if not reading:
            return
        task, count = reading.popleft()
        yield await task, count


async def _frame_of(sandbox: Sandbox, store: PageStore, batch: list[Entry]) -> bytes:
    """The frame of one batch; a batch on which a process dies is repeated page by page."""
    try:
        frame: bytes = await sandbox.run(_job(store, batch))
    except ProcessDiedError:
        return b"".join([await _frame_of_one(sandbox, store, entry) for entry in batch])
    return frame


async def _frame_of_one(sandbox: Sandbox, store: PageStore, entry: Entry) -> bytes:
    try:
        frame: bytes = await sandbox.run(_job(store, [entry]), _job(store, [entry], parse=False))
    except ProcessDiedError:
        return _frame([_unread(entry, DIED)])
    return frame


DIED = "the parser died or ran out of time on this page"


def _job(store: PageStore, batch: list[Entry], *, parse: bool = True) -> tuple[Any, ...]:
    return str(store.folder), str(store.cdx_path), tuple(entry.to_plain() for entry in batch), parse


def parse_batch(job: tuple[Any, ...]) -> bytes:
    """The task of the sandbox: the frame of a batch of stored pages; without `parse`, of pages that nobody could read.

    Each page has the whole limit of CPU time.
    """
    folder, cdx_path, entries, parse = job
    store, captures = PageStore(Path(folder), Path(cdx_path)), []
    for entry in (Entry(*plain) for plain in entries):
        clock.restart()
        try:
            captures.append(read_capture(entry, store.read(entry)) if parse else _unread(entry, DIED))
        except PeriplusError as error:
            captures.append(_unread(entry, str(error)))
    return _frame(captures)


def read_capture(entry: Entry, page: Page) -> ParsedCapture:
    """Parse one stored page: its document if it is a successful HTML page, its target if it is a redirect."""
    document: Document | None = None
    if 200 <= page.status < 300 and is_html(page.content_type, page.body):
        headers = {name.lower(): value for name, value in page.headers.items()}
        document = parse_html(
            page.body, page.url, headers.get("content-type"), x_robots_tag=headers.get("x-robots-tag")
        )
        if document.language is None and (spoken := headers.get("content-language", "").strip().lower()):
            document = replace(document, language=spoken)
    onward = canonical(entry.redirect, entry.url) if entry.redirect else None
    if document is not None and document.refresh:  # a stub that sends readers on is a redirect, and no page
        onward, document = document.refresh, None
    return ParsedCapture(
        url=entry.url,
        status=entry.status,
        fetched=str(entry.timestamp),
        digest=entry.digest,
        redirect=onward,
        document=document,
        blocks=block_marks(document.text) if document else b"",
    )


def block_marks(text: str) -> bytes:
    """Four bytes for each line of a text, equal for equal lines."""
    return b"".join(crc32(line.encode("utf-8", "replace")).to_bytes(4, "little") for line in text.split("\n"))


def _unread(entry: Entry, problem: str) -> ParsedCapture:
    return ParsedCapture(entry.url, entry.status, str(entry.timestamp), entry.digest, entry.redirect, failed=problem)


def _frame(captures: list[ParsedCapture]) -> bytes:
    """One batch: the skipped frame, and the frames of heads, words and links."""
    packer = zstandard.ZstdCompressor(level=3, write_checksum=True)
    packed = []
    for shape in (_head, _words, _links):
        lines = "".join(json.dumps(shape(capture), ensure_ascii=False) + "\n" for capture in captures)
        packed.append(packer.compress(lines.encode("utf-8", "replace")))
    return _BATCH_HEAD.pack(*_SKIPPED, *map(len, packed)) + b"".join(packed)


def _head(capture: ParsedCapture) -> dict[str, object]:
    record: dict[str, object] = {
        "url": capture.url,
        "status": capture.status,
        "fetched": capture.fetched,
        "digest": capture.digest,
    }
    if capture.redirect:
        record["redirect"] = capture.redirect
    if capture.failed:
        record["failed"] = capture.failed
    if capture.document is not None:
        record["blocks"] = b64encode(capture.blocks).decode()
    return record


def _words(capture: ParsedCapture) -> dict[str, object] | None:
    document = capture.document
    if document is None:
        return None
    return {
        "title": document.title,
        "headings": document.headings,
        "text": document.text,
        "kinds": document.kinds,
        "parts": document.parts,
        "canonical": document.canonical,
        "language": document.language,
        "description": document.description,
        "insecure": document.insecure,
        "charset": document.charset,
        "noindex": document.noindex,
        "nofollow": document.nofollow,
        "links_truncated": document.links_truncated,
    }


def _links(capture: ParsedCapture) -> list[object] | None:
    document = capture.document
    if document is None:
        return None
    return [[link.target, link.anchor, sorted(link.rel)] for link in document.links]


def _read_batch(file: BinaryIO, head: bytes, upto: Depth) -> Iterator[ParsedCapture]:
    magic, size, *lengths = _BATCH_HEAD.unpack(head)
    if (magic, size) != _SKIPPED:
        raise ValueError("no batch begins here")
    read: list[list[bytes]] = []
    for depth, length in zip(_DEPTHS, lengths, strict=True):
        if _DEPTHS.index(depth) > _DEPTHS.index(upto):
            file.seek(length, 1)
        else:
            read.append(zstandard.ZstdDecompressor().decompress(file.read(length)).split(b"\n")[:-1])
    for lines in zip(*read, strict=True):
        yield _capture(*lines)


def _capture(head: bytes, words: bytes = b"{}", links: bytes = b"[]") -> ParsedCapture:
    record = json.loads(head)
    blocks = record.pop("blocks", None)
    if blocks is None:
        return ParsedCapture(**record)
    url, found = record["url"], json.loads(words)
    if found:
        found["headings"] = tuple(found["headings"])
        if found["insecure"] is not None:
            found["insecure"] = tuple(found["insecure"])
    anchors = tuple(Link(url, target, anchor, frozenset(rel)) for target, anchor, rel in json.loads(links))
    return ParsedCapture(**record, blocks=b64decode(blocks), document=Document(url=url, links=anchors, **found))
