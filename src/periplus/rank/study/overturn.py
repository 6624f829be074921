"""The smallest change of links that gives a ranking another first page.

For HITS, a link u → v that is added (removed) changes the k-th singular value of A by ± h_k(u)·a_k(v) to first order.
The answer turns over when the second community overtakes the first, so the links worth trying are those to add with
the largest |h₂(u)·a₂(v)| − h₁(u)·a₁(v), and those to remove with the largest h₁(u)·a₁(v) − |h₂(u)·a₂(v)|. For every
ranking, so are links from the best pages to the runner-up, and the links into the first page.

Each candidate is *tried*: the ranking of the changed graph decides, not the estimate. Where the graph is small enough
to try every single link, one change is known to be the smallest (`exact`); otherwise, or with several links chosen one
after another, what is found is an upper bound. The cost is one ranking a candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.rank.methods.hits_vectors import singular_vectors
from periplus.rank.study.stability import Perturbation
from periplus.rank.table import ranking
from periplus.record import Findings, Scores, rounded

TRY_ALL_UP_TO = 48  # pages: 48² single changes


@dataclass(frozen=True, slots=True)
class LinkChange:
    """One link, added or removed."""

    source: int
    target: int
    added: bool

    def to_dict(self) -> dict[str, Any]:
        """The change as an action."""
        return {"action": "add" if self.added else "remove", "source": self.source, "target": self.target}


@dataclass(frozen=True, slots=True)
class Overturn(Findings):
    """A change that gives another first page (`found`), or the best that was tried.

    `exact` is true where no smaller change does it. `lead` is the first page's score less the runner-up's, before;
    0 where they tie.
    """

    method: str
    found: bool
    exact: bool
    changes: tuple[LinkChange, ...]
    first_before: int
    first_after: int
    lead: float
    tried: int

    @property
    def perturbation(self) -> Perturbation:
        """The change as links to add and to remove."""
        return _perturbation(self.changes)


@checked
def overturn(graph: Graph, *, method: str = "hits", most: int = 3, candidates: int = 48) -> Overturn:
    """Search for the smallest link change, of at most `most` links, after which another page comes first."""
    if most < 1:
        raise ParameterError("most", most, "at least 1")
    if candidates < 1:
        raise ParameterError("candidates", candidates, "at least 1")
    if graph.nodes < 2:
        raise ParameterError("graph", repr(graph), "at least two pages")
    rank = ranking(method)
    before = rank(graph)
    first, second = (int(page) for page in before.best(2))
    highest, next_highest = rounded(before.values[[first, second]])
    lead = float(highest - next_highest)
    changes: tuple[LinkChange, ...] = ()
    tried, unsure = 0, 0
    current, scores = graph, before
    every = graph.nodes <= TRY_ALL_UP_TO
    while len(changes) < most:
        options = _all_changes(current) if every and not changes else _candidates(current, scores, candidates, changes)
        best = _try_all(graph, changes, list(options), rank, first)
        if best is None:
            break
        tried, unsure = tried + best.tried, unsure + best.unsure
        changes, scores = (*changes, best.change), best.scores
        current = _perturbation(changes).apply(graph)
        if best.first != first:
            # Where no single link does it two are the fewest.
            exact = len(changes) == 1 or (every and len(changes) == 2 and not unsure)
            return Overturn(method, True, exact, changes, first, best.first, lead, tried)
    return Overturn(method, False, False, changes, first, first, lead, tried)


@dataclass(frozen=True, slots=True)
class _Best:
    change: LinkChange
    scores: Scores
    first: int
    tried: int
    unsure: int  # options after which the ranking has no certain answer


def _try_all(
    graph: Graph, made: tuple[LinkChange, ...], options: list[LinkChange], rank: Callable[..., Scores], first: int
) -> _Best | None:
    """The first option that overturns, else the one that brings the first page's lead down furthest."""
    best: _Best | None = None
    smallest, tried, unsure = np.inf, 0, 0
    for change in options:
        try:
            scores = rank(_perturbation((*made, change)).apply(graph))
        except ParameterError:  # a graph for which the ranking has no answer, such as one without links, has no first
            continue
        except NotConvergedError:
            unsure += 1
            continue
        tried += 1
        top = scores.best(2)
        if int(top[0]) != first:
            return _Best(change, scores, int(top[0]), tried, unsure)
        best_score, next_score = (float(score) for score in scores.values[top])
        lead = (best_score - next_score) / best_score if best_score else 0.0
        if lead < smallest:
            smallest, best = lead, _Best(change, scores, first, tried, unsure)
    return None if best is None else replace(best, tried=tried, unsure=unsure)


def _perturbation(changes: tuple[LinkChange, ...]) -> Perturbation:
    def pairs(added: bool) -> tuple[np.ndarray, np.ndarray]:
        chosen = [change for change in changes if change.added == added]
        return np.array([c.source for c in chosen], np.int64), np.array([c.target for c in chosen], np.int64)

    return Perturbation(pairs(True), pairs(False))


def _all_changes(graph: Graph) -> Iterator[LinkChange]:
    """Every link there could be, those from a page to itself among them."""
    for source in range(graph.nodes):
        linked = set(graph.successors(source).tolist())
        for target in range(graph.nodes):
            yield LinkChange(source, target, target not in linked)


def _candidates(graph: Graph, scores: Scores, count: int, made: tuple[LinkChange, ...]) -> list[LinkChange]:
    """Links worth trying, the most promising first, those of HITS and those of any ranking by turns.

    A change that was made already is not undone: that would be a smaller change, which was tried before.
    """
    lists = [_challenging(graph, scores, count)]
    if "hubs" in scores.extra:
        lists.insert(0, _spectral(graph, count))
    mixed = [change for row in zip(*lists, strict=False) for change in row]
    longest = max(lists, key=len)
    undone = {LinkChange(change.source, change.target, not change.added) for change in made}
    return [change for change in dict.fromkeys([*mixed, *longest]) if change not in undone][:count]


def _spectral(graph: Graph, count: int) -> list[LinkChange]:
    """By the first-order change of the two largest singular values."""
    found = singular_vectors(graph, count=2)
    if len(found.eigenvalues) < 2:
        return []
    (h1, h2), (a1, a2) = np.abs(found.hubs), np.abs(found.authorities)
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    targets = graph.out_targets.astype(np.int64)
    loss = h1[sources] * a1[targets] - h2[sources] * a2[targets]
    options = [
        (float(loss[at]), LinkChange(int(sources[at]), int(targets[at]), False)) for at in np.argsort(-loss)[:count]
    ]
    width = int(np.ceil(np.sqrt(count))) * 2
    for u in np.argsort(-h2)[:width].tolist():
        linked = set(graph.successors(u).tolist())
        for v in np.argsort(-a2)[:width].tolist():
            if v not in linked:
                options.append((float(h2[u] * a2[v] - h1[u] * a1[v]), LinkChange(u, v, True)))
    options.sort(key=lambda option: -option[0])
    return [change for _, change in options[:count]]


def _challenging(graph: Graph, scores: Scores, count: int) -> list[LinkChange]:
    """Links from the best pages to the runner-up, and the links into the first page from its best pages."""
    first, second = (int(page) for page in scores.best(2))
    weight = scores.values / np.maximum(graph.out_degrees, 1)
    given = set(graph.predecessors(second).tolist())
    best = np.argsort(-weight, kind="stable")[: count + len(given) + 1].tolist()
    options = [(float(weight[u]), LinkChange(u, second, True)) for u in best if u not in given]
    into = graph.predecessors(first).astype(np.int64)
    into = into[np.argsort(-weight[into], kind="stable")][:count]
    options += [(float(weight[u]), LinkChange(int(u), first, False)) for u in into]
    options.sort(key=lambda option: -option[0])
    return [change for _, change in options[:count]]
