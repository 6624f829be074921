"""Blocks of personalised vectors against one solve each."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import SHAPES, dense_pagerank, random_graph

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.methods.personalised import personalised, topics


@pytest.mark.parametrize("shape", SHAPES)
def test_each_column_meets_the_dense_oracle(shape: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        graph = random_graph(rng, shape)
        preferences = rng.random((graph.nodes, 4)) + 0.01
        scores = personalised(graph, preferences, stop=Tol(1e-10) | MaxIter(2000))
        for column in range(4):
            v = preferences[:, column] / max(preferences[:, column].sum(), 1e-300)
            exact = dense_pagerank(graph, 0.85, v, "preference")
            assert np.abs(scores.values[:, column] - exact).sum() <= scores.error_bounds[column] + 1e-14
        assert scores.error_bounds.max() <= 1e-10


def test_vectors_are_linear_in_the_preference() -> None:
    """Unnormalised: the pseudo-ranks add up; here on a graph without dangling pages, where they are the answer."""
    rng = np.random.default_rng(2)
    sources = np.concatenate((np.arange(100), rng.integers(0, 100, 300)))
    graph = Graph.from_edges(sources, rng.integers(0, 100, 400), 100)
    assert not graph.dangling.any()
    a, b = rng.random(100), rng.random(100)
    a, b = a / a.sum(), b / b.sum()
    values = personalised(graph, np.stack([a, b, 0.3 * a + 0.7 * b], axis=1)).values
    np.testing.assert_allclose(values[:, 2], 0.3 * values[:, 0] + 0.7 * values[:, 1], atol=2e-9)


def test_topics_are_uniform_on_their_pages() -> None:
    columns = topics(5, [[0, 1], [4, 4]])
    np.testing.assert_array_equal(columns, [[0.5, 0], [0.5, 0], [0, 0], [0, 0], [0, 1]])
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], 5)
    scores = personalised(graph, columns)
    # Nobody leads from the cycle to page 4, and page 4 leads nowhere.
    assert scores.values[4, 0] == 0
    np.testing.assert_allclose(scores.values[:, 1], [0, 0, 0, 0, 1])


@pytest.mark.parametrize(
    "preferences",
    [
        np.ones((4, 2)),
        np.full((5, 2), np.nan),
        -np.ones((5, 1)),
        np.zeros((5, 3)),
        np.ones((5, 0)),
        np.ones((5, 2, 2)),
        np.full((5, 1), 1e308),
        np.ones((5, 1), np.complex128),
        "abc",
    ],
)
@pytest.mark.filterwarnings("error")
def test_bad_preferences_are_named(preferences: np.ndarray) -> None:
    with pytest.raises(ParameterError, match="preferences"):
        personalised(Graph.from_edges([0], [1], 5), preferences)


def test_a_topic_without_pages_is_refused() -> None:
    with pytest.raises(ParameterError, match="topic 1"):
        topics(5, [[0], []])


@pytest.mark.parametrize("pages", [[1.5], [5], [-1], 3, ["a"]])
def test_topics_of_what_is_no_page_are_refused(pages: list[int]) -> None:
    with pytest.raises(ParameterError, match="topic 0"):
        topics(5, [pages])


def test_too_few_passes_raise_with_the_partial_record() -> None:
    graph = Graph.from_edges([0, 1, 2, 0], [1, 2, 0, 2], 3)
    with pytest.raises(NotConvergedError) as caught:
        personalised(graph, np.eye(3), stop=Tol(1e-9) | MaxIter(2))
    assert caught.value.partial.values.shape == (3, 3)


def test_few_passes_where_links_lead_everywhere() -> None:
    rng = np.random.default_rng(7)
    graph = Graph.from_edges(rng.integers(0, 2000, 20_000), rng.integers(0, 2000, 20_000), 2000)
    assert personalised(graph, rng.random((2000, 3))).iterations <= 25


def test_a_preference_for_dangling_pages_only() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], 5)
    both = personalised(graph, np.array([[0.0, 1.0], [0, 0], [0, 0], [1, 0], [1, 1]]))
    np.testing.assert_allclose(both.values[:, 0], [0, 0, 0, 0.5, 0.5], atol=1e-9)
    exact = pagerank(graph, preference=[1, 0, 0, 0, 1]).values
    np.testing.assert_allclose(both.values[:, 1], exact, atol=2e-9)


def test_blocks_go_down_to_rounding() -> None:
    rng = np.random.default_rng(8)
    graph = Graph.from_edges(rng.integers(0, 200_000, 800_000), rng.integers(0, 200_000, 800_000), 200_000)
    found = personalised(graph, np.ones((200_000, 2)), stop=Tol(1e-13) | MaxIter(150))
    assert found.error_bounds.max() <= 1e-13


@pytest.mark.parametrize("damping", [0.95, 0.99, 0.999])
def test_high_damping_is_solved_too(damping: float) -> None:
    rng = np.random.default_rng(3)
    ring = np.arange(300)
    graph = Graph.from_edges(
        np.append(ring, rng.integers(0, 300, 60)), np.append((ring + 1) % 300, rng.integers(0, 300, 60)), 300
    )
    preferences = rng.random((300, 3))
    found = personalised(graph, preferences, damping=damping)
    for column in range(3):
        wanted = pagerank(graph, preference=preferences[:, column], damping=damping)
        assert np.abs(found.values[:, column] - wanted.values).sum() <= found.error_bounds[column] + wanted.error_bound
