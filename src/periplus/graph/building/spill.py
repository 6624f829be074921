"""`LinkSorter`: pairs in, sorted rows out, within a memory budget.

Pairs are kept as runs while they and the space to sort them fit the budget. When they no longer do, they are sorted and
written to a scratch file as one part: for each row its degree, then the columns of all rows. At the end the parts are
read side by side and rows with the same number are merged. The result is that of one sort in memory: rows in order,
columns sorted, no repeats.

Disk: 4 bytes per pair and 4 per row for each part. Every pair is written and read once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from periplus.errors import FormatError
from periplus.graph.building.runs import Rows, Run, Runs
from periplus.graph.store import write_values
from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.pairs import ROWS, merge_rows
from periplus.numeric.parallel import ordered_map, thread_count

_BYTES_MERGING = 8  # a column as it was read, and its place among the united ones


class LinkSorter:
    """Collects runs of pairs; `sorted_rows` returns their rows, each once, in order."""

    def __init__(self, budget: int | None = None, scratch: Path | None = None) -> None:
        self._budget = budget
        self._scratch = scratch
        self._runs = Runs()
        self._parts: list[_Part] = []
        self.pairs = 0
        self.rows = 0
        self.largest = -1

    def add(self, run: Run) -> None:
        """Take one run; where the budget is reached, the runs so far go to disk."""
        self._runs.add(run)
        self.pairs += len(run.low)
        self.rows = max(self.rows, run.largest_row + 1)
        self.largest = max(self.largest, run.largest_row, run.largest_column)
        if self._budget is not None and self._runs.bytes_needed > self._budget:
            self._write_part()

    def sorted_rows(self) -> Iterator[Rows]:
        """All rows in order; the collected pairs are used up."""
        if not self._parts:
            yield from self._runs.sorted_rows()
            return
        self._write_part()
        yield from ordered_map(_unite, self._slices())
        for part in self._parts:
            part.remove()

    def _write_part(self) -> None:
        assert self._scratch is not None
        if self._runs.pairs == 0:
            return
        stem = self._scratch / f"part{len(self._parts):05d}"
        part = _Part(stem.with_suffix(".degrees"), stem.with_suffix(".columns"))
        with part.degrees.open("wb") as degrees, part.columns.open("wb") as columns:
            for rows in self._runs.sorted_rows():
                write_values(degrees, rows.degrees)
                write_values(columns, rows.columns)
        self._parts.append(part)

    def _slices(self) -> Iterator[_Slice]:
        """The same rows of every part, 65,536 at a time, or fewer where they would not fit the budget."""
        assert self._budget is not None
        limit = max(1, self._budget // (2 * _BYTES_MERGING * (thread_count() + 2)))
        readers = [_Reader(part) for part in self._parts]
        for first in range(0, self.rows, ROWS):
            count = min(ROWS, self.rows - first)
            degrees = np.stack([reader.degrees(count) for reader in readers])
            ends = np.cumsum(degrees.sum(axis=0, dtype=np.int64))
            start = 0
            while start < count:
                before = int(ends[start - 1]) if start else 0
                end = max(start + 1, int(np.searchsorted(ends, before + limit, side="right")))
                share = degrees[:, start:end]
                columns = [
                    reader.columns(int(row.sum(dtype=np.int64))) for reader, row in zip(readers, share, strict=True)
                ]
                yield _Slice(np.ascontiguousarray(share), np.concatenate(columns))
                start = end
        for reader in readers:
            reader.close()


class _Part(NamedTuple):
    degrees: Path
    columns: Path

    def remove(self) -> None:
        self.degrees.unlink(missing_ok=True)
        self.columns.unlink(missing_ok=True)


class _Slice(NamedTuple):
    degrees: Ids
    columns: Ids


class _Reader:
    """Reads a part from its beginning; rows past its last one are empty."""

    def __init__(self, part: _Part) -> None:
        self._degrees = part.degrees.open("rb")
        self._columns = part.columns.open("rb")

    def degrees(self, count: int) -> Ids:
        read = np.fromfile(self._degrees, np.uint32, count)
        return np.concatenate((read, np.zeros(count - len(read), np.uint32)))

    def columns(self, count: int) -> Ids:
        read = np.fromfile(self._columns, np.uint32, count)
        if len(read) < count:
            raise FormatError(self._columns.name, "the scratch file became shorter while it was used: build again")
        return read

    def close(self) -> None:
        self._degrees.close()
        self._columns.close()


def _unite(part: _Slice) -> Rows:
    degrees: AnyArray = np.empty(part.degrees.shape[1], np.uint32)
    columns: AnyArray = np.empty(len(part.columns), np.uint32)
    kept = merge_rows(part.columns, part.degrees, degrees, columns)
    return Rows(degrees, columns[:kept])
