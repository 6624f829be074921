"""A search by the links around its pages: the right pages, the evidence of each, nothing that may not be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.serve.fake import FakeLibrary, FakePage

from periplus.errors import ParameterError
from periplus.focus import QUERY_RANKERS
from periplus.search import Searcher

BEST, NEAR = "http://best.example/", "http://near.example/"


def web() -> list[FakePage]:
    """Ten lists of links about gulls that agree on two pages; only one of these says gull."""
    lists = [
        FakePage(
            f"http://list{number}.example/",
            f"Gulls and terns {number}",
            "Links about gulls. " + "gull " * number,
            links=[(BEST, "this"), (NEAR, "that")] if number else [(BEST, "this")],
        )
        for number in range(10)
    ]
    found = [FakePage(BEST, "The bird page", "All about birds."), FakePage(NEAR, "A gull", "A gull is a bird.")]
    apart = [FakePage(f"http://apart{number}.example/", f"Apart {number}", "Nothing here.") for number in range(5)]
    return [*lists, *found, *apart]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> FakeLibrary:
    return FakeLibrary(web(), tmp_path_factory.mktemp("gulls") / "index")


def urls(searcher: Searcher, query: str, rank: str, **options: int) -> list[str]:
    return [result.url for result in searcher.search(query, rank=rank, **options).results]


@pytest.mark.parametrize("rank", ["hits", "salsa", "two-level-reputation"])
def test_the_page_that_the_lists_agree_on_is_first_though_it_lacks_the_word(library: FakeLibrary, rank: str) -> None:
    found = library.searcher.search("gull", rank=rank)
    assert [result.url for result in found.results[:2]] == [BEST, NEAR]
    assert "10 pages around your words link here" in found.results[0].why
    assert found.rank == rank
    assert {hub.url for hub in found.hubs} <= {page.url for page in web()[:10]}
    assert len(found.hubs) == 5
    assert {result.share for result in found.results} == {1.0}  # no stored ranking had a say
    assert any("ranked by" in note for note in found.notes)


@pytest.mark.parametrize("rank", list(QUERY_RANKERS))
def test_every_ranking_lists_every_page_with_the_words_once(library: FakeLibrary, rank: str) -> None:
    listed = urls(library.searcher, "gull", rank, size=50)
    assert len(set(listed)) == len(listed) == library.searcher.search("gull", rank=rank).total
    assert set(urls(library.searcher, "gull", "text", size=50)) <= set(listed)
    assert urls(library.searcher, "gull", rank, size=5, offset=3) == listed[3:8]


@pytest.mark.parametrize("rank", ["text", "blended"])
@pytest.mark.parametrize("query", ["gull", "gulls terns", "gull bird nothing", "“a gull”"])
def test_side_by_side_words_rank_as_the_search_does(library: FakeLibrary, rank: str, query: str) -> None:
    (around,), _ = library.searcher.side_by_side(query, [rank])
    found = library.searcher.search(query, rank=rank, size=50)
    assert around.ranked.nodes.tolist() == [result.node for result in found.results]


@pytest.mark.parametrize("query", ["gull site:near.example", "gull -terns", "title:gull"])
def test_a_query_that_binds_its_pages_lists_no_others(library: FakeLibrary, query: str) -> None:
    matching = set(urls(library.searcher, query, "text", size=50))
    assert matching
    listed = set(urls(library.searcher, query, "hits", size=50))
    assert listed == matching if query != "title:gull" else matching <= listed


def test_the_sum_names_the_ranking_and_the_place(library: FakeLibrary) -> None:
    best = library.searcher.search("gull", rank="hits", explain=True).results[0]
    assert best.explanation[-1].startswith("By authority (HITS) it is 1st of")
    assert "“gull” is not on this page." in best.explanation


def test_what_was_meant_is_ranked(library: FakeLibrary) -> None:
    found = library.searcher.search("gukl", rank="hits")
    assert found.suggestion == "gull"
    assert found.results[0].url == BEST


def test_nothing_found_and_one_page(library: FakeLibrary) -> None:
    assert not library.searcher.search("xylophone", rank="hits").results
    assert urls(library.searcher, '"apart 3"', "hits", size=1) == ["http://apart3.example/"]


def test_rankings_that_are_not_there_are_refused_with_those_that_are(library: FakeLibrary, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="distillation"):
        library.searcher.search("gull", rank="magic")
    bare = FakeLibrary(web(), tmp_path / "index", communities=False)
    assert "topic" not in bare.searcher.ranks
    with pytest.raises(ParameterError, match="tree"):
        bare.searcher.search("gull", rank="topic")
    alone = Searcher(tmp_path / "index", scores={})
    assert alone.ranks == ("text", "blended")
    with pytest.raises(ParameterError, match="without their links"):
        alone.search("gull", rank="hits")


def test_pages_that_ask_not_to_be_indexed_are_neither_listed_nor_named(tmp_path: Path) -> None:
    made = FakeLibrary(web(), tmp_path / "index")
    searcher = made.searcher
    hidden = made.graph.urls.find(BEST)
    searcher._opened.__dict__["hidden"] = frozenset({hidden})
    found = searcher.search("gull", rank="hits", size=50)
    assert BEST not in [result.url for result in found.results]
    assert all(hub.node != hidden for hub in found.hubs)
