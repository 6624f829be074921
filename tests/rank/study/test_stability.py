"""Theorem 9 against what happens, the eigengap, and changes that overturn a ranking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.rank import RANKERS, hits, overturn, pagerank, stability
from periplus.rank.study.stability import Perturbation, random_perturbation

# Fogaras, figure 3: two communities; the dashed link 5 → 7 completes the second.
LEFT = graph_of([(0, 3), (1, 3), (2, 3), (4, 6), (4, 7), (5, 6)], 8)
DASHED = Perturbation(added=(np.array([5]), np.array([7])))


def test_one_dashed_link_turns_hits_over_and_leaves_pagerank_in_place():
    turned, kept = stability(LEFT, "hits", DASHED), stability(LEFT, "pagerank", DASHED)
    assert not turned.top_kept
    assert turned.before.values @ turned.after.values == 0
    assert turned.extra["eigengap_before"] == pytest.approx(3 - (3 + 5**0.5) / 2)
    assert turned.extra["frobenius_change"] == pytest.approx(3**0.5)
    assert turned.extra["overturning_change"] == pytest.approx(2 * turned.extra["eigengap_before"])
    assert kept.top_kept
    assert kept.distance < 0.1
    assert kept.tau > 0.9


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 0.6), st.sampled_from([0.3, 0.85, 0.95]))
def test_theorem_9_holds_on_any_change(seed, share, damping):
    graph = next(iter(oracle.random_graphs(1, seed=seed)))
    change = random_perturbation(graph, share=share, seed=seed)
    found = stability(graph, "pagerank", change, arguments={"damping": damping})
    slack = found.before.error_bound + found.after.error_bound
    assert found.distance <= found.sharper_bound + slack
    assert found.sharper_bound <= found.bound
    assert found.bound == pytest.approx(2 * found.before.values[change.pages].sum() / (1 - damping))


def test_nothing_changed_nothing_moved():
    found = stability(LEFT, "pagerank", Perturbation())
    assert found.distance == 0
    assert found.bound == 0
    assert found.overlap == pytest.approx(1)
    assert found.top_kept


def test_frobenius_change_is_that_of_the_dense_matrices():
    for number, graph in enumerate(oracle.linked_graphs(40, seed=60)):
        change = random_perturbation(graph, share=0.3, seed=number)
        after = change.apply(graph)
        if after.links == 0:
            continue
        old, new = oracle.adjacency(graph), oracle.adjacency(after)
        found = stability(graph, hits, change)
        assert found.extra["frobenius_change"] == pytest.approx(np.linalg.norm(new.T @ new - old.T @ old), abs=1e-9)


def test_random_changes_are_repeatable_and_of_the_size_asked_for():
    graph = Graph.from_edges(*np.random.default_rng(0).integers(0, 200, (2, 1000)), 200)
    change = random_perturbation(graph, share=0.2, seed=4)
    assert len(change.removed[0]) == round(0.2 * graph.links) == len(change.added[0])
    assert change.apply(graph).links == graph.links
    assert change.apply(graph).digest == random_perturbation(graph, share=0.2, seed=4).apply(graph).digest
    assert change.apply(graph).digest != random_perturbation(graph, share=0.2, seed=5).apply(graph).digest


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (Perturbation(added=(np.array([0]), np.array([3]))), "added"),
        (Perturbation(removed=(np.array([0]), np.array([1]))), "removed"),
        (Perturbation(added=(np.array([0]), np.array([8]))), "added"),
        (Perturbation(added=(np.array([-1]), np.array([1]))), "added"),
        (Perturbation(added=(np.array([0, 1]), np.array([1]))), "added"),
        (Perturbation(added=([0.7], [3.9])), "added"),
        (Perturbation(removed=([10**20], [3])), "removed"),
    ],
)
def test_changes_that_cannot_be_made(change, name):
    with pytest.raises(ParameterError) as caught:
        change.apply(LEFT)
    assert caught.value.name == name


def test_a_link_that_is_given_twice_changes_once():
    twice = Perturbation(added=(np.array([5, 5]), np.array([7, 7])))
    assert twice.size == DASHED.size == 1
    assert twice.apply(LEFT).digest == DASHED.apply(LEFT).digest
    assert stability(LEFT, "pagerank", twice).links_changed == 1


@pytest.mark.parametrize(
    ("ranker", "arguments"),
    [("personalised", {"seeds": [0, 4]}), ("reputation", {"topic": np.array([1, 0, 0, 0, 1, 0, 0, 0])})],
)
def test_theorem_9_speaks_of_every_preference(ranker, arguments):
    found = stability(LEFT, ranker, DASHED, arguments=arguments)
    assert found.bound == pytest.approx(2 * found.before.values[5] / 0.15)
    assert found.distance <= found.sharper_bound <= found.bound
    assert stability(LEFT, "indegree", DASHED).bound != stability(LEFT, "indegree", DASHED).bound  # NaN


def test_shares_and_graphs_that_cannot_be_changed():
    with pytest.raises(ParameterError, match="seed"):
        random_perturbation(LEFT, seed=-1)
    with pytest.raises(ParameterError, match="share"):
        random_perturbation(LEFT, share=1.5)
    with pytest.raises(ParameterError, match="at least one page"):
        stability(graph_of([], 0), pagerank, Perturbation())


def test_the_smallest_change_is_found_and_does_what_it_says():
    found = overturn(LEFT)
    assert found.found
    assert found.exact
    assert len(found.changes) == 1
    after = hits(found.perturbation.apply(LEFT))
    assert int(after.best(1)[0]) == found.first_after != found.first_before == 3


def test_no_single_link_overturns_where_the_oracle_finds_none():
    """Two complete communities, 4 × 4 and 3 × 3: every single change is tried by the oracle too."""
    links = [(i, 4 + j) for i in range(4) for j in range(4)] + [(8 + i, 11 + j) for i in range(3) for j in range(3)]
    graph = graph_of(links, 14)
    first = set(np.flatnonzero(oracle.hits(graph)[0]).tolist())
    matrix = oracle.adjacency(graph)
    turned = 0
    for i in range(14):
        for j in range(14):
            changed = matrix.copy()
            changed[i, j] = 1 - changed[i, j]
            sources, targets = np.nonzero(changed)
            top = int(np.argmax(oracle.hits(Graph.from_edges(sources, targets, 14))[0].round(9)))
            turned += top not in first
    assert turned == 0
    found = overturn(graph, most=1)
    assert found.first_after in first


@pytest.mark.parametrize("method", ["pagerank", "indegree", "salsa"])
def test_other_rankings_can_be_overturned_too(method):
    found = overturn(LEFT, method=method)
    assert found.method == method
    if found.found:
        after = RANKERS[method].function()(found.perturbation.apply(LEFT))
        assert int(after.best(1)[0]) == found.first_after != found.first_before


def single_changes_that_overturn(graph: Graph, method: str) -> int:
    """How many single links, from a page to itself too, give another first page when they are added or removed."""
    rank = RANKERS[method].function()
    first, matrix = int(rank(graph).best(1)[0]), oracle.adjacency(graph)
    turned = 0
    for i, j in np.ndindex(matrix.shape):
        changed = matrix.copy()
        changed[i, j] = 1 - changed[i, j]
        sources, targets = np.nonzero(changed)
        if len(sources) or "links" not in RANKERS[method].needs:
            turned += int(rank(Graph.from_edges(sources, targets, graph.nodes)).best(1)[0]) != first
    return turned


@pytest.mark.parametrize("method", ["pagerank", "hits", "salsa", "indegree"])
def test_one_link_is_found_exactly_where_every_single_link_was_tried_and_one_does_it(method):
    rng = np.random.default_rng(33)
    needed_more = 0
    for _ in range(60):
        nodes = int(rng.integers(2, 6))
        matrix = rng.random((nodes, nodes)) < rng.uniform(0.1, 0.7)
        matrix[0, 0] = True  # a link, so that every ranking has an answer, and one from a page to itself
        graph = Graph.from_edges(*np.nonzero(matrix), nodes)
        found = overturn(graph, method=method)
        one_does_it = single_changes_that_overturn(graph, method) > 0
        assert one_does_it == (found.found and len(found.changes) == 1)
        needed_more += not one_does_it
    assert needed_more > 0


def test_a_link_from_a_page_to_itself_is_a_change_too():
    graph = graph_of([(0, 0), (0, 2), (0, 3), (1, 0), (1, 3), (3, 0)])
    assert len(overturn(graph, method="hits").changes) == 1


@pytest.mark.parametrize("method", ["hits", "salsa", "indegree", "pagerank"])
def test_no_change_undoes_an_earlier_one(method):
    graph = graph_of([(0, 1), (1, 1), (2, 1)])
    found = overturn(graph, method=method)
    links = [(change.source, change.target) for change in found.changes]
    assert len(set(links)) == len(links)
    after = RANKERS[method].function()(found.perturbation.apply(graph))
    assert int(after.best(1)[0]) == found.first_after


def test_larger_graphs_are_searched_by_the_likeliest_links():
    """Two stars of 40 and 39 hubs in 200 pages: two added links, or two removed, give the second the lead."""
    links = [(k, 198) for k in range(40)] + [(100 + k, 199) for k in range(39)]
    found = overturn(graph_of(links, 200), most=3)
    assert found.found
    assert len(found.changes) <= 2
    assert found.first_after == 199


def test_overturn_refuses_bad_arguments():
    for arguments in ({"most": 0}, {"candidates": 0}, {"method": "nothing"}):
        with pytest.raises(ParameterError):
            overturn(LEFT, **arguments)
    with pytest.raises(ParameterError, match="two pages"):
        overturn(graph_of([(0, 0)], 1))


def test_links_among_the_last_of_four_billion_pages_have_keys():
    from periplus.rank.study.stability import _keys, _pairs

    sources, targets = np.array([2**32 - 1, 2**31, 0]), np.array([0, 2**32 - 2, 2**31])
    back = _pairs(_keys(sources, targets))
    assert np.array_equal(back[0], sources)
    assert np.array_equal(back[1], targets)
