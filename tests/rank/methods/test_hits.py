"""HITS against LAPACK, Kleinberg's own iteration, networkx and igraph; degenerate cases; bad input."""

from __future__ import annotations

import doctest
import importlib
import warnings
from decimal import Decimal, localcontext

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import hits
from periplus.rank.methods.hits import DENSE_BELOW


def web(nodes: int, links: int, seed: int) -> Graph:
    """Enough pages with in-links that the iteration, not LAPACK, answers."""
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), (nodes * rng.random(links) ** 2).astype(np.int64), nodes)


def test_small_graphs_agree_with_the_dense_oracle():
    for graph in oracle.linked_graphs(300):
        found = hits(graph)
        authorities, hubs, values = oracle.hits(graph)
        np.testing.assert_allclose(found.values, authorities, atol=1e-9)
        np.testing.assert_allclose(found.extra["hubs"], hubs, atol=1e-9)
        assert found.extra["eigenvalue"] == pytest.approx(values[0])
        second = values[1] if len(values) > 1 else 0.0
        assert found.extra["degenerate"] == (values[0] - second <= 1e-9 * values[0])
        if not found.extra["degenerate"]:
            assert found.extra["eigengap"] == pytest.approx(values[0] - second)
        assert found.values.min() >= 0
        assert found.extra["hubs"].min() >= 0


@pytest.mark.parametrize("seed", range(4))
def test_lanczos_agrees_with_lapack_within_its_bound(seed):
    graph = web(700, 2800, seed)
    assert np.count_nonzero(graph.in_degrees) >= DENSE_BELOW
    found = hits(graph, stop=Tol(1e-9) | MaxIter(500))
    authorities, hubs, values = oracle.hits(graph)
    assert np.abs(found.values - authorities).sum() <= found.error_bound <= 1e-9
    assert np.abs(found.extra["hubs"] - hubs).sum() <= found.extra["hubs_error_bound"]
    assert abs(values[1] - found.extra["second_eigenvalue"]) <= found.extra["eigengap_error"] + 1e-9 * values[0]


def test_lanczos_gives_the_limit_of_kleinbergs_iteration_where_the_eigenvalue_is_multiple():
    # 80 equal stars of seven hubs and four authorities, and one smaller star: eigenvalue 28, eighty times.
    links = [(11 * s + i, 11 * s + 7 + j) for s in range(80) for i in range(7) for j in range(4)]
    links += [(880, 881), (882, 881)]
    graph = graph_of(links)
    found = hits(graph)
    authorities, hubs = oracle.kleinberg(graph, 60)
    assert found.extra["degenerate"]
    assert found.extra["eigengap"] == 0.0
    np.testing.assert_allclose(found.values, authorities, atol=1e-12)
    np.testing.assert_allclose(found.extra["hubs"], hubs, atol=1e-12)


def test_a_second_copy_that_the_start_does_not_see_is_found():
    """Two equal communities of 40 hubs and 300 authorities, and a third of half the weight that the start sees well."""
    links = [(h, 100 + a) for h in range(40) for a in range(300)]
    links += [(40 + h, 400 + a) for h in range(40) for a in range(300)]
    links += [(80 + h, 700 + a) for h in range(20) for a in range(300)]
    found = hits(graph_of(links))
    assert found.extra["eigenvalue"] == pytest.approx(12_000)
    assert found.extra["second_eigenvalue"] == pytest.approx(12_000)
    assert found.extra["degenerate"]


def test_without_the_gap_the_vectors_are_the_same():
    graph = web(700, 2800, 0)
    quick = hits(graph, gap=False)
    assert np.array_equal(quick.values, hits(graph).values)
    assert np.isnan(quick.extra["eigengap"])
    assert not quick.extra["degenerate"]


def test_three_cycle_is_degenerate_and_uniform():
    found = hits(graph_of([(0, 1), (1, 2), (2, 0)]))
    np.testing.assert_allclose(found.values, 3**-0.5)
    np.testing.assert_allclose(found.extra["hubs"], 3**-0.5)
    assert found.extra["degenerate"]


def test_golden_ratio_of_two_hubs():
    """a → b, a → c, b → c: as shares of their sum the hubs are 0.618 and 0.382."""
    hubs = hits(graph_of([(0, 1), (0, 2), (1, 2)])).extra["hubs"]
    np.testing.assert_allclose(hubs / hubs.sum(), [(5**0.5 - 1) / 2, (3 - 5**0.5) / 2, 0], atol=1e-15)


def test_tightly_knit_community_takes_all():
    """A 6 × 6 core against 40 hubs that link to two of five authorities each: HITS sees the core alone."""
    core = [(i, 6 + j) for i in range(6) for j in range(6)]
    sparse = [(12 + i, 52 + (i + k) % 5) for i in range(40) for k in range(2)]
    found = hits(graph_of(core + sparse))
    np.testing.assert_allclose(found.values[6:12], 6**-0.5)
    assert found.values[52:].max() == 0


def test_same_as_networkx_and_igraph():
    import igraph
    import networkx

    graph = web(400, 1600, 9)
    found = hits(graph, stop=Tol(1e-10) | MaxIter(500))
    links = list(zip(np.repeat(np.arange(400), graph.out_degrees).tolist(), graph.out_targets.tolist(), strict=True))
    peer = networkx.DiGraph()
    peer.add_nodes_from(range(400))
    peer.add_edges_from(links)
    hubs, authorities = networkx.hits(peer, tol=1e-12)
    np.testing.assert_allclose(found.values / found.values.sum(), [authorities[i] for i in range(400)], atol=1e-9)
    hub_shares = found.extra["hubs"] / found.extra["hubs"].sum()
    np.testing.assert_allclose(hub_shares, [hubs[i] for i in range(400)], atol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = np.array(igraph.Graph(400, links, directed=True).authority_score(scale=False))
    np.testing.assert_allclose(found.values, other / np.linalg.norm(other), atol=1e-9)


def test_answers_are_the_same_twice():
    graph = web(3000, 12000, 1)
    assert np.array_equal(hits(graph).values, hits(graph).values)


def test_too_few_passes_is_an_error_with_the_partial_record():
    with pytest.raises(NotConvergedError) as caught:
        hits(web(700, 2800, 0), stop=Tol(1e-12) | MaxIter(2))
    assert caught.value.partial.iterations >= 2
    assert not caught.value.partial.converged
    assert caught.value.partial.values.shape == (700,)


@pytest.mark.parametrize("name", ["empty", "one page", "no links"])
def test_without_links_there_is_no_answer(name):
    with pytest.raises(ParameterError, match="at least one link"):
        hits(oracle.special_graphs()[name])


def test_figure_3_of_fogaras_one_link_turns_hits_over():
    """Its numbers are in a picture that the text lacks; two communities of the same kind, worked by hand.

    Left: three hubs link to one authority (λ = 3); apart, two hubs and two authorities with one of four links missing
    (λ = (3+√5)/2 = 2.618). All weight is on the first. The dashed link completes the second (λ = 4): all on it.
    """
    left = [(0, 3), (1, 3), (2, 3), (4, 6), (4, 7), (5, 6)]
    before, after = hits(graph_of(left, 8)), hits(graph_of([*left, (5, 7)], 8))
    np.testing.assert_allclose(before.values, [0, 0, 0, 1, 0, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(before.extra["hubs"], [3**-0.5] * 3 + [0] * 5, atol=1e-15)
    np.testing.assert_allclose(after.values, [0] * 6 + [2**-0.5] * 2, atol=1e-15)
    np.testing.assert_allclose(after.extra["hubs"], [0] * 4 + [2**-0.5] * 2 + [0] * 2, atol=1e-15)
    assert before.extra["eigengap"] == pytest.approx(3 - (3 + 5**0.5) / 2)


@pytest.mark.parametrize("tolerance", [1e-7, 1e-10, 1e-11])
def test_many_equal_links_do_not_outgrow_the_bound(tolerance):
    """All of 200,001 hubs link to one page, 70,001 of them to a second too; beside them 300 pairs of pages. Of the two
    authorities AᵀA is (k m; m m), whose eigenvector is known to any number of digits."""
    k, m, lonely = 200_001, 70_001, 300
    hubs = np.arange(2, k + 2)
    pairs = np.arange(k + 2, k + 2 + 2 * lonely, 2)
    sources = np.concatenate((hubs, hubs[:m], pairs))
    targets = np.concatenate((np.zeros(k, int), np.ones(m, int), pairs + 1))
    graph = Graph.from_edges(sources, targets, k + 2 + 2 * lonely)
    with localcontext() as context:
        context.prec = 50
        largest = (k + m + (Decimal(k - m) ** 2 + 4 * Decimal(m) ** 2).sqrt()) / 2
        ratio = (largest - k) / m  # of the second to the first
        first = 1 / (1 + ratio * ratio).sqrt()
        exact = [float(first), float(first * ratio)]
    try:
        found = hits(graph, stop=Tol(tolerance) | MaxIter(500))
    except NotConvergedError as error:
        found = error.partial
        assert tolerance < 1e-10, "nothing is too fine for this graph before that"
    assert np.abs(found.values[:2] - exact).sum() + np.abs(found.values[2:]).sum() <= found.error_bound


def test_the_example_of_the_module_runs():
    module = importlib.import_module("periplus.rank.methods.hits")
    assert doctest.testmod(module).attempted == 5
    assert doctest.testmod(module).failed == 0
