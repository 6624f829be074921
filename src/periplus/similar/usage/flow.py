"""The flow of people through a site: a graph whose links are the steps they took, and how often.

Pirolli, Pitkow and Rao (1996) draw such a graph beside that of the links and that of the texts. Compared with the links
it shows the steps that no link offers (a search box, a bookmark, a way around) and the links that nobody takes.

Cost: O(steps) to gather, O(links) to compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Offsets

_SHIFT = np.int64(1) << np.int64(32)


class Step(NamedTuple):
    """A step from one page to another, and how often people took it (or could have)."""

    source: int
    target: int
    times: int


class Arrival(NamedTuple):
    """A page, how many people came to it without a link of the site, and how many saw it in all."""

    page: int
    people: int
    visits: int


@dataclass(frozen=True, eq=False, repr=False)
class Flow:
    """Steps from page to page.

    `counts[k]` people took link k of `graph`; `visits[i]` saw page i, `starts[i]` began there.
    """

    graph: Graph
    counts: Offsets
    visits: Offsets
    starts: Offsets

    def __repr__(self) -> str:
        return f"Flow({int(self.counts.sum()):,} steps over {self.graph.links:,} pairs of pages)"

    def weighted(self) -> Graph:
        """The steps as a graph for every other tool: `people` on each link, `visits` and `starts` on each page."""
        return self.graph.described({"visits": self.visits, "starts": self.starts}, {"people": self.counts})

    def without_links(self, graph: Graph, count: int = 20) -> list[Arrival]:
        """The pages that most people reach without a link of the site: paths begin there, or a step there has none."""
        off = ~on_links(self.graph, graph)
        jumped = np.bincount(self.graph.out_targets[off], weights=self.counts[off], minlength=self.graph.nodes)
        people = self.starts + jumped.astype(np.int64)
        order = np.argsort(-people, kind="stable")[:count].tolist()
        return [Arrival(page, int(people[page]), int(self.visits[page])) for page in order if people[page]]

    def off_the_links(self, graph: Graph, count: int = 20) -> list[Step]:
        """The steps most taken that no link of the site offers."""
        return self._top(~on_links(self.graph, graph), self.counts, count)

    def unused(self, graph: Graph, count: int = 20) -> list[Step]:
        """The links that nobody took, those on the most visited pages first; `times` are the visits of the page."""
        nobody = ~on_links(graph, self.graph)
        sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
        nobody &= (sources != graph.out_targets) & (self.visits[sources] > 0)
        order = np.flatnonzero(nobody)
        order = order[np.argsort(-self.visits[sources[order]], kind="stable")][:count]
        pairs = zip(sources[order].tolist(), graph.out_targets[order].tolist(), strict=True)
        return [Step(source, target, int(self.visits[source])) for source, target in pairs]

    def _top(self, wanted: Bools, times: Offsets, count: int) -> list[Step]:
        sources = np.repeat(np.arange(self.graph.nodes), self.graph.out_degrees)
        order = np.flatnonzero(wanted)
        order = order[np.argsort(-times[order], kind="stable")][:count]
        rows = zip(sources[order].tolist(), self.graph.out_targets[order].tolist(), times[order].tolist(), strict=True)
        return [Step(*row) for row in rows]


@checked
def flow_of(paths: Any, nodes: int, *, urls: Any = None) -> Flow:
    """The flow of some paths, each a list of page ids below `nodes`."""
    sources, targets, starts, seen = _steps(paths, nodes)
    keys, counts = np.unique(sources * _SHIFT + targets, return_counts=True)
    graph = Graph.from_edges(keys >> 32, keys & (_SHIFT - 1), nodes, urls=urls)
    return Flow(graph, counts, np.bincount(seen, minlength=nodes), np.bincount(starts, minlength=nodes))


def _steps(paths: Iterable[Sequence[int]], nodes: int) -> tuple[AnyArray, ...]:
    lengths: list[int] = []
    flat: list[int] = []
    for path in paths:
        if len(path):
            lengths.append(len(path))
            flat.extend(path)
    pages = np.array(flat, dtype=np.int64) if flat else np.zeros(0, np.int64)
    if len(pages) and not 0 <= int(pages.min()) <= int(pages.max()) < nodes:
        raise ParameterError("paths", f"page {int(pages.max())}", f"page ids from 0 to {nodes - 1}")
    ends = np.cumsum(lengths, dtype=np.int64)
    first = np.concatenate(([0], ends[:-1])).astype(np.int64) if len(ends) else np.zeros(0, np.int64)
    within = np.ones(max(0, len(pages) - 1), np.bool_)
    within[ends[:-1] - 1] = False
    return pages[:-1][within], pages[1:][within], pages[first], pages


def on_links(steps: Graph, links: Graph) -> Bools:
    """For each link of `steps` whether `links` has it too."""
    wanted, known = _keys(steps), _keys(links)
    if not len(known):
        return np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    found: Bools = known[at] == wanted
    return found


def _keys(graph: Graph) -> AnyArray:
    sources = np.repeat(np.arange(graph.nodes, dtype=np.int64), graph.out_degrees)
    return sources * _SHIFT + graph.out_targets
