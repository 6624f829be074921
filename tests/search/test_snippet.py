"""Snippets: the best passage, honest marks, nothing that could be forged."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.search.snippet import MAX_MATCHES, Snippet, find_words, fold, make_snippet


def marked_words(snippet: Snippet) -> list[str]:
    return [snippet.text[begin:end] for begin, end in snippet.marks]


def test_the_passage_with_most_distinct_words_wins() -> None:
    text = "wind " * 30 + "x " * 300 + "The wind farm stands here. " + "y " * 300
    snippet = make_snippet(text, ["wind", "farm"])
    assert "wind farm stands" in snippet.text
    assert marked_words(snippet) == ["wind", "farm"]
    assert snippet.text.startswith("… ")
    assert snippet.text.endswith(" …")


def test_a_match_at_the_end_shows_what_stands_before_it() -> None:
    snippet = make_snippet("before. " * 100 + "Last words.", ["last"])
    assert snippet.text.endswith("before. Last words.")
    assert len(snippet.text) > 140


def test_whole_words_only_and_accents_do_not_count() -> None:
    snippet = make_snippet("Café, cafés, decafé; CAFE cafe_x", ["cafe"])
    assert marked_words(snippet) == ["Café", "CAFE", "cafe"]


def test_scripts_without_spaces_are_marked_inside_a_run() -> None:
    assert marked_words(make_snippet("これは東京です", ["東", "京"])) == ["東", "京"]


def test_no_match_shows_the_beginning() -> None:
    snippet = make_snippet("First sentence. " * 50, ["absent"])
    assert snippet.text.startswith("First sentence.")
    assert snippet.marks == ()


def test_white_space_becomes_one_space_and_marks_move_along() -> None:
    snippet = make_snippet("one \n\n\t two\u2003\u2003three", ["three", "one"])
    assert snippet.text == "one two three"
    assert marked_words(snippet) == ["one", "three"]


@pytest.mark.parametrize(
    "text",
    [
        "<mark>wind</mark>",
        "\ue000wind\ue001",
        "{{wind}} ${wind}",
        "<b>wind</b><script>alert(1)</script>",
        "wind&amp;\"'",
    ],
)
def test_marks_cannot_be_forged(text: str) -> None:
    snippet = make_snippet(text, ["wind"])
    assert snippet.html.count("<mark>") == len(snippet.marks)
    assert re.sub(r"</?mark>", "", snippet.html) == html.escape(snippet.text)
    assert "<" not in re.sub(r"</?mark>", "", snippet.html)


@given(st.text(max_size=600), st.lists(st.sampled_from(["a", "wind", "é", "ß", "東", "0", "i"]), max_size=4))
@settings(max_examples=100, derandomize=True)
def test_marks_are_in_order_and_html_is_the_text(text: str, words: list[str]) -> None:
    snippet = make_snippet(text, [fold(word) for word in words])
    ends = [place for mark in snippet.marks for place in mark]
    assert ends == sorted(ends)
    assert all(fold(word) in {fold(known) for known in words} for word in marked_words(snippet))
    assert html.unescape(re.sub(r"</?mark>", "", snippet.html)) == html.unescape(html.escape(snippet.text))


@given(st.text(max_size=300))
@settings(max_examples=100, derandomize=True)
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)


def test_many_matches_are_bounded() -> None:
    assert len(find_words("a " * 10_000, ["a"])) == MAX_MATCHES
