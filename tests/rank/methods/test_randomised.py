"""Randomised HITS against linear algebra, and its two limits."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import hits, randomised_hits, salsa


def connected() -> Graph:
    rng = np.random.default_rng(7)
    return Graph.from_edges(rng.integers(0, 40, 260), rng.integers(0, 40, 260), 40)


def test_walk_agrees_with_the_linear_system_within_its_bound():
    for number, graph in enumerate(oracle.linked_graphs(200, seed=8)):
        jump = (0.05, 0.15, 0.6)[number % 3]
        found = randomised_hits(graph, jump=jump)
        authorities, hubs = oracle.alternating_walk(graph, np.full(graph.nodes, jump / graph.nodes), 1 - jump)
        assert np.abs(found.values - authorities / authorities.sum()).sum() <= found.error_bound <= 1e-9
        np.testing.assert_allclose(found.extra["hubs"], hubs / hubs.sum(), atol=1e-8)
        assert found.values.sum() == pytest.approx(1)


def test_links_agree_with_the_dense_singular_vectors():
    for graph in oracle.linked_graphs(120, seed=9):
        found = randomised_hits(graph, jump=0.2, matrix="links", stop=Tol(1e-8) | MaxIter(2000))
        authorities, hubs = oracle.jumping_hits(graph, 0.2)
        assert np.abs(found.values - authorities).sum() <= found.error_bound + 1e-13  # LAPACK rounds too
        np.testing.assert_allclose(found.extra["hubs"], hubs, atol=1e-7)
        assert found.values.min() > 0


def test_links_tend_to_hits_as_jumps_vanish():
    graph = connected()
    distances = [
        np.abs(randomised_hits(graph, jump=jump, matrix="links").values - hits(graph).values).sum()
        for jump in (1e-1, 1e-3, 1e-5)
    ]
    assert distances[0] > 50 * distances[1] > 2500 * distances[2]
    assert distances[2] < 1e-4


def test_walk_tends_to_salsa_as_jumps_vanish():
    graph = connected()
    assert salsa(graph).extra["components"] == 1
    found = randomised_hits(graph, jump=1e-3, stop=Tol(1e-6) | MaxIter(10**5))
    np.testing.assert_allclose(found.values, salsa(graph).values, atol=1e-3)


def test_jumps_leave_no_choice_where_hits_is_degenerate():
    graph = graph_of([(0, 1), (1, 2), (2, 0)])
    assert hits(graph).extra["degenerate"]
    np.testing.assert_allclose(randomised_hits(graph).values, 1 / 3)


@pytest.mark.parametrize("jump", [0.0, 1.0, -0.1, float("nan")])
def test_jump_outside_its_range(jump):
    with pytest.raises(ParameterError, match="0 < jump < 1"):
        randomised_hits(connected(), jump=jump)


def test_unknown_matrix():
    with pytest.raises(ParameterError, match="walk"):
        randomised_hits(connected(), matrix="google")


def test_too_few_passes():
    with pytest.raises(NotConvergedError):
        randomised_hits(connected(), stop=Tol(1e-9) | MaxIter(3))
