"""Mixing between groups against networkx, and chance against links that are really joined at random."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path

from periplus.errors import ParameterError
from periplus.graph import Graph, read_graph
from periplus.graph.convert import to_networkx
from periplus.record import PageLabels
from periplus.structure import group_mixing


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1),
    st.lists(st.integers(0, 3), min_size=10, max_size=10),
)
def test_networkx_says_the_same(links: list[tuple[int, int]], labels: list[int]) -> None:
    graph = Graph.from_edges([a for a, _ in links], [b for _, b in links], 10)
    other = to_networkx(graph)
    nx.set_node_attributes(other, dict(enumerate(labels)), "camp")
    found = group_mixing(graph, np.array(labels))
    present = range(max(labels) + 1)
    matrix = nx.attribute_mixing_matrix(other, "camp", mapping={camp: camp for camp in present}, normalized=False)
    assert np.array_equal(found.links, matrix)
    shares = matrix / matrix.sum()
    if (shares.sum(axis=1) @ shares.sum(axis=0)) < 1 - 1e-12:
        assert found.assortativity == pytest.approx(nx.attribute_assortativity_coefficient(other, "camp"), abs=1e-12)
    assert found.inside == pytest.approx(np.trace(matrix) / matrix.sum())
    assert found.expected == pytest.approx(np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / matrix.sum())


@pytest.mark.parametrize("undirected", [False, True])
def test_chance_is_what_joining_at_random_gives(undirected: bool) -> None:
    """Mean and spread of the share inside, over 4,000 random joinings of the ends of all links."""
    draw = np.random.default_rng(5)
    graph = Graph.from_edges(draw.integers(0, 60, 300), draw.integers(0, 60, 300) // 2, 60)
    if undirected:
        graph = graph.without(graph.sources == graph.out_targets).symmetrised()
    labels = draw.integers(0, 3, 60) * draw.integers(0, 2, 60)
    found = group_mixing(graph, labels)
    assert found.undirected == undirected
    sources, targets = labels[graph.sources], labels[graph.out_targets]
    shares = []
    for _ in range(4000):
        if undirected:
            ends = draw.permutation(sources)
            shares.append((ends[::2] == ends[1::2]).mean())
        else:
            shares.append((sources == draw.permutation(targets)).mean())
    low, high = found.inside_interval
    assert found.inside_by_chance == pytest.approx(np.mean(shares), abs=4 * np.std(shares) / math.sqrt(4000))
    assert (high - low) / (2 * 1.96) == pytest.approx(np.std(shares), rel=0.05)
    assert found.assortativity_interval[1] / 1.96 == pytest.approx(
        (high - low) / 3.92 / (1 - _by_margins(found)), rel=1e-9
    )


def _by_margins(found) -> float:
    return float((found.links.sum(axis=1) * found.links.sum(axis=0)).sum()) / found.links.sum() ** 2


def test_political_blogs_keep_to_their_camp() -> None:
    """About 91 % of links stay within a camp (Adamic and Glance 2005, figure 1); chance would give a half."""
    graph = read_graph(data_path("polblogs") / "polblogs.gml.xz")
    labels, names = graph.node_attributes["value"].groups()
    found = group_mixing(graph, labels, names=names)
    assert found.groups == ("0", "1")
    assert found.inside == pytest.approx(0.91, abs=0.005)
    assert found.inside_by_chance == pytest.approx(0.5, abs=0.01)
    assert found.assortativity == pytest.approx(0.823, abs=0.001)
    assert found.assortativity_interval[1] < 0.02
    assert [row[0] for row in found.rows()] == ["0", "1"]


def test_many_groups_are_gathered_and_the_figures_stay() -> None:
    draw = np.random.default_rng(1)
    graph = Graph.from_edges(draw.integers(0, 200_000, 300_000), draw.integers(0, 200_000, 300_000), 200_000)
    labels = np.where(np.arange(200_000) < 1000, 0, np.arange(200_000) // 2)
    found = group_mixing(graph, labels, most=5)
    assert found.groups[-1] == "(others)"
    assert (len(found.groups), found.all_groups) == (5, 100_000)
    assert found.links.sum() == graph.links
    assert found.pages.sum() == graph.nodes
    assert found.inside == pytest.approx((labels[graph.sources] == labels[graph.out_targets]).mean())


def test_pages_of_no_group_are_left_out_and_counted() -> None:
    graph = Graph.from_edges([0, 1, 2, 3, 3], [1, 0, 0, 3, 2], 4)
    found = group_mixing(graph, PageLabels("given", np.array([0, 0, -1, 1]), ["a", "b"]))
    assert (found.pages_in_none, found.links_in_none, found.self_links) == (1, 2, 1)
    assert found.links.tolist() == [[2, 0], [0, 1]]
    assert found.groups == ("a", "b")
    assert found.columns()["share_of_source"] == [1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("labels", [np.zeros(3), np.zeros(2, int), np.zeros((4, 1), int)])
def test_labels_that_are_none(labels: np.ndarray) -> None:
    with pytest.raises(ParameterError, match="one whole number for each of 3 pages"):
        group_mixing(Graph.from_edges([0], [1], 3), labels)


def test_a_graph_without_links_and_one_group() -> None:
    assert math.isnan(group_mixing(Graph.from_edges([], [], 2), np.array([0, 1])).assortativity)
    assert math.isnan(group_mixing(Graph.from_edges([0, 1], [1, 0], 2), np.array([0, 0])).assortativity)
    with pytest.raises(ParameterError, match="most"):
        group_mixing(Graph.from_edges([0], [1], 2), np.array([0, 1]), most=0)
