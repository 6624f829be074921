from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.graph_sets import Links, assert_is_graph_of, in_links_of, links_of, small_link_lists

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable

NODES = 13


def graph_of(links: Links) -> Graph:
    pairs = np.array(links, np.int64).reshape(-1, 2)
    return Graph.from_edges(pairs[:, 0], pairs[:, 1], NODES)


@given(small_link_lists, st.permutations(range(NODES)), st.integers(0, NODES))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_a_subgraph_is_the_links_among_its_pages(links: Links, order: list[int], size: int) -> None:
    ids = order[:size]
    place = {old: new for new, old in enumerate(ids)}
    part = graph_of(links).subgraph(np.array(ids, np.int64))
    assert_is_graph_of(part, {(place[a], place[b]) for a, b in links if a in place and b in place}, nodes=size)
    assert part.original_ids is not None
    assert part.original_ids.tolist() == ids


def test_a_subgraph_by_mask_and_of_a_subgraph() -> None:
    graph = graph_of([(0, 5), (5, 7), (7, 0)])
    part = graph.subgraph(np.isin(np.arange(NODES), (5, 7)))
    assert links_of(part) == {(0, 1)}
    again = part.subgraph(np.array([1]))
    assert again.original_ids is not None
    assert again.original_ids.tolist() == [7]


@pytest.mark.parametrize("ids", [[0, 0], [-1], [NODES], [0.5]])
def test_pages_that_cannot_be_taken(ids: list[float]) -> None:
    with pytest.raises(ParameterError):
        graph_of([]).subgraph(np.array(ids))
    with pytest.raises(ParameterError):
        graph_of([]).subgraph(np.array([True]))


@given(small_link_lists)
@settings(max_examples=40, derandomize=True, deadline=None)
def test_reverse_and_symmetrised(links: Links) -> None:
    graph = graph_of(links)
    turned = {(b, a) for a, b in links}
    assert links_of(graph.reverse()) == turned
    assert in_links_of(graph.reverse()) == turned
    both = graph.symmetrised()
    assert_is_graph_of(both, set(links) | turned, nodes=NODES)
    assert in_links_of(both) == links_of(both)


@given(small_link_lists, st.randoms(use_true_random=False))
@settings(max_examples=40, derandomize=True, deadline=None)
def test_without_drops_the_marked_links(links: Links, random: object) -> None:
    graph = graph_of(links)
    order = sorted(set(links))
    dropped = np.array([random.random() < 0.5 for _ in order], np.bool_)  # type: ignore[attr-defined]
    kept = {pair for pair, gone in zip(order, dropped, strict=True) if not gone}
    assert_is_graph_of(graph.without(dropped), kept, nodes=NODES)


def test_without_wants_a_mask_or_a_name() -> None:
    graph = graph_of([(0, 1)])
    for links in ("navigation", np.array([True, False]), np.array([1])):
        with pytest.raises(ParameterError):
            graph.without(links)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="with URLs"):
        graph.without("navigational")


@pytest.fixture
def web() -> Graph:
    """Two hosts of one site, and another site; ids follow the reversed host."""
    table = UrlTable.from_urls(
        ["https://a.one.example/", "https://a.one.example/x", "https://b.one.example/", "https://two.example/"]
    )
    pages = {url: table.find(url) for url in table}
    first, second = pages["https://a.one.example/"], pages["https://a.one.example/x"]
    third, other = pages["https://b.one.example/"], pages["https://two.example/"]
    links = np.array([(first, second), (second, third), (third, other), (first, other), (other, other)])
    return Graph.from_edges(links[:, 0], links[:, 1], 4, urls=table)


def test_navigational_links_stay_within_a_site(web: Graph) -> None:
    urls = [str(url) for url in web.urls]
    across = {(urls[a], urls[b]) for a, b in links_of(web.without("navigational"))}
    assert across == {
        ("https://b.one.example/", "https://two.example/"),
        ("https://a.one.example/", "https://two.example/"),
    }
    assert int(web.navigational.sum()) == 3


def test_collapse_by_host_and_site_counts_links(web: Graph) -> None:
    def found(by: str) -> dict[tuple[str, str], int]:
        groups = web.collapse(by)
        names = groups.names
        pairs = sorted(links_of(groups.graph))
        assert [groups.graph.urls[i] for i in range(len(names))] == list(names)
        return {(names[a], names[b]): int(count) for (a, b), count in zip(pairs, groups.counts, strict=True)}

    one, two = "one.example", "two.example"
    assert found("site") == {(one, one): 2, (one, two): 2, (two, two): 1}
    assert found("host") == {
        (f"a.{one}", f"a.{one}"): 1,
        (f"a.{one}", f"b.{one}"): 1,
        (f"a.{one}", two): 1,
        (f"b.{one}", two): 1,
        (two, two): 1,
    }
    assert web.collapse("site").sizes.tolist() == [3, 1]


@given(small_link_lists, st.lists(st.integers(0, 4), min_size=NODES, max_size=NODES))
@settings(max_examples=40, derandomize=True, deadline=None)
def test_collapse_by_labels_counts_links(links: Links, labels: list[int]) -> None:
    groups = graph_of(links).collapse(np.array(labels))
    expected = Counter((labels[a], labels[b]) for a, b in set(links))
    assert groups.graph.nodes == max(labels) + 1
    assert dict(zip(sorted(links_of(groups.graph)), groups.counts.tolist(), strict=True)) == expected


@pytest.mark.parametrize("by", ["country", np.zeros(2, int), np.full(NODES, -1), np.zeros(NODES)])
def test_labels_that_are_none(by: object) -> None:
    with pytest.raises(ParameterError):
        graph_of([(0, 1)]).collapse(by)  # type: ignore[arg-type]


def test_selected_urls_see_through_the_table(web: Graph) -> None:
    part = web.subgraph(np.array([2, 0])).subgraph(np.array([1, 0]))
    assert list(part.urls) == [web.urls[0], web.urls[2]]
    assert len(part.urls) == 2
    assert part.urls.find(web.urls[2]) == 1
    assert part.urls.find("https://nowhere.example/") is None
    assert part.collapse("host").names == tuple(web.collapse("host").names[label] for label in (0, 1))
    assert web.subgraph(np.array([3])).collapse("site").names == ("two.example",)


@pytest.mark.parametrize("wrong", [None, 3, "abc", [[0]], [99], [-1], [0, 0]])
def test_what_is_no_list_of_pages_is_refused_by_name(wrong) -> None:
    with pytest.raises(ParameterError, match="ids ="):
        Graph.from_edges([0, 1], [1, 0]).subgraph(wrong)


@pytest.mark.parametrize("wrong", [None, "a", 2, -1, 0.5])
def test_what_is_no_page_is_refused_by_name(wrong) -> None:
    graph = Graph.from_edges([0, 1], [1, 0])
    for asked in (graph.successors, graph.predecessors):
        with pytest.raises(ParameterError, match=r"page = .*an id from 0 to 1"):
            asked(wrong)
