"""What the claims of several papers do: fit tails, draw laws, take means over seeds, cut a web to its core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.graph.graph import Graph
from periplus.models.pictures.report import binned_shares
from periplus.numeric.arrays import AnyArray, Floats
from periplus.reproduce.checks import Estimate, give_or_take, mean_of
from periplus.reproduce.pictures import line, points
from periplus.structure.connectivity.components import strong_components
from periplus.structure.laws.power_law import fit_law

FITTED = "exponents by maximum likelihood, intervals of 1.96 standard errors"


def tail(values: AnyArray, *, discrete: bool = True, xmin: float | None = None) -> tuple[Estimate, float]:
    """The exponent of the tail of some values, and where the tail begins."""
    law = fit_law(values, discrete=discrete, xmin=xmin, samples=0)
    return give_or_take(law.alpha, 1.96 * law.sigma), law.xmin


def over_seeds(runs: int, work: Callable[[int], float]) -> Estimate:
    """The mean of one number over seeds 1, 2, …"""
    return mean_of([work(seed) for seed in range(1, runs + 1)])


def law_series(degrees: AnyArray, label: str, exponent: float, start: float) -> list[dict[str, Any]]:
    """Shares by degree as points, and the fitted power law as a line through its tail."""
    at, shares = binned_shares(degrees)
    kept = at >= start
    anchor = np.exp(np.mean(np.log(shares[kept]) + exponent * np.log(at[kept])))
    return [points(label, at, shares), line(f"k^−{exponent:.2f}", at[kept], anchor * at[kept] ** -exponent)]


def core_of(graph: Graph) -> Graph:
    """The largest strong component as a web of its own."""
    parts = strong_components(graph)
    return graph.subgraph(parts.members(parts.largest_label))


def power_steps(graph: Graph, damping: float, start: Floats | None = None) -> Iterator[Floats]:
    """The iterates of the power method as the papers have it, dangling pages mended uniformly, without end."""
    hyper = sparse(graph, 1.0 / graph.out_degrees.repeat(graph.out_degrees))
    back, dangling = hyper.T.tocsr(), graph.out_degrees == 0
    values = np.full(graph.nodes, 1.0 / graph.nodes) if start is None else start
    while True:
        values = damping * (back @ values) + (damping * values[dangling].sum() + 1 - damping) / graph.nodes
        yield values


def sparse(graph: Graph, values: Floats | None = None) -> Any:
    """The adjacency matrix, sparse: A[i, j] = 1 (or the link's value) where page i links to page j."""
    held = np.ones(graph.links) if values is None else values
    return csr_array((held, graph.out_targets, graph.out_offsets), shape=(graph.nodes,) * 2)


def dense(graph: Graph) -> Floats:
    """The adjacency matrix of a small web: A[i, j] = 1 where page i links to page j."""
    matrix = np.zeros((graph.nodes, graph.nodes))
    matrix[np.repeat(np.arange(graph.nodes), graph.out_degrees), graph.out_targets] = 1.0
    return matrix


def row_normalised(matrix: Floats) -> Floats:
    """Each row divided by its sum; rows of zeros stay as they are."""
    sums = matrix.sum(axis=1, keepdims=True)
    return np.divide(matrix, sums, out=np.zeros_like(matrix), where=sums > 0)


def web(links: Sequence[tuple[int, int]], nodes: int | None = None) -> Graph:
    """A small web, link by link."""
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(ends[:, 0], ends[:, 1], nodes)


def random_web(nodes: int, links: int, seed: int) -> Graph:
    """A small random web, strongly connected by a circle through all its pages."""
    rng = np.random.default_rng(seed)
    circle = np.arange(nodes)
    sources = np.concatenate((circle, rng.integers(0, nodes, links)))
    targets = np.concatenate(((circle + 1) % nodes, rng.integers(0, nodes, links)))
    return Graph.from_edges(sources, targets, nodes)
