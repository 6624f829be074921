"""Kendall's τ and rank-biased overlap against their definitions; several rankings side by side."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import rankings as oracle

from periplus.errors import ParameterError
from periplus.rank import compare, kendall_tau, rank_biased_overlap
from periplus.rank.study.compare import comparison_chart


def test_tau_counts_pairs_with_ties():
    rng = np.random.default_rng(0)
    for _ in range(200):
        size = int(rng.integers(2, 40))
        x, y = rng.integers(0, 6, size).astype(float), rng.random(size).round(1)
        if np.ptp(x) and np.ptp(y):
            assert kendall_tau(x, y) == pytest.approx(oracle.kendall_tau(x, y), abs=1e-12)


def test_tau_of_the_same_and_the_reverse_order():
    x = np.arange(50.0)
    assert kendall_tau(x, x) == pytest.approx(1)
    assert kendall_tau(x, -x) == pytest.approx(-1)
    assert np.isnan(kendall_tau(x, np.ones(50)))
    assert np.isnan(kendall_tau([1.0], [1.0]))


def test_tau_of_a_hundred_thousand_pages():
    """n² pairs would take minutes: one swap of neighbours costs two of n(n−1)/2 pairs."""
    x = np.arange(100_000.0)
    y = x.copy()
    y[[500, 501]] = y[[501, 500]]
    assert kendall_tau(x, y) == pytest.approx(1 - 4 / (100_000 * 99_999), abs=1e-15)


def test_overlap_is_its_definition():
    rng = np.random.default_rng(1)
    for _ in range(200):
        size = int(rng.integers(1, 30))
        x, y = rng.permutation(size).astype(float), rng.permutation(size).astype(float)
        p = float(rng.uniform(0.1, 0.95))
        lists = np.argsort(-x).tolist(), np.argsort(-y).tolist()
        wanted = oracle.rank_biased_overlap(*lists, p)
        assert rank_biased_overlap(x, y, persistence=p) == pytest.approx(wanted, abs=1e-12)


def test_overlap_weighs_the_top():
    base = np.arange(100.0)[::-1]
    top, bottom = base.copy(), base.copy()
    top[[0, 1]] = top[[1, 0]]
    bottom[[98, 99]] = bottom[[99, 98]]
    assert rank_biased_overlap(base, base) == pytest.approx(1)
    assert rank_biased_overlap(base, top) == pytest.approx(0.9)
    assert rank_biased_overlap(base, bottom) > 0.999


@pytest.mark.parametrize("persistence", [0.0, 1.0, -1.0, float("nan")])
def test_persistence_outside_its_range(persistence):
    with pytest.raises(ParameterError, match="persistence"):
        rank_biased_overlap(np.ones(2), np.ones(2), persistence=persistence)


@pytest.mark.parametrize(
    "pair", [(np.ones(2), np.ones(3)), (np.array([1.0, np.nan]), np.ones(2)), (np.ones((2, 2)), np.ones((2, 2)))]
)
def test_vectors_that_cannot_be_compared(pair):
    for function in (kendall_tau, rank_biased_overlap):
        with pytest.raises(ParameterError):
            function(*pair)


def test_side_by_side():
    graph = next(g for g in oracle.random_graphs(50, seed=50) if g.links > 60)
    found = compare(graph, ["pagerank", "hits", "indegree", "pagerank"])
    assert found.methods == ("pagerank", "hits", "indegree")
    assert found.tau.shape == found.overlap.shape == (3, 3)
    np.testing.assert_array_equal(found.tau, found.tau.T)
    x, y = (found.scores[name].values for name in ("pagerank", "indegree"))
    assert found.tau[0, 2] == pytest.approx(kendall_tau(x, y))
    assert found.overlap[0, 2] == pytest.approx(rank_biased_overlap(x, y))
    assert [row[0] for row in found.top(5)] == found.scores["pagerank"].best(5).tolist()
    assert found.places("hits")[found.scores["hits"].best(1)[0]] == 1
    svg = comparison_chart(found)
    assert svg.startswith("<svg")
    assert "In-links" in svg


def test_arguments_reach_their_method():
    graph = next(g for g in oracle.random_graphs(50, seed=50) if g.links > 60)
    found = compare(graph, ["pagerank", "indegree"], arguments={"pagerank": {"damping": 0.5}})
    assert found.scores["pagerank"].parameters["damping"] == 0.5
    with pytest.raises(ParameterError, match="methods"):
        compare(graph, [])
    with pytest.raises(ParameterError, match="method"):
        compare(graph, ["pagerank", "nothing"])


def test_pages_that_tie_but_for_rounding_go_by_id():
    from periplus.record import best_first

    values = np.array([0.1, 0.3, 0.3 + 4e-17 * 2, 0.3 - 6e-17, 0.2])
    assert best_first(values).tolist() == [1, 2, 3, 4, 0]
    assert best_first(values * 1e-200).tolist() == [1, 2, 3, 4, 0]
    assert best_first(np.array([1.0, 1.0 + 1e-11])).tolist() == [1, 0]
    assert best_first(np.array([0.0, np.inf, -1.0])).tolist() == [1, 0, 2]
    assert kendall_tau(values, np.array([1.0, 3.0, 3.0, 3.0, 2.0])) == pytest.approx(1.0)


def test_overlap_with_next_to_no_persistence_is_that_of_the_first_place():
    assert rank_biased_overlap(np.array([2.0, 1.0]), np.array([2.0, 1.0]), persistence=1e-310) == pytest.approx(1)
    assert rank_biased_overlap(np.array([2.0, 1.0]), np.array([1.0, 2.0]), persistence=1e-310) == pytest.approx(0)
    with pytest.raises(ParameterError, match="persistence"):
        rank_biased_overlap(np.array([2.0]), np.array([1.0]), persistence="a")
