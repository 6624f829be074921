"""Reputation against dense linear algebra, one term and all; its inverse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import all_reputations, pagerank, reputation, salsa, two_level_reputation


def topics_for(graph: Graph, seed: int, terms: int = 6) -> np.ndarray:
    marks = (np.random.default_rng(seed).random((terms, graph.nodes)) < 0.3).astype(float)
    marks[0] = 1.0
    marks[1] = 0.0
    return marks


def two_level_oracle(graph, topic, damping):
    base = topic / topic.sum() * (1 - damping) / 2
    authorities, hubs = oracle.alternating_walk(graph, base, damping)
    total = authorities.sum() + hubs.sum()
    return authorities / total, hubs / total


def test_one_topic_on_all_pages_is_pagerank():
    for graph in oracle.random_graphs(60, seed=20):
        ranked = pagerank(graph)
        np.testing.assert_allclose(reputation(graph).values, ranked.values, atol=2e-9)
        everywhere = all_reputations(graph, csr_array(np.ones((1, graph.nodes))), tolerance=1e-10)
        np.testing.assert_allclose(everywhere.matrix.toarray()[:, 0], ranked.values, atol=2e-9)


def test_one_level_agrees_with_the_linear_system():
    for number, graph in enumerate(oracle.random_graphs(120, seed=21)):
        topic = topics_for(graph, number)[2] + (np.arange(graph.nodes) == 0)
        damping = (0.0, 0.5, 0.85, 0.97)[number % 4]
        found = reputation(graph, topic=topic, damping=damping)
        assert np.abs(found.values - oracle.personalised(graph, topic, damping)).sum() <= found.error_bound


def test_two_levels_agree_with_the_linear_system():
    for number, graph in enumerate(oracle.random_graphs(120, seed=22)):
        topic = topics_for(graph, number)[2] + (np.arange(graph.nodes) == 0)
        damping = (0.0, 0.5, 0.85)[number % 3]
        found = two_level_reputation(graph, topic=topic, damping=damping)
        authorities, hubs = two_level_oracle(graph, topic, damping)
        assert np.abs(found.values - authorities).sum() <= found.error_bound
        assert np.abs(found.extra["hubs"] - hubs).sum() <= found.error_bound
        assert found.values.sum() + found.extra["hubs"].sum() == pytest.approx(1)


@pytest.mark.parametrize("levels", [1, 2])
def test_all_terms_at_once_agree_with_each_alone(levels):
    for number, graph in enumerate(oracle.random_graphs(60, seed=23)):
        topics = topics_for(graph, number)
        found = all_reputations(graph, csr_array(topics), levels=levels, tolerance=1e-7)
        assert found.error_bound <= 1e-7
        for term, topic in enumerate(topics):
            column = found.matrix.toarray()[:, term]
            if not topic.any():
                assert not column.any()
            elif levels == 1:
                assert np.abs(column - oracle.personalised(graph, topic, 0.85)).sum() <= found.error_bound
            else:
                authorities, hubs = two_level_oracle(graph, topic, 0.85)
                error = np.abs(column - authorities).sum() + np.abs(found.hubs.toarray()[:, term] - hubs).sum()
                assert error <= found.error_bound


def test_two_levels_without_jumps_are_salsa():
    rng = np.random.default_rng(7)
    graph = Graph.from_edges(rng.integers(0, 40, 260), rng.integers(0, 40, 260), 40)
    found = two_level_reputation(graph, damping=1 - 1e-3, stop=Tol(1e-6) | MaxIter(10**5))
    np.testing.assert_allclose(found.values * 2, salsa(graph).values, atol=1e-3)


def test_rare_terms_touch_few_pages():
    """A long chain of pages, and a term on one of them: only the next pages are reached within the tolerance."""
    graph = graph_of([(k, k + 1) for k in range(5000)])
    topic = csr_array(([1.0], ([0], [10])), shape=(1, 5001))
    found = all_reputations(graph, topic, tolerance=1e-3)
    assert 30 < found.matrix.nnz < 80
    assert found.error_bound <= 1e-3


def test_what_a_page_is_known_for():
    """Pages 1 and 2, which say "sailing", link to page 0, which says nothing; page 3 says "cooking"."""
    graph = graph_of([(1, 0), (2, 0), (3, 4)], 5)
    terms = csr_array(np.array([[0, 1, 1, 0, 0], [0, 0, 0, 1, 0]]))
    found = all_reputations(graph, terms, tolerance=1e-9)
    assert [term for term, _ in found.known_for(0)] == [0]
    assert [term for term, _ in found.known_for(4)] == [1]
    assert found.known_for(0)[0][1] == pytest.approx(0.85 / 1.85)
    with pytest.raises(ParameterError, match="page"):
        found.known_for(5)
    with pytest.raises(ParameterError, match="count"):
        found.known_for(0, -1)


def test_answers_do_not_depend_on_how_terms_are_shared_out():
    rng = np.random.default_rng(9)
    graph = Graph.from_edges(*rng.integers(0, 300, (2, 1500)), 300)
    topics = csr_array((rng.random((200, 300)) < 0.02).astype(float))
    whole = all_reputations(graph, topics).matrix.toarray()
    alone = np.hstack([all_reputations(graph, topics[k : k + 1]).matrix.toarray() for k in range(0, 200, 17)])
    assert np.array_equal(whole[:, ::17], alone)


@pytest.mark.parametrize(
    ("terms", "more", "name"),
    [
        (np.ones((2, 3)), {}, "terms"),
        (-np.ones((1, 5)), {}, "terms"),
        (np.full((1, 5), np.nan), {}, "terms"),
        (np.ones((1, 5)), {"levels": 3}, "levels"),
        (np.ones((1, 5)), {"damping": 1.0}, "damping"),
        (np.ones((1, 5)), {"tolerance": 1e-18}, "tolerance"),
    ],
)
def test_bad_arguments_are_named(terms, more, name):
    with pytest.raises(ParameterError) as caught:
        all_reputations(graph_of([(1, 0), (2, 0), (3, 4)], 5), csr_array(terms), **more)
    assert caught.value.name == name


def test_no_terms_and_no_pages():
    assert all_reputations(graph_of([], 3), csr_array((0, 3))).matrix.shape == (3, 0)
    assert all_reputations(graph_of([], 0), csr_array((2, 0))).matrix.shape == (0, 2)


def test_rounding_is_part_of_the_bound():
    ring = Graph.from_edges([0, 1], [1, 0], 2)
    for damping in (0.85, 0.99, 0.9999):
        for tolerance in (1e-12, 1e-14):
            try:
                found = all_reputations(ring, np.ones((1, 2)), damping=damping, tolerance=tolerance)
            except NotConvergedError as error:
                found = error.partial
                assert found.error_bound > tolerance
            assert np.abs(found.matrix.toarray()[:, 0] - 0.5).sum() <= found.error_bound


@pytest.mark.parametrize("weight", [1e308, 1e-323, 1.0])
def test_weights_of_any_size_are_shares(weight):
    ring = Graph.from_edges([0, 1, 2], [1, 2, 0], 3)
    found = all_reputations(ring, np.array([[weight, weight, 0.0]]))
    wanted = all_reputations(ring, np.array([[1.0, 1.0, 0.0]]))
    np.testing.assert_allclose(found.matrix.toarray(), wanted.matrix.toarray(), atol=1e-15)
    assert found.error_bound <= 1e-4


def test_terms_that_are_no_matrix_and_pages_that_are_none_are_named():
    ring = Graph.from_edges([0, 1, 2], [1, 2, 0], 3)
    with pytest.raises(ParameterError, match="terms × pages"):
        all_reputations(ring, np.ones(3))
    for page in ("a", 0.5, 3, -1):
        with pytest.raises(ParameterError, match="page"):
            all_reputations(ring, np.ones((1, 3))).known_for(page)


def test_two_level_reputation_where_one_page_has_all_the_links():
    """The exact answer of a star by hand: a centre that k pages link to, half of the jumps to each level."""
    k = 60_001
    star = Graph.from_edges(np.arange(1, k + 1), np.zeros(k, int), k + 1)
    found = two_level_reputation(star, damping=0.85, stop=Tol(1e-11) | MaxIter(1000))
    base = Fraction(15, 100) / 2 / (k + 1)
    f = Fraction(85, 100)
    # h = base + f·a_centre/k on each of k pages, a_centre = base + f·k·h.
    centre = (base + f * k * base) / (1 - f * f)
    hub = base + f * centre / k
    total = centre + k * base + k * hub + base
    exact = np.array([float(centre / total)] + [float(base / total)] * k)
    assert np.abs(found.values - exact).sum() <= found.error_bound <= 1e-11
