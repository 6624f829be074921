"""The diameter of a strongly connected graph, bounded from both sides, and exact within a stated budget of links read.

Let F(v) be the largest distance from v and B(v) the largest distance to v; the diameter is max F = max B. A search
from v and one to v give F(v), B(v), d(v, ·) and d(·, v), and with them for every w

    d(w, v) ≤ F(w) ≤ d(w, v) + F(v)      d(v, w) ≤ B(w) ≤ d(v, w) + B(v)

The lower bound of the diameter is the largest F or B met; the upper one the largest bound on an F or the largest on a
B, whichever is less. Searches begin far out (SumSweep: at the page whose distances add up to most among those so far)
and then take in turn a page whose bound is highest and one that is central, which brings the bounds of all others down.
Pages whose bound is not above the lower one need no search. As soon as searching the rest costs no more than was
spent so far, they are searched from, 64 at a time as the bits of a word, and the diameter is exact.
Borassi, Crescenzi, Habib, Kosters, Marino, Takes, "Fast diameter and radius BFS-based computation", TCS 586 (2015).
Cost: two breadth-first searches per round; 32 bytes per page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.parallel import ordered_map
from periplus.record import Findings
from periplus.structure.connectivity.sweeps import both
from periplus.structure.paths.searches import search_64

Lengths = npt.NDArray[np.int32]
SURE, PASSES = 5e8, 200  # links that may be read always, and times that all links may be read in a larger graph
_FAR_OUT = 3  # rounds that begin far out
_AT_ONCE = 4  # words of 64 searches between two looks at the lower bound
_WORD_COST = 8.0  # passes that 64 searches at once take, more or less


@dataclass(frozen=True, slots=True)
class Diameter(Findings):
    """`lower` ≤ diameter ≤ `upper`; exact where they are equal. `links_read` is what it cost."""

    lower: int
    upper: int
    searches: int
    links_read: int

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    def to_dict(self) -> dict[str, Any]:
        """The bounds, whether they meet, and what it cost."""
        return Findings.to_dict(self) | {"exact": self.exact}


@checked
def diameter(graph: Graph, *, budget: float | None = None) -> Diameter:
    """The diameter of a strongly connected graph, or bounds where that would read more than `budget` links.

    At least one round is made. Unless told otherwise, half a billion links may be read, or all links 200 times.
    """
    if budget is None:
        budget = max(SURE, PASSES * graph.links)
    if not budget >= 0:
        raise ParameterError("budget", budget, "0 or more links")
    if graph.nodes == 0:
        return Diameter(0, 0, 0, 0)
    bounds = _Bounds(graph)
    page = int(np.argmax(np.minimum(graph.out_degrees, graph.in_degrees)))
    bounds.search(page)
    while not bounds.met and bounds.read + 2 * graph.links <= budget:
        words = -(-min(bounds.left) // 64)
        if words * _WORD_COST * graph.links <= min(bounds.read, budget - bounds.read):
            bounds.search_the_rest(budget)
            break
        bounds.search(bounds.next_page())
    return Diameter(bounds.lower, bounds.upper, bounds.searches, bounds.read)


class _Bounds:
    """What the searches so far say of F and B of every page."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.lower = self.searches = self.read = 0
        self._rounds = 0
        most = np.iinfo(np.int32).max
        self._over = [np.full(graph.nodes, most, np.int32) for _ in range(2)]  # bounds on F and on B from above
        self._under = [np.zeros(graph.nodes, np.int32) for _ in range(2)]
        self._sums = np.zeros(graph.nodes, np.int64)

    @property
    def upper(self) -> int:
        return max(self.lower, min(self._graph.nodes - 1, *(int(over.max()) for over in self._over)))

    @property
    def met(self) -> bool:
        return self.lower >= self.upper

    @property
    def left(self) -> tuple[int, int]:
        """The pages whose F, and whose B, may be above the lower bound."""
        ahead, back = (int(np.count_nonzero(over > self.lower)) for over in self._over)
        return ahead, back

    def search(self, page: int) -> None:
        """Search from a page and to it, and mend the bounds of all pages."""
        graph = self._graph
        away, towards = both(
            partial(lengths, graph.out_offsets, graph.out_targets, page),
            partial(lengths, graph.in_offsets, graph.in_sources, page),
        )
        if away.min() < 0 or towards.min() < 0:
            raise ParameterError("graph", graph, "strongly connected: every page reaches every other")
        farthest = int(away.max()), int(towards.max())
        self.lower = max(self.lower, *farthest)
        for side, to_page in enumerate((towards, away)):
            np.minimum(self._over[side], to_page + farthest[side], out=self._over[side])
            np.maximum(self._under[side], to_page, out=self._under[side])
            self._over[side][page] = self._under[side][page] = farthest[side]
        self._sums += away + towards
        self._sums[page] = -1
        self._rounds += 1
        self.searches += 2
        self.read += 2 * graph.links

    def next_page(self) -> int:
        """Far out at first; then in turn the highest bound on the side with fewer pages left, and a central page."""
        if self._rounds <= _FAR_OUT:
            return int(np.argmax(self._sums))
        fresh = self._sums >= 0
        if self._rounds % 2:
            middle = np.where(fresh, self._under[0] + self._under[1], np.iinfo(np.int32).max)
            return int(np.argmin(middle))
        over = self._over[int(np.argmin(self.left))]
        highest = np.flatnonzero(over == over.max())
        return int(highest[np.argmax(self._sums[highest])])

    def search_the_rest(self, budget: float) -> None:
        """Search from (or to) all pages that are left on one side, the highest bounds first."""
        graph = self._graph
        side = int(np.argmin(self.left))
        web = (graph.out_offsets, graph.out_targets) if side == 0 else (graph.in_offsets, graph.in_sources)
        over = self._over[side]
        while not self.met and self.read < budget:
            pages = np.flatnonzero(over > self.lower)
            pages = pages[np.argsort(-over[pages], kind="stable")][: 64 * _AT_ONCE]
            for word, (farthest, read) in zip(_words(pages), _farthest(web, pages), strict=True):
                over[word] = farthest
                self.lower = max(self.lower, int(farthest.max()))
                self.searches += len(word)
                self.read += int(read)


def _words(pages: AnyArray) -> list[AnyArray]:
    return [pages[at : at + 64] for at in range(0, len(pages), 64)]


def _farthest(web: tuple[Offsets, Ids], pages: AnyArray) -> list[tuple[Lengths, int]]:
    """The largest distance from each page, and the links read, 64 pages at a time on every core."""
    return list(ordered_map(lambda word: search_64(web[0], web[1], word)[1:], _words(pages)))


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
