"""The link database: which capture counts, where redirects end, what is kept of each link."""

from __future__ import annotations

import pytest

from periplus.pages.parsed import ParsedCapture
from periplus.pipeline.stages.graph import LinkDatabase, Newest, link_database
from periplus.web.link import Link
from periplus.web.page import Document

A, B, C, D = (f"http://{name}.example/" for name in "abcd")


def page(
    url: str, *links: tuple[str, str] | tuple[str, str, str], when: str = "1", digest: str = "", **more
) -> ParsedCapture:
    made = tuple(Link(url, target, text, frozenset(rel)) for target, text, *rel in links)
    document = Document(url=url, links=made, **more)
    return ParsedCapture(url, 200, when, digest or url, document=document)


def redirect(url: str, target: str, when: str = "1") -> ParsedCapture:
    return ParsedCapture(url, 301, when, "", redirect=target)


def database(*captures: ParsedCapture) -> tuple[LinkDatabase, Newest]:
    newest = Newest(captures)
    return link_database(lambda: captures, newest), newest


def edges(made: LinkDatabase) -> set[tuple[str, str]]:
    graph = made.graph
    return {
        (graph.urls[source], graph.urls[int(target)])
        for source in range(graph.nodes)
        for target in graph.successors(source)
    }


def test_links_between_stored_pages_only_self_links_kept() -> None:
    made, _ = database(page(A, (B, "b"), (A, "me"), ("http://elsewhere.example/", "x")), page(B))
    assert edges(made) == {(A, B), (A, A)}
    assert made.links_out == 1


def test_a_link_to_a_redirect_counts_for_the_page_where_it_ends() -> None:
    made, _ = database(page(A, (C, "old name")), redirect(C, D), redirect(D, B), page(B))
    assert edges(made) == {(A, B)}
    ids = {made.graph.urls[i]: i for i in range(made.graph.nodes)}
    assert list(made.anchors.of_page(ids[B])) == [(ids[A], "old name")]


def test_redirects_in_a_circle_lead_nowhere() -> None:
    made, _ = database(page(A, (C, "x")), redirect(C, D), redirect(D, C))
    assert edges(made) == set()
    assert made.links_out == 1


def test_the_newest_capture_counts() -> None:
    made, _ = database(page(A, (B, "old"), when="1"), page(B), page(C), page(A, (C, "new"), when="2"))
    assert edges(made) == {(A, C)}


def test_an_older_capture_read_later_does_not_count() -> None:
    made, _ = database(page(A, (C, "new"), when="2"), page(B), page(C), page(A, (B, "old"), when="1"))
    assert edges(made) == {(A, C)}


def test_a_page_that_is_gone_is_no_node_but_a_failing_server_does_not_unmake_it() -> None:
    made, _ = database(page(A, (B, "b")), page(B), ParsedCapture(B, 404, "2", ""), ParsedCapture(A, 503, "2", ""))
    assert [made.graph.urls[i] for i in range(made.graph.nodes)] == [A]


def test_anchor_texts_are_kept_once_a_link_and_following_needs_one_plain_anchor() -> None:
    made, _ = database(page(A, (B, "bee"), (B, "bee"), (B, "honey", "nofollow"), (C, "sea", "ugc")), page(B), page(C))
    ids = {made.graph.urls[i]: i for i in range(made.graph.nodes)}
    assert sorted(text for _, text in made.anchors.of_page(ids[B])) == ["bee", "honey"]
    followed = {
        made.graph.urls[int(t)]: bool(f) for t, f in zip(made.graph.out_targets, made.anchors.followed, strict=True)
    }
    assert followed == {B: True, C: False}


def test_the_place_of_a_link_is_that_of_its_first_anchor_links_to_elsewhere_count() -> None:
    out = "http://elsewhere.example/"
    made, _ = database(
        page(A, (D, "d"), (out, "x"), (B, "b"), (C, "c"), (B, "again")), page(B), page(C, (A, "a")), page(D)
    )
    graph = made.graph
    placed = {
        (graph.urls[source], graph.urls[int(graph.out_targets[link])]): int(made.anchors.positions[link])
        for source in range(graph.nodes)
        for link in range(graph.out_offsets[source], graph.out_offsets[source + 1])
    }
    assert placed == {(A, D): 0, (A, B): 2, (A, C): 3, (C, A): 0}


def test_a_page_that_says_nofollow_recommends_nothing() -> None:
    made, _ = database(page(A, (B, "b"), nofollow=True), page(B))
    assert not made.anchors.followed.any()


def test_of_pages_with_one_content_the_better_linked_stands_for_all() -> None:
    made, newest = database(page(A, (D, "x")), page(B, (D, "y")), page(C, digest="same"), page(D, digest="same"))
    stands = {newest.urls[i]: newest.urls[int(r)] for i, r in enumerate(made.representatives)}
    assert stands == {A: A, B: B, C: D, D: D}


SITE = "http://otters.example/"


@pytest.mark.parametrize(
    ("captures", "kept"),
    [
        # A newer copy that nobody links to comes first in URL order: the one that the site links to is kept.
        (
            [
                page(SITE, (SITE + "z", "otter guide")),
                page(SITE + "a", digest="x", when="2"),
                page(SITE + "z", digest="x"),
            ],
            "z",
        ),
        # In-links from other sites count before more in-links from the own site.
        (
            [
                page(SITE, (SITE + "a", "1")),
                page(SITE + "more", (SITE + "a", "2")),
                page(A, (SITE + "z", "elsewhere")),
                page(SITE + "a", digest="x"),
                page(SITE + "z", digest="x"),
            ],
            "z",
        ),
        # No links: the shortest URL; of two as short, the one fetched first.
        ([page(SITE + "aa", digest="x"), page(SITE + "z", digest="x")], "z"),
        ([page(SITE + "a", digest="x", when="2"), page(SITE + "z", digest="x", when="1")], "z"),
        # Copies that link to each other do not vote for one another.
        ([page(SITE + "a", (SITE + "b", "next"), digest="x"), page(SITE + "b", digest="x", when="2")], "a"),
    ],
)  # fmt: skip
def test_which_copy_stands_for_all(captures: list[ParsedCapture], kept: str) -> None:
    made, newest = database(*captures)
    copies = [page for page, digest in enumerate(newest.digests) if digest == "x"]
    assert {newest.urls[int(made.representatives[page])] for page in copies} == {SITE + kept}
    assert sorted(made.copies(copies[0])) == copies


def test_saved_and_opened_it_is_the_same(tmp_path) -> None:
    made, _ = database(page(A, (B, "ünïcode ⛵"), (B, ""), (C, "c")), page(B, (A, "back")), page(C))
    folder = tmp_path / "graph"
    folder.mkdir()
    made.save(folder)
    again = LinkDatabase.open(folder)
    assert edges(again) == edges(made)
    assert again.graph.digest == made.graph.digest
    assert again.anchors.positions.tolist() == made.anchors.positions.tolist()
    for node in range(made.graph.nodes):
        assert list(again.anchors.of_page(node)) == list(made.anchors.of_page(node))


@pytest.mark.parametrize("captures", [[], [redirect(A, B)], [ParsedCapture(A, 404, "1", "")]])
def test_nothing_stored_is_an_empty_graph(captures: list[ParsedCapture]) -> None:
    made, _ = database(*captures)
    assert made.graph.nodes == made.graph.links == 0
