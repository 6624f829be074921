"""OPIC: cash is conserved, the history tends to PageRank in any order of visits, and a window forgets."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import SHAPES, dense_pagerank, random_graph

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.rank.methods.opic import Opic, opic
from periplus.rank.methods.pagerank import pagerank


def web() -> Graph:
    rng = np.random.default_rng(1)
    return Graph.from_edges(rng.integers(0, 80, 240), rng.integers(0, 80, 240), 80)


def test_it_tends_to_pagerank_like_one_over_the_rounds() -> None:
    graph = web()
    assert graph.dangling.any()
    exact = pagerank(graph).values
    errors = [np.abs(opic(graph, rounds=rounds).values - exact).sum() for rounds in (10, 100, 1000)]
    assert errors[0] > 8 * errors[1] > 64 * errors[2]
    assert errors[2] < 1e-3


@pytest.mark.parametrize("window", [None, 2.5])
def test_the_stored_graph_is_visited_as_a_crawler_would(window: float | None) -> None:
    graph = web()
    walk = Opic(window=window)
    for page in range(graph.nodes):
        walk.add(page)
    for _ in range(7):
        for page in range(graph.nodes):
            walk.visit(page, graph.successors(page).tolist())
    expected = list(walk.scores().values())
    np.testing.assert_allclose(opic(graph, rounds=7, window=window).values, expected, rtol=1e-12)


def test_greedy_and_random_visits_tend_to_it_too() -> None:
    graph = web()
    exact = pagerank(graph).values
    rng = np.random.default_rng(2)
    for greedy in (True, False):
        walk = Opic()
        for page in range(graph.nodes):
            walk.add(page)
        for _ in range(30_000):
            page = max(range(graph.nodes), key=walk.cash) if greedy else int(rng.integers(graph.nodes))
            walk.visit(page, graph.successors(page).tolist())
        scores = walk.scores()
        error = sum(abs(scores[page] - exact[page]) for page in range(graph.nodes))
        assert error < 0.01


def test_cash_is_conserved_while_pages_are_discovered() -> None:
    graph = web()
    walk = Opic(virtual_share=0.05)
    walk.add(0)
    known, order = {0}, [0]
    for page in order:
        targets = graph.successors(page).tolist()
        walk.visit(page, targets)
        order += [target for target in dict.fromkeys(targets) if target not in known]
        known |= set(targets)
        assert walk.virtual_cash + sum(walk.cash(k) for k in known) == pytest.approx(1)
    assert len(walk) == len(known)
    assert sum(walk.scores().values()) == pytest.approx(1)


def test_urls_are_as_good_as_ids() -> None:
    walk = Opic()
    walk.visit("http://a/", ["http://b/", "http://b/", "http://c/"])
    walk.visit("http://b/", ["http://c/"])
    assert walk.cash("http://c/") > walk.cash("http://a/")
    assert walk.importance("http://a/") + walk.importance("http://b/") + walk.importance("http://c/") == pytest.approx(
        1
    )


def test_a_window_follows_links_that_change() -> None:
    """Page 0 is linked by all, then page 1 is: the adaptive history moves over, the full history drags behind."""
    nodes = 20
    adaptive, full = Opic(window=3.0), Opic()
    for phase, star in enumerate((0, 1)):
        for _ in range(150 if phase == 0 else 30):
            for page in range(nodes):
                for walk in (adaptive, full):
                    walk.visit(page, [star] if page != star else [2])
    after = Graph.from_edges(np.arange(nodes), np.where(np.arange(nodes) == 1, 2, 1), nodes)
    exact = pagerank(after).values
    moved, dragged = adaptive.scores(), full.scores()
    assert sum(abs(moved[k] - exact[k]) for k in range(nodes)) < 0.1
    assert sum(abs(dragged[k] - exact[k]) for k in range(nodes)) > 0.5


@pytest.mark.parametrize("shape", SHAPES)
def test_odd_graphs(shape: str) -> None:
    graph = random_graph(np.random.default_rng(4), shape)
    scores = opic(graph, rounds=200)
    exact = dense_pagerank(graph, 0.85, np.full(graph.nodes, 1 / max(graph.nodes, 1)), "preference")
    error = np.abs(scores.values - exact).sum()
    assert error <= scores.error_bound + 1e-12
    assert error < 0.02


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("damping", {"damping": 1.0}),
        ("damping", {"damping": "0.85"}),
        ("window", {"window": "3"}),
        ("window", {"window": 0.0}),
        ("virtual_share", {"virtual_share": 1.0}),
    ],
)
def test_bad_arguments_are_named(name: str, arguments: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(ParameterError) as caught:
        Opic(**arguments)
    assert caught.value.name == name


def test_no_rounds_are_refused() -> None:
    with pytest.raises(ParameterError, match="rounds"):
        opic(web(), rounds=0)


def test_mistakes_on_line_are_named() -> None:
    known = Opic()
    with pytest.raises(ParameterError, match="one text"):
        known.visit("a", "http://example.org/")
    with pytest.raises(ParameterError, match="page"):
        known.cash("never seen")
    with pytest.raises(ParameterError, match="rounds"):
        opic(Graph.from_edges([0], [1], 2), rounds=10**20)
