"""The Markov-chain rank against the dense tendency matrix."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import markov_chain

NAMES = ("relevance", "authority", "integrativity", "novelty")
GRAPH = graph_of([(0, 1), (1, 2), (2, 0), (0, 2)])


def test_agrees_with_the_dense_matrix_within_its_bound():
    rng = np.random.default_rng(0)
    graphs = [*oracle.special_graphs().values(), *oracle.random_graphs(250, seed=13)]
    for graph in graphs:
        if graph.nodes == 0:
            assert markov_chain(graph).values.shape == (0,)
            continue
        tendencies = dict(zip(NAMES, rng.dirichlet([2.0] * 4), strict=True))
        similarity = rng.random(graph.nodes) * (rng.random(graph.nodes) < 0.8)
        found = markov_chain(graph, similarity=similarity, **tendencies)
        wanted = oracle.markov_chain(graph, *tendencies.values(), similarity)
        assert np.abs(found.values - wanted).sum() <= found.error_bound + 1e-12
        assert found.error_bound <= 1e-9


def test_following_and_returning_alike_give_the_row_sums_at_once():
    """μ = θ makes the tendencies symmetric: the rank is the row sum, in one pass."""
    graph = Graph.from_edges(*np.random.default_rng(1).integers(0, 300, (2, 2000)), 300)
    found = markov_chain(graph, relevance=0.1, authority=0.4, integrativity=0.4, novelty=0.1)
    matrix = oracle.adjacency(graph)
    either = ((matrix + matrix.T) > 0) & ~np.eye(300, dtype=bool)
    rows = 0.1 + 0.4 * either.sum(axis=1) + 0.1 * (299 - either.sum(axis=1))
    np.testing.assert_allclose(found.values, rows / rows.sum(), rtol=1e-12)
    assert found.iterations == 1


def test_large_graphs_need_no_dense_matrix():
    """200,000 pages: the tendency matrix would take 320 GB."""
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(*rng.integers(0, 200_000, (2, 400_000)), 200_000)
    found = markov_chain(graph, relevance=0.2, authority=0.5, integrativity=0.2, novelty=0.1)
    assert found.values.sum() == pytest.approx(1)
    assert found.error_bound <= 1e-9


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"novelty": 0.0, "relevance": 0.5}, "0 < novelty < 1"),
        ({"authority": 0.5}, "a sum of 1"),
        ({"relevance": float("nan")}, "relevance"),
        ({"similarity": np.ones(2)}, "one number per page"),
        ({"similarity": np.array([0.5, 1.5, 0.2])}, "0 ≤ similarity ≤ 1"),
        ({"similarity": np.array([0.5, np.nan, 0.2])}, "0 ≤ similarity ≤ 1"),
    ],
)
def test_bad_arguments(arguments, words):
    with pytest.raises(ParameterError, match=words):
        markov_chain(GRAPH, **arguments)


def test_too_few_passes():
    graph = Graph.from_edges(*np.random.default_rng(1).integers(0, 30, (2, 90)), 30)
    with pytest.raises(NotConvergedError):
        markov_chain(graph, relevance=0.1, authority=0.7, integrativity=0.1, novelty=0.1, stop=Tol(1e-9) | MaxIter(2))


def test_the_defaults_see_the_links():
    """With four equal tendencies every page would rank alike."""
    graph = Graph.from_edges(np.array([0, 1, 2, 3]), np.array([4, 4, 4, 0]), 6)
    assert int(np.argmax(markov_chain(graph).values)) == 4
