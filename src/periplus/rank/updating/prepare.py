"""What can be found out about a graph before it changes, so that `update` has little left to do.

A cold solve finds an order of the pages and forgets it. `prepare` keeps it: where nearly all links lead from component
to component, the pages in topological order (`forward`); where cycles hold the graph together, the factors of its
system (`factors`), as long as they fill in little. With it goes the solution y of

    y = α Hᵀ y + (1−α)/n                                              (pseudo-rank system; π = y / ‖y‖₁)

corrected to rounding, so that the whole tolerance is free for updates. The record holds for one graph. Changes may pile
up: update from the same record as long as few pages differ, then prepare again.
Cost: a cold solve or so for the order, ten for the factors; memory a vector and what the way needs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.rank.linear.factors import Factors, factors
from periplus.rank.linear.passes import Pull, link_weights
from periplus.rank.methods.pagerank import certify
from periplus.rank.updating.edits import NO_EDITS
from periplus.rank.updating.forward import Forward, forward
from periplus.record import Scores
from periplus.structure.connectivity.components import strong_components

# Nothing below this can be told from rounding, relative to a vector of sum one.
FINEST = 1e-15
# From this share of the links within components on, pushes would go round too often.
CYCLIC = 0.1


@dataclass(frozen=True, slots=True)
class Prepared:
    """The pseudo-rank vector of a graph, a bound on its ℓ1 residual, and the way in which changes are settled."""

    graph: Graph
    damping: float
    values: Floats
    residual: float
    way: Forward | Factors


@checked
def prepare(graph: Graph, scores: Scores) -> Prepared:
    """All that `update(graph, scores, …, prepared=…)` can use again; `scores` are those of `pagerank(graph)`.

    Scores with a preference or with dangling="none" are updated by a warm start, which uses nothing of it.
    """
    check_scores(graph, scores)
    damping = float(scores.parameters["damping"])
    values = pseudo_rank(graph, scores)
    way = _way(graph, damping)
    wanted = FINEST * float(values.sum())
    way.settle(graph, NO_EDITS, values, residual_of(graph, damping, values), damping, wanted)
    return Prepared(graph, damping, values, residual_bound(graph, damping, values), way)


def _way(graph: Graph, damping: float) -> Forward | Factors:
    labels = strong_components(graph).labels
    within = np.count_nonzero(np.repeat(labels, graph.out_degrees) == labels[graph.out_targets])
    found = factors(graph, damping) if within > CYCLIC * graph.links else None
    return found or forward(graph)


def check_scores(graph: Graph, scores: Scores) -> None:
    if scores.graph_digest != graph.digest:
        raise ParameterError("scores", scores.graph_digest[:12], f"the scores of this graph ({graph.digest[:12]})")
    if scores.method != "pagerank":
        raise ParameterError("scores", scores.method, "scores made by pagerank or update")


def pseudo_rank(graph: Graph, scores: Scores) -> Floats:
    """From π to y: at the solution ‖y‖₁ = (1−α) / (1−α + α π·a), with a the dangling pages."""
    damping = float(scores.parameters["damping"])
    share = scores.values if scores.parameters["normalised"] else scores.values / max(graph.nodes, 1)
    if scores.parameters["dangling"] == "none":
        return share.copy()
    lost = damping * float(share[graph.dangling].sum())
    values: Floats = share * ((1 - damping) / (1 - damping + lost))
    return values


def residual_of(graph: Graph, damping: float, values: Floats, base: Floats | None = None) -> Floats:
    """b + α Hᵀ y − y, by one pass; without a `base` b is that of even jumps, (1−α)/n."""
    residual = np.zeros(graph.nodes)
    jumps = np.full(graph.nodes, (1 - damping) / max(graph.nodes, 1)) if base is None else base
    Pull(graph)(values * link_weights(graph, damping), jumps, residual)
    residual -= values
    return residual


def residual_bound(graph: Graph, damping: float, values: Floats) -> float:
    """A bound on the ℓ1 residual of y, rounding and all, by one pass."""
    uniform = np.full(graph.nodes, 1.0 / max(graph.nodes, 1))
    return sum(certify(graph, damping, uniform, "none", values))
