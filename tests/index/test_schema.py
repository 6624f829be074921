"""What counts as a word, a name, and something that others call a page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.index.schema import IndexDocument, as_document, calls_of, names_of, url_words, whole_name, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wind farms, 2026!", ["wind", "farms", "2026"]),
        ("Édouard ﬁnds Straße", ["edouard", "finds", "strasse"]),
        ("web-graph snake_case C++", ["web", "graph", "snake", "case", "c"]),
        ("東京タワー tower", ["東", "京", "タ", "ワ", "ー", "tower"]),
        ("हिन्दी", ["हिन", "दी"]),  # a virama parts a word; both sides of a search part it alike
        ("Ελλάδα Москва", ["ελλάδα", "москва"]),  # only Latin letters lose their accents
        ("\ud800 lone", ["lone"]),
        ("", []),
    ],
)
def test_words_of_any_script(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_run_longer_than_any_word_is_left_out() -> None:
    assert words_of("a" * 64 + " " + "b" * 65) == ["a" * 64]


@given(st.text(max_size=200))
@settings(max_examples=100, derandomize=True)
def test_a_name_is_stable(text: str) -> None:
    name = whole_name(text)
    assert whole_name(name) == name


def test_calls_count_links_and_sites() -> None:
    calls = calls_of(["wind farm", "wind  farm", "here", ""], ("a.org", "b.org", "a.org", "a.org"))
    assert [(call.text, call.links, call.sites) for call in calls] == [("wind farm", 2, 2), ("here", 1, 1)]


def test_a_text_weighs_by_the_sites_that_say_it() -> None:
    farm = IndexDocument(0, "http://a.org/", calls=calls_of(("buy",) * 10_000, ("farm.org",) * 10_000))
    many = IndexDocument(1, "http://b.org/", calls=calls_of(("buy",) * 1000))
    assert len(as_document(farm)["anchor"]) == 1
    assert len(as_document(many)["anchor"]) == 10


def test_calls_of_one_text_without_sites() -> None:
    assert [(call.text, call.links, call.sites) for call in calls_of(["only this"])] == [("only this", 1, 0)]


def test_names_are_title_its_parts_the_first_heading_and_the_end_of_the_path() -> None:
    page = IndexDocument(0, "http://a.org/x/Air_mill.htm", "Wind farm | The Example", "Farms of wind\nMore")
    assert names_of(page) == {"wind farm the example", "wind farm", "the example", "farms of wind", "air mill"}
    assert names_of(IndexDocument(0, "http://a.org/")) == names_of(IndexDocument(0, "http://a.org/index.html")) == set()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://www.example.org/wind-farm.html?x=1", ["example", "org", "wind", "farm"]),
        ("http://a.org/wiki/%C3%89douard_Manet", ["a", "org", "wiki", "edouard", "manet"]),
        ("http://a.org/%ff", ["a", "org"]),
    ],
)
def test_words_of_addresses(url: str, words: list[str]) -> None:
    assert words_of(url_words(url)) == words
