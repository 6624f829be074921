"""The knowledge base: how a core grows, what is kept, merged and named."""

from __future__ import annotations

import numpy as np
import pytest
from tests.communities.webs import demonstration

from periplus.communities import knowledge
from periplus.communities.knowing.base import ROLES, community, search
from periplus.graph.graph import Graph
from periplus.rank.methods.terms import term_matrix


def web(links: list[tuple[int, int]], nodes: int) -> Graph:
    return Graph.from_edges(*np.array(links).T, nodes)


def core(fans: range, centres: range) -> list[tuple[int, int]]:
    return [(fan, centre) for fan in fans for centre in centres]


def test_a_core_grows_by_what_its_fans_link_to_and_who_links_to_two_centres() -> None:
    links = [*core(range(3), range(3, 6)), (0, 6), (7, 3), (7, 4), (8, 3), (4, 9), (10, 0), (10, 1)]
    graph = web(links, 11)
    grown = community(graph, np.arange(3, dtype=np.uint32), np.arange(3, 6, dtype=np.uint32))
    # 6 is a successor of a fan; 7 links to two centres. Not: 8 links to one, 9 follows a centre, 10 links to two fans.
    assert grown.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_communities_are_named_found_and_lead_back_to_their_pages() -> None:
    links = [*core(range(4), range(4, 8)), *core(range(8, 12), range(12, 16))]
    texts = ["wind mill", "wind", "wind farm", "farm", "wind power", "power", "wind", "mill", *["bread"] * 8, "other"]
    found = knowledge(web(links, 17), words=term_matrix(texts))
    assert len(found) == 2
    assert [group.name.split(" · ")[0] for group in found] == ["wind", "bread"]
    assert found[0].parts["authorities"].tolist() == [4, 5, 6, 7]
    assert sorted(found[1].parts["hubs"].tolist()) == [8, 9, 10, 11]
    assert found[0].facts["sources"]["wind"] == [0, 1, 2, 4, 6]
    assert search(found, "wind power") == [0]
    assert search(found, "bread wind") == [0, 1]
    assert search(found, "br") == [1]
    assert search(found, "cheese") == search(found, "  ") == []
    assert set(ROLES) == set(found[0].parts)


def test_communities_that_are_nearly_the_same_are_merged() -> None:
    """Six fans of six pages, and three more fans of three of these pages and three others."""
    links = [*core(range(6), range(6, 12)), *core(range(12, 15), range(9, 12))]
    links += core(range(12, 15), range(15, 18))
    found = knowledge(web(links, 18))
    assert found.extra["cores"] == len(found) + found.extra["merged"]
    kept = [set(group.parts["authorities"].tolist()) | set(group.parts["hubs"].tolist()) for group in found]
    for at, one in enumerate(kept):
        for other in kept[:at]:
            assert 2 * len(one & other) < min(len(one), len(other))


def test_the_demonstration_web_s_communities_are_of_one_subject() -> None:
    graph, classes, titles = demonstration()
    found = knowledge(graph, words=term_matrix(titles))
    assert len(found) >= 5
    pure = []
    for group in found:
        known = classes[np.concatenate([group.parts["fans"], group.parts["centres"]])]
        known = known[known >= 0]
        if len(known):
            pure.append(np.bincount(known).max() / len(known))
    assert np.mean(pure) > 0.9


@pytest.mark.parametrize("nodes", [0, 1, 5])
def test_webs_without_cores(nodes: int) -> None:
    assert len(knowledge(Graph.from_edges([], [], nodes))) == 0
