"""Two states of one web whose pages have other ids: aligned by their names, so that `update` may compare them.

`update` needs page i to be the same page before and after, and new pages last. Ids of a collection follow the URLs, so
one page inserted moves all ids behind it. Here both states become one numbering: the pages of `before` in their order,
then the new ones. A page that is gone stays as a page without links. In

    y = α Hᵀ y + b                                             (π = y / ‖y‖₁ over all pages)

it holds b and hands on nothing, so π over the pages that are left is π of `after`, and an ℓ1 error of ε becomes one of
at most 2ε / s, where s is the share of the pages that are left. Cost: a dictionary of the names, one pass of the links.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Offsets
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.updating.update import update
from periplus.record import Scores

_REMEDY = "give both with URLs or names, or say that the ids are the same on both sides (--by-id)"


@dataclass(frozen=True, slots=True)
class RankedChange:
    """The ranking of the later state; for each of its pages the score before, NaN for new ones; how many are gone.

    `by_id` says that pages were the same where their ids are, for want of names or by wish.
    """

    scores: Scores
    was: Floats
    gone: int
    by_id: bool

    @property
    def new(self) -> int:
        """How many pages there were not before."""
        return int(np.isnan(self.was).sum())

    @property
    def moved(self) -> Floats:
        """What each page gained; a new page gained all that it has."""
        return self.scores.values - np.nan_to_num(self.was)


def ranked_change(before: Graph, after: Graph, *, damping: float = 0.85, by_id: bool = False) -> RankedChange:
    """PageRank of `after` from that of `before`; pages are the same where their names are.

    Where neither side has names, ids decide, if there are equally many pages; `by_id` lets them decide in any case.
    Two sides that share no name, or of which one has none, are refused.
    """
    by_id = by_id or (before.urls is None and after.urls is None and before.nodes == after.nodes)
    place = np.arange(after.nodes) if by_id else _places(before, after)
    union = max(before.nodes, int(place.max(initial=-1)) + 1)
    was = pagerank(before, damping=damping)
    now = _only(update(before, was, _renumbered(after, place, union)), place, after)
    old = np.append(was.values, np.full(union - before.nodes, np.nan))[place]
    return RankedChange(now, old, gone=before.nodes - (after.nodes - (union - before.nodes)), by_id=by_id)


def _places(before: Graph, after: Graph) -> Offsets:
    """The common id of each page of `after`, by its name."""
    if before.urls is None and after.urls is None:
        raise ParameterError("after", f"{after.nodes} pages", f"the {before.nodes} pages of `before`: {_REMEDY}")
    if before.urls is None or after.urls is None:
        side = "before" if before.urls is None else "after"
        raise ParameterError(side, "a graph without names", f"named pages, as the other side has: {_REMEDY}")
    known = _numbered(before.urls, "before")
    names = _numbered(after.urls, "after")
    if names and before.nodes and names.keys().isdisjoint(known):
        raise ParameterError("after", "a web that shares no page with `before`", "a later state of the same web")
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


def _numbered(urls: Iterable[str], side: str) -> dict[str, int]:
    """The id of each name."""
    numbers: dict[str, int] = {}
    for page, url in enumerate(urls):
        if numbers.setdefault(str(url), page) != page:
            raise ParameterError(side, str(url), "each name once: pages of the same name cannot be told apart")
    return numbers


def _renumbered(graph: Graph, place: Offsets, nodes: int) -> Graph:
    """The same links with other ids, among `nodes` pages."""
    if nodes == graph.nodes and np.array_equal(place, np.arange(nodes)):
        return graph
    sources = np.repeat(place, graph.out_degrees)
    return Graph.from_edges(sources, place[graph.out_targets], nodes=nodes)


def _only(scores: Scores, place: Offsets, after: Graph) -> Scores:
    """The scores of the pages of `after`, in its ids and again of sum one."""
    values = scores.values[place]
    left, bound = float(values.sum()), scores.error_bound
    if len(values) < len(scores.values):
        values, bound = values / left, 2 * bound / left
    return replace(scores, values=values, error_bound=bound, graph_digest=after.digest, urls=after.urls)
