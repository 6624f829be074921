"""The tree: planted hierarchies, real categories, its shape, its names, and webs that it must survive."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from tests.communities.webs import blocks, demonstration, wikispeedia

from periplus.communities import Tree, adjusted_mutual_information, dendrogram_purity, likeness, tree
from periplus.communities.hierarchy.grow import FEWEST, MOST, READABLE, join
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.rank.methods.terms import term_matrix


def assert_sound(found: Tree) -> None:
    """A tree: parents before children, everything below a node side by side, sizes that add up."""
    assert found.parents[0] == -1
    assert np.all(found.parents[1:] < np.arange(1, len(found.parents)))
    assert found.node_sizes[0] == len(found)
    ways = [set(found.path(node)) for node in range(len(found.parents))]
    for node, children in enumerate(found.children):
        if children:
            assert sum(found.node_sizes[child] for child in children) == found.node_sizes[node]
            assert children[0] == node + 1
            assert len({found.name(child) for child in children}) == len(children)
            assert len(children) > 1
            assert all(found.name(child) for child in children)
        assert found.path(node)[0] == 0
        below = [p for p, leaf in enumerate(found.labels.tolist()) if node in ways[leaf]]
        assert np.array_equal(found.pages_of(node), below)
    leaves = {int(leaf) for leaf in found.labels}
    assert all(not found.children[leaf] for leaf in leaves)
    assert all(found.node_sizes > 0)


def test_a_planted_hierarchy_comes_back() -> None:
    graph = blocks(6, 6, 25, links=(8, 3, 1))
    found = tree(graph)
    assert_sound(found)
    sub, whole = np.arange(900) // 25, np.arange(900) // 150
    levels = list(found.levels())
    assert max(adjusted_mutual_information(sub, level) for level in [*levels, found.extra["flat"]]) > 0.95
    assert max(adjusted_mutual_information(whole, level) for level in levels) > 0.8
    assert dendrogram_purity(found, sub) > 0.9
    inner = [len(children) for children in found.children if children]
    assert np.mean([FEWEST <= count <= MOST for count in inner]) >= 0.8


def test_the_demonstration_web_is_its_eight_subjects() -> None:
    graph, classes, titles = demonstration()
    found = tree(graph, words=term_matrix(titles))
    assert_sound(found)
    top = next(iter(found.levels()))
    large = [node for node in found.children[0] if found.node_sizes[node] > 100]
    assert len(large) == 8
    agree = [np.bincount(classes[(top == node) & (classes >= 0)]).max() / found.node_sizes[node] for node in large]
    assert min(agree) > 0.9
    names = " ".join(found.name(node) for node in large)
    assert all(word in names for word in ("bread", "bridge", "stars", "queen", "tides")), names


def test_wikispeedia_against_its_categories() -> None:
    """Bars: flat agreement .50 with 127 categories and .325 with 15; dendrogram purity .30."""
    graph, _, fine, top = wikispeedia()
    flat = likeness(graph)
    assert adjusted_mutual_information(fine, flat.labels) >= 0.50
    assert adjusted_mutual_information(top, flat.labels) >= 0.325
    found = tree(graph)
    assert np.array_equal(found.extra["flat"], flat.labels)
    assert dendrogram_purity(found, fine) >= 0.30
    inner = np.array([len(children) for children in found.children if children])
    assert 5 <= inner.mean() <= 8
    assert np.mean((inner >= FEWEST) & (inner <= MOST)) > 0.9
    assert np.bincount(found.labels).max() <= READABLE
    again = likeness(graph, seed=1)
    assert adjusted_mutual_information(flat.labels, again.labels) > 0.75


def test_stored_and_read_back(tmp_path) -> None:
    graph, _, titles = demonstration()
    found = tree(graph, words=term_matrix(titles))
    found.save(tmp_path)
    again = Tree.load(tmp_path, "tree", urls=graph.urls)
    assert again == found
    assert again.as_tree() == found.as_tree()
    told = json.loads(json.dumps(found.as_tree()))
    assert {"id", "parent", "label", "size"} <= set(told["nodes"][0])
    assert told["nodes"][0]["parent"] is None
    assert len(told["leaf_of"]) == graph.nodes
    assert again.path_of(graph.urls[7]) == found.path_of(7)


def test_best_pages_and_density() -> None:
    graph = blocks(3, 5, 30, links=(8, 2, 1), seed=2)
    found = tree(graph)
    for node in (0, 1, int(found.labels[40])):
        pages = found.pages_of(node)
        inside = graph.subgraph(pages)
        counts = inside.in_degrees - np.array([inside.has_edge(p, p) for p in range(inside.nodes)])
        told = found.node(node)
        links = counts.sum()
        assert told["density"] == pytest.approx(links / (len(pages) * (len(pages) - 1)), abs=1e-6)
        best = pages[np.lexsort((pages, -counts))][:3].tolist()
        assert told["authorities"] == best
        assert len(told["hubs"]) == 3


def star(leaves: int) -> Graph:
    return Graph.from_edges(np.arange(1, leaves + 1), np.zeros(leaves, np.int64), leaves + 1)


@pytest.mark.parametrize("graph", [Graph.from_edges([], [], 1), Graph.from_edges([], [], 100), star(20), star(100_000)])
def test_webs_that_do_not_come_apart(graph: Graph) -> None:
    found = tree(graph)
    assert found.node_sizes[0] == graph.nodes
    assert len(found.parents) < 20
    assert found.name(0) == "all pages"


def test_an_empty_web() -> None:
    assert len(tree(Graph.from_edges([], [], 0))) == 0
    assert len(likeness(Graph.from_edges([], [], 0))) == 0


def test_crumbs_are_gathered_elsewhere() -> None:
    """Two hundred pairs beside a web that comes apart: one node, not two hundred."""
    web = blocks(4, 4, 25, links=(8, 3, 1), seed=1)
    sources = np.repeat(np.arange(web.nodes), web.out_degrees)
    pairs = web.nodes + 2 * np.arange(200)
    ends = np.concatenate([sources, pairs]), np.concatenate([web.out_targets, pairs + 1])
    found = tree(Graph.from_edges(*ends, web.nodes + 405))
    assert_sound(found)
    gathered = [node for node in range(len(found.parents)) if found.name(node) == "elsewhere"]
    assert len(gathered) == 1
    assert found.node_sizes[gathered[0]] == 405
    assert len(found.children[0]) <= MOST + 1


def test_one_giant_community_is_divided_or_left_whole() -> None:
    clique = [(a, b) for a in range(60) for b in range(60) if a != b]
    found = tree(Graph.from_edges(*np.array(clique).T, 60))
    assert_sound(found)
    copies = np.repeat(np.arange(3000), 5), np.tile(np.arange(3000, 3005), 3000)
    found = tree(Graph.from_edges(*copies, 3005))
    assert found.node_sizes[0] == 3005


def test_names_fall_back_on_urls_and_then_on_numbers() -> None:
    graph = blocks(3, 5, 30, links=(8, 2, 1), seed=2)
    subjects = ["tides", "bread", "bees"]
    urls = UrlTable.from_urls([f"http://a.example/{page:04}/{subjects[page // 150]}" for page in range(450)])
    named = tree(Graph.from_edges(np.repeat(np.arange(450), graph.out_degrees), graph.out_targets, 450, urls=urls))
    tops = {named.name(node) for node in named.children[0]}
    assert any("tides" in name for name in tops)
    bare = tree(graph)
    assert_sound(bare)
    assert all(bare.name(node).startswith("group") for node in bare.children[0])


def test_the_seed_decides() -> None:
    graph = blocks(4, 4, 25, links=(6, 3, 2), seed=1)
    assert tree(graph, seed=3) == tree(graph, seed=3)


def test_joining_is_average_linkage() -> None:
    rng = np.random.default_rng(1)
    weights = rng.random((12, 12))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    sizes = weights.sum(axis=0)
    pairs, heights = join(weights, sizes)
    assert all(a <= b + 1e-9 for a, b in pairwise(heights))
    groups = {at: [at] for at in range(12)}
    for step, (first, second) in enumerate(pairs.tolist()):
        ties = {
            (a, b): weights[np.ix_(groups[a], groups[b])].sum() / (sizes[groups[a]].sum() * sizes[groups[b]].sum())
            for a in groups
            for b in groups
            if a < b
        }
        assert ties[min(first, second), max(first, second)] == pytest.approx(max(ties.values()))
        groups[12 + step] = groups.pop(first) + groups.pop(second)
