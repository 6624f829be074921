"""PageRank: published examples, peers, properties, real graphs and bad input."""

from __future__ import annotations

import json
import lzma
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path
from tests.oracles.pagerank import dense_pagerank, google_matrix, h_matrix, s_matrix

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.table import SOLVERS

# Špánek, figure 3.1: six pages W1 … W6, here 0 … 5; W3 links to itself, W5 is dangling.
SPANEK = Graph.from_edges([0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 5], [1, 2, 2, 5, 2, 4, 5, 0, 2, 4, 4], 6)


def test_spanek_h_and_s_as_printed() -> None:
    h = np.array([
        [0, 1/2, 1/2, 0, 0, 0], [0, 0, 1/2, 0, 0, 1/2], [0, 0, 1/3, 0, 1/3, 1/3],
        [1/3, 0, 1/3, 0, 1/3, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0],
    ])  # fmt: skip
    np.testing.assert_array_equal(h_matrix(SPANEK), h)
    s = h.copy()
    s[4] = 1 / 6
    np.testing.assert_array_equal(s_matrix(SPANEK, np.full(6, 1 / 6)), s)


@pytest.mark.parametrize("damping", [0.5, 0.85, 0.9])
def test_spanek_pagerank_is_the_left_eigenvector_of_his_g(damping: float) -> None:
    uniform = np.full(6, 1 / 6)
    g = google_matrix(SPANEK, damping, uniform, uniform)
    np.testing.assert_allclose(g.sum(axis=1), 1)
    assert g.min() >= (1 - damping) / 6 - 1e-15
    values = pagerank(SPANEK, damping=damping, stop=Tol(1e-13) | MaxIter(5000)).values
    np.testing.assert_allclose(values @ g, values, atol=1e-14)


def test_fogaras_figure_2_a_trap_holds_the_simple_walk_but_not_the_damped_one() -> None:
    """A chain linked both ways, entered by one link at its left end, left by one link at its right end.

    A walk at the left end leaves without coming back with a probability of one in the length of the chain, so the
    simple PageRank of that page is the inflow times the length; with jumps it stays an ordinary page.
    """
    outside, chain = 60, 30
    rng = np.random.default_rng(1)
    links = [(page, int(other)) for page in range(outside) for other in rng.choice(outside, 6, replace=False)]
    first, last = outside, outside + chain - 1
    links += [(0, first), (last, 1)]
    links += [(page, page + 1) for page in range(first, last)] + [(page + 1, page) for page in range(first, last)]
    sources, targets = np.array(links).T
    graph = Graph.from_edges(sources, targets)
    uniform = np.full(graph.nodes, 1 / graph.nodes)
    simple = dense_pagerank(graph, 1 - 1e-10, uniform, "preference")
    inflow = simple[0] / graph.out_degrees[0]
    assert simple[first] == pytest.approx(inflow * chain, rel=1e-4)
    damped = pagerank(graph).values
    assert simple[first:].sum() > 0.5
    assert damped[first:].sum() < chain / graph.nodes
    assert damped[first] < 1.2 / graph.nodes
    np.testing.assert_allclose(damped, dense_pagerank(graph, 0.85, uniform, "preference"), atol=1e-9)


def peers_graph() -> Graph:
    rng = np.random.default_rng(8)
    return Graph.from_edges(rng.integers(0, 300, 900), rng.integers(0, 300, 900), 300)


def test_networkx_agrees_in_both_stochastic_modes() -> None:
    networkx = pytest.importorskip("networkx")
    graph = peers_graph()
    peer = networkx.DiGraph()
    peer.add_nodes_from(range(graph.nodes))
    peer.add_edges_from((page, int(target)) for page in range(graph.nodes) for target in graph.successors(page))
    preference = np.random.default_rng(2).random(graph.nodes)
    weights = dict(enumerate(preference))
    strong = networkx.pagerank(peer, personalization=weights, tol=1e-14, max_iter=1000)
    ours = pagerank(graph, preference=preference)
    assert np.abs(ours.values - np.array([strong[k] for k in range(graph.nodes)])).sum() < 2e-9
    uniform = dict.fromkeys(range(graph.nodes), 1.0)
    weak = networkx.pagerank(peer, personalization=weights, dangling=uniform, tol=1e-14, max_iter=1000)
    ours = pagerank(graph, preference=preference, dangling="uniform")
    assert np.abs(ours.values - np.array([weak[k] for k in range(graph.nodes)])).sum() < 2e-9


def test_igraph_agrees() -> None:
    igraph = pytest.importorskip("igraph")
    graph = peers_graph()
    edges = [(page, int(target)) for page in range(graph.nodes) for target in graph.successors(page)]
    peer = igraph.Graph(n=graph.nodes, edges=edges, directed=True)
    assert np.abs(pagerank(graph).values - np.array(peer.pagerank(damping=0.85))).sum() < 2e-9


def test_scikit_network_agrees_where_it_solves_the_same_equation() -> None:
    """Its Ruffini–Horner solver does; its default power iteration treats dangling pages otherwise."""
    ranking = pytest.importorskip("sknetwork.ranking")
    from scipy.sparse import csr_matrix

    graph = peers_graph()
    matrix = csr_matrix(
        (np.ones(graph.links), graph.out_targets.astype(np.int32), graph.out_offsets), shape=(graph.nodes,) * 2
    )
    peer = ranking.PageRank(damping_factor=0.85, solver="RH", n_iter=200, tol=0).fit_predict(matrix)
    assert np.abs(pagerank(graph).values - peer).sum() < 1e-8


links = st.integers(2, 25).flatmap(
    lambda nodes: st.tuples(
        st.just(nodes), st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=80)
    )
)


def graph_of(drawn: tuple[int, list[tuple[int, int]]]) -> Graph:
    nodes, pairs = drawn
    pairs_array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(pairs_array[:, 0], pairs_array[:, 1], nodes)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(links, st.floats(0, 0.95))
def test_mass_is_conserved_and_no_page_is_below_its_jump(
    drawn: tuple[int, list[tuple[int, int]]], damping: float
) -> None:
    graph = graph_of(drawn)
    for dangling in ("preference", "uniform"):
        values = pagerank(graph, damping=damping, dangling=dangling, stop=Tol(1e-12) | MaxIter(5000)).values
        assert values.sum() == pytest.approx(1, abs=1e-12)
        assert values.min() >= (1 - damping) / graph.nodes - 1e-12
    pseudo = pagerank(graph, damping=damping, dangling="none", stop=Tol(1e-12) | MaxIter(5000)).values
    assert pseudo.sum() <= 1 + 1e-12
    np.testing.assert_allclose(pseudo / pseudo.sum(), values, atol=1e-11)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(links, st.randoms(use_true_random=False))
def test_renaming_the_pages_renames_the_answer(drawn: tuple[int, list[tuple[int, int]]], random) -> None:  # type: ignore[no-untyped-def]
    graph = graph_of(drawn)
    names = np.array(random.sample(range(graph.nodes), graph.nodes))
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    renamed = Graph.from_edges(names[sources], names[graph.out_targets], graph.nodes)
    np.testing.assert_allclose(pagerank(renamed).values[names], pagerank(graph).values, atol=2e-9)


def test_damping_zero_gives_the_preference_and_near_one_the_walk() -> None:
    graph = peers_graph()
    preference = np.random.default_rng(4).random(graph.nodes)
    np.testing.assert_allclose(
        pagerank(graph, damping=0, preference=preference).values, preference / preference.sum(), atol=1e-15
    )
    # A strongly connected aperiodic graph: as α → 1 the answer tends to the stationary walk.
    triangle = Graph.from_edges([0, 1, 2, 0], [1, 2, 0, 2], 3)
    walk = np.array([0.4, 0.2, 0.4])
    far = np.abs(pagerank(triangle, damping=0.9).values - walk).sum()
    near = np.abs(pagerank(triangle, damping=0.999, stop=Tol(1e-8) | MaxIter(10_000)).values - walk).sum()
    assert near < far / 50


def test_a_cycle_and_a_clique_with_a_tail_in_closed_form() -> None:
    cycle = Graph.from_edges(np.arange(7), (np.arange(7) + 1) % 7, 7)
    np.testing.assert_allclose(pagerank(cycle).values, 1 / 7, atol=1e-10)
    # Page 1 is dangling and fed by page 0 only: y0 = (1−α)/2, y1 = (1−α)/2 · (1 + α), then normalised.
    pair = Graph.from_edges([0], [1], 2)
    np.testing.assert_allclose(pagerank(pair).values, [1 / 2.85, 1.85 / 2.85], atol=1e-15)


def test_the_unnormalised_form_is_deo_and_guptas_equation() -> None:
    graph = peers_graph()
    scores = pagerank(graph, dangling="none", normalised=False)
    h = h_matrix(graph)
    np.testing.assert_allclose(scores.values, 0.15 + 0.85 * scores.values @ h, atol=1e-7)
    assert pagerank(graph, normalised=False).values.mean() == pytest.approx(1)


def read_edges(name: str, nodes: int) -> Graph:
    with lzma.open(data_path(name) / "edges.tsv.xz", "rt") as lines:
        pairs = np.loadtxt(lines, dtype=np.int64)
    return Graph.from_edges(pairs[:, 0], pairs[:, 1], nodes)


@pytest.mark.parametrize(("name", "nodes"), [("wb-cs-stanford", 9914), ("kleinberg-california", 9664)])
def test_real_graphs_against_igraph(name: str, nodes: int) -> None:
    igraph = pytest.importorskip("igraph")
    graph = read_edges(name, nodes)
    sources = np.repeat(np.arange(nodes), graph.out_degrees)
    peer = igraph.Graph(n=nodes, edges=np.stack([sources, graph.out_targets.astype(np.int64)], axis=1), directed=True)
    exact = np.array(peer.pagerank(damping=0.85))
    for solver in ("auto", "power"):
        scores = pagerank(graph, solver=solver)
        assert np.abs(scores.values - exact).sum() < 2e-9
    assert set(scores.best(10)) == set(np.argsort(-exact, kind="stable")[:10])


@pytest.mark.long
def test_cnr_2000_all_ways_agree() -> None:
    graph = read_edges("cnr-2000", 325_557)
    exact = pagerank(graph, solver="power", stop=Tol(1e-12) | MaxIter(1000)).values
    for solver in ("auto", "scc", "lumped", "extrapolation", "krylov", "blocking", "gauss-seidel"):
        assert np.abs(pagerank(graph, solver=solver).values - exact).sum() < 1e-9


def test_an_empty_graph_and_one_without_links() -> None:
    empty = pagerank(Graph.from_edges([], [], 0))
    assert len(empty.values) == 0
    assert empty.error_bound == 0
    for dangling, total in (("preference", 1.0), ("uniform", 1.0), ("none", 0.15)):
        scores = pagerank(Graph.from_edges([], [], 4), dangling=dangling)
        np.testing.assert_allclose(scores.values, total / 4)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("damping", {"damping": 1.0}),
        ("damping", {"damping": -0.1}),
        ("damping", {"damping": float("nan")}),
        ("dangling", {"dangling": "sink"}),
        ("solver", {"solver": "magic"}),
        ("preference", {"preference": np.array([1.0, np.nan, 0, 0, 0, 0])}),
        ("preference", {"preference": np.array([1.0, -1.0, 1.0, 0, 0, 0])}),
        ("preference", {"preference": np.ones(5)}),
        ("preference", {"preference": np.zeros(6)}),
        ("preference", {"preference": np.array([np.inf, 0, 0, 0, 0, 0])}),
        ("start", {"start": np.ones(7)}),
        ("start", {"start": -np.ones(6)}),
    ],
)
def test_bad_arguments_are_named(name: str, arguments: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(ParameterError) as caught:
        pagerank(SPANEK, **arguments)
    assert caught.value.name == name


def test_a_tolerance_below_machine_precision_is_refused() -> None:
    with pytest.raises(ParameterError, match="tolerance"):
        pagerank(SPANEK, stop=Tol(1e-17))


def test_too_few_passes_raise_with_the_partial_record() -> None:
    with pytest.raises(NotConvergedError) as caught:
        pagerank(SPANEK, solver="power", stop=Tol(1e-9) | MaxIter(3))
    partial = caught.value.partial
    exact = pagerank(SPANEK).values
    assert partial.iterations == 3
    assert np.abs(partial.values - exact).sum() <= partial.error_bound
    # Asking for passes alone is not asking for a tolerance.
    assert pagerank(SPANEK, solver="power", stop=MaxIter(3)).converged


@pytest.mark.parametrize("most", [1, 2, 3, 6, 7, 8, 9, 12])
def test_krylov_makes_no_more_passes_than_allowed(most: int) -> None:
    scores = pagerank(SPANEK, damping=0.99, solver="krylov", stop=MaxIter(most))
    assert scores.iterations <= most
    exact = pagerank(SPANEK, damping=0.99).values
    assert np.abs(scores.values - exact).sum() <= scores.error_bound


def test_the_record_repeats_the_call() -> None:
    scores = pagerank(SPANEK, damping=0.5, dangling="uniform", solver="power")
    assert scores.method == "pagerank"
    assert scores.graph_digest == SPANEK.digest
    assert scores.parameters["damping"] == 0.5
    assert scores.parameters["dangling"] in ("preference", "uniform", "none")
    assert scores.residual <= scores.error_bound * 0.5 + 1e-12


@pytest.mark.parametrize("arguments", [{}, {"damping": 0.0}])
def test_passes_alone_end_without_links_too(arguments: dict[str, float]) -> None:
    graph = Graph.from_edges([0] if arguments else [], [1] if arguments else [], 3)
    scores = pagerank(graph, stop=MaxIter(30), **arguments)
    np.testing.assert_allclose(scores.values, 1 / 3, atol=1e-15)


def test_passes_alone_are_one_solve() -> None:
    """A tree is solved in one pass: thirty allowed do not make thirty."""
    graph = Graph.from_edges(np.arange(1, 200), np.arange(1, 200) // 2, 200)
    assert pagerank(graph, solver="lumped", stop=MaxIter(30)).iterations <= 2


@pytest.mark.parametrize("dangling", ["preference", "uniform", "none"])
@pytest.mark.parametrize("normalised", [True, False])
def test_a_warm_start_is_warm_in_every_mode(dangling: str, normalised: bool) -> None:
    rng = np.random.default_rng(3)
    graph = Graph.from_edges(rng.integers(0, 400, 1500), rng.integers(0, 400, 1500), 500)
    settings = {"dangling": dangling, "normalised": normalised, "solver": "power"}
    cold = pagerank(graph, **settings)
    warm = pagerank(graph, start=cold.values, **settings)
    assert warm.iterations <= 0.3 * cold.iterations
    np.testing.assert_allclose(warm.values, cold.values, rtol=0, atol=2e-9 * (1 if normalised else 500))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_tolerance_beyond_rounding_ends(solver: str) -> None:
    """Nothing can certify 1e-15 at this damping: that is said, after a bounded time."""
    rng = np.random.default_rng(4)
    graph = Graph.from_edges(rng.integers(0, 50, 200), rng.integers(0, 50, 200), 50)
    with pytest.raises(NotConvergedError) as caught:
        pagerank(graph, damping=0.99, solver=solver, stop=Tol(1e-15))
    assert caught.value.partial.error_bound < 1e-10


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_cycle_that_the_preference_does_not_reach_has_no_rank(solver: str) -> None:
    """Started with some, it loses it; the stop is not relative to a mass that vanishes."""
    graph = Graph.from_edges([0, 1, 2, 3], [1, 0, 3, 2], 4)
    scores = pagerank(graph, preference=[1, 0, 0, 0], start=[1, 1, 1, 1], solver=solver, stop=Tol(1e-9) | MaxIter(300))
    assert scores.values[2:].sum() <= 1e-9


@pytest.mark.parametrize("solver", list(SOLVERS))
@pytest.mark.parametrize(("damping", "leaves"), [(0.3, 52_493), (0.85, 62_500)])
def test_many_equal_links_do_not_outgrow_the_bound(solver: str, damping: float, leaves: int) -> None:
    """All link to one page, the walk ends there: its rank is (1−α)/n (1 + α k), to be met by exact fractions. The sum
    of k equal numbers, added one after the other, is off by k units of its last place in the solver as in a check."""
    graph = Graph.from_edges(np.arange(1, leaves + 1), np.zeros(leaves, int), leaves + 1)
    found = pagerank(graph, damping=damping, dangling="none", solver=solver, stop=Tol(1e-10) | MaxIter(1000))
    alpha, leaf = Fraction(damping), (1 - Fraction(damping)) / (leaves + 1)
    off = abs(Fraction(float(found.values[0])) - leaf * (1 + alpha * leaves))
    off += leaves * abs(Fraction(float(found.values[1])) - leaf)
    assert float(off) <= found.error_bound <= 1e-10


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
def test_numbers_of_numpy_are_taken_as_they_are(kind: type) -> None:
    """1 − float32(0.1) would be off by 1e-8, and no residual would show it."""
    damping = kind(0.1)
    found = pagerank(SPANEK, damping=damping)
    assert np.array_equal(found.values, pagerank(SPANEK, damping=float(damping)).values)
    json.dumps(found.to_dict())


def test_flags_are_flags_and_a_tiny_damping_is_none() -> None:
    with pytest.raises(ParameterError, match="True or False"):
        pagerank(SPANEK, normalised="no")  # type: ignore[arg-type]
    for solver in SOLVERS:
        found = pagerank(SPANEK, damping=1e-310, solver=solver)
        np.testing.assert_allclose(found.values, 1 / SPANEK.nodes, rtol=1e-15)


def test_no_bound_is_above_two() -> None:
    with pytest.raises(NotConvergedError) as caught:
        pagerank(SPANEK, damping=0.9999, solver="power", stop=Tol(1e-9) | MaxIter(1))
    assert caught.value.partial.error_bound <= 2
