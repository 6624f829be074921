"""Communities and the tree as people ask for them: against every page and link looked at by itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.webs.composed import composed, html, link
from tests.webs.subjects import HIDDEN, SUBJECTS, centres, fans, subjects_web

from periplus.communities import Tree
from periplus.communities.hierarchy.names import LEAD
from periplus.errors import InputError, MissingStageError, ParameterError, QueryError, UnknownPageError
from periplus.graph import Graph
from periplus.library import (
    TABLES,
    Library,
    around,
    branch_facts,
    communities_about,
    communities_of_page,
    community_rows,
    community_view,
    graph_of_pages,
    node_view,
    nodes_about,
    open_library,
    pages_table,
    path_of_page,
    subjects_of,
    top_branches,
)
from periplus.library import drawn as module
from periplus.library.around import LEAST_LINKS, falls_of
from periplus.library.branches import best_under, branch_of
from periplus.library.memberships import Memberships
from periplus.library.portrait import page_facts
from periplus.web.url import site_of


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return subjects_web(tmp_path_factory.mktemp("subjects"))


@pytest.fixture(scope="module")
def found(library: Library) -> Memberships:
    assert library.memberships is not None
    return library.memberships


def subject_of(library: Library, node: int) -> str:
    return next(name for name in SUBJECTS if f"//{name}" in library.graph.urls[node])


def test_all_pages_of_a_community_are_found_again(library: Library, found: Memberships) -> None:
    assert len(found.base) == len(SUBJECTS)
    for number, group in enumerate(found.base):
        subject = subject_of(library, int(group.parts["fans"][0]))
        assert {library.graph.urls[page] for page in group.parts["centres"].tolist()} == set(centres(subject))
        assert {library.graph.urls[page] for page in group.parts["fans"].tolist()} <= set(fans(subject))
        assert len(found.members(number)) == group.facts["size"]
        assert set(group.pages.tolist()) <= set(found.members(number).tolist())


def test_of_page_is_the_members_turned_round(library: Library, found: Memberships) -> None:
    members = [set(found.members(number).tolist()) for number in range(len(found.base))]
    for page in range(library.graph.nodes):
        assert found.of_page(page) == [number for number, pages in enumerate(members) if page in pages]
    roles = communities_of_page(library, int(found.base[0].parts["authorities"][0]))
    assert (roles[0].number, "authorities" in roles[0].roles) == (0, True)


def test_communities_about_words(library: Library, found: Memberships) -> None:
    for subject in SUBJECTS:
        asked = communities_about(library, f"the {subject.upper()}s!")
        assert [subject in found.base[number].name for number in asked] == [True]
        assert all(subject in branch.name for branch, _ in nodes_about(library, subject))
        assert nodes_about(library, subject)
    assert communities_about(library, "zither") == nodes_about(library, "zither") == []
    assert communities_about(library) == communities_about(library, " ") == [0, 1, 2]
    assert len(communities_about(library, "whale bread")) == 2
    assert found.communities_about("whale bread", every=True) == []


def test_a_community_tells_its_pages_and_where_its_words_stand(library: Library) -> None:
    (number,) = communities_about(library, "whale")
    view, row = community_view(library, number), community_rows(library, [number], best=2)[0]
    assert (row.name, row.size) == (view.name, view.size)
    assert row.authorities == view.authorities[:2]
    assert {page.url for page in view.centres} == set(centres("whale"))
    for word in view.words:
        assert word.pages
        for page in word.pages:
            said = [text for _, text in library.anchors_of(page.node)] + [page.title]
            said.append((library.stored_text(page.url) or "")[:LEAD])  # a page is called so, or says so at its start
            assert word.text in " ".join(said).lower()
    with pytest.raises(UnknownPageError, match="numbered from 0 to 2"):
        community_view(library, 3)


def test_the_tree_can_be_walked(library: Library, found: Memberships) -> None:
    tree, seen = found.tree, []
    for node in range(len(tree.parents)):
        view = node_view(library, node)
        assert [one.number for one in view.branch.below] == tree.children[node]
        assert [one.number for one in view.path] == tree.path(node)[:-1]
        if view.branch.below:
            assert sum(one.size for one in view.branch.below) == view.size
        else:
            seen += best_under(library, node).tolist()
        assert tree.below(node) == sum(node in tree.path(other) for other in range(len(tree.parents)))
    assert sorted(seen) == list(range(library.graph.nodes))
    with pytest.raises(UnknownPageError, match="no node 9999"):
        node_view(library, 9999)


def grown_by_hand() -> Tree:
    """Three branches: two of two leaves each, and a leaf; a page a leaf, but two in the last."""
    parents = np.array([-1, 0, 1, 1, 0, 4, 4, 0])
    return Tree("tree", np.array([2, 3, 5, 6, 7, 7]), [f"n{node}" for node in range(8)], extra={"parents": parents})


def test_of_a_large_tree_only_whole_levels_are_shown() -> None:
    tree = grown_by_hand()
    whole, first, cut = (branch_of(tree, 0, most=most) for most in (7, 6, 2))
    assert [[one.number for one in branch.below] for branch in whole.below] == [[2, 3], [5, 6], []]
    assert [(one.number, one.size, one.cut) for one in first.below] == [(1, 2, 2), (4, 2, 2), (7, 2, 0)]
    assert ([one.number for one in cut.below], cut.cut) == ([1, 4], 1)


def test_results_fall_into_the_branches_below_what_holds_nearly_all_of_them() -> None:
    tree = grown_by_hand()

    def fell(*pages: int) -> list[tuple[int, int]]:
        found = falls_of(tree, np.array(pages, np.int64))
        assert all(found.under.number in tree.path(one.branch.number)[:-1] for one in found.branches)
        return [(one.branch.number, one.count) for one in found.branches]

    assert fell(0, 2, 3, 4) == [(4, 2), (1, 1), (7, 1)]
    assert fell(2, 3, 3) == [(6, 2), (5, 1)]  # all below node 4
    assert fell(4, 5) == [(7, 2)]
    assert fell() == []


def test_a_node_s_words_lead_to_its_own_pages(library: Library, found: Memberships) -> None:
    worded = 0
    for node in range(1, len(found.tree.parents)):
        for word in node_view(library, node).words:
            worded += 1
            for page in word.pages:
                assert page.node in found.tree.pages_of(node)
                said = [text for _, text in library.anchors_of(page.node)] + [page.title]
                assert word.text in " ".join(said).lower()
            titled = [library.told[page].title.lower() for page in found.tree.pages_of(node).tolist()]
            assert word.total >= sum(word.text in title.split() for title in titled) >= 0
            assert len(word.pages) == min(word.total, 5)
    assert worded


def test_subjects_are_those_that_were_planted(library: Library) -> None:
    subjects, tops = subjects_of(library), top_branches(library)
    assert [one.number for one in tops[:3]] == [one.number for one in subjects]
    assert sum(one.size for one in tops) == library.graph.nodes
    for one in subjects:
        assert one.first is not None
        assert subject_of(library, one.first.node) in one.name
    page = library.graph.urls.find(fans("whale")[0])
    assert "whale" in path_of_page(library, page)[0].name


# -- queries -------------------------------------------------------------------------------------------------


def pages_found(library: Library, query: str) -> set[int]:
    return {one.node for one in library.searcher.search(query, size=1000, all_pages=True).results}


def test_queries_keep_to_communities_and_branches(library: Library, found: Memberships) -> None:
    everything = set(range(library.graph.nodes))
    for number in range(len(found.base)):
        assert pages_found(library, f"community:{number}") == set(found.members(number).tolist())
    for node in (1, 2, len(found.tree.parents) - 1):
        below = set(found.tree.pages_of(node).tolist())
        assert pages_found(library, f"tree:{node}") == below
        assert pages_found(library, f"-tree:{node} tree:0") == everything - below
        assert pages_found(library, f"number tree:{node}") == below & pages_found(library, "number")
    either = set(found.tree.pages_of(1).tolist()) | set(found.tree.pages_of(2).tolist())
    assert pages_found(library, "tree:1 OR tree:2") == either
    assert pages_found(library, "community:whale") == {
        page for page in everything if subject_of(library, page) == "whale"
    }
    assert pages_found(library, 'community:"whale bread"') == set()
    nothing = library.searcher.search("community:zither")
    assert (nothing.total, nothing.notes) == (0, ("no community is about “zither”",))
    assert "the community you named" in library.searcher.search("community:0").results[-1].why


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("community:3", "no community 3: they are numbered from 0 to 2"),
        ("community:" + "9" * 60, "no community"),
        ("tree:99", "no node 99"),
    ],
)
def test_queries_that_name_no_community_are_refused(library: Library, query: str, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        library.searcher.search(query)


# -- around results ------------------------------------------------------------------------------------------


def test_hubs_and_branches_of_results(library: Library, found: Memberships) -> None:
    results = library.searcher.search("whale", size=1, facts=True)
    near, graph = around(library, results.best, "whale"), library.graph
    best = results.best[: near.looked_at]
    linked = Counter(
        int(source)
        for node in best
        for source in graph.predecessors(node)
        if site_of(graph.urls[int(source)]) != site_of(graph.urls[node])
    )
    assert near.hubs
    assert len({site_of(hub.page.url) for hub in near.hubs}) == len(near.hubs)
    for hub in near.hubs:
        assert hub.links == linked[hub.page.node] >= LEAST_LINKS
    worth = {page: count - graph.out_degrees[page] * len(best) / graph.nodes for page, count in linked.items()}
    assert near.hubs[0].page.node == min(worth, key=lambda page: (-worth[page], page))
    leaves = found.tree.labels[list(results.best)]
    assert near.falls is not None
    for fall in near.falls.branches:
        assert fall.count == sum(fall.branch.number in found.tree.path(leaf) for leaf in leaves.tolist())
    counts = [fall.count for fall in near.falls.branches]
    assert counts == sorted(counts, reverse=True)
    assert all("whale" in name for _, name, _ in near.named)
    nothing = around(library, ())
    assert nothing.hubs == ()
    assert nothing.falls is not None
    assert nothing.falls.branches == ()


# -- as data -------------------------------------------------------------------------------------------------


def test_tables_and_facts_agree(library: Library, found: Memberships) -> None:
    made = pages_table(library)
    rows = [dict(zip(made.columns, row, strict=True)) for row in made.rows()]
    for page, row in enumerate(rows):
        path = path_of_page(library, page)
        assert row["subject"] == path[0].name
        assert row["tree"] == " › ".join(step.name for step in path)
        assert row["communities"] == ("; ".join(found.base[one].name for one in found.of_page(page)) or None)
        told = page_facts(library, row["url"])
        assert [step["id"] for step in told["tree"]] == [step.number for step in path]
        assert sorted(one["id"] for one in told["communities"]) == found.of_page(page)
    nodes = list(TABLES["tree"](library).rows())
    assert [row[0] for row in nodes] == list(range(len(found.tree.parents)))
    below = branch_facts(library, 0, depth=9)["nodes"]
    assert [one["id"] for one in below] == list(range(1, len(nodes)))
    assert [row[1] for row in TABLES["communities"](library).rows()] == [group.name for group in found.base]
    with pytest.raises(InputError, match="keeps no communities"):
        TABLES["tree"](Graph.from_edges([0], [1]))


def test_a_graph_to_draw(library: Library, found: Memberships, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = found.members(0)
    graph = graph_of_pages(library, pages[::-1])
    assert [graph.urls[node] for node in range(graph.nodes)] == [library.graph.urls[page] for page in pages.tolist()]
    inside = set(pages.tolist())
    assert graph.links == sum(int(to) in inside for page in inside for to in library.graph.successors(page))
    assert {"title", "site", "pagerank", "subject", "tree", "communities"} <= set(graph.node_attributes)
    monkeypatch.setattr(module, "MOST_DRAWN", 3)
    with pytest.raises(ParameterError, match="periplus graph convert"):
        graph_of_pages(library, pages)


# -- who may see what, and what is not there -----------------------------------------------------------------


def test_the_public_sees_no_page_that_asks_not_to_be_indexed(library: Library, found: Memberships) -> None:
    public = open_library(library.collection.path, public=True)
    hidden = public.graph.urls.find(HIDDEN)
    assert public.searcher.hidden == {hidden}
    assert library.searcher.hidden == frozenset()
    leaf = int(found.tree.labels[hidden])
    assert hidden in best_under(library, leaf)
    assert hidden not in best_under(public, leaf)
    for number in communities_about(public):
        assert hidden not in {page.node for word in community_view(public, number).words for page in word.pages}
    assert graph_of_pages(public, found.tree.pages_of(leaf)).urls.find(HIDDEN) is None
    assert graph_of_pages(library, found.tree.pages_of(leaf)).urls.find(HIDDEN) is not None


def test_a_collection_without_communities_says_which_command_finds_them(tmp_path: Path) -> None:
    library = open_library(composed(tmp_path / "one.web", {"http://a.example/": html("One.", title="One")}).path)
    library._parts.clear()
    made = library.collection.current("communities")
    for path in sorted(made.rglob("*")):
        path.unlink()
    made.rmdir()
    bare = open_library(library.collection.path)
    assert bare.memberships is None
    assert path_of_page(bare, 0) == () == subjects_of(bare)
    assert page_facts(bare, "http://a.example/")["tree"] == []
    with pytest.raises(MissingStageError, match="periplus build"):
        node_view(bare)
    with pytest.raises(QueryError, match="periplus build"):
        bare.searcher.search("community:x")
    assert around(bare, (0,)).falls is None


def test_a_collection_of_one_page_has_a_tree_of_one_node(tmp_path: Path) -> None:
    answers = {"http://a.example/": html("One.", link("http://a.example/"), title="One")}
    library = open_library(composed(tmp_path / "one.web", answers).path)
    view = node_view(library)
    assert (view.size, view.branch.below, view.words) == (1, (), ())
    assert subjects_of(library) == path_of_page(library, 0) == ()
    assert communities_about(library) == []
    assert np.array_equal(library.pages_among("tree", "0"), [0])
