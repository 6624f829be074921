"""Further eigenvectors and subspace HITS against LAPACK."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import Scores, hits, hits_vector, indegree, singular_vectors, subspace_hits

# Two communities: three hubs all link to four authorities; two hubs link to three others.
COMMUNITIES = [(i, 3 + j) for i in range(3) for j in range(4)] + [(7 + i, 9 + j) for i in range(2) for j in range(3)]


def test_eigenvalues_and_vectors_are_those_of_the_dense_matrix():
    for graph in oracle.linked_graphs(120, seed=2):
        found = singular_vectors(graph, count=4, stop=Tol(1e-12) | MaxIter(1000))
        matrix = oracle.adjacency(graph)
        wanted = np.linalg.eigvalsh(matrix.T @ matrix)[::-1]
        kept = min(4, int(np.sum(wanted > 1e-9 * wanted[0])))
        np.testing.assert_allclose(found.eigenvalues, wanted[:kept], rtol=1e-8, atol=1e-8)
        for value, authority, hub in zip(found.eigenvalues, found.authorities, found.hubs, strict=True):
            np.testing.assert_allclose(matrix.T @ hub, np.sqrt(value) * authority, atol=1e-6)
            np.testing.assert_allclose(matrix @ authority, np.sqrt(value) * hub, atol=1e-6)


def test_a_link_between_two_communities_shows_them_as_the_two_ends_of_one_vector():
    found = singular_vectors(graph_of([*COMMUNITIES, (0, 9)], 12), count=2)
    authorities, hubs = found.end(2, "positive", 3)
    assert set(authorities.tolist()) == {9, 10, 11}
    assert set(hubs.tolist()[:2]) == {7, 8}
    others, their_hubs = found.end(2, "negative", 4)
    assert set(others.tolist()) == {3, 4, 5, 6}
    assert set(their_hubs.tolist()) <= {0, 1, 2}


def test_equal_eigenvalues_are_said_to_be_degenerate():
    twins = [(0, 1), (2, 3), (4, 5), (4, 6)]
    found = singular_vectors(graph_of(twins), count=3)
    assert found.degenerate == (False, True, True)
    scores = hits_vector(graph_of(twins), index=2)
    assert scores.extra["degenerate"]
    assert np.isnan(scores.error_bound)


def test_vector_one_is_hits():
    graph = graph_of([*COMMUNITIES, (0, 9)], 12)
    np.testing.assert_allclose(hits_vector(graph, index=1).values, hits(graph).values, atol=1e-8)


def test_both_ends_of_a_vector_together_have_norm_one():
    graph = graph_of([*COMMUNITIES, (0, 9)], 12)
    ends = [hits_vector(graph, index=2, end=end).values for end in ("positive", "negative")]
    assert sum((end**2).sum() for end in ends) == pytest.approx(1)
    assert not (ends[0] * ends[1]).any()


def test_subspace_agrees_with_the_dense_sum():
    for number, graph in enumerate(oracle.linked_graphs(120, seed=4)):
        dimensions, power = 1 + number % 5, (0.5, 1.0, 2.0)[number % 3]
        found = subspace_hits(graph, dimensions=dimensions, power=power, stop=Tol(1e-9) | MaxIter(1000))
        np.testing.assert_allclose(found.values, oracle.subspace_hits(graph, dimensions, power), atol=1e-7)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-5, 1e-11])
def test_the_certificate_of_the_subspace_holds(tolerance):
    """Rough runs are far from the dense sum, never farther than they say."""
    rng, told = np.random.default_rng(7), []
    for number in range(30):
        nodes, dimensions, power = int(rng.integers(40, 160)), 1 + number % 6, (0.0, 0.5, 1.0, 2.0, 3.0)[number % 5]
        graph = graph_of([tuple(link) for link in rng.integers(0, nodes, (4 * nodes, 2))], nodes)
        found = subspace_hits(graph, dimensions=dimensions, power=power, stop=Tol(tolerance) | MaxIter(1000))
        if found.extra["dimensions"] != dimensions:
            continue  # rough eigenvalues that cannot be told apart are taken together: another sum
        exact = oracle.subspace_hits(graph, dimensions, power)
        assert np.abs(found.values - exact).sum() <= found.error_bound
        told.append(found.error_bound)
    assert len(told) >= 10
    assert np.median(told) < 1e4 * tolerance


def stars(inward: list[int], outward: list[int]) -> Graph:
    """Pages that many link to, and pages that link to many: each is one eigenvalue, its number of links."""
    links, top = [], 0
    for size in inward:
        links += [(top + 1 + leaf, top) for leaf in range(size)]
        top += size + 1
    for size in outward:
        links += [(top, top + 1 + leaf) for leaf in range(size)]
        top += size + 1
    return graph_of(links, top)


@pytest.mark.parametrize("size", [29, 301, 600, 697, 1000])
def test_in_degrees_that_are_an_eigenvector_end_the_run(size):
    """The Krylov space has one dimension; what is left of the first product is rounding, and must not be followed."""
    ring = Graph.from_edges(np.arange(size).repeat(2), (np.arange(size).repeat(2) + np.tile([1, 4], size)) % size, size)
    for found in (hits(ring), hits_vector(ring, index=1), subspace_hits(ring, dimensions=1)):
        np.testing.assert_allclose(found.values, found.values[0], rtol=1e-9)
    assert hits(ring).extra["eigenvalue"] == pytest.approx(4)
    pair = stars([size], [size])
    found = hits(pair)
    assert found.extra["eigenvalue"] == pytest.approx(size)
    assert found.extra["degenerate"]
    degrees = pair.in_degrees / np.linalg.norm(pair.in_degrees)
    assert np.abs(found.values - degrees).sum() <= found.error_bound
    np.testing.assert_allclose(hits_vector(pair, index=1).values, degrees, atol=1e-12)
    assert singular_vectors(pair, count=3).eigenvalues == pytest.approx([size, size])


@pytest.mark.parametrize(
    ("inward", "outward"),
    [([5, 57], [590]), ([8, 46], [320, 430, 460]), ([1000, 300], [310]), ([300, 100, 95, 90], [120, 110])],
)
@pytest.mark.parametrize("tolerance", [1e-2, 1e-6, 1e-9])
def test_the_certificate_holds_on_stars_whatever_the_tolerance(inward, outward, tolerance):
    graph = stars(inward, outward)
    values = sorted(inward + outward, reverse=True)
    for dimensions in range(1, len(values)):
        found = subspace_hits(graph, dimensions=dimensions, power=1.0, stop=Tol(tolerance) | MaxIter(1000))
        exact = np.zeros(graph.nodes)
        for page, degree in enumerate(graph.in_degrees):  # the middle of an in-star, a leaf of an out-star
            whole = degree if degree > 1 else len(graph.successors(int(graph.predecessors(page)[0]))) if degree else 0
            exact[page] = degree / values[0] if whole in values[:dimensions] else 0.0
        assert found.extra["eigenvalues"] == pytest.approx(values[:dimensions])
        assert np.abs(found.values - exact).sum() <= found.error_bound
        assert found.residual <= 1e-7 * values[0]


def test_all_dimensions_to_the_first_power_count_links():
    """Σ λ_i a_i(j)² = (AᵀA)_jj, the in-degree."""
    for graph in oracle.linked_graphs(40, seed=6):
        found = subspace_hits(graph, dimensions=graph.nodes, power=1.0)
        top = found.extra["eigenvalues"][0]
        np.testing.assert_allclose(found.values * top, indegree(graph).values, atol=1e-5)


def test_whole_eigenspaces_are_taken_in():
    """Three equal links: one dimension is asked for, three are needed."""
    found = subspace_hits(graph_of([(0, 1), (2, 3), (4, 5)]), dimensions=1)
    assert found.extra["dimensions"] == 3
    np.testing.assert_allclose(found.values[[1, 3, 5]], 1.0)


def test_subspace_hits_moves_less_than_hits_when_a_link_is_added():
    left = [(0, 3), (1, 3), (2, 3), (4, 6), (4, 7), (5, 6)]
    before, after = (graph_of(links, 8) for links in (left, [*left, (5, 7)]))

    def moved(rank):
        x, y = rank(before).values, rank(after).values
        return np.abs(x / x.sum() - y / y.sum()).sum()

    assert moved(hits) == pytest.approx(2.0)
    assert moved(lambda graph: subspace_hits(graph, dimensions=2, power=1.0)) < 0.5


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda g: hits_vector(g, index=0), "index"),
        (lambda g: hits_vector(g, index=9), "index"),
        (lambda g: hits_vector(g, end="left"), "end"),
        (lambda g: subspace_hits(g, dimensions=0), "dimensions"),
        (lambda g: subspace_hits(g, dimensions=201), "dimensions"),
        (lambda g: hits_vector(g, index=3000), "index"),
        (lambda g: subspace_hits(g, power=-1.0), "power"),
        (lambda g: subspace_hits(g, power=float("nan")), "power"),
        (lambda g: singular_vectors(g, count=0), "count"),
    ],
)
def test_bad_arguments_are_named(call, name):
    with pytest.raises(ParameterError) as caught:
        call(graph_of([(0, 1), (1, 2), (2, 0), (0, 2)]))
    assert caught.value.name == name


def test_too_few_passes_is_an_error_with_the_partial_record():
    rng = np.random.default_rng(0)
    graph = Graph.from_edges(rng.integers(0, 900, 4000), rng.integers(0, 900, 4000), 900)
    with pytest.raises(NotConvergedError) as caught:
        singular_vectors(graph, count=3, stop=Tol(1e-12) | MaxIter(4))
    assert caught.value.partial.eigenvalues.shape == (3,)


def test_what_does_not_reach_its_tolerance_is_an_error() -> None:
    rng = np.random.default_rng(3)
    graph = graph_of([tuple(link) for link in rng.integers(0, 600, (3000, 2))], 600)
    for ranker in (hits_vector, subspace_hits):
        for tolerance in (1e-5, 1e-8):
            found = ranker(graph, stop=Tol(tolerance) | MaxIter(1000))
            assert found.error_bound <= tolerance
        with pytest.raises(NotConvergedError, match="more passes gain nothing"):
            ranker(graph, stop=Tol(1e-14) | MaxIter(1000))


def test_too_few_passes_for_the_bound_leave_the_scores_that_there_were() -> None:
    rng = np.random.default_rng(4)
    graph = graph_of([tuple(link) for link in rng.integers(0, 2000, (9000, 2))], 2000)
    passes = next(p for p in range(20, 400, 4) if _answers(graph, p))
    with pytest.raises(NotConvergedError) as caught:
        subspace_hits(graph, dimensions=3, stop=Tol(2e-9) | MaxIter(passes))
    assert isinstance(caught.value.partial, Scores)


def _answers(graph: Graph, passes: int) -> bool:
    try:
        singular_vectors(graph, count=4, stop=Tol(2e-9) | MaxIter(passes))
    except NotConvergedError:
        return False
    return True


@pytest.mark.parametrize("pages", [300, 400])
def test_a_large_eigenspace_keeps_to_the_bound(pages):
    """A cycle: every eigenvalue is one, the eigenspace is everything, and every page has the score one."""
    cycle = Graph.from_edges(np.arange(pages), (np.arange(pages) + 1) % pages, pages)
    found = subspace_hits(cycle)
    assert found.extra["dimensions"] == pages
    assert np.abs(found.values - 1).sum() <= found.error_bound


def test_an_end_of_a_vector_that_is_not_there_is_named():
    found = singular_vectors(Graph.from_edges([0, 1, 2], [1, 2, 0], 3), count=2)
    for index in (0, 3, 1.0):
        with pytest.raises(ParameterError, match="index"):
            found.end(index)
