"""R-MAT (Chakrabarti, Zhan, Faloutsos 2004): the graphs that many benchmarks run on.

Every link is drawn by descending a quadtree of the adjacency matrix: at each of log₂ n levels the quadrant is chosen
with probabilities a (both halves low), b (target high), c (source high), d = 1 − a − b − c. Links are drawn `degree`
times n; repeats are one link of the graph. Links are functions of (seed, number), so threads do not matter. O(m log n).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.building.build import build_from_runs
from periplus.graph.building.runs import Run
from periplus.graph.graph import Graph
from periplus.models.table import MODELS
from periplus.numeric.arrays import Ids
from periplus.numeric.parallel import ordered_map
from periplus.numeric.random import bits_at, stream_key

_LINKS_A_PIECE = 1 << 20
_LOW, _HALF, _UNIT = np.uint64(2**32 - 1), np.uint64(32), 2.0**-32


@checked(MODELS["rmat"])
def rmat(n: int, *, degree: int = 16, a: float = 0.57, b: float = 0.19, c: float = 0.19, seed: int = 0) -> Graph:
    """Draw an R-MAT graph; `n` is rounded up to a power of two."""
    if a + b + c > 1.0 + 1e-12:
        raise ParameterError("a", a, f"a + b + c at most 1 (it is {a + b + c:g})")
    levels = max(0, int(n - 1).bit_length())
    links = degree << levels

    def piece(begin: int) -> Run:
        ends = np.empty((2, min(_LINKS_A_PIECE, links - begin)), dtype=np.uint32)
        _descend(levels, begin, (a, a + b, a + b + c), seed, ends[0], ends[1])
        return Run.of(ends[0], ends[1])

    return build_from_runs(ordered_map(piece, range(0, links, _LINKS_A_PIECE)), nodes=1 << levels)


@njit(cache=True, nogil=True)
def _descend(
    levels: int, begin: int, bounds: tuple[float, float, float], seed: int, sources: Ids, targets: Ids
) -> None:
    """One quadrant a level: the high half of the sources from the second bound on, of the targets in b and d."""
    key = stream_key(seed, 0)
    draws = (levels + 1) // 2
    for i in range(len(sources)):
        row, column, bits = 0, 0, np.uint64(0)
        for level in range(levels):
            if level % 2 == 0:  # 64 random bits are enough for two levels
                bits = bits_at(key, (begin + i) * draws + level // 2)
            u = np.float64(bits & _LOW) * _UNIT
            bits >>= _HALF
            row = 2 * row + int(u >= bounds[1])
            column = 2 * column + int((bounds[0] <= u < bounds[1]) or u >= bounds[2])
        sources[i], targets[i] = row, column
