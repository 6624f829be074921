"""Add pages that others fetched: WARC, ARC and WACZ files, and folders of HTML.

Every intact `response` record, and every `resource` record with an http(s) URL, is written as a new record with its
bytes unchanged. A `revisit` gets the payload that it refers to, if it is stored. Other records are only counted. A page
that is already stored (same URL, second and payload digest) is not stored again, so nothing is added twice, not even
after a crash.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from periplus.errors import InputError, UrlError
from periplus.pages import cdx, folder
from periplus.pages.archives import read_archive
from periplus.pages.scan import Problem
from periplus.pages.store import Entry, PageStore, PageWriter
from periplus.pages.warc import Capture, WarcRecord, capture_from, split_head
from periplus.web.url import canonical

ARCHIVES = (".warc", ".arc", ".wacz", ".warc.gz", ".arc.gz", ".warc.zst", ".warc.lz4", ".warc.open")


@dataclass(frozen=True, slots=True)
class AddReport:
    """What `add_files` did: pages stored, pages known before, other records by kind, broken records."""

    files: int
    pages: int
    known: int
    skipped: dict[str, int]
    problems: tuple[Problem, ...]
    seconds: float


@dataclass(slots=True)
class _Adding:
    """The state of one call of `add_files`: what was stored so far, and where the payloads of revisits are."""

    store: PageStore
    writer: PageWriter
    pages: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    stored: set[int] = field(default_factory=set)
    by_digest: dict[str, Entry] = field(default_factory=dict)
    by_digest_loaded: bool = False


def add_files(
    store: PageStore,
    paths: Sequence[str | Path],
    *,
    base: str | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> AddReport:
    """Add archives and folders to a store; the caller holds the writing lock of the collection."""
    started = time.perf_counter()
    sources = [source for path in paths for source in _sources(Path(path))]
    if base is not None:
        base = _checked_base(base)
    with store.writer("added") as writer:
        adding = _Adding(store, writer)
        for source in sources:
            for item in _items(source, base):
                _take(adding, item)
                if progress is not None:
                    progress(source.name, adding.pages)
            if others := _passed_over(source):
                adding.skipped["file without an HTML ending"] += others
            writer.sync()
    return AddReport(
        files=len(sources),
        pages=adding.pages,
        known=adding.known,
        skipped=dict(sorted(adding.skipped.items())),
        problems=tuple(adding.problems),
        seconds=time.perf_counter() - started,
    )


def _checked_base(base: str) -> str:
    href = canonical(base)
    if href is None:
        raise UrlError(f"{base!r} is not an http(s) URL: write the base as https://host/path/")
    return href if href.endswith("/") else f"{href}/"


def _sources(path: Path) -> list[Path]:
    """What to read for one argument: a file, a folder of HTML, or the archives in a folder."""
    if not path.exists():
        raise InputError(f"{path} does not exist")
    if path.is_file():
        return [path]
    archives = sorted(item for item in path.rglob("*") if item.is_file() and item.name.lower().endswith(ARCHIVES))
    pages = [path] if folder.html_files(path) else []
    if not archives and not pages:
        raise InputError(f"{path} contains neither HTML files nor WARC, ARC or WACZ files")
    return archives + pages


def _passed_over(source: Path) -> int:
    """The number of files in a folder that are neither pages nor archives, judged by their names."""
    taken = (*folder.SUFFIXES, *ARCHIVES)
    return sum(item.is_file() and not item.name.lower().endswith(taken) for item in source.rglob("*"))


def _items(source: Path, base: str | None) -> Iterator[WarcRecord | Problem | Capture]:
    if source.is_dir() or source.suffix.lower() in folder.SUFFIXES:
        return folder.captures(source, base)
    return read_archive(source)


def _take(adding: _Adding, item: WarcRecord | Problem | Capture) -> None:
    if isinstance(item, Problem):
        adding.problems.append(item)
        return
    capture = item if isinstance(item, Capture) else _capture(adding, item)
    if capture is None:
        return
    digest = capture.digest()
    key = (capture.url, cdx.timestamp(capture.fetched), digest)
    if hash(key) in adding.stored or _stored_before(adding.store, key):
        adding.known += 1
        return
    entry = adding.writer.append_capture(capture)
    adding.stored.add(hash(key))
    adding.by_digest.setdefault(digest, entry)
    adding.pages += 1


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
    if not head.startswith(b"HTTP/"):
        head = before.head
    # If the stored payload is still chunked, only its own head says so: keep that head.
    return replace(before, url=url, fetched=record.date(), head=head if not before.chunked else before.head, _parsed=[])
