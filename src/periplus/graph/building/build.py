"""Build a graph from any stream of links, in memory or, within a budget, larger than memory.

    links ──group──▶ runs ──sort, unite──▶ rows 0, 1, … ──▶ arrays, or the files of a graph folder
                       └─ past the budget ─▶ scratch parts ─┘

O(links + nodes), whatever the order of the links: each is touched a fixed number of times. The graph depends only on
the set of links: it is byte for byte the same whatever the budget, the chunks and the number of threads.

The budget bounds the arrays of the build (links on their way, working space, output buffers). It does not include the
interpreter with its compiled code (about 150 MB) or the caller's chunks.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from periplus.errors import ParameterError
from periplus.graph import store
from periplus.graph.building.runs import Rows, Run
from periplus.graph.building.spill import LinkSorter
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.memory import available_memory, parse_size
from periplus.numeric.parallel import ordered_map, thread_count

Chunk = tuple[AnyArray, AnyArray]
Progress = Callable[[str, int], None]

CHUNK = 1 << 20  # links grouped at a time, where no budget says otherwise
_BYTES_GROUPING = 14  # a link as it comes, and grouped
SMALLEST_BUDGET = 64_000_000
MOST_NODES = 1 << 32
_MANY_NODES = 1 << 24  # from here on it is worth asking whether there is room for them


def build_graph(
    chunks: Iterable[Chunk],
    *,
    nodes: int | None = None,
    memory: str | int | None = None,
    into: str | Path | None = None,
    transpose: bool = False,
    progress: Progress | None = None,
) -> Graph:
    """A graph from chunks of links (arrays of sources, arrays of targets).

    With `memory` the build keeps its arrays within that budget and spills to disk; the graph is then a folder, `into`
    or one that vanishes with the process, memory-mapped. `transpose` writes the in side into the folder too.
    `progress(stage, links)` is called during the work; stage is "read", "sort" or "transpose".
    """
    size = CHUNK if memory is None else _chunk_size(_budget(memory))
    runs = ordered_map(lambda chunk: Run.of(*chunk), _checked(chunks, size))
    return build_from_runs(runs, nodes=nodes, memory=memory, into=into, transpose=transpose, progress=progress)


def build_from_runs(
    runs: Iterable[Run],
    *,
    nodes: int | None = None,
    memory: str | int | None = None,
    into: str | Path | None = None,
    transpose: bool = False,
    progress: Progress | None = None,
) -> Graph:
    """`build_graph` for readers that group their links themselves, on the thread that parsed them."""
    report = progress or (lambda stage, links: None)
    if memory is None and into is None:
        sorter = LinkSorter()
        _collect(sorter, runs, report)
        return Graph(*_in_memory(sorter, _node_count(nodes, sorter.largest), "sort", report))
    budget = _budget(memory)
    if into is not None:
        _build_folder(runs, Path(into), (nodes, budget, transpose), report)
        return Graph.open(into)
    with tempfile.TemporaryDirectory(prefix="periplus-", ignore_cleanup_errors=True) as folder:
        _build_folder(runs, Path(folder) / "graph", (nodes, budget, transpose), report)
        return Graph.open(Path(folder) / "graph")  # a mapped file outlives its name


def transpose_arrays(offsets: Offsets, targets: Ids) -> tuple[Offsets, Ids]:
    """The in side of an out side: row j lists, in order, the rows that hold j."""
    sorter = LinkSorter()
    _collect(sorter, _reversed_runs(offsets, targets, CHUNK), lambda stage, links: None)
    return _in_memory(sorter, len(offsets) - 1, "transpose", lambda stage, links: None)


def _budget(memory: str | int | None) -> int:
    budget = available_memory() // 2 if memory is None else parse_size(memory)
    if budget < SMALLEST_BUDGET:
        raise ParameterError("memory", memory, f"at least {SMALLEST_BUDGET // 10**6}MB")
    return budget


def _node_count(nodes: int | None, largest: int) -> int:
    if nodes is None:
        return largest + 1
    if not largest < nodes <= MOST_NODES:
        raise ParameterError("nodes", nodes, f"more than the largest id ({largest}), at most 2³²")
    return nodes


def _chunk_size(budget: int) -> int:
    """Links to group at a time: few enough for the budget, many enough for long reads from disk."""
    return min(max(budget // 512, 1 << 16), 1 << 22)


def _checked(chunks: Iterable[Chunk], size: int) -> Iterator[tuple[Ids, Ids]]:
    for sources, targets in chunks:
        sources, targets = np.asarray(sources), np.asarray(targets)
        if sources.ndim != 1 or sources.shape != targets.shape:
            raise ParameterError("targets", targets.shape, f"one for each of the sources {sources.shape}")
        for start in range(0, len(sources), size):
            end = start + size
            yield _ids("sources", sources[start:end]), _ids("targets", targets[start:end])


def _ids(name: str, values: AnyArray) -> Ids:
    if values.dtype.kind not in "iu":
        raise ParameterError(name, f"{values.dtype} array", "whole numbers")
    if values.dtype != np.uint32:
        low, high = int(values.min()), int(values.max())
        if low < 0 or high >= MOST_NODES:
            raise ParameterError(name, low if low < 0 else high, "ids from 0 to 2³² − 1")
    return np.ascontiguousarray(values, dtype=np.uint32)


def _collect(sorter: LinkSorter, runs: Iterable[Run], report: Progress) -> None:
    for run in runs:
        sorter.add(run)
        report("read", sorter.pairs)


def _in_memory(sorter: LinkSorter, nodes: int, stage: str, report: Progress) -> tuple[Offsets, Ids]:
    if nodes > _MANY_NODES and 8 * nodes > available_memory():
        raise ParameterError(
            "nodes",
            nodes,
            f"what fits in memory with 8 bytes each ({sorter.pairs} links): renumber the ids, or build into a folder",
        )
    return gather_rows(sorter.sorted_rows(), nodes, sorter.pairs, lambda links: report(stage, links))


def gather_rows(
    rows: Iterable[Rows], nodes: int, most: int, report: Callable[[int], None] | None = None
) -> tuple[Offsets, Ids]:
    """Offsets and columns of rows that come in order, at most `most` columns; missing rows are empty."""
    offsets = np.zeros(nodes + 1, np.int64)
    columns = np.empty(most, np.uint32)
    row = kept = 0
    for part in rows:
        columns[kept : kept + len(part.columns)] = part.columns
        ends = offsets[row + 1 : row + 1 + len(part.degrees)]
        np.cumsum(part.degrees, out=ends)
        ends += kept
        row, kept = row + len(part.degrees), kept + len(part.columns)
        if report:
            report(kept)
    offsets[row + 1 :] = kept
    columns.resize(kept, refcheck=False)
    return offsets, columns


def _build_folder(runs: Iterable[Run], into: Path, settings: tuple[int | None, int, bool], report: Progress) -> None:
    wanted, budget, transpose = settings
    chunk = _chunk_size(budget)
    budget -= _BYTES_GROUPING * chunk * (thread_count() + 2)
    with store.staged(into) as folder:
        scratch = folder / "scratch"
        scratch.mkdir()
        sorter = LinkSorter(budget, scratch)
        _collect(sorter, runs, report)
        nodes = _node_count(wanted, sorter.largest)
        names = (folder / store.OUT_OFFSETS, folder / store.OUT_TARGETS)
        links = _to_files(sorter, nodes, names, "sort", report)
        if transpose:
            sorter = LinkSorter(budget, scratch)
            offsets, targets = (np.load(name, mmap_mode="r") for name in names)
            _collect(sorter, _reversed_runs(offsets, targets, chunk), report)
            _to_files(sorter, nodes, (folder / store.IN_OFFSETS, folder / store.IN_SOURCES), "transpose", report)
        shutil.rmtree(scratch)
        store.write_header(folder, nodes, links, _digest(names))


def _to_files(sorter: LinkSorter, nodes: int, names: tuple[Path, Path], stage: str, report: Progress) -> int:
    kept = 0
    with store.ArrayFile(names[0], np.int64) as offsets, store.ArrayFile(names[1], np.uint32) as columns:
        offsets.append(np.zeros(1, np.int64))
        for rows in sorter.sorted_rows():
            offsets.append(np.cumsum(rows.degrees, dtype=np.int64) + kept)
            columns.append(rows.columns)
            kept += len(rows.columns)
            report(stage, kept)
        while offsets.length < nodes + 1:
            offsets.append(np.full(min(CHUNK, nodes + 1 - offsets.length), kept, np.int64))
    return kept


def _reversed_runs(offsets: Offsets, targets: Ids, chunk: int) -> Iterator[Run]:
    """Every link reversed, in the order of the sources; cut by links, so that a long row is split too."""

    def turned(start: int) -> Run:
        end = min(start + chunk, len(targets))
        first = int(np.searchsorted(offsets, start, side="right")) - 1
        last = int(np.searchsorted(offsets, end, side="left"))
        ends: Offsets = np.clip(offsets[first : last + 1], start, end)
        sources = np.repeat(np.arange(first, last, dtype=np.uint32), ends[1:] - ends[:-1])
        return Run.of(np.ascontiguousarray(targets[start:end]), sources)

    return ordered_map(turned, range(0, len(targets), chunk))


def _digest(names: tuple[Path, Path]) -> str:
    """`Graph.digest` of arrays on disk, read in pieces."""
    digest = hashlib.sha256()
    for name in names:
        with name.open("rb") as file:
            version = np.lib.format.read_magic(file)
            assert version == (1, 0)
            np.lib.format.read_array_header_1_0(file)
            while block := file.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()
