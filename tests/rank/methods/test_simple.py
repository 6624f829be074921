"""Simple PageRank: the walk on the largest strong component, Deo and Gupta's figure 16, Fogaras' trap."""

from __future__ import annotations

import importlib

import networkx
import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import pagerank, simple_pagerank
from periplus.rank.methods.simple import ELIMINATE_UP_TO

simple = importlib.import_module("periplus.rank.methods.simple")


def trap(chain: int, outside: int) -> Graph:
    """Fogaras, figure 2: `outside` pages in a ring, one of which also leads into a chain that keeps leading back.

    Ring pages are 0 … outside−1, page 0 links to the chain. Chain pages link to the next and, but for the first, to the
    first of the chain; the last leads back to the ring.
    """
    first = outside
    links = [(k, (k + 1) % outside) for k in range(outside)] + [(0, first)]
    links += [(first + k, first + k + 1) for k in range(chain - 1)]
    links += [(first + k, first) for k in range(1, chain)]
    links.append((first + chain - 1, 1))
    return graph_of(links)


def test_agrees_with_the_dense_walk_on_the_largest_component():
    compared = 0
    for graph in oracle.linked_graphs(250, seed=30):
        found = simple_pagerank(graph)
        matrix = oracle.adjacency(graph)
        components = list(networkx.strongly_connected_components(networkx.DiGraph(matrix)))
        most = max(map(len, components))
        chosen = np.flatnonzero(found.values)
        assert found.extra["component"] == most
        assert set(chosen.tolist()) in [c for c in components if len(c) == most]
        inside = matrix[np.ix_(chosen, chosen)]
        if most > 1:
            wanted = oracle.stationary(inside / inside.sum(axis=1, keepdims=True))
            np.testing.assert_allclose(found.values[chosen], wanted, atol=1e-9)
            compared += 1
        assert found.values.sum() == pytest.approx(1)
    assert compared > 100


def test_figure_16_of_deo_and_gupta():
    """A gives half its 0.6 to B and half to C, B all its 0.3 to C, C its 0.6 to D; D → A closes the walk.

    The figure itself is not in the text; these are the values that the text names, and the links they imply.
    """
    found = simple_pagerank(graph_of([(0, 1), (0, 2), (1, 2), (2, 3), (3, 0)]))
    np.testing.assert_allclose(found.values / found.values[2] * 0.6, [0.6, 0.3, 0.6, 0.6], rtol=1e-14)


@pytest.mark.parametrize("chain", [2, 5, 10, 30])
def test_figure_2_of_fogaras_the_chain_holds_the_walk(chain):
    """A visit to the chain sees its first page 2^(chain−1) times on average, so that page outranks the ring at will."""
    outside = 20
    found = simple_pagerank(trap(chain, outside))
    entering = found.values[0] / 2  # page 0 splits between the ring and the chain
    np.testing.assert_allclose(found.values[outside], entering * 2.0 ** (chain - 1), rtol=1e-12)
    for k in range(2, chain):
        np.testing.assert_allclose(found.values[outside + k], found.values[outside + k - 1] / 2, rtol=1e-12)


def test_jumps_open_the_trap():
    """Thirty chain pages hold nearly all of the walk without jumps, and not more than their share with them."""
    graph = trap(30, 20)
    assert simple_pagerank(graph).values[20:].sum() > 0.999999
    ranked = pagerank(graph).values
    assert ranked[20:].sum() < 0.85
    assert ranked[20] < 0.3


def test_periodic_walks_have_an_answer():
    ring = graph_of([(k, (k + 1) % 7) for k in range(7)])
    np.testing.assert_allclose(simple_pagerank(ring).values, 1 / 7)


def test_beyond_elimination_arnoldi_gives_the_same():
    rng = np.random.default_rng(0)
    nodes = ELIMINATE_UP_TO + 300
    graph = Graph.from_edges(rng.integers(0, nodes, 6000), rng.integers(0, nodes, 6000), nodes)
    found = simple_pagerank(graph, stop=Tol(1e-12) | MaxIter(2000))
    inside = np.flatnonzero(found.values)
    assert len(inside) > ELIMINATE_UP_TO
    assert found.residual <= 1e-12
    matrix = oracle.adjacency(graph)[np.ix_(inside, inside)]
    wanted = oracle.stationary(matrix / matrix.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(found.values[inside], wanted, atol=1e-11)


def test_large_rings_are_periodic_and_still_solved():
    ring = graph_of([(k, (k + 1) % 900) for k in range(900)] + [(0, 450)])
    found = simple_pagerank(ring, stop=Tol(1e-10) | MaxIter(50_000))
    assert found.residual <= 1e-10
    np.testing.assert_allclose(found.values[1], found.values[449], rtol=1e-4)


def test_too_few_passes():
    """A sheet of 60 × 60 pages, each linked with its neighbours, and some links across: elimination fills in, and walks
    creep from one side to the other."""
    place = np.arange(3600).reshape(60, 60)
    sides = [(place, np.roll(place, 1, axis)) for axis in (0, 1)]
    links = [(int(a), int(b)) for x, y in sides for a, b in zip(x.ravel(), y.ravel(), strict=True)]
    across = np.random.default_rng(2).integers(0, 3600, (300, 2)).tolist()
    graph = graph_of(links + [(b, a) for a, b in links] + [(a, b) for a, b in across])
    with pytest.raises(NotConvergedError, match=r"a residual of .*: allow more passes"):
        simple_pagerank(graph, stop=Tol(1e-12) | MaxIter(30))


@pytest.mark.parametrize("seed", range(6))
def test_beyond_the_dense_elimination_the_sparse_one_keeps_to_its_bound(seed):
    """Webs of sites in a ring, each with pages of its own, some of them traps; the dense elimination is the oracle."""
    rng = np.random.default_rng(seed)
    links = [(site, (site + 1) % 80) for site in range(80)]
    for site in range(80):
        pages = [80 + 10 * site + k for k in range(10)]
        links += [(site, page) for page in pages] + [(page, site) for page in pages if rng.random() < 0.9]
        links += [(page, pages[(at + 1) % 10]) for at, page in enumerate(pages)]
    graph = graph_of(links + [(int(a), int(b)) for a, b in rng.integers(0, 80, (40, 2))])
    found = simple_pagerank(graph)
    assert found.extra["component"] == 880 > ELIMINATE_UP_TO
    exact = simple._eliminate(simple._transitions(graph))
    assert np.abs(found.values - exact).sum() <= found.error_bound <= 1e-9


def test_a_walk_that_all_but_leaves_its_first_page_is_no_overflow():
    """Page j is k − j times as likely to go up as down: the last has 10³⁰⁸ visits and more for one of the first."""
    k = 200
    links = [(j, j - 1) for j in range(1, k)] + [(j, i) for j in range(1, k) for i in range(j, k)] + [(0, k - 1)]
    found = simple_pagerank(graph_of(links))
    assert found.values.sum() == pytest.approx(1)
    assert found.residual <= 1e-14


def test_without_links_there_is_no_answer():
    with pytest.raises(ParameterError, match="at least one link"):
        simple_pagerank(graph_of([], 4))


def test_the_bound_of_an_elimination_meets_the_tolerance_or_is_an_error():
    rng = np.random.default_rng(5)
    graph = Graph.from_edges(rng.integers(0, 300, 3000), rng.integers(0, 300, 3000), 300)
    found = simple_pagerank(graph)
    assert found.extra["component"] > 290
    assert found.error_bound <= 1e-9
    with pytest.raises(NotConvergedError, match="more passes gain nothing"):
        simple_pagerank(graph, stop=Tol(1e-15))


def test_a_large_trap_is_certified_too():
    """500 pages of which the walk leaves some once in 2¹⁹⁹ rounds: the residual is so small that its bound holds."""
    found = simple_pagerank(trap(200, 300))
    assert found.extra["component"] == 500
    assert found.error_bound <= 1e-9
