"""The reduced system has the solution of the full one, exactly, and is smaller where pages share their in-links."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import SHAPES, h_matrix, random_graph

from periplus.graph import Graph
from periplus.rank.linear.reduction import reduce
from periplus.rank.linear.system import System


def solved_both_ways(graph: Graph, base: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    system = System(graph, 0.85, base, base, 1e-10, 100)
    reduced = reduce(system)
    roots = len(reduced.constant)
    matrix = np.diag(1 / reduced.diagonal)
    for row in range(roots):
        for link in range(reduced.offsets[row], reduced.offsets[row + 1]):
            matrix[row, reduced.sources[link]] -= reduced.weights[link]
    values = reduced.expand(np.linalg.solve(matrix, reduced.constant))
    exact = np.linalg.solve(np.eye(graph.nodes) - 0.85 * h_matrix(graph).T, base)
    again = reduce(system)
    np.testing.assert_allclose(again.expand(again.start(exact)), exact, atol=1e-12)
    return values, exact, roots


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape not in ("empty", "one page", "all dangling")])
def test_nothing_is_lost(shape: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        graph = random_graph(rng, shape)
        if graph.links:
            values, exact, _ = solved_both_ways(graph, rng.random(graph.nodes))
            np.testing.assert_allclose(values, exact, atol=1e-12)


@pytest.mark.parametrize("loops", [False, True])
def test_blocks_of_pages_that_link_alike(loops: bool) -> None:
    """Groups that link to whole groups, with and without links to oneself: many equal rows, open and closed."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        nodes, groups = int(rng.integers(5, 40)), int(rng.integers(1, 6))
        group = rng.integers(0, groups, nodes)
        joined = rng.random((groups, groups)) < 0.5
        sources, targets = np.nonzero(joined[group][:, group])
        keep = (sources != targets) | loops
        graph = Graph.from_edges(sources[keep], targets[keep], nodes)
        if graph.links:
            values, exact, roots = solved_both_ways(graph, rng.random(nodes))
            np.testing.assert_allclose(values, exact, atol=1e-12)
            if loops:
                assert roots <= groups


def test_a_clique_is_one_unknown_and_a_chain_none() -> None:
    sources, targets = np.nonzero(~np.eye(8, dtype=bool))
    chain = Graph.from_edges(
        np.concatenate((sources, np.arange(7, 20))), np.concatenate((targets, np.arange(8, 21))), 21
    )
    values, exact, roots = solved_both_ways(chain, np.full(21, 0.15 / 21))
    np.testing.assert_allclose(values, exact, atol=1e-13)
    assert roots <= 1
