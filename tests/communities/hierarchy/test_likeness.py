"""Likeness by two-hop counting against dense vectors, and the mixture."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.communities.hierarchy import likeness
from periplus.communities.hierarchy.likeness import alike_pages, mixture, within_groups
from periplus.graph.graph import Graph


def random_graph(nodes: int, links: int, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), (nodes * rng.random(links) ** 2).astype(int), nodes)


def dense_likeness(graph: Graph, cap: float = np.inf) -> np.ndarray:
    """Cosines of the vectors written out: out-links then in-links, each page weighed by its idf.

    A page does not count itself; nor does a link between the two compared: only what both have in common.
    """
    matrix = np.zeros((graph.nodes, graph.nodes))
    for page in range(graph.nodes):
        matrix[page, graph.successors(page)] = 1
    idf = {
        side: np.log(graph.nodes / np.maximum(degrees, 1))
        for side, degrees in (("out", graph.in_degrees), ("in", graph.out_degrees))
    }
    idf["out"][graph.in_degrees > cap] = 0
    idf["in"][graph.out_degrees > cap] = 0
    np.fill_diagonal(matrix, 0)
    vectors = np.hstack([matrix * idf["out"], matrix.T * idf["in"]])
    lengths = np.linalg.norm(vectors, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = vectors @ vectors.T / np.outer(lengths, lengths)
    np.fill_diagonal(found, 0)
    return np.nan_to_num(found)


@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_are_those_of_dense_vectors(seed: int) -> None:
    graph = random_graph(60, 300, seed)
    dense, found = dense_likeness(graph), alike_pages(graph, count=5).toarray()
    for page in range(60):
        best = np.sort(dense[page])[::-1][:5]
        assert np.allclose(np.sort(found[page])[::-1][:5], best, atol=1e-12)
        assert np.allclose(found[page][found[page] > 0], dense[page][found[page] > 0])


def test_hubs_above_the_cap_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(80, 500, 1)
    monkeypatch.setattr(likeness, "STEPS", 12)
    cap = likeness._hub_cap(graph)
    degrees = np.concatenate([graph.out_degrees, graph.in_degrees]).astype(float)
    assert (degrees[degrees <= cap] ** 2).sum() <= 12 * graph.links < (degrees[degrees <= cap + 1] ** 2).sum()
    dense, found = dense_likeness(graph, cap), alike_pages(graph, count=3).toarray()
    assert np.allclose(np.sort(found, axis=1)[:, -3:], np.sort(dense, axis=1)[:, -3:])


def test_a_star_is_passed_over_whole() -> None:
    star = Graph.from_edges(np.arange(1, 200_001), np.zeros(200_000, np.int64), 200_001)
    assert alike_pages(star).nnz == 0
    assert mixture(star).sizes.sum() > 0


def test_likeness_weighs_twice_as_much_as_the_links() -> None:
    graph = random_graph(200, 1500, 3)
    mixed = mixture(graph)
    assert mixed.sizes.sum() == pytest.approx(200)
    rows = np.repeat(np.arange(200), np.diff(mixed.offsets))
    matrix = np.zeros((200, 200))
    matrix[rows, mixed.neighbours] = mixed.weights
    assert np.allclose(matrix, matrix.T)
    assert np.all(mixed.weights > 0)
    alike = alike_pages(graph).toarray()
    alike += alike.T
    links = matrix - alike * (400 / 3 / alike.sum())
    assert links.min() > -1e-12
    assert links.sum() == pytest.approx(200 / 3)


def test_links_between_groups_are_left_out() -> None:
    mixed = mixture(random_graph(50, 300, 4))
    groups = np.arange(50) % 3 - 1
    inside, pages = within_groups(mixed, groups)
    assert np.array_equal(pages, np.flatnonzero(groups >= 0))
    rows = np.repeat(np.arange(len(pages)), np.diff(inside.offsets))
    assert np.array_equal(groups[pages][rows], groups[pages][inside.neighbours])
    whole = np.repeat(np.arange(50), np.diff(mixed.offsets))
    kept = (groups[whole] == groups[mixed.neighbours]) & (groups[whole] >= 0)
    assert inside.weights.sum() == pytest.approx(mixed.weights[kept].sum())


@pytest.mark.parametrize("nodes", [0, 1, 3])
def test_webs_without_links(nodes: int) -> None:
    graph = Graph.from_edges([], [], nodes)
    assert alike_pages(graph).shape == (nodes, nodes)
    assert len(mixture(graph).neighbours) == 0
