"""Searching a small web: what is found, in which order, and why."""

from __future__ import annotations

import itertools
import math
import random
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.search_textbook import bm25, pages_with_all

from periplus.errors import ParameterError, QueryError
from periplus.graph.graph import Graph
from periplus.index import IndexDocument, build_index
from periplus.index.schema import calls_of
from periplus.record import Scores
from periplus.search import Results, Searcher
from periplus.search.rankers import LINK, NAME

PAGES = [
    IndexDocument(0, "http://energy.org/wind-farm", "Wind farm", "Wind farm", "A wind farm turns wind into power."),
    IndexDocument(1, "http://energy.org/solar", "Solar power", "", "Sun into power. A farm of mirrors, no wind."),
    IndexDocument(2, "http://coal.net/mine", "Coal mine", "", "Coal gives power. The coal mine is deep."),
    IndexDocument(
        3,
        "http://blog.coal.net/day",
        "My day",
        "",
        "I saw farms and turbines; the wind of change.",
        calls_of(["a dull diary"]),
    ),
    IndexDocument(
        4,
        "http://quiet.org/x1",
        calls=calls_of(("miserable failure", "miserable failure", "worst page"), ("a.org", "b.org", "a.org")),
    ),
    IndexDocument(5, "http://the.who/", "The Who", "", "A band of four."),
    IndexDocument(6, "http://cafe.fr/", "Café de Flore", "", "Un café à Paris, près du 東京."),
]
PIECES = [
    "wind", "farm", "coal", "the", "OR", "NOT", "AND", "|", "-wind", '"wind farm"', '"', "(", ")", "-(", "title:",
    "title:wind", "site:coal.net", "-site:coal.net", "anchor:miserable", "turb*", "power*", "東京", "café", "x" * 40,
    "https://energy.org/", "!",
]  # fmt: skip
LINKS = [(1, 0), (2, 0), (3, 0), (0, 1), (3, 2)]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("index")
    places = {0: ("energy.org",) * 2, 2: ("coal.net",) * 2, 3: ("blog.coal.net", "coal.net")}
    pages = []
    for page in PAGES:
        host = page.url.split("/")[2]
        site = places.get(page.node, (host, host))[1]
        pages.append(
            IndexDocument(**{name: getattr(page, name) for name in page.__slots__} | {"host": host, "site": site})
        )
    build_index(pages, folder)
    graph = Graph.from_edges(np.array([a for a, _ in LINKS]), np.array([b for _, b in LINKS]), len(PAGES))
    values = {"pagerank": np.array([0.4, 0.1, 0.2, 0.05, 0.1, 0.1, 0.05]), "upside": np.arange(7, dtype=float)}
    scores = {name: Scores(name, ranks, error_bound=1e-9) for name, ranks in values.items()}
    return Searcher(folder, scores=scores, graph=graph)


def nodes(found: Results) -> list[int]:
    return [result.node for result in found.results]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("wind", {0, 1, 3}),
        ("wind farm", {0, 1, 3}),
        ("wind power", {0, 1}),
        ('"wind farm"', {0}),
        ("wind -mirrors", {0, 3}),
        ('power -"coal mine"', {0, 1}),
        ("coal OR solar", {1, 2, 3}),
        ("(coal OR solar) deep", {2}),
        ("power -(coal OR wind)", set()),
        ("title:power", {1}),
        ("title:wind text:turns", {0}),
        ("url:mine", {2}),
        ("site:energy.org power", {0, 1}),
        ("site:coal.net", {2, 3}),
        ("site:blog.coal.net", {3}),
        ("power -site:energy.org", {2}),
        ("anchor:miserable", {4}),
        ("miserable failure", {4}),
        ("turbine", {3}),
        ("mirror", {1}),
        ("turb*", {3}),
        ("cafe", {6}),
        ("CAFÉ", {6}),
        ("東京", {6}),
        ("京東", set()),
        ("http://energy.org/wind-farm", {0}),
        ('"the who"', {5}),
        ("nothing-of-the-kind", set()),
    ],
)
def test_what_is_found(searcher: Searcher, query: str, expected: set[int]) -> None:
    found = searcher.search(query)
    assert {result.node for result in found.results if not result.lacks} == expected
    assert found.total == len(found.results)


def test_a_page_is_found_by_what_others_call_it_though_it_says_nothing(searcher: Searcher) -> None:
    best = searcher.search("miserable failure").results[0]
    assert best.node == 4
    assert best.title == "miserable failure"
    assert best.why == "2 links from 2 sites call it “miserable failure”"
    assert best.snippet.text == ""


def test_order_of_words_never_changes_what_is_found(searcher: Searcher) -> None:
    for words in (["wind", "farm", "power"], ["the", "coal", "mine"], ["wind", "-coal", "title:farm"]):
        totals = {searcher.search(" ".join(order)).total for order in itertools.permutations(words)}
        assert len(totals) == 1


def test_when_no_page_has_all_words_those_with_some_are_given_and_said(searcher: Searcher) -> None:
    found = searcher.search("turbines mirrors -band")
    assert set(nodes(found)) == {1, 3}
    assert found.notes == ("no page has all the words: these have some of them",)


def test_common_words_are_left_out_and_said(searcher: Searcher) -> None:
    found = searcher.search("the wind of change")
    assert nodes(found)[0] == 3
    assert found.notes[0] == "left out as too common: the, of (quote them to require them)"


def test_a_short_list_is_filled_with_pages_that_lack_a_word_and_say_which(searcher: Searcher) -> None:
    found = searcher.search("the wind of change")
    assert [(result.node, result.lacks) for result in found.results] == [(3, ()), (0, ("change",)), (1, ("change",))]
    assert found.notes[1] == "1 page has all the words: the others are without some"
    assert found.total == 3
    assert found.as_json()["results"][1]["without"] == ["change"]
    assert "without" not in found.as_json()["results"][0]


def test_a_list_is_never_filled_with_pages_that_lack_what_was_quoted_or_bound(searcher: Searcher) -> None:
    assert nodes(searcher.search('"coal mine" turns')) == [2]
    assert nodes(searcher.search("title:coal turns")) == [2]
    assert set(nodes(searcher.search("coal turns -title:wind site:coal.net"))) == {2, 3}


FORMS = [
    IndexDocument(0, "http://a.org/0", body="Call ArgumentParser and HTTPServer here.", language="en"),
    IndexDocument(1, "http://a.org/1", body="Sie konfigurieren die Häuser mit dem Werkzeug.", language="de-DE"),
    IndexDocument(2, "http://a.org/2", body="She was configuring the servers of several libraries.", language="en"),
    IndexDocument(3, "http://a.org/3", body="İstanbul ve Ankara", language="tr"),
    IndexDocument(4, "http://a.org/4", body="هذا كِتَابٌ في المكتبة الأولى", language="ar"),
    IndexDocument(5, "http://a.org/5", body="ภาษาไทยเป็นภาษาที่ใช้ในประเทศไทย", language="th"),
    IndexDocument(6, "http://a.org/6", body="これは東京都の人口です", language="ja"),
]


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("forms")
    build_index(FORMS, folder)
    return Searcher(folder, scores={})


@pytest.mark.parametrize(
    ("query", "page", "marked"),
    [
        ("argument parser", 0, ["Argument", "Parser"]),
        ("ArgumentParser", 0, ["ArgumentParser"]),
        ("http server", 0, ["HTTP", "Server"]),
        ("haus", 1, ["Häuser"]),
        ("configure", 2, ["configuring"]),
        ("library", 2, ["libraries"]),
        ("istanbul", 3, ["İstanbul"]),
        ("ISTANBUL", 3, ["İstanbul"]),
        ("İSTANBUL", 3, ["İstanbul"]),
        ("ｉｓｔａｎｂｕｌ", 3, ["İstanbul"]),
        ("كتاب", 4, []),
        ("كِتَابٌ", 4, []),
        ("الاولي", 4, ["الأولى"]),
        ("ประเทศ", 5, ["ประเทศ"]),
        ("東京都", 6, ["東京都"]),
        ("人口", 6, ["人口"]),
    ],
)
def test_other_forms_scripts_and_parts_of_words(forms: Searcher, query: str, page: int, marked: list[str]) -> None:
    best = forms.search(query).results[0]
    assert (best.node, best.lacks) == (page, ())
    assert [best.snippet.text[begin:end] for begin, end in best.snippet.marks] == marked


DAYS = [
    IndexDocument(0, "http://a.org/a.php?x=1", body="The otter is in the sea.", fetched="20240501120000"),
    IndexDocument(1, "http://a.org/b", body="Der Otter und die See.", language="de", fetched="20240502000000"),
    IndexDocument(2, "http://a.org/c.HTML", body="otter"),
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("otter lang:de", {1}),
        ("otter -lang:de", {0, 2}),
        ("otter after:2024-05-02", {1}),
        ("otter after:2024-05", {0, 1}),
        ("otter before:2024-05-02", {0}),
        ("otter before:2024", set()),
        ("lang:de OR filetype:php", {0, 1}),
        ("filetype:html", {1, 2}),
        ("-lang:de", {0, 2}),
        ("the -lang:de", {0, 2}),
        ("otter sea lang:de", {1}),
    ],
)
def test_only_pages_of_a_language_a_time_a_kind(tmp_path: Path, query: str, expected: set[int]) -> None:
    build_index(DAYS, tmp_path / "index")
    assert set(nodes(Searcher(tmp_path / "index", scores={}).search(query))) == expected


@pytest.mark.parametrize("query", ["京東", "libr", "configuration*", "Argumentpars"])
def test_what_is_no_form_of_a_word_is_not_found(forms: Searcher, query: str) -> None:
    assert forms.search(query).total == 0


def test_the_word_itself_comes_before_its_other_forms(tmp_path: Path) -> None:
    pages = [IndexDocument(node, f"http://a.org/{node}", body=f"The {word} stands here.")
             for node, word in enumerate(("configuring", "configures", "configure", "configured"))]  # fmt: skip
    build_index(pages, tmp_path / "index")
    assert nodes(Searcher(tmp_path / "index", scores={}).search("configure"))[0] == 2


def test_words_typed_as_one_need_not_stand_side_by_side(searcher: Searcher) -> None:
    assert nodes(searcher.search("power.wind")) == nodes(searcher.search("wind-power"))
    assert [result.node for result in searcher.search("farm.mirrors").results if not result.lacks] == [1]


def test_only_common_words_are_words_like_any(searcher: Searcher) -> None:
    assert [result.node for result in searcher.search("of the").results if not result.lacks] == [5, 3]
    assert nodes(searcher.search("The Who"))[0] == 5


def test_a_common_word_beside_a_site_lists_the_site(searcher: Searcher) -> None:
    found = searcher.search("the site:coal.net")
    assert set(nodes(found)) == {2, 3}
    assert found.notes == ("left out as too common: the (quote them to require them)",)


def test_the_exact_title_comes_first_whatever_the_links_say(searcher: Searcher) -> None:
    assert nodes(searcher.search("wind farm", ranker="upside"))[0] == 0
    assert searcher.search("wind farm").results[0].why.startswith("Your words are its title")


def test_ranks_change_the_order_and_nothing_is_rebuilt(searcher: Searcher) -> None:
    by_links = searcher.search("site:coal.net OR site:energy.org OR site:quiet.org")
    assert nodes(by_links) == [0, 2, 1, 4, 3]
    assert nodes(searcher.search("site:coal.net OR site:energy.org", ranker="upside")) == [3, 2, 1, 0]
    assert nodes(searcher.search("site:coal.net", ranker="text")) == [2, 3]


def test_score_is_the_stated_formula(searcher: Searcher) -> None:
    for result in searcher.search("wind farm").results:
        named = result.node == 0
        link = -math.log(result.share) / math.log(len(PAGES))
        assert result.link_score == pytest.approx(link)
        assert result.score == pytest.approx(result.text_score * (1 + NAME * named) * (1 + LINK * link))


def test_explanations_add_up(searcher: Searcher) -> None:
    for result in searcher.search("wind farm", explain=True).results:
        last = result.explanation[-1]
        left, right = last.removeprefix("Score: ").rstrip(".").split(" = ")
        product = math.prod(float(factor) for factor in left.split(" × "))
        assert product == pytest.approx(float(right), rel=0.01)
        assert float(right) == pytest.approx(result.score, abs=0.005)
        gives = [float(found) for line in result.explanation for found in re.findall(r"gives ([\d.]+)", line)]
        assert sum(gives) <= result.text_score + 0.02


def test_snippets_mark_the_words_and_their_plurals(searcher: Searcher) -> None:
    found = next(result for result in searcher.search("farm turbine").results if result.node == 3)
    marked = [found.snippet.text[begin:end] for begin, end in found.snippet.marks]
    assert marked == ["farms", "turbines"]


def test_facts_of_a_result(searcher: Searcher) -> None:
    best = searcher.search("wind farm", facts=True).results[0]
    assert (best.in_links, best.host, best.site) == (3, "energy.org", "energy.org")
    assert best.share == pytest.approx(1 / 7)
    assert all(0 <= place < 1 for place in best.places)
    assert best.why.endswith("first of all 7 pages by PageRank")


def test_json_shape(searcher: Searcher) -> None:
    found = searcher.search("wind", size=1).as_json()
    assert list(found) == ["query", "total", "ms", "rank", "ranker", "notes", "results"]
    assert list(found["results"][0]) == ["rank", "url", "title", "score", "snippet", "why"]
    assert "explanation" in searcher.search("wind", explain=True).as_json()["results"][0]


def test_windows(searcher: Searcher) -> None:
    whole = nodes(searcher.search("wind OR coal OR power"))
    assert nodes(searcher.search("wind OR coal OR power", size=2, offset=1)) == whole[1:3]
    assert [r.rank for r in searcher.search("wind OR coal OR power", size=2, offset=1).results] == [2, 3]
    assert searcher.search("wind", offset=900).results == ()
    for size, offset in ((0, 0), (-1, 0), (10, -1), (10, 991), (10**9, 0)):
        with pytest.raises(ParameterError, match=r"size|offset"):
            searcher.search("wind", size=size, offset=offset)


def test_an_unknown_ranker_is_named_with_those_there_are(searcher: Searcher) -> None:
    with pytest.raises(ParameterError, match="pagerank, upside, text"):
        searcher.search("wind", ranker="magic")


def test_documents_are_found_by_node(searcher: Searcher) -> None:
    found = searcher.document(2)
    assert found is not None
    assert (found["title"], found["url"]) == ("Coal mine", "http://coal.net/mine")
    assert searcher.document(99) is None


def test_hostile_queries_leave_the_process_alive(searcher: Searcher) -> None:
    for query in (
        "(" * 16 + "wind",
        '"' * 512,
        "-" * 511 + "a",
        "a1 OR " * 31 + "b",
        "wind " * 32,
        "z" * 512,
        "東" * 32,
    ):
        with suppress(QueryError):
            assert searcher.search(query).total >= 0


@given(st.lists(st.sampled_from(PIECES), max_size=12))
@settings(max_examples=150, derandomize=True, deadline=None)
def test_any_query_is_answered_or_refused(searcher: Searcher, pieces: list[str]) -> None:
    with suppress(QueryError):
        found = searcher.search(" ".join(pieces), explain=True)
        assert len(found.results) == min(found.total, 10)
        assert all(math.isfinite(result.score) for result in found.results)


def test_many_threads_get_the_same_answers(searcher: Searcher) -> None:
    queries = ["wind", "wind farm", '"coal mine"', "turb*", "site:coal.net", "power -coal"] * 10
    alone = [nodes(searcher.search(query)) for query in queries]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda query: nodes(searcher.search(query)), queries))
    assert together == alone


def test_pages_that_ask_not_to_be_indexed_are_found_in_private_only(tmp_path: Path) -> None:
    pages = [replace(PAGES[0], noindex=True), PAGES[1]]
    build_index(pages, tmp_path / "index")
    private = Searcher(tmp_path / "index", scores={})
    public = Searcher(tmp_path / "index", scores={}, public=True)
    for query in ("wind", "wind farm", "power"):
        assert 0 in nodes(private.search(query))
        assert nodes(public.search(query)) == [1]
    assert nodes(public.search('"wind farm"')) == []


def test_an_open_searcher_outlives_its_folder(tmp_path: Path) -> None:
    """A new generation of the index may replace the old one while it is being served."""
    build_index(PAGES, tmp_path / "index")
    opened = Searcher(tmp_path / "index", scores={})
    shutil.rmtree(tmp_path / "index")
    assert nodes(opened.search("miserable failure")) == [4]
    assert opened.search("wind").results[0].snippet.text


def test_what_is_found_and_its_score_equal_the_textbook(tmp_path: Path) -> None:
    """Random pages and random queries of exact words, against looking at every page; one word in one field is BM25."""
    chance = random.Random(2)
    vocabulary = [f"w{number}" for number in range(12)]
    texts = {
        node: {field: " ".join(chance.choices(vocabulary, k=chance.randint(0, 4))) for field in ("title", "body")}
        for node in range(60)
    }
    pages = [
        IndexDocument(node, f"http://s{node}.org/", said["title"], "", said["body"]) for node, said in texts.items()
    ]
    build_index(pages, tmp_path / "index")
    random_web = Searcher(tmp_path / "index", scores={})
    for _ in range(60):
        query = chance.sample(vocabulary, k=chance.randint(1, 3))
        expected = pages_with_all(query, texts)
        found = random_web.search(" ".join(query), size=100)
        assert {result.node for result in found.results if not result.lacks} == expected, query
        for result in found.results[len(expected) :]:
            said = texts[result.node]
            assert set(result.lacks) == set(query) - set(f"{said['title']} {said['body']}".split())
    bodies = {node: said["body"] for node, said in texts.items()}
    for word in vocabulary:
        for result in random_web.search(f"text:{word}", size=100).results:
            assert result.score == pytest.approx(bm25(word, result.node, bodies), rel=1e-5)
