"""What was probably meant: one edit is mended, what some page has is never called a mistake."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from periplus.index import IndexDocument, build_index
from periplus.search import Searcher, parse_query
from periplus.search.spelling import suggested

WORDS = [
    "lighthouse", "harbour", "anchorage", "navigator", "compass", "tidewater",
    "shoreline", "estuary", "windward", "mooring",
]  # fmt: skip


def edited(word: str, chance: random.Random) -> str:
    """A word with one letter left out, added, changed, or swapped with the next."""
    at, letter = chance.randrange(len(word) - 1), chance.choice("abcdefghijklmnopqrstuvwxyz")
    return chance.choice([
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    ])  # fmt: skip


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("spelling")
    pages = [
        IndexDocument(node, f"http://a.org/{node}", body=f"The {word} of the {WORDS[node - 1]}. Маяк ждёт.")
        for node, word in enumerate(WORDS)
    ]
    pages.append(IndexDocument(99, "http://a.org/99", body="secretive", noindex=True))
    build_index(pages, folder)
    return Searcher(folder, scores={})


def test_one_edit_is_mended_and_said(searcher: Searcher) -> None:
    chance, checked = random.Random(1), 0
    for _ in range(200):
        word = chance.choice(WORDS)
        wrong = edited(word, chance)
        if wrong == word or searcher.pages_with(parse_query(wrong).terms[0]):
            continue
        found = searcher.search(wrong)
        assert found.suggestion == word
        assert found.query == wrong
        assert found.notes == (f"no page has “{wrong}”: these are for “{word}”",)
        assert [result.url for result in found.results] == [result.url for result in searcher.search(word).results]
        checked += 1
    assert checked > 150


def test_words_that_some_page_has_are_no_mistakes(searcher: Searcher) -> None:
    for word in WORDS:
        assert searcher.search(word).suggestion is None
    assert searcher.search("lighthouse navigator").suggestion is None  # no page has both


def test_the_rest_of_the_query_stays_as_it_was_typed(searcher: Searcher) -> None:
    assert searcher.search("Harbuor -compass").suggestion == "harbour -compass"
    assert searcher.search("the harbour.lighthuose").suggestion == "the harbour.lighthouse"
    assert searcher.search("маяг").suggestion == "маяк"
    assert searcher.search('"lighthuose"').suggestion is None
    assert searcher.search("zzzzzzzzzz").suggestion is None


def test_a_suggestion_that_finds_nothing_is_only_named(searcher: Searcher) -> None:
    found = searcher.search("lighthuose navigator")
    assert found.notes[-1] == "perhaps you meant “lighthouse navigator”"
    assert found.as_json()["suggestion"] == "lighthouse navigator"


def test_of_several_the_one_whose_query_finds_most_pages_wins() -> None:
    pages = {"form": 5, "from": 9}
    whole = {"tax form": 3, "tax from": 0}
    best = suggested(parse_query("tax forn"), lambda word: pages.get(word, int(word == "tax")), lambda q: whole[q])
    assert best == "tax form"
    assert suggested(parse_query("forn"), lambda word: pages.get(word, 0), lambda q: 1) == "form"


def test_a_word_of_a_page_that_asks_not_to_be_indexed_is_not_suggested(searcher: Searcher, tmp_path: Path) -> None:
    assert searcher.search("secretiv").suggestion == "secretive"
    build_index([IndexDocument(0, "http://a.org/", body="secretive", noindex=True)], tmp_path / "index")
    assert Searcher(tmp_path / "index", scores={}, public=True).search("secretiv").suggestion is None
