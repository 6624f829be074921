"""The products with A, Aᵀ and AᵀA against dense ones, by each of the ways they are computed."""

from __future__ import annotations

import numpy as np
import pytest
from numba import get_num_threads, set_num_threads
from tests.oracles import rankings as oracle

from periplus.graph.graph import Graph
from periplus.rank.eigen import operator as links
from periplus.rank.eigen.operator import LinkOperator
from periplus.rank.linear.passes import chunk_bounds


def dense(graph: Graph) -> np.ndarray:
    matrix = np.zeros((graph.nodes, graph.nodes))
    matrix[np.repeat(np.arange(graph.nodes), graph.out_degrees), graph.out_targets] = 1.0
    return matrix


@pytest.mark.parametrize(("small", "cached"), [(2**16, 2**19), (0, 2**19), (0, 0)], ids=["one core", "halves", "twice"])
def test_products_are_those_of_the_matrix(small, cached, monkeypatch):
    monkeypatch.setattr(links, "SMALL", small)
    monkeypatch.setattr(links, "CACHED", cached)
    rng = np.random.default_rng(4)
    for graph in oracle.linked_graphs(60, seed=8):
        matrix, operator, given = dense(graph), LinkOperator(graph), rng.standard_normal(graph.nodes)
        np.testing.assert_allclose(operator.hubs(given), matrix @ given, atol=1e-12)
        np.testing.assert_allclose(operator.authorities(given), matrix.T @ given, atol=1e-12)
        cocitation, wanted = operator.cocitation, matrix.T @ (matrix @ given)
        for _ in range(2):  # the second uses the memory of the first
            np.testing.assert_allclose(cocitation(given), wanted, atol=1e-11)
        before, following = rng.standard_normal(graph.nodes), np.empty(graph.nodes)
        alpha, norm = cocitation.step(given, before, 0.7, following)
        assert alpha == pytest.approx(given @ wanted)
        np.testing.assert_allclose(following, wanted - alpha * given - 0.7 * before, atol=1e-11 * max(1.0, alpha))
        assert norm == pytest.approx(np.linalg.norm(following))


@pytest.mark.parametrize("cached", [2**19, 0])
def test_products_do_not_depend_on_the_number_of_threads(cached, monkeypatch):
    monkeypatch.setattr(links, "CACHED", cached)
    rng = np.random.default_rng(5)
    graph = Graph.from_edges(rng.integers(0, 20_000, 90_000), rng.integers(0, 20_000, 90_000), 20_000)
    assert graph.links > links.SMALL
    given, before = rng.random(20_000), get_num_threads()

    def results() -> list[np.ndarray]:
        operator, following = LinkOperator(graph).cocitation, np.empty(20_000)
        return [operator(given).copy(), np.array(operator.step(given, given[::-1].copy(), 0.3, following)), following]

    both = results()
    set_num_threads(1)
    try:
        for one, two in zip(results(), both, strict=True):
            assert np.array_equal(one, two)
    finally:
        set_num_threads(before)


@pytest.mark.parametrize("chunks", [1, 2, 7, 64])
def test_chunks_cut_links_and_rows_evenly(chunks):
    rng = np.random.default_rng(6)
    for rows in (1, 2, 5, 63, 64, 1000):
        degrees = rng.integers(0, 5, rows) * rng.integers(0, 2, rows)
        degrees[rng.integers(rows)] += 300
        offsets = np.concatenate(([0], np.cumsum(degrees)))
        bounds = chunk_bounds(offsets, chunks)
        used = min(chunks, rows)
        weights = offsets + np.arange(rows + 1)
        wanted = np.searchsorted(weights, np.linspace(0, weights[-1], used + 1)[1:-1])
        assert bounds.tolist() == [0, *wanted.tolist(), rows]
        heaviest = max(int(np.diff(weights[bounds]).max()), 0)
        assert heaviest <= weights[-1] / used + 1 + degrees.max() + 1
