"""Updates: the answer of a cold solve at the same certified error, for less work."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import dense_pagerank

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.updating.update import update


def changed(rng: np.random.Generator, graph: Graph, new_pages: int, drop: float, add: int) -> Graph:
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    keep = rng.random(graph.links) >= drop
    nodes = graph.nodes + new_pages
    return Graph.from_edges(
        np.concatenate((sources[keep], rng.integers(0, nodes, add))),
        np.concatenate((graph.out_targets[keep].astype(np.int64), rng.integers(0, nodes, add))),
        nodes,
    )


@pytest.mark.parametrize("trial", range(40))
def test_it_meets_the_dense_oracle_within_its_bound(trial: int) -> None:
    rng = np.random.default_rng(trial)
    nodes, links = int(rng.integers(1, 60)), int(rng.integers(0, 200))
    before = Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)
    after = changed(rng, before, trial % 4, 0.05, trial % 7)
    arguments = {"dangling": ("preference", "uniform", "none")[trial % 3], "normalised": trial % 2 == 0}
    scores = update(before, pagerank(before, **arguments), after)
    scale = 1 if arguments["normalised"] else after.nodes
    exact = dense_pagerank(after, 0.85, np.full(after.nodes, 1 / after.nodes), arguments["dangling"]) * scale
    assert np.abs(scores.values - exact).sum() <= scores.error_bound + 1e-13 * scale
    assert scores.error_bound <= 1e-9 * scale
    assert scores.graph_digest == after.digest


def test_a_chain_of_updates_does_not_drift() -> None:
    rng = np.random.default_rng(1)
    graph = Graph.from_edges(rng.integers(0, 400, 1600), rng.integers(0, 400, 1600), 400)
    scores = pagerank(graph)
    for _ in range(12):
        after = changed(rng, graph, 1, 0.002, 4)
        scores, graph = update(graph, scores, after), after
        assert scores.error_bound <= 1e-9
    exact = dense_pagerank(graph, 0.85, np.full(graph.nodes, 1 / graph.nodes), "preference")
    assert np.abs(scores.values - exact).sum() <= scores.error_bound


def test_nothing_changed_reads_nothing() -> None:
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(rng.integers(0, 400, 1600), rng.integers(0, 400, 1600), 400)
    scores = pagerank(graph, stop=Tol(2e-10) | MaxIter(1000))
    again = update(graph, scores, graph)
    assert again.extra == {"pages_changed": 0, "links_read": 0}
    np.testing.assert_allclose(again.values, scores.values, atol=1e-15)


def test_a_small_change_far_from_everything_stays_local() -> None:
    """Two separate halves: links change in one, the other is not read."""
    rng = np.random.default_rng(3)
    sources, targets = rng.integers(0, 1000, 5000), rng.integers(0, 1000, 5000)
    two = Graph.from_edges(
        np.concatenate((sources, sources[:3000] % 100 + 1000)),
        np.concatenate((targets, targets[:3000] % 100 + 1000)),
        1100,
    )
    after = changed(np.random.default_rng(4), two, 0, 0.0, 0)
    more = Graph.from_edges(
        np.append(np.repeat(np.arange(1100), after.out_degrees), 1000), np.append(after.out_targets, 1099), 1100
    )
    scores = pagerank(two, stop=Tol(1e-10) | MaxIter(1000))
    new = update(two, scores, more)
    inside = more.out_offsets[1100] - more.out_offsets[1000]
    assert new.extra["pages_changed"] <= 1
    assert new.extra["links_read"] <= 100 * inside
    exact = pagerank(more, solver="power").values
    assert np.abs(new.values - exact).sum() <= 2e-9


def test_with_a_preference_it_starts_warm() -> None:
    rng = np.random.default_rng(5)
    before = Graph.from_edges(rng.integers(0, 100, 400), rng.integers(0, 100, 400), 100)
    after = changed(rng, before, 0, 0.01, 2)
    preference = rng.random(100)
    scores = update(before, pagerank(before, preference=preference), after, preference=preference)
    exact = dense_pagerank(after, 0.85, preference / preference.sum(), "preference")
    assert np.abs(scores.values - exact).sum() <= 1e-9


def test_among_cycles_it_starts_warm_and_says_what_changed() -> None:
    rng = np.random.default_rng(6)
    before = Graph.from_edges(rng.integers(0, 300, 2400), rng.integers(0, 300, 2400), 300)
    after = changed(rng, before, 0, 0.01, 2)
    differ = sum(before.successors(page).tolist() != after.successors(page).tolist() for page in range(300))
    assert differ > 0
    for dangling in ("preference", "none"):
        old = pagerank(before, dangling=dangling)
        new = update(before, old, after)
        assert new.parameters["solver"] == "power"
        assert new.extra["pages_changed"] == differ
        # What pushes read before they are given up is no more than a few passes would.
        assert 0 <= new.extra["links_read"] - new.iterations * after.links <= 4 * after.links
        assert new.iterations <= pagerank(after, dangling=dangling).iterations
        exact = dense_pagerank(after, 0.85, np.full(300, 1 / 300), dangling)
        assert np.abs(new.values - exact).sum() <= new.error_bound + 1e-14


def grown(rng: np.random.Generator, nodes: int, links: int) -> Graph:
    """Links to older pages only, as in a graph that grew."""
    sources = rng.integers(1, max(nodes, 2), links) % nodes
    return Graph.from_edges(sources, (rng.random(links) * sources).astype(np.int64), nodes)


def edited(rng: np.random.Generator, graph: Graph, new_pages: int) -> tuple[Graph, np.ndarray]:
    """One page loses all links, some gain (dangling ones, themselves, new pages); and the old pages that changed."""
    nodes = graph.nodes + new_pages
    pages = rng.choice(graph.nodes, min(4, graph.nodes), replace=False)
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    keep = sources != pages[0]
    more = np.concatenate((pages[1:], pages[1:], np.arange(graph.nodes, nodes)))
    ends = rng.integers(0, nodes, len(more))
    ends[: len(pages) - 1] = pages[1:]
    targets = graph.out_targets[keep].astype(np.int64)
    return Graph.from_edges(np.append(sources[keep], more), np.append(targets, ends), nodes), pages


@pytest.mark.parametrize("trial", range(40))
def test_a_graph_that_grew_is_updated_by_pushes_with_pages_named_or_not(trial: int) -> None:
    rng = np.random.default_rng(trial)
    before = grown(rng, int(rng.integers(2, 80)), int(rng.integers(1, 250)))
    scores = pagerank(before, stop=Tol(1e-11) | MaxIter(1000))
    after, pages = edited(rng, before, trial % 3)
    new = update(before, scores, after, changed=pages if trial % 2 else None)
    exact = dense_pagerank(after, 0.85, np.full(after.nodes, 1 / after.nodes), "preference")
    assert np.abs(new.values - exact).sum() <= new.error_bound + 1e-14
    assert new.error_bound <= 1e-9


def test_naming_more_pages_does_no_harm() -> None:
    rng = np.random.default_rng(6)
    before = grown(rng, 400, 1600)
    scores = pagerank(before, stop=Tol(1e-11) | MaxIter(1000))
    sources, targets = np.repeat(np.arange(400), before.out_degrees), before.out_targets.astype(np.int64)
    pages = np.array([350, 360, 370])
    targets[np.isin(sources, pages)] //= 2
    after = Graph.from_edges(sources, targets, 400)
    mask = np.zeros(after.nodes, np.bool_)
    mask[pages] = True
    named = update(before, scores, after, changed=pages)
    assert named.parameters["solver"] == "update"
    assert named.extra["pages_changed"] == 3
    for changed in (mask, np.arange(400), None):
        again = update(before, scores, after, changed=changed)
        np.testing.assert_array_equal(again.values, named.values)
        assert again.extra == named.extra


def test_pages_of_equal_rank_that_swap_links_leave_nothing_to_do() -> None:
    """The changes cancel to the last bit, and the residual to start from is exactly zero."""
    before = Graph.from_edges([0, 1, 2, 3, 4], [2, 3, 3, 4, 2], 5)
    after = Graph.from_edges([0, 1, 2, 3, 4], [3, 2, 3, 4, 2], 5)
    new = update(before, pagerank(before), after)
    exact = dense_pagerank(after, 0.85, np.full(5, 0.2), "preference")
    assert np.abs(new.values - exact).sum() <= new.error_bound + 1e-15


@pytest.mark.parametrize("damping", [0.99, 0.999])
def test_near_one_the_bound_still_holds(damping: float) -> None:
    rng = np.random.default_rng(7)
    for make in (grown, lambda rng, n, m: Graph.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), n)):
        for _ in range(10):
            before = make(rng, 60, 200)
            scores = pagerank(before, damping=damping, stop=Tol(1e-11) | MaxIter(100_000))
            after, _ = edited(rng, before, 2)
            new = update(before, scores, after, stop=Tol(1e-11) | MaxIter(100_000))
            wanted = dense_pagerank(after, damping, np.full(after.nodes, 1 / after.nodes), "preference")
            assert np.abs(new.values - wanted).sum() <= new.error_bound + 1e-12


def test_bad_arguments_are_named() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], 3)
    other = Graph.from_edges([0, 1], [1, 0], 2)
    scores = pagerank(graph)
    with pytest.raises(ParameterError, match="scores"):
        update(other, scores, graph)
    with pytest.raises(ParameterError, match="after"):
        update(graph, scores, other)
    with pytest.raises(ParameterError, match="preference"):
        update(graph, scores, graph, preference=np.ones(3))
    for changed in ([3], [0.5], [True, False]):
        with pytest.raises(ParameterError, match="changed"):
            update(graph, scores, graph, changed=changed)
