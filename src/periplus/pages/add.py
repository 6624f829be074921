"""Add pages that others fetched: WARC, ARC and WACZ files, folders of HTML, and pages that a program has.

Every intact `response` record, and every `resource` record with an http(s) URL, is written as a new record with its
bytes unchanged. A `revisit` gets the payload that it refers to, if it is stored. Other records are only counted. A page
that is already stored (same URL, second and payload digest) is not stored again, so nothing is added twice, not even
after a crash.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from periplus.errors import InputError, UrlError
from periplus.pages import cdx, given
from periplus.pages.archives import read_archive
from periplus.pages.folders.captures import Mirror, checked_base
from periplus.pages.folders.files import ARCHIVES, SUFFIXES
from periplus.pages.scan import Fault
from periplus.pages.store import Entry, PageStore, PageWriter
from periplus.pages.warc import Capture, WarcRecord, capture_from, parse_head, split_head
from periplus.web.url import canonical


@dataclass(frozen=True, slots=True)
class AddReport:
    """What `add_files` did: files read, pages and redirects stored, pages known before, what was no page, by kind.

    `problems` are the broken records. `notes` say of each folder where its pages stand and whether its links find them.
    """

    files: int
    pages: int
    redirects: int
    known: int
    skipped: dict[str, int]
    problems: tuple[Fault, ...]
    notes: tuple[str, ...]
    seconds: float


@dataclass(slots=True)
class _Adding:
    """The state of one call of `add_files`: what was stored so far, and where the payloads of revisits are."""

    store: PageStore
    writer: PageWriter
    pages: int = 0
    redirects: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stored: set[int] = field(default_factory=set)
    by_digest: dict[str, Entry] = field(default_factory=dict)
    by_digest_loaded: bool = False

    def report(self, files: int, seconds: float) -> AddReport:
        """What was done so far."""
        skipped, problems = dict(sorted(self.skipped.items())), tuple(self.problems)
        counts = (self.pages, self.redirects, self.known)
        return AddReport(files, *counts, skipped, problems, tuple(self.notes), seconds)


def add_files(
    store: PageStore,
    paths: Sequence[str | Path],
    *,
    base: str | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> AddReport:
    """Add archives and folders to a store; the caller holds the writing lock of the collection."""
    started = time.perf_counter()
    root = None if base is None else _checked_base(base)
    sources = [source for path in paths for source in _sources(Path(path), root)]
    with store.writer("added") as writer:
        adding = _Adding(store, writer)
        for source in sources:
            for item in source.captures() if isinstance(source, Mirror) else read_archive(source):
                _take(adding, item)
                if progress is not None:
                    progress(source.source.name if isinstance(source, Mirror) else source.name, adding.pages)
            if isinstance(source, Mirror):
                adding.skipped.update(source.passed_over)
                adding.notes += source.notes()
            writer.sync()
    read = sum(len(source.files.pages) if isinstance(source, Mirror) else 1 for source in sources)
    return adding.report(read, time.perf_counter() - started)


def add_pages(store: PageStore, pages: Any, **columns: str) -> AddReport:
    """Add pages from memory, see `given.captures`; the caller holds the writing lock of the collection."""
    started = time.perf_counter()
    with store.writer("added") as writer:
        adding = _Adding(store, writer)
        for item in given.captures(pages, **columns):
            if isinstance(item, str):
                adding.skipped[item] += 1
            else:
                _take(adding, item)
    return adding.report(0, time.perf_counter() - started)


def _checked_base(base: str) -> str:
    href = checked_base(base)
    if href is None:
        raise UrlError(f"{base!r} is not an http(s) URL: write the base as https://host/path/")
    return href


def _sources(path: Path, base: str | None) -> list[Path | Mirror]:
    """What to read for one argument: a file, a folder of HTML, or the archives in a folder."""
    if not path.exists():
        raise InputError(f"{path} does not exist")
    if path.is_file():
        return [Mirror(path, base) if path.suffix.lower() in SUFFIXES else path]
    archives = sorted(item for item in path.rglob("*") if item.is_file() and item.name.lower().endswith(ARCHIVES))
    mirror = Mirror(path, base)
    if not archives and not mirror.files.pages:
        raise InputError(f"{path} contains neither HTML files nor WARC, ARC or WACZ files")
    return [*archives, mirror] if mirror.files.pages or mirror.files.others else [*archives]


def _take(adding: _Adding, item: WarcRecord | Fault | Capture) -> None:
    if isinstance(item, Fault):
        adding.problems.append(item)
        return
    capture = item if isinstance(item, Capture) else _capture(adding, item)
    if capture is None:
        return
    digest, is_redirect = capture.digest(), capture.redirect is not None
    key = (capture.url, cdx.timestamp(capture.fetched), digest)
    if hash(key) in adding.stored or _stored_before(adding.store, key):
        adding.known += not is_redirect
        return
    entry = adding.writer.append_capture(capture)
    adding.stored.add(hash(key))
    adding.by_digest.setdefault(digest, entry)
    adding.redirects += is_redirect
    adding.pages += not is_redirect


def _stored_before(store: PageStore, key: tuple[str, str, str]) -> bool:
    """Whether the store had this page before this call; the writer has brought the merged index up to date."""
    if not store.cdx_path.exists():
        return False
    return any((entry.url, entry.timestamp, entry.digest) == key for entry in cdx.lookup(store.cdx_path, key[0]))


def _capture(adding: _Adding, record: WarcRecord) -> Capture | None:
    """The capture of a record; None, and counted, if it is not a web page."""
    kind = record.kind or "record without a kind"
    url = canonical(record.url)
    if kind not in ("response", "resource", "revisit"):
        adding.skipped[kind] += 1
    elif url is None:
        adding.skipped[f"{kind} of no http(s) URL"] += 1
    elif kind == "revisit":
        return _revisited(adding, record, url)
    else:
        return capture_from(record, url)
    return None


def _revisited(adding: _Adding, record: WarcRecord, url: str) -> Capture | None:
    """The capture of a revisit record ("the same bytes as before"), with these bytes if they are stored."""
    if not adding.by_digest_loaded:
        for entry in adding.store.entries():
            adding.by_digest.setdefault(entry.digest, entry)
        adding.by_digest_loaded = True
    digest = record.fields.get("warc-payload-digest", "").rpartition(":")[2].upper()
    original = adding.by_digest.get(digest)
    if original is None:
        adding.skipped["revisit without its payload"] += 1
        return None
    before = adding.store.capture(original)
    head, _ = split_head(record.block)
    if not head.startswith(b"HTTP/") or parse_head(head)[0] == 304:
        head = before.head
    # If the stored payload is still chunked, only its own head says so: keep that head.
    return replace(before, url=url, fetched=record.date(), head=head if not before.chunked else before.head, _parsed=[])
