"""A pass through bins against the dense product and the pulled pass."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import SHAPES, random_graph

from periplus.graph import Graph
from periplus.rank.linear import bins
from periplus.rank.linear.bins import Bins
from periplus.rank.linear.krylov import krylov
from periplus.rank.linear.passes import Pull
from periplus.rank.linear.system import System


@pytest.mark.parametrize("bits", [1, 3, 14, 16])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_pass_is_the_product_with_the_matrix(monkeypatch: pytest.MonkeyPatch, bits: int, shape: str) -> None:
    monkeypatch.setattr(bins, "LEAST_BITS", bits)
    rng = np.random.default_rng(bits)
    for _ in range(8):
        graph = random_graph(rng, shape)
        dense = np.zeros((graph.nodes, graph.nodes))
        np.add.at(dense, (np.repeat(np.arange(graph.nodes), graph.out_degrees), graph.out_targets), 1.0)
        given, base, old = rng.random((3, graph.nodes))
        jump = rng.choice([1.0, 0.3])
        exact = jump * base + dense.T @ given
        for links in (Bins(graph), Pull(graph)):
            new = old.copy()
            change, mass = links(given, base, new, jump)
            np.testing.assert_allclose(new, exact, rtol=1e-13)
            assert change == pytest.approx(np.abs(exact - old).sum())
            assert mass == pytest.approx(exact.sum())


def test_bins_grow_with_the_graph() -> None:
    for pages, bits in ((0, 14), (10_000, 14), (10_000_000, 14), (20_000_000, 15), (40_000_000, 16)):
        assert bins.bits_for(pages) == bits


def test_sums_are_the_same_pass_after_pass() -> None:
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(rng.integers(0, 100_000, 600_000), rng.integers(0, 100_000, 600_000), 100_000)
    links, given, base = Bins(graph), rng.random(100_000), np.zeros(100_000)
    first, second = np.zeros((2, 100_000))
    links(given, base, first)
    links(2 * given, base, second)
    np.testing.assert_array_equal(2 * first, second)


def test_krylov_takes_bins_where_links_lead_far(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    graph = Graph.from_edges(rng.integers(0, 400, 4000), rng.integers(0, 400, 4000), 400)
    base = np.full(400, 0.01 / 400)
    system = System(graph, 0.99, base, base, 1e-12, 500)
    pulled = krylov(system).values
    monkeypatch.setattr(bins, "PAGES_OUT_OF_CACHE", 100)
    monkeypatch.setattr("periplus.graph.locality.NEAR", 5)
    assert bins.pays(graph)
    made = []
    monkeypatch.setattr("periplus.rank.linear.krylov.Bins", lambda graph: made.append(graph) or Bins(graph))
    np.testing.assert_allclose(krylov(system).values, pulled, rtol=1e-8)
    assert made == [graph]
