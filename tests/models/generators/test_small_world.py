"""Small worlds against Watts & Strogatz's own plot, Newman's mean field, and the lattice's exact figures."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from tests.oracles.models_small_world import DEGREE, PAGES, REALISATIONS, published_plot

from periplus.graph import Graph
from periplus.models import theory
from periplus.models.generators.small_world import edge_addition, watts_strogatz


def path_length(graph: Graph) -> float:
    matrix = csr_array(
        (np.ones(graph.links, dtype=np.int8), graph.out_targets, graph.out_offsets), shape=[graph.nodes] * 2
    )
    distances = shortest_path(matrix, unweighted=True)
    return float(distances[np.isfinite(distances)].sum() / (np.isfinite(distances).sum() - graph.nodes))


def clustering(graph: Graph) -> float:
    pairs = [(page, int(other)) for page in range(graph.nodes) for other in graph.successors(page)]
    return nx.average_clustering(nx.Graph(pairs))


@pytest.mark.parametrize(("n", "d"), [(10, 4), (60, 6), (61, 2), (9, 8)])
def test_without_rewiring_it_is_the_ring_lattice(n: int, d: int) -> None:
    expected = nx.circulant_graph(n, range(1, d // 2 + 1))
    for make in (watts_strogatz, edge_addition):
        graph = make(n, d=d, p=0.0)
        assert {(a, int(b)) for a in range(n) for b in graph.successors(a)} == {
            pair for a, b in expected.edges for pair in ((a, b), (b, a))
        }
    assert path_length(graph) == pytest.approx(theory.lattice_path_length(n, d))


def test_lattice_clustering_is_the_formula() -> None:
    assert clustering(watts_strogatz(200, d=10, p=0.0)) == pytest.approx(theory.lattice_clustering(10))


@pytest.mark.parametrize("p", [0.0, 0.1, 0.7, 1.0])
def test_rewiring_keeps_every_link_and_one_end(p: float) -> None:
    n, d = 500, 8
    graph = watts_strogatz(n, d=d, p=p, seed=6)
    assert graph.links == n * d
    assert graph.out_degrees.min() >= d // 2
    assert all(page not in graph.successors(page) for page in range(n))


def test_about_p_of_the_links_move() -> None:
    n, d, p = 2000, 10, 0.3
    graph = watts_strogatz(n, d=d, p=p, seed=2)
    ring = {(a, (a + j) % n) for a in range(n) for j in range(1, d // 2 + 1)}
    stayed = sum(bool((graph.successors(a) == b).any()) for a, b in ring) / len(ring)
    assert stayed == pytest.approx(1 - p, abs=4 * np.sqrt(p * (1 - p) / len(ring)) + 0.002)


def test_a_complete_lattice_has_nowhere_to_move() -> None:
    assert watts_strogatz(9, d=8, p=1.0, seed=1).links == 72


@pytest.mark.parametrize("p", [0.0001, 0.001, 0.01, 0.1, 1.0])
def test_watts_and_strogatz_plot(p: float) -> None:
    """Figure 2 of Watts & Strogatz (1998): the means of 20 graphs each, ours and networkx's, within their errors."""
    lattice = theory.lattice_path_length(PAGES, DEGREE), theory.lattice_clustering(DEGREE)
    graphs = [watts_strogatz(PAGES, d=DEGREE, p=p, seed=seed) for seed in range(REALISATIONS)]
    ours = np.array([(path_length(graph), clustering(graph)) for graph in graphs]) / lattice
    theirs = published_plot(p)
    error = np.sqrt((ours.var(axis=0, ddof=1) + theirs.var(axis=0, ddof=1)) / REALISATIONS)
    assert (np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) <= 4 * error).all()
    assert (error < [0.05, 0.005]).all()  # so that the line above says something
    expected = theory.rewired_clustering(DEGREE, p) / theory.lattice_clustering(DEGREE)
    assert ours.mean(axis=0)[1] == pytest.approx(expected, abs=0.02)


def test_distances_fall_long_before_clustering_does() -> None:
    """What the figure is famous for: at p = 0.01 the world is small, and nearly all of the clustering is there."""
    graph = watts_strogatz(PAGES, d=DEGREE, p=0.01, seed=1)
    assert path_length(graph) < 0.3 * theory.lattice_path_length(PAGES, DEGREE)
    assert clustering(graph) > 0.95 * theory.lattice_clustering(DEGREE)


def mean_length(n: int, d: int, p: float) -> float:
    return float(np.mean([path_length(edge_addition(n, d=d, p=p, seed=seed)) for seed in range(4)]))


def test_with_hardly_a_shortcut_the_mean_field_is_exact() -> None:
    """nκφ = 0.1: one run in ten has a shortcut at all."""
    lengths = [path_length(edge_addition(400, d=2, p=0.1 / 400, seed=seed)) for seed in range(40)]
    assert np.mean(lengths) == pytest.approx(theory.mean_field_path_length(400, 2, 0.1 / 400), rel=0.05)


def test_with_many_shortcuts_the_mean_field_is_right_to_leading_order() -> None:
    """ℓ = (ln 2nκφ + O(1))/(4κ²φ): Newman, Moore & Watts say exact for nκφ → ∞, where the constant no longer counts."""
    n, p = 1500, 0.02
    excess = (mean_length(n, 2, p) - theory.mean_field_path_length(n, 2, p)) * 4 * p
    assert 0.0 < excess < 1.5
    assert mean_length(n, 2, 3 * p) < 0.5 * mean_length(n, 2, p)


def test_edge_addition_adds_pdn_over_two() -> None:
    n, d, p = 3000, 4, 0.2
    added = [(edge_addition(n, d=d, p=p, seed=seed).links - n * d) / 2 for seed in range(30)]
    expected = p * d * n / 2
    assert abs(np.mean(added) - expected) < 4 * np.sqrt(expected / 30) + 2  # a shortcut may fall on the lattice


def test_figures_3_and_4_of_deo_and_gupta() -> None:
    """Ten pages of degree four have 20 edges; rewiring keeps them; p = 0.2 adds four on average."""
    assert watts_strogatz(10, d=4, p=0.0).links == 40
    assert watts_strogatz(10, d=4, p=0.3, seed=1).links == 40
    added = [(edge_addition(10, d=4, p=0.2, seed=seed).links - 40) / 2 for seed in range(400)]
    assert 2.0 < np.mean(added) < 4.0  # four drawn on average, those that repeat a link are one link
