"""Starts: cubes in cubes, rings, lattices, balls."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.gravity import Tree, ball, cubes, lattice, ring, site_tree
from periplus.gravity.layouts import start_of, without_navigation
from periplus.gravity.start import preorder, walk

URLS = [
    "http://a.example.org/",
    "http://a.example.org/x/1.html",
    "http://a.example.org/x/2.html",
    "http://b.example.org/",
    "http://www.other.net/deep/er/page.html",
]


def web() -> Graph:
    return Graph.from_edges(np.array([0, 1, 3]), np.array([1, 4, 0]), 5, urls=UrlTable.from_urls(URLS))


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_cubes_of_a_tree_hold_their_pages_and_no_others(data):
    nodes = data.draw(st.integers(1, 12))
    parents = np.array([-1] + [data.draw(st.integers(0, node - 1)) for node in range(1, nodes)])
    leaf_of = np.array(data.draw(st.lists(st.integers(0, nodes - 1), min_size=1, max_size=40)))
    places = cubes(Tree(parents, leaf_of))
    assert (np.abs(places) <= 1).all()
    assert len(np.unique(places.round(12), axis=0)) == len(places)  # no two pages at one point
    for node in range(nodes):
        inside = np.array([node in ancestors(parents, leaf) for leaf in leaf_of])
        if inside.any() and not inside.all():
            low, high = places[inside].min(axis=0), places[inside].max(axis=0)
            strangers = places[~inside]
            assert not ((strangers >= low) & (strangers <= high)).all(axis=1).any()


def ancestors(parents: np.ndarray, node: int) -> list[int]:
    path = [node]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    return path


def test_eight_children_are_the_eight_octants():
    places = cubes(Tree(np.array([-1]), np.zeros(8, int)))
    assert sorted(map(tuple, places.tolist())) == sorted(
        (x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)
    )


def test_the_tree_of_sites_is_domain_server_directory():
    graph = web()
    tree = site_tree(graph)
    depth = tree.levels()[tree.leaf_of]
    by_url = {str(url): page for page, url in enumerate(graph.urls)}
    assert [int(depth[by_url[url]]) for url in URLS] == [1, 2, 2, 1, 3]
    path = [ancestors(tree.parents, leaf)[-1] for leaf in tree.leaf_of]
    assert len({path[by_url[url]] for url in URLS[:4]}) == 1
    assert path[by_url[URLS[4]]] != path[by_url[URLS[0]]]


def test_ring_lattice_and_ball():
    assert np.allclose(np.linalg.norm(ring(7), axis=1), 1)
    assert len(np.unique(lattice(27).round(9), axis=0)) == 27
    points = ball(20_000, seed=3)
    assert np.linalg.norm(points, axis=1).max() <= 1
    assert abs(np.mean(np.linalg.norm(points, axis=1) < 0.5) - 1 / 8) < 0.01
    assert np.array_equal(ball(10, seed=3), ball(10, seed=3))
    for start in (ring, lattice, ball):
        assert start(0).shape == (0, 3)


def test_navigation_goes_unless_there_is_nothing_else():
    graph = web()
    assert without_navigation(graph).links == 2
    alone = graph.subgraph(np.asarray(graph.urls.site_ids()) == graph.urls.site_ids()[1])
    assert without_navigation(alone).links == alone.links == 1


@pytest.mark.parametrize(
    "tree",
    [
        ([1, 0], [0]),
        ([5], [0]),
        ([-1], [3]),
        ([-1.5], [0]),
        ([[-1]], [0]),
    ],
)
def test_what_is_no_tree_is_refused(tree):
    with pytest.raises(ParameterError):
        cubes(Tree(np.array(tree[0]), np.array(tree[1])))


def test_a_start_that_does_not_fit_is_refused():
    graph = Graph.from_edges(np.array([0]), np.array([1]), 2)
    with pytest.raises(ParameterError, match="only for a graph with URLs"):
        start_of(graph, "sites")
    with pytest.raises(ParameterError, match="one leaf for each"):
        start_of(graph, tree=Tree(np.array([-1]), np.zeros(5, int)))
    assert start_of(graph).shape == (2, 3)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_walk_over_a_tree_keeps_what_hangs_together_together(data):
    nodes = data.draw(st.integers(1, 12))
    parents = np.array([-1] + [data.draw(st.integers(0, node - 1)) for node in range(1, nodes)])
    leaf_of = np.array(data.draw(st.lists(st.integers(0, nodes - 1), min_size=1, max_size=40)))
    tree = Tree(parents, leaf_of)
    place = preorder(tree)
    assert sorted(place.tolist()) == list(range(len(leaf_of)))
    for node in range(nodes):
        inside = place[[node in ancestors(parents, leaf) for leaf in leaf_of]]
        assert not len(inside) or np.ptp(inside) == len(inside) - 1
    points = walk(tree)
    assert np.linalg.norm(points, axis=1).max() <= 1
    assert len(np.unique(points.round(9), axis=0)) == len(points)


def test_a_deep_tree_has_as_much_room_as_a_flat_one():
    chain = Tree(np.arange(-1, 199), np.arange(200))
    nearest = [np.sort(np.linalg.norm(walk(chain) - point, axis=1))[1] for point in walk(chain)]
    assert min(nearest) > 0.04
    assert np.median(nearest) > 0.15
