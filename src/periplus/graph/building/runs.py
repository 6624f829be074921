"""`Run` and `Runs`: links in memory on their way to a graph, 6 bytes each, grouped by the upper half of their row.

A run is one chunk of the input after `group_pairs`. `Runs` collects them and hands them out again as sorted rows,
65,536 sources per bucket and several buckets per piece. The memory of what was handed out goes back to the system at
once, so the links and their rows are never in memory together.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.pairs import LOW_BITS, ROWS, count_buckets, group_pairs, sort_buckets
from periplus.numeric.parallel import Workspace, ordered_map, thread_count

BYTES_A_PAIR = 6
_BYTES_SORTING = 10  # the copy of a grouped pair, and its place among the sorted columns
_PIECES = 32  # as many pieces as make the working space small beside the runs
_SMALLEST_PIECE, _LARGEST_PIECE = 1 << 18, 1 << 24
_BUCKETS = 1 << (32 - LOW_BITS)


class Rows(NamedTuple):
    """Consecutive sorted rows: `degrees[r]` of the `columns`, one row after another."""

    degrees: Ids
    columns: Ids


@dataclass(frozen=True, slots=True)
class Run:
    """Pairs grouped by bucket: bucket b is `bounds[b] : bounds[b + 1]` of `low` and `columns`."""

    low: AnyArray
    columns: Ids
    bounds: Offsets
    largest_row: int
    largest_column: int
    memory: mmap.mmap

    @classmethod
    def of(cls, rows: Ids, columns: Ids) -> Run:
        """Group one chunk of pairs; it calls no Python, so threads may do this in parallel."""
        counts = np.zeros(_BUCKETS, np.int64)
        largest_row, largest_column = count_buckets(rows, columns, counts)
        buckets = (largest_row >> LOW_BITS) + 1
        bounds = np.zeros(buckets + 1, np.int64)
        np.cumsum(counts[:buckets], out=bounds[1:])
        length = len(rows)
        # Private, for what is shared is not given back by MADV_DONTNEED.
        memory = mmap.mmap(-1, max(1, BYTES_A_PAIR * length), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        grouped = np.frombuffer(memory, np.uint32, length)
        low = np.frombuffer(memory, np.uint16, length, offset=4 * length)
        group_pairs(rows, columns, bounds[:-1].copy(), low, grouped)
        return cls(low, grouped, bounds, int(largest_row), int(largest_column), memory)

    def bound(self, bucket: int) -> int:
        return int(self.bounds[min(bucket, len(self.bounds) - 1)])

    def forget(self, start: int, end: int) -> None:
        """Give the whole pages under pairs `start : end` back to the system; they read as zero from now on."""
        length = len(self.low)
        for first, last in ((4 * start, 4 * end), (4 * length + 2 * start, 4 * length + 2 * end)):
            page = -(-first // mmap.PAGESIZE) * mmap.PAGESIZE
            size = (last - page) // mmap.PAGESIZE * mmap.PAGESIZE
            if size > 0 and hasattr(mmap, "MADV_DONTNEED"):
                self.memory.madvise(mmap.MADV_DONTNEED, page, size)


class Runs:
    """Runs in memory, and the sorted rows made of them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._workspace = Workspace()
        self._runs: list[Run] = []
        self._counts = np.zeros(_BUCKETS, np.int64)
        self.pairs = 0
        self.rows = 0

    def add(self, run: Run) -> None:
        self._runs.append(run)
        self._counts[: len(run.bounds) - 1] += np.diff(run.bounds)
        self.pairs += len(run.low)
        self.rows = max(self.rows, run.largest_row + 1)

    @property
    def _piece_limit(self) -> int:
        return min(max(self.pairs // _PIECES, _SMALLEST_PIECE), _LARGEST_PIECE)

    @property
    def bytes_needed(self) -> int:
        """Memory of these runs, plus what sorting them will take."""
        largest_piece = max(int(self._counts.max()), self._piece_limit)
        in_flight = min(thread_count() + 2, _PIECES) * largest_piece
        bounds = 8 * len(self._runs) * ((self.rows >> LOW_BITS) + 1)
        return BYTES_A_PAIR * self.pairs + _BYTES_SORTING * min(in_flight, 2 * self.pairs) + bounds

    def sorted_rows(self) -> Iterator[Rows]:
        """Rows 0, 1, …, sorted and without repeats, some buckets at a time; the runs are used up."""
        yield from ordered_map(self._piece, self._pieces())
        self.clear()

    def _pieces(self) -> Iterator[tuple[int, int]]:
        """Bucket ranges with about equally many pairs; the cuts depend on the pairs only."""
        buckets = -(-self.rows // ROWS)
        limit = self._piece_limit
        first, held = 0, 0
        for bucket in range(buckets):
            count = int(self._counts[bucket])
            if bucket > first and held + count > limit:
                yield first, bucket
                first, held = bucket, 0
            held += count
        if buckets:
            yield first, buckets

    def _piece(self, buckets: tuple[int, int]) -> Rows:
        first, last = buckets
        starts = np.empty((len(self._runs), last - first + 1), np.int64)
        parts: list[tuple[AnyArray, Ids]] = []
        at = 0
        for index, run in enumerate(self._runs):
            start, end = run.bound(first), run.bound(last)
            inner = run.bounds[first : last + 1] - start + at
            starts[index, : len(inner)] = inner
            starts[index, len(inner) :] = at + end - start
            parts.append((run.low[start:end], run.columns[start:end]))
            at += end - start
        low = np.concatenate([part[0] for part in parts], out=self._workspace.array("low", at, np.uint16))
        grouped = np.concatenate([part[1] for part in parts], out=self._workspace.array("grouped", at, np.uint32))
        for run in self._runs:
            run.forget(run.bound(first), run.bound(last))
        degrees = np.empty(min(last * ROWS, self.rows) - first * ROWS, np.uint32)
        columns = np.empty(at, np.uint32)
        kept = sort_buckets(low, grouped, starts, degrees, columns)
        return Rows(degrees, columns[:kept])
