"""The nearest vectors by an exact scan: one product with every vector, on all cores.

A page is as near as the cosine of the angle between its vector and the one asked for. Up to `EXACT` pages the scan
reads float32. Beyond that it reads int8 (a quarter of the bytes, each vector scaled by its largest entry) and works out
the best ones again in float32, `MARGIN` times as many as asked for. A rounded cosine is off by at most √k/254 of the
largest entry, in practice by a thousandth, so the true first ones are in that longer list.

Cost: 4 n k bytes per query, n k beyond a million pages. Every cosine is summed in one order whatever the threads.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numba import njit, prange

from periplus.numeric.arrays import AnyArray, Floats, Offsets
from periplus.record import best_first

EXACT = 1_000_000
MARGIN = 20


class Scan:
    """Unit vectors, asked for the nearest."""

    def __init__(self, vectors: AnyArray, *, exact: int = EXACT) -> None:
        self.unit = unit_vectors(vectors)
        self._exact = exact

    def best(self, query: AnyArray, count: int) -> tuple[Offsets, Floats]:
        """The pages of the largest positive cosines with a vector, best first, and these cosines."""
        length = float(np.linalg.norm(query))
        if not length:
            return np.zeros(0, np.int64), np.zeros(0)
        wanted = np.ascontiguousarray(query / length, np.float32)
        if len(self.unit) > self._exact:
            near = _largest(_cosines_int8(*self._small, wanted), MARGIN * count)
            cosines = _cosines(self.unit[near], wanted)
        else:
            cosines = _cosines(self.unit, wanted)
            near = _largest(cosines, count)
            cosines = cosines[near]
        order = best_first(cosines)[:count]
        order = order[cosines[order] > 0]
        return near[order], cosines[order].astype(np.float64)

    @cached_property
    def _small(self) -> tuple[AnyArray, AnyArray]:
        """The vectors as int8, and what one step of each is worth."""
        steps = np.maximum(np.abs(self.unit).max(axis=1), 1e-12).astype(np.float32) / 127
        small = np.empty(self.unit.shape, np.int8)
        for begin in range(0, len(small), 1 << 16):  # a piece at a time: no second copy in float32
            piece = slice(begin, begin + (1 << 16))
            small[piece] = np.rint(self.unit[piece] / steps[piece, None])
        return small, steps


def unit_vectors(vectors: AnyArray) -> AnyArray:
    """Each row divided by its length, in float32; rows of zeros stay."""
    found = np.ascontiguousarray(vectors, np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return found if np.allclose(lengths, 1.0, atol=1e-6) else found / np.where(lengths > 0, lengths, 1.0)


def _largest(values: AnyArray, count: int) -> Offsets:
    """The places of the `count` largest values and of those that tie with the last, by place."""
    if count >= len(values):
        return np.arange(len(values))
    least = np.partition(values, len(values) - count)[len(values) - count]
    return np.flatnonzero(values >= least)


@njit(cache=True, nogil=True, parallel=True, fastmath={"reassoc", "contract", "nsz"})
def _cosines(vectors, query):  # type: ignore[no-untyped-def]
    """vectors · query, row by row."""
    found = np.empty(len(vectors), np.float32)
    for row in prange(len(vectors)):
        total = np.float32(0.0)
        for at in range(len(query)):
            total += vectors[row, at] * query[at]
        found[row] = total
    return found


@njit(cache=True, nogil=True, parallel=True, fastmath={"reassoc", "contract", "nsz"})
def _cosines_int8(vectors, steps, query):  # type: ignore[no-untyped-def]
    """The same from int8 rows, each with the worth of its step."""
    found = np.empty(len(vectors), np.float32)
    for row in prange(len(vectors)):
        total = np.float32(0.0)
        for at in range(len(query)):
            total += np.float32(vectors[row, at]) * query[at]
        found[row] = total * steps[row]
    return found
