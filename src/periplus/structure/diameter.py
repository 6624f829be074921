"""The diameter of a strongly connected graph, bounded from both sides and usually exact after some dozen searches.

Let F(v) be the largest distance from v and B(v) the largest distance to v; the diameter is max F = max B. A search
from v and one to v give F(v), B(v), d(v, ·) and d(·, v), and with them for every w

    F(w) ≥ d(w, v)      F(w) ≤ d(w, v) + F(v)

The lower bound is the largest F or B met, the upper bound the largest of the bounds on F(w). Searches alternate between
the page whose bound is highest (to bring the upper bound down), and, as the start, the page whose distances add up to
most among the pages seen so far (SumSweep: far out, hence with a large F). When the two bounds meet, the diameter is
exact. Borassi et al., "Fast diameter and radius BFS-based computation", Theoretical Computer Science 586 (2015).
Cost: two breadth-first searches a round; 20 bytes a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.structure.sweeps import both

Lengths = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Diameter:
    """`lower` ≤ diameter ≤ `upper`; exact where they are equal."""

    lower: int
    upper: int
    searches: int

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    def to_dict(self) -> dict[str, Any]:
        return {"lower": self.lower, "upper": self.upper, "exact": self.exact, "searches": self.searches}


def diameter(graph: Graph, *, rounds: int = 40) -> Diameter:
    """Bounds on the diameter of a strongly connected graph after at most `rounds` rounds of two searches."""
    if rounds < 1:
        raise ParameterError("rounds", rounds, "at least 1")
    if graph.nodes == 0:
        return Diameter(0, 0, 0)
    ceiling = np.full(graph.nodes, np.iinfo(np.int32).max, np.int32)  # bounds on F from above
    sums = np.zeros(graph.nodes, np.int64)
    lower = 0
    page = int(np.argmax(np.minimum(graph.out_degrees, graph.in_degrees)))
    for done in range(1, rounds + 1):
        away, towards = both(
            partial(lengths, graph.out_offsets, graph.out_targets, page),
            partial(lengths, graph.in_offsets, graph.in_sources, page),
        )
        if away.min() < 0 or towards.min() < 0:
            raise ParameterError("graph", graph, "strongly connected: every page reaches every other")
        farthest = int(away.max())
        lower = max(lower, farthest, int(towards.max()))
        np.minimum(ceiling, towards + farthest, out=ceiling)
        ceiling[page] = farthest
        upper = min(int(ceiling.max()), graph.nodes - 1)
        if lower >= upper:
            break
        sums += away + towards
        sums[page] = -1
        page = _next_page(done, sums, ceiling)
    return Diameter(lower, max(upper, lower), 2 * done)


def _next_page(done: int, sums: npt.NDArray[np.int64], ceiling: Lengths) -> int:
    """Far out first; afterwards the page with the highest bound, of equal ones the one farthest out."""
    if done <= 3:
        return int(np.argmax(sums))
    highest = np.flatnonzero(ceiling == ceiling.max())
    return int(highest[np.argmax(sums[highest])])


@njit(cache=True, nogil=True)
def lengths(offsets, ends, start):  # type: ignore[no-untyped-def]
    """The distance of every page from `start`, −1 where there is no path."""
    nodes = len(offsets) - 1
    distance = np.full(nodes, -1, np.int32)
    queue = np.empty(nodes, np.uint32)
    distance[start] = 0
    queue[0] = start
    at, filled = 0, 1
    while at < filled:
        page = queue[at]
        at += 1
        for link in range(offsets[page], offsets[page + np.uint64(1)]):
            there = ends[link]
            if distance[there] < 0:
                distance[there] = distance[page] + 1
                queue[filled] = there
                filled += 1
    return distance
