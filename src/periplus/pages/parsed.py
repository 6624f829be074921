"""What was read out of the stored pages, kept so that graph and index need not parse HTML again.

One segment a WARC file: zstd frames of JSON lines, a line a capture, in the order of the WARC. A segment is
written under a temporary name and renamed when whole, so a segment that exists is complete. Pages are parsed in
worker processes, a batch at a time, so both cores work and memory does not grow with the archive. A worker that
exceeds its CPU time on one page, or dies on it, costs that page its words and links and nothing else.

Cost: one pass over the WARC files.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import zstandard

from periplus.durable import appearing
from periplus.errors import FormatError, PeriplusError
from periplus.pages.store import Entry, PageStore
from periplus.web.html import is_html, parse_html
from periplus.web.link import Link
from periplus.web.page import Document, Page
from periplus.web.url import canonical

BATCH = 64
SECONDS_A_PAGE = 5.0
_SUFFIX = ".jsonl.zst"


@dataclass(frozen=True, slots=True)
class Capture:
    """One stored response after reading: a document, a redirect, or neither."""

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
    """The segments of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def segment(self, warc_name: str) -> Path:
        return self.folder / (warc_name + _SUFFIX)

    def missing(self, warc_names: Iterable[str]) -> list[str]:
        """The WARC files that have no segment yet."""
        return [name for name in warc_names if not self.segment(name).exists()]

    def parse(self, store: PageStore, warc_names: Sequence[str], progress: Callable[[int], None] | None = None) -> int:
        """Write the segments of these WARC files; returns the number of captures read."""
        captures = 0
        with _Workers(store) as workers:
            for name in warc_names:
                target = self.segment(name)
                with appearing(target) as (draft,), draft.open("wb") as out:
                    for frame, count in workers.parsed(store.entries(name)):
                        out.write(frame)
                        captures += count
                        if progress is not None:
                            progress(captures)
        return captures

    def read(self, warc_names: Iterable[str]) -> Iterator[Capture]:
        """The captures of these WARC files, in order."""
        for name in warc_names:
            path = self.segment(name)
            try:
                with (
                    path.open("rb") as raw,
                    zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as plain,
                ):
                    for number, line in enumerate(_lines(plain), 1):
                        yield _from_json(line, path, number)
            except zstandard.ZstdError as error:
                raise FormatError(path, f"damaged ({error}): delete it and run `periplus build` again") from error


class _Workers:
    """A pool that survives the death of its workers: the batch that broke it is repeated page by page."""

    def __init__(self, store: PageStore, processes: int | None = None) -> None:
        self._store = store
        self._processes = processes or max(1, os.cpu_count() or 1)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def parsed(self, entries: Iterable[Entry]) -> Iterator[tuple[bytes, int]]:
        """Compressed frames of parsed captures, in order, with the number of captures in each."""
        remaining = iter(entries)
        waiting: deque[tuple[list[Entry], Future[bytes]]] = deque()
        while True:
            while len(waiting) < 2 * self._processes and (batch := list(islice(remaining, BATCH))):
                waiting.append((batch, self._submit(batch)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            try:
                yield future.result(), len(batch)
            except BrokenProcessPool:
                # Every batch in flight is lost with the pool; the ones behind are simply asked for again.
                self._pool = None
                yield self._one_by_one(batch), len(batch)
                waiting = deque((again, self._submit(again)) for again, _ in waiting)

    def _submit(self, batch: list[Entry]) -> Future[bytes]:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=_start_worker)
        return self._pool.submit(_parse_batch, self._store, batch)

    def _one_by_one(self, batch: list[Entry]) -> bytes:
        frames = []
        for entry in batch:
            try:
                frames.append(self._submit([entry]).result())
            except BrokenProcessPool:
                self._pool = None
                frames.append(_frame([_unread(entry, "the parser died or ran out of time on this page")]))
        return b"".join(frames)


def _start_worker() -> None:
    # Ctrl-C is the parent's affair; a page that eats its CPU time kills the worker outright, because no
    # Python handler runs while a C parser loops.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)


def _parse_batch(store: PageStore, batch: list[Entry]) -> bytes:
    captures = []
    for entry in batch:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_A_PAGE)
        try:
            captures.append(read_capture(entry, store.read(entry)))
        except PeriplusError as error:
            captures.append(_unread(entry, str(error)))
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return _frame(captures)


def read_capture(entry: Entry, page: Page) -> Capture:
    """Read one stored page: its document when it is a sound HTML page, its target when it is a redirect."""
    document = None
    if 200 <= page.status < 300 and is_html(page.content_type, page.body):
        headers = {name.lower(): value for name, value in page.headers.items()}
        document = parse_html(
            page.body, page.url, headers.get("content-type"), x_robots_tag=headers.get("x-robots-tag")
        )
    return Capture(
        url=entry.url,
        status=entry.status,
        fetched=str(entry.timestamp),
        digest=entry.digest,
        redirect=canonical(entry.redirect, entry.url) if entry.redirect else None,
        document=document,
    )


def _unread(entry: Entry, problem: str) -> Capture:
    return Capture(entry.url, entry.status, str(entry.timestamp), entry.digest, entry.redirect, failed=problem)


def _frame(captures: list[Capture]) -> bytes:
    lines = "".join(_to_json(capture) + "\n" for capture in captures)
    return zstandard.ZstdCompressor(level=3).compress(lines.encode("utf-8", "replace"))


def _to_json(capture: Capture) -> str:
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
            "charset": document.charset,
            "noindex": document.noindex,
            "nofollow": document.nofollow,
            "links_truncated": document.links_truncated,
        }
    return json.dumps(record, ensure_ascii=False)


def _from_json(line: bytes, path: Path, number: int) -> Capture:
    try:
        record = json.loads(line)
        found = record.pop("document", None)
        if found is not None:
            url = record["url"]
            found["headings"] = tuple(found["headings"])
            found["links"] = tuple(Link(url, target, anchor, frozenset(rel)) for target, anchor, rel in found["links"])
            record["document"] = Document(url=url, **found)
        return Capture(**record)
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
