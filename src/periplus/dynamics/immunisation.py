"""Whom to protect first (Deo and Gupta, §3.2): orders of the pages, and what can still be infected after each.

A disease passes along links both ways, so pages are ordered by their part in the undirected graph:

- `degree`: by the number of neighbours;
- `pagerank`: by PageRank of the directed graph, as a search engine knows it already;
- `betweenness`: by the share of shortest paths that pass through, from a sample of sources (Brandes);
- `random`: in random order, for comparison.

Protecting the first pages of an order takes them out; what counts is the largest cluster left (`epidemics.protect`),
the most pages that one outbreak can reach. O(m) for each number of protected pages, beside the order itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from periplus.catalog import SEED, checked, load
from periplus.dynamics.epidemics import betweenness_sample, protect
from periplus.dynamics.orders import ORDERS
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Offsets
from periplus.rank.methods.pagerank import pagerank
from periplus.record import Findings


@dataclass(frozen=True, slots=True)
class Protection(Findings):
    """One order: its pages, best to protect first, and the largest cluster left after the first `counts[k]` of them."""

    method: str
    order: Offsets
    counts: Offsets
    left: Offsets


@checked
def by_degree(graph: Graph, sources: int, seed: int) -> Floats:
    """Links of the page, both ways."""
    return graph.symmetrised().out_degrees.astype(np.float64)


@checked
def by_pagerank(graph: Graph, sources: int, seed: int) -> Floats:
    """PageRank."""
    return np.asarray(pagerank(graph).values)


@checked
def by_betweenness(graph: Graph, sources: int, seed: int) -> Floats:
    """Betweenness, from a sample of sources."""
    return betweenness_sample(graph, sources=sources, seed=seed)


@checked
def at_random(graph: Graph, sources: int, seed: int) -> Floats:
    """A random order."""
    return np.random.Generator(np.random.Philox(seed)).random(graph.nodes)


@checked
def protection(
    graph: Graph, *, by: Sequence[str] = tuple(ORDERS), counts: AnyArray, sources: int = 64, seed: int = 0
) -> list[Protection]:
    """What is left to infect after protecting so many pages, for each of the orders named in `by`."""
    for name in by:
        if name not in ORDERS:
            raise ParameterError("by", name, f"one of {', '.join(ORDERS)}")
    if graph.nodes == 0:
        raise ParameterError("graph", "no pages", "a graph with pages")
    SEED.check(seed)
    wanted = np.asarray(counts, dtype=np.int64)
    found = []
    for name in by:
        order = np.argsort(-load(ORDERS[name])(graph, sources, seed), kind="stable")
        found.append(Protection(name, order, wanted, protect(graph, order, counts=wanted)))
    return found
