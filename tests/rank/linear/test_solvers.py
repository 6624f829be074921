"""The contract of all PageRank solvers: the same vector, within the certified bound, on every kind of graph."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import SHAPES, dense_pagerank, random_graph

from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.linear.auto import grew
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.table import SOLVERS

STOP = Tol(1e-10) | MaxIter(20_000)


@pytest.mark.parametrize("solver", list(SOLVERS))
@pytest.mark.parametrize("shape", SHAPES)
def test_every_solver_meets_the_dense_oracle_within_its_bound(solver: str, shape: str) -> None:
    rng = np.random.default_rng(abs(hash_of(shape)))
    for trial in range(12):
        graph = random_graph(rng, shape)
        preference = rng.random(graph.nodes) ** 3
        preference /= max(preference.sum(), 1e-300)
        damping = (0.1, 0.85, 0.97)[trial % 3]
        dangling = ("preference", "uniform", "none")[trial % 3]
        scores = pagerank(graph, preference=preference, damping=damping, dangling=dangling, solver=solver, stop=STOP)
        exact = dense_pagerank(graph, damping, preference, dangling)
        assert np.abs(scores.values - exact).sum() <= scores.error_bound + 1e-14
        assert scores.error_bound <= 1e-10
        assert scores.converged


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_solvers_agree_on_a_graph_of_many_components(solver: str) -> None:
    rng = np.random.default_rng(11)
    nodes = 4000
    sources = rng.integers(0, nodes, 16_000)
    targets = np.clip(sources + rng.integers(-40, 25, 16_000), 0, nodes - 1)
    graph = Graph.from_edges(sources, targets, nodes)
    exact = pagerank(graph, solver="power", stop=Tol(1e-13) | MaxIter(1000)).values
    scores = pagerank(graph, solver=solver, stop=STOP)
    assert np.abs(scores.values - exact).sum() <= scores.error_bound + 1e-13


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_a_good_start_saves_passes(solver: str) -> None:
    rng = np.random.default_rng(3)
    graph = Graph.from_edges(rng.integers(0, 500, 3000), rng.integers(0, 500, 3000), 500)
    cold = pagerank(graph, solver=solver)
    warm = pagerank(graph, solver=solver, start=cold.values)
    assert warm.iterations < cold.iterations
    assert np.abs(warm.values - cold.values).sum() <= 2e-9


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "blocking"])
def test_the_answer_does_not_depend_on_the_threads(solver: str) -> None:
    import numba

    rng = np.random.default_rng(5)
    graph = Graph.from_edges(rng.integers(0, 20_000, 150_000), rng.integers(0, 20_000, 150_000), 20_000)
    both = pagerank(graph, solver=solver).values
    numba.set_num_threads(1)
    try:
        one = pagerank(graph, solver=solver).values
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    np.testing.assert_array_equal(one, both)


def test_blocking_with_several_bins_does_not_depend_on_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    monkeypatch.setattr("periplus.rank.linear.bins.LEAST_BITS", 9)
    rng = np.random.default_rng(6)
    graph = Graph.from_edges(rng.integers(0, 20_000, 150_000), rng.integers(0, 20_000, 150_000), 20_000)
    both = pagerank(graph, solver="blocking").values
    numba.set_num_threads(1)
    try:
        one = pagerank(graph, solver="blocking").values
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    np.testing.assert_array_equal(one, both)
    assert np.abs(both - pagerank(graph, solver="power").values).sum() <= 2e-9


def taken(graph: Graph, damping: float = 0.85, stop: Stop = STOP) -> str:
    """The solver that `auto` ended with."""
    return str(pagerank(graph, damping=damping, stop=stop).parameters["solver"])


def scattered(nodes: int, links: int, seed: int = 1) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)


def test_auto_looks_at_the_graph() -> None:
    ring = Graph.from_edges(np.arange(50), (np.arange(50) + 1) % 50)
    ring_of_chords = Graph.from_edges(np.tile(np.arange(500), 2), np.append(np.arange(1, 501), np.arange(3, 503)) % 500)
    assert taken(ring) == "power"  # the uniform vector it starts from is the answer
    assert (
        taken(Graph.from_edges(np.append(ring_of_chords.out_targets, 7), np.append(np.arange(1000) // 2, 3))) == "scc"
    )
    # A page added last has no in-link yet: grown graphs have many such, and hardly a cycle.
    grown = Graph.from_edges(np.arange(1, 50), np.arange(1, 50) // 2, 50)
    assert taken(grown) == "lumped"
    assert pagerank(grown).iterations == 1


def test_auto_stays_with_passes_where_links_lead_everywhere() -> None:
    graph = scattered(2000, 20_000)
    scores = pagerank(graph)
    assert scores.parameters["solver"] == "power"
    # The second eigenvalue of such a graph is 1/√10: the rate is 0.27, where unbalanced passes have 0.85.
    assert scores.iterations <= 22
    assert pagerank(graph, damping=0.999, stop=STOP).parameters["solver"] == "power"


def test_passes_without_a_tolerance_are_all_made_by_one_solver() -> None:
    graph = scattered(500, 2500)
    for passes in (1, 4, 7):
        counted = pagerank(graph, stop=MaxIter(passes))
        named = pagerank(graph, stop=MaxIter(passes), solver=str(counted.parameters["solver"]))
        np.testing.assert_array_equal(counted.values, named.values)
        assert counted.iterations <= passes + 1


def test_many_pages_without_in_links_do_not_make_a_graph_that_grew() -> None:
    core = scattered(1000, 20_000)
    sources = np.append(np.repeat(np.arange(1000), core.out_degrees), np.arange(1000, 1500))
    targets = np.append(core.out_targets, np.arange(500))
    assert not grew(Graph.from_edges(sources, targets, 1500))
    assert grew(Graph.from_edges(np.arange(1, 2000), np.arange(1, 2000) // 2, 2000))
    assert not grew(Graph.from_edges(np.arange(30), (np.arange(30) + 1) % 30))


@pytest.mark.parametrize("solver", ["power", "blocking", "extrapolation", "adaptive", "gauss-seidel", "lumped"])
def test_balanced_solvers_need_few_passes_where_links_lead_everywhere(solver: str) -> None:
    assert pagerank(scattered(2000, 20_000), solver=solver).iterations <= 30


@pytest.mark.parametrize("solver", ["power", "blocking", "gauss-seidel", "lumped", "scc"])
def test_balanced_solvers_go_down_to_rounding(solver: str) -> None:
    scores = pagerank(scattered(100_000, 500_000), solver=solver, stop=Tol(1e-13) | MaxIter(150))
    assert scores.error_bound <= 1e-13


@pytest.mark.parametrize("solver", ["gauss-seidel", "lumped", "scc"])
def test_sweeps_go_against_the_links_of_a_graph_that_grew(solver: str) -> None:
    rng = np.random.default_rng(4)
    sources = np.repeat(np.arange(1, 3000), 5)
    targets = (sources * rng.random(len(sources))).astype(np.int64)
    back = rng.integers(0, len(sources), 30)
    graph = Graph.from_edges(np.append(sources, targets[back]), np.append(targets, sources[back]), 3000)
    mirrored = Graph.from_edges(2999 - np.repeat(np.arange(3000), graph.out_degrees), 2999 - graph.out_targets, 3000)
    down, up = pagerank(graph, solver=solver), pagerank(mirrored, solver=solver)
    assert max(down.iterations, up.iterations) <= 16
    np.testing.assert_allclose(down.values, up.values[::-1], atol=2e-9)


def test_auto_avoids_gathers_that_miss_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("periplus.rank.linear.bins.PAGES_OUT_OF_CACHE", 100)
    monkeypatch.setattr("periplus.graph.locality.NEAR", 5)
    far = scattered(400, 4000)
    slow = Graph.from_edges(np.append(np.arange(400), 0), np.append((np.arange(400) * 7 + 7) % 400, 9))
    near = Graph.from_edges(np.append(np.arange(400), 0), np.append((np.arange(400) + 1) % 400, 9))
    assert taken(far) == "blocking"
    assert taken(far, 0.95) == "blocking"
    assert taken(slow, 0.95) == "krylov"
    assert taken(near) == "scc"


def hash_of(text: str) -> int:
    return sum(ord(letter) * (place + 1) for place, letter in enumerate(text))


@pytest.mark.parametrize("damping", [0.95, 0.99, 0.999, 0.9999])
def test_auto_converges_at_high_damping_where_many_pages_have_no_in_link(damping: float) -> None:
    rng = np.random.default_rng(8)
    sources, targets = rng.integers(0, 900, 2500), rng.integers(0, 300, 2500)
    for graph in (
        Graph.from_edges(sources, targets, 900),
        Graph.from_edges(np.array([0, 2, 2, 3, 6, 8]), np.array([8, 7, 8, 6, 0, 6]), 9),
    ):
        assert grew(graph)
        scores = pagerank(graph, damping=damping)
        exact = dense_pagerank(graph, damping, np.full(graph.nodes, 1 / graph.nodes), "preference")
        assert np.abs(scores.values - exact).sum() <= scores.error_bound + 1e-10
