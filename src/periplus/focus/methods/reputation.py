"""Reputation on the words of a query (Rafiei and Mendelzon 2000; Deo and Gupta 7.4.2), one level.

    R(w, τ) = [τ in w]·p/N_τ + (1−p) Σ_{x→w} R(x, τ)/d⁺(x)

with τ the whole query: N_τ pages have all its words (at most as many as the searcher looks at). The walk goes over the
whole web, over the base set where the web has more than `MOST_WALKED` links. A page may be known for words that it does
not have: all of the base set is ranked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from periplus.focus.base import Focus
from periplus.numeric.arrays import Floats
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods import pagerank as solved
from periplus.record import Scores

STOP = Tol(1e-3) | MaxIter(300)
DAMPING = 0.85
SOLVER = "lumped"  # needs no look at the whole graph before its first sweep, which would cost more than the sweeps


def reputation(focus: Focus) -> Scores:
    """R(w, τ) of every page of the base set."""
    weights = np.zeros(focus.web.graph.nodes)
    weights[focus.matches.pages] = 1.0
    return walk(focus, "reputation", weights)


def walk(focus: Focus, method: str, weights: Floats) -> Scores:
    """PageRank whose jumps lead to pages by their weights, read for the base set; `extra["walk"]` is all of it."""
    graph, nodes = focus.walked
    found = solved.pagerank(graph, damping=DAMPING, preference=focus.jumps(weights), solver=SOLVER, stop=STOP)
    extra: dict[str, Any] = {"walk": found.values}
    return Scores(
        method,
        found.values[nodes],
        parameters={"damping": DAMPING, "tolerance": STOP.tolerance, "whole": focus.whole},
        iterations=found.iterations,
        error_bound=found.error_bound,
        extra=extra,
    )
