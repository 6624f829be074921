"""What was read out of the stored pages, kept so that graph and index need not parse HTML again.

There is one segment per WARC file: zstd frames of JSON lines, one line per capture, in the order of the WARC. A segment
is written under a temporary name and renamed when it is complete, so a segment that exists is complete. Pages are
parsed in sandboxed processes, batch by batch: all cores work, and memory does not grow with the archive. A page on
which a process dies or runs out of CPU time loses its words and links; no other page does.

Cost: one pass over the WARC files.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import zstandard

from periplus.durable import atomic_files
from periplus.errors import FormatError, PeriplusError
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
_SUFFIX = ".jsonl.zst"
_DOCUMENT, _EMPTY = b'"document": {', b'"document": {"headings": [], "links": []}}'
_LINKS, _AFTER_LINKS = b'"links": [', b', "canonical": '

Depth = Literal["heads", "words", "links"]


@dataclass(frozen=True, slots=True)
class ParsedCapture:
    """One stored response after parsing: a document, a redirect, or neither."""

    url: str
    status: int
    fetched: str
    digest: str
    redirect: str | None = None
    document: Document | None = None
    failed: str | None = None

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
            try:
                with (
                    path.open("rb") as raw,
                    zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as plain,
                ):
                    for number, line in enumerate(_lines(plain), 1):
                        yield _from_json(_cut(line, upto), path, number)
            except zstandard.ZstdError as error:
                raise FormatError(path, f"damaged ({error}): delete it and run `periplus build` again") from error


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
    )


def _unread(entry: Entry, problem: str) -> ParsedCapture:
    return ParsedCapture(entry.url, entry.status, str(entry.timestamp), entry.digest, entry.redirect, failed=problem)


def _frame(captures: list[ParsedCapture]) -> bytes:
    lines = "".join(_to_json(capture) + "\n" for capture in captures)
    return zstandard.ZstdCompressor(level=3, write_checksum=True).compress(lines.encode("utf-8", "replace"))


def _to_json(capture: ParsedCapture) -> str:
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
    if (document := capture.document) is not None:
        record["document"] = {
            "title": document.title,
            "headings": document.headings,
            "text": document.text,
            "links": [[link.target, link.anchor, sorted(link.rel)] for link in document.links],
            "canonical": document.canonical,
            "language": document.language,
            "description": document.description,
            "insecure": document.insecure,
            "charset": document.charset,
            "noindex": document.noindex,
            "nofollow": document.nofollow,
            "links_truncated": document.links_truncated,
        }
    return json.dumps(record, ensure_ascii=False)


def _cut(line: bytes, upto: Depth) -> bytes:
    """A line without what is not asked for. A quote inside a string is escaped, so no text can pass for a key."""
    if upto == "heads" and (at := line.find(_DOCUMENT)) >= 0:
        return line[:at] + _EMPTY
    if upto == "words" and (at := line.find(_LINKS)) >= 0 and (end := line.find(_AFTER_LINKS, at)) >= 0:
        return line[:at] + _LINKS + b"]" + line[end:]
    return line


def _from_json(line: bytes, path: Path, number: int) -> ParsedCapture:
    try:
        record = json.loads(line)
        found = record.pop("document", None)
        if found is not None:
            url = record["url"]
            found["headings"] = tuple(found["headings"])
            if found.get("insecure") is not None:
                found["insecure"] = tuple(found["insecure"])
            found["links"] = tuple(Link(url, target, anchor, frozenset(rel)) for target, anchor, rel in found["links"])
            record["document"] = Document(url=url, **found)
        return ParsedCapture(**record)
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(path, f"not a capture ({error}): delete the file and build again", line=number) from error


def _lines(stream: zstandard.ZstdDecompressionReader) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(1 << 20):
        pieces = (rest + chunk).split(b"\n")
        rest = pieces.pop()
        yield from pieces
    if rest:
        yield rest
