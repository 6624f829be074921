"""`PageStore`: the pages of a collection, in WARC files with a CDXJ index beside them.

    000001-crawl.warc.gz         a finished file: `warcinfo`, then response and request records, one gzip member each
    000001-crawl.cdxj            its index, sorted
    000002-crawl.warc.gz.open    the file being written; it only grows
    000002-crawl.cdxj.open       its index so far, in the order of writing
    pages.cdxj                   the sorted merge of all finished indexes: finds any page by its URL
    digests.json                 the SHA-256 of every finished index, by which a build finds a damaged one

Every index can be rebuilt from its WARC file, so only the WARC file is synced while writing. `recover` repairs a store
after a crash: it keeps every complete record of an `.open` file, cuts off an incomplete one at the end, writes the lost
index entries, and closes the file. It changes nothing in a store that was closed properly. The caller holds the writing
lock of the collection.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Protocol

from periplus import __version__
from periplus.durable import DIGESTS, broken_files, broken_seals, digests_of, file_digest, unseal, write_digests
from periplus.errors import DamagedError, storage
from periplus.pages import cdx
from periplus.pages.cdx import Entry
from periplus.pages.scan import Fault, check_file, scan
from periplus.pages.warc import (
    BrokenRecordError,
    Capture,
    capture_from,
    capture_of,
    pack,
    parse_record,
    unpack,
    warcinfo,
)
from periplus.web.page import Page
from periplus.web.url import canonical

__all__ = ["Entry", "PageStore", "PageWriter", "Fault", "store_of"]

MAX_FILE = 256 * 1024 * 1024
WARC, INDEX, OPEN = ".warc.gz", ".cdxj", ".open"


class HasPages(Protocol):
    """A collection, or anything else that says where its pages are."""

    @property
    def pages_dir(self) -> Path: ...

    @property
    def cdx_path(self) -> Path: ...


def store_of(collection: HasPages) -> PageStore:
    """The stored pages of a collection."""
    return PageStore(collection.pages_dir, collection.cdx_path)


class PageStore:
    """The stored pages in one folder, with the merged index at `cdx_path`; `store_of` opens those of a collection."""

    def __init__(self, pages_dir: Path, cdx_path: Path) -> None:
        self.folder = Path(pages_dir)
        self.cdx_path = Path(cdx_path)

    # -- reading ---------------------------------------------------------------------------------------------

    def warc_names(self) -> list[str]:
        """The names of all WARC files, oldest first; an open file is listed under its final name."""
        return sorted({path.name.removesuffix(OPEN) for path in self.folder.glob(f"*{WARC}*")})

    def entries(self, filename: str | None = None) -> Iterator[Entry]:
        """The entries of one WARC file, or of all of them, file by file."""
        for name in [filename] if filename is not None else self.warc_names():
            finished = self.index_path(name)
            if finished.exists():
                yield from cdx.read_entries(finished)
            else:
                yield from self._open_entries(name)

    def read(self, entry: Entry) -> Page:
        """The page of an entry, with its body decoded."""
        return self.capture(entry).page()

    def capture(self, entry: Entry) -> Capture:
        """The exchange of an entry as it went over the wire; a revisit has the payload of the capture it refers to."""
        capture = self.record(entry)
        if capture.kind != "revisit":
            return capture
        original = self.original(entry)
        if original is None:
            raise DamagedError(f"{entry.filename}, byte {entry.offset}: what {entry.url} refers to is not stored")
        before = self.record(original)
        # The head of a 304 describes no body, and only its own head says that a payload is still chunked.
        head = before.head if capture.status == 304 or before.chunked else capture.head
        return replace(before, fetched=capture.fetched, head=head, _parsed=[])

    def original(self, entry: Entry) -> Entry | None:
        """The capture with the payload of an entry: itself, or the one that a revisit refers to."""
        if not entry.is_revisit:
            return entry
        same = (one for one in self.find_all(entry.url) if one.digest == entry.digest and not one.is_revisit)
        before = (one for one in same if one.timestamp <= entry.timestamp)
        return max(before, key=lambda one: one.timestamp, default=None)

    def record(self, entry: Entry) -> Capture:
        """The exchange of an entry as its record has it; that of a revisit is without payload."""
        path = self.path_of(entry.filename)
        try:
            with path.open("rb") as file:
                file.seek(entry.offset)
                data, _ = unpack(file.read(entry.length))
            capture = capture_from(parse_record(data))
        except (BrokenRecordError, FileNotFoundError) as error:
            raise DamagedError(
                f"{path}, byte {entry.offset}: {entry.url} cannot be read ({error}): run `periplus verify`"
            ) from error
        if capture.url != entry.url:
            raise DamagedError(f"{path}, byte {entry.offset}: contains {capture.url} where {entry.url} was expected")
        return capture

    def find(self, url: str) -> Entry | None:
        """The newest entry of a URL, or None."""
        return max(self.find_all(url), key=lambda entry: (entry.timestamp, entry.filename, entry.offset), default=None)

    def find_all(self, url: str) -> list[Entry]:
        """Every entry of a URL."""
        href = canonical(url)
        if href is None:
            return []
        found = cdx.lookup(self.cdx_path, href) if self.cdx_path.exists() else []
        for name in sorted(set(self.warc_names()) - cdx.covered(self.cdx_path)):  # there is none except during a crawl
            piece = self.index_path(name)
            if piece.exists():
                found += cdx.lookup(piece, href)
            else:
                found += [entry for entry in self._open_entries(name) if entry.url == href]
        return found

    def path_of(self, filename: str) -> Path:
        """The path of a WARC file, finished or open."""
        finished = self.folder / filename
        return finished if finished.exists() else self.folder / f"{filename}{OPEN}"

    def index_path(self, filename: str) -> Path:
        return self.folder / f"{filename.removesuffix(WARC)}{INDEX}"

    def _open_entries(self, filename: str) -> Iterator[Entry]:
        """The entries of an open file: complete lines whose record is complete too."""
        piece = self.folder / f"{self.index_path(filename).name}{OPEN}"
        warc = self.path_of(filename)
        if not piece.exists() or not warc.exists():
            return
        size = warc.stat().st_size
        with piece.open("rb") as lines:
            for line in lines:
                entry = cdx.parse_line(line) if line.endswith(b"\n") else None
                if entry is None or entry.end > size:
                    return
                yield entry

    # -- writing ---------------------------------------------------------------------------------------------

    def writer(self, origin: str = "crawl", *, max_file: int = MAX_FILE) -> PageWriter:
        """A writer for new pages, with the origin in its file names; the store is repaired first."""
        self.recover()
        return PageWriter(self, origin, max_file)

    def recover(self) -> int:
        """Close what a crash left open, and update the merged index; returns the number of files closed."""
        with storage(self.folder):
            left = sorted(self.folder.glob(f"*{WARC}{OPEN}"))
            for path in left:
                self.finish(path.name.removesuffix(OPEN))
            for piece in self.folder.glob(f"*{INDEX}{OPEN}"):  # its WARC file was finished just before the crash
                piece.unlink()
            for name in self.warc_names():
                if not self.index_path(name).exists():
                    self.finish(name)
            self.merge()
        return len(left)

    def finish(self, filename: str) -> None:
        """Close a WARC file: cut off an incomplete record, complete its index, rename both; remove it if empty."""
        warc = self.path_of(filename)
        piece = self.folder / f"{self.index_path(filename).name}{OPEN}"
        lines, end = [], 0
        for entry in self._open_entries(filename):
            lines.append(entry.line() + b"\n")
            end = entry.end
        for item in scan(warc, end):
            if isinstance(item, Fault):
                break
            end = item.end
            if item.entry is not None:
                lines.append(item.entry.line() + b"\n")
        if warc.name.endswith(OPEN):
            with warc.open("r+b") as file:
                file.truncate(end)
                os.fsync(file.fileno())
        unseal(self.folder, [self.index_path(filename).name])
        if lines:
            cdx.write_sorted(self.index_path(filename), sorted(lines))
            warc.replace(self.folder / filename)
        else:
            warc.unlink()
        piece.unlink(missing_ok=True)

    def merge(self) -> None:
        """Update `pages.cdxj` from the finished files, and the digests of all indexes."""
        names = [name for name in self.warc_names() if self.index_path(name).exists()]
        done = cdx.covered(self.cdx_path)
        if done == set(names) and (names or not self.cdx_path.exists()):
            return
        fresh = [self.index_path(name) for name in names if name not in done]
        sound = self.cdx_path.name not in broken_files(self.folder, known := digests_of(self.folder))
        unseal(self.folder, [self.cdx_path.name])
        if done - set(names) or not sound:  # somebody removed a file, or the merged index is damaged
            cdx.merge(self.cdx_path, self._pieces(), names)
        else:
            cdx.merge(self.cdx_path, [*([self.cdx_path] if done else []), *fresh], names)
        digests = {piece.name: known.get(piece.name) or file_digest(piece) for piece in self._pieces()}
        write_digests(self.folder, {**digests, self.cdx_path.name: file_digest(self.cdx_path)})

    # -- checking --------------------------------------------------------------------------------------------

    def verify(self) -> list[Fault]:
        """Read every byte of every file; returns all problems, or an empty list."""
        problems: list[Fault] = []
        for name in self.warc_names():
            path = self.path_of(name)
            if path.name.endswith(OPEN):
                problems.append(Fault(path.name, 0, "was not closed: the next crawl, add or build repairs it"))
                continue
            index = self.index_path(name)
            if not index.exists():
                problems.append(Fault(name, 0, f"has no index {index.name}: the next crawl, add or build repairs it"))
                continue
            problems += check_file(path, index)
        pieces = self._pieces()
        if set(self.warc_names()) != cdx.covered(self.cdx_path) or (
            pieces and not cdx.is_merged(self.cdx_path, pieces)
        ):
            problems.append(Fault(self.cdx_path.name, 0, "does not cover the WARC files: the next build repairs it"))
        if (self.folder / DIGESTS).exists() and (broken := broken_seals(self.folder)):
            problems.append(Fault(DIGESTS, 0, f"{broken[0]}: the next build repairs it"))
        return problems

    def mend(self) -> list[str]:
        """Repair the store as `recover` does, and make damaged indexes again; returns what was damaged."""
        known = digests_of(self.folder)
        broken = broken_files(self.folder, known)
        if not known:
            (self.folder / DIGESTS).unlink(missing_ok=True)
        for name in (*broken, *([] if self.cdx_path.name in known else [self.cdx_path.name])):
            (self.folder / name).unlink(missing_ok=True)
        self.recover()
        return list(broken.values())

    def count(self) -> int:
        """How many records the indexes list."""
        with cdx.merged_lines(self._pieces()) as lines:
            return sum(1 for _ in lines)

    def _pieces(self) -> list[Path]:
        """The indexes of the finished files."""
        return [piece for name in self.warc_names() if (piece := self.index_path(name)).exists()]


class PageWriter:
    """Appends pages to WARC files; use it as a context manager, or call `close`."""

    def __init__(self, store: PageStore, origin: str, max_file: int = MAX_FILE) -> None:
        self.store = store
        self.origin = origin
        self.max_file = max_file
        self.filename = ""
        self.size = 0
        self._warc = -1
        self._index = -1

    def append(self, page: Page, *, request_headers: bytes | None = None) -> Entry:
        """Store a page; its entry is safe after the next `sync`."""
        return self.append_capture(capture_of(page, request_headers))

    def append_capture(self, capture: Capture) -> Entry:
        """Store an exchange as it went over the wire; its entry is safe after the next `sync`."""
        packed = pack(capture)
        return self.append_records(packed.data, Entry.of_capture(capture, packed.digest, packed.length))

    def append_records(self, data: bytes, entry: Entry) -> Entry:
        """Store records that were made elsewhere; returns `entry` with the place of the first."""
        if self._warc < 0 or self.size >= self.max_file:
            self._next_file()
        placed = replace(entry, filename=self.filename, offset=self.size)
        self._write(data)
        self._append_index(placed.line() + b"\n")
        return placed

    def sync(self) -> None:
        """Make sure that everything appended so far is on disk."""
        if self._warc >= 0:
            with storage(self.store.folder / self.filename):
                os.fsync(self._warc)

    def close(self) -> None:
        """Finish the file and update the merged index."""
        if self._warc >= 0:
            self._finish_file()
        with storage(self.store.folder):
            self.store.merge()

    def __enter__(self) -> PageWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    def abandon(self) -> None:
        """Close the open file without finishing it; the next writer recovers it."""
        for descriptor in (self._warc, self._index):
            if descriptor >= 0:
                os.close(descriptor)
        self._warc = self._index = -1

    def _next_file(self) -> None:
        if self._warc >= 0:
            self._finish_file()
        names = self.store.warc_names()
        number = int(names[-1].partition("-")[0]) + 1 if names else 1
        self.filename = f"{number:06d}-{self.origin}{WARC}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        with storage(self.store.folder):
            self._index = os.open(
                self.store.folder / f"{self.store.index_path(self.filename).name}{OPEN}", flags, 0o666
            )
            self._warc = os.open(self.store.folder / f"{self.filename}{OPEN}", flags, 0o666)
        self.size = 0
        self._write(warcinfo(self.filename, f"periplus/{__version__}"))

    def _finish_file(self) -> None:
        self.sync()
        self.abandon()
        with storage(self.store.folder):
            self.store.finish(self.filename)

    def _write(self, data: bytes) -> None:
        """Append completely or not at all: on a full disk, a partial write is undone."""
        with storage(self.store.folder / self.filename):
            try:
                _write_all(self._warc, data)
            except OSError:
                os.ftruncate(self._warc, self.size)
                raise
        self.size += len(data)

    def _append_index(self, line: bytes) -> None:
        # A line that is lost here is rebuilt from the WARC file when the file is closed.
        with storage(self.store.folder / self.filename):
            _write_all(self._index, line)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
