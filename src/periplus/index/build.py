"""Pages → the text index, in one pass: tantivy, embedded, one commit at the end.

The index is written into an empty folder and counts once it is whole: a file `periplus.json` beside tantivy's own,
written last, holds the version of the schema and the number of documents, and `open_index` refuses a folder without
it. One indexing thread, so that the same pages give the same postings and the same order of equal scores.

Cost: one pass over the text; memory is `HEAP` bytes for postings and does not grow with the collection.
"""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from periplus.errors import DamagedError, ParameterError, free_bytes, refusal, storage
from periplus.index.records import RecordWriter
from periplus.index.schema import (
    ANALYZER,
    SCHEMA_VERSION,
    IndexDocument,
    analyzer,
    as_document,
    as_record,
    make_schema,
)
from periplus.numeric.npy import save_array

if TYPE_CHECKING:
    import tantivy

HEAP = 128_000_000
NODES = "nodes.npy"
"""The page in the graph of each document, by its number."""
_RECORD = "periplus.json"
_REPORT_EVERY = 256
_BYTES_A_LETTER = 0.65  # of text
_FULL = 65536  # a disk with less room is full: tantivy writes in larger pieces
_DISK_WORDS = (
    "no space left",
    "file too large",
    "read-only file",
    "quota",
    "i/o error",
    "input/output",
    "worker thread",
    "writer was killed",  # tantivy names no cause when its thread has met one
)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What was indexed, how large it became, how long it took."""

    documents: int
    bytes: int
    seconds: float


def build_index(
    documents: Iterable[IndexDocument], into: Path, *, progress: Callable[[int], None] | None = None
) -> IndexReport:
    """Index the documents into an empty folder; `progress` receives the number done."""
    import tantivy

    began = time.perf_counter()
    with storage(into):
        into.mkdir(parents=True, exist_ok=True)
        if any(into.iterdir()):
            raise ParameterError("into", str(into), "an empty folder")
    count = 0
    given = _Given()
    nodes = array("I")
    with _disk_errors(into, given), RecordWriter(into) as records:
        index = tantivy.Index(make_schema(), path=str(into))
        _register(index)
        writer = index.writer(HEAP, 1)
        for count, page in enumerate(documents, start=1):
            given.letters += len(page.title) + len(page.body)
            writer.add_document(as_document(page, count - 1))
            records.add(as_record(page))
            nodes.append(page.node)
            if progress is not None and count % _REPORT_EVERY == 0:
                progress(count)
        writer.commit()
        writer.wait_merging_threads()
    if progress is not None:
        progress(count)
    save_array(into / NODES, np.array(nodes, dtype=np.uint32))
    with storage(into):
        (into / _RECORD).write_text(json.dumps({"schema": SCHEMA_VERSION, "documents": count}))
        size = _written(into)
    return IndexReport(documents=count, bytes=size, seconds=time.perf_counter() - began)


def open_index(folder: Path) -> tantivy.Index:
    """Open what `build_index` wrote; a folder that is none, or damaged, is named with the command that mends it."""
    import tantivy

    remedy = "run `periplus build` on its collection"
    try:
        record = json.loads((folder / _RECORD).read_text())
        if record["schema"] != SCHEMA_VERSION:
            raise DamagedError(f"{folder}: the index was made by another version of Periplus: {remedy}")
        index = tantivy.Index.open(str(folder))
        _register(index)
        if index.searcher().num_docs != record["documents"]:
            raise DamagedError(f"{folder}: the index lost documents: {remedy}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{folder}: the text index cannot be opened ({error}): {remedy}") from error
    return index


def _written(folder: Path) -> int:
    """The bytes of a folder; tantivy's threads may remove a file while we look."""
    size = 0
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def _register(index: tantivy.Index) -> None:
    """Tell tantivy the analyzer that the fields name."""
    index.register_tokenizer(ANALYZER, analyzer())


@dataclass(slots=True)
class _Given:
    """The letters of all texts that the index writer was given."""

    letters: int = 0


@contextmanager
def _disk_errors(into: Path, given: _Given) -> Iterator[None]:
    """tantivy reports a full or read-only disk as a ValueError; raise our own error for it."""
    try:
        yield
    except (OSError, ValueError) as error:
        told = str(error)
        if not any(words in told.lower() for words in _DISK_WORDS):
            raise
        free, written = free_bytes(into), _written(into)
        if free < _FULL:
            told = "No space left on device"
        raise refusal(into, told, int(given.letters * _BYTES_A_LETTER) - written - free) from error
