"""The sentences that say why a page is there."""

from __future__ import annotations

from typing import Any

import pytest

from periplus.index.schema import Call
from periplus.search.evidence import Found, why
from periplus.search.snippet import find_words


def found(**known: Any) -> Found:
    blank = Found(
        title="", url="http://a.org/x", calls=(), matches=(), named=False, name="", text=1.0, link=0.0, score=1.0,
        share=1.0, within="", pages=1000, ranker="pagerank", label="PageRank",
    )  # fmt: skip
    return Found(**{name: known.get(name, getattr(blank, name)) for name in blank.__slots__})


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ({"title": "Wind farm", "named": True, "name": "wind farm"}, "Your words are its title"),
        (
            {"title": "Wind farm | A", "named": True, "name": "wind farm"},
            "Your words name it in title, heading or address",
        ),
        ({"title": "The wind"}, "“wind” stands in the title"),
        ({"title": "A farm of wind"}, "“farm” and “wind” stand in the title"),
        ({"matches": ("wind",)}, "Its text has “wind” once"),
        ({"matches": ("wind", "farm", "wind")}, "Its text has “wind” and “farm” in 3 places"),
        ({"calls": (Call("the wind farm", 7, 5),)}, "7 links from 5 sites call it “the wind farm”"),
        ({"calls": (Call("wind", 2, 1),)}, "2 links call it “wind”"),
        ({"calls": (Call("wind", 1, 1),)}, "1 link calls it “wind”"),
        ({"calls": (Call("wind", 1, 0),)}, "1 site calls it “wind”"),
        ({"calls": (Call("wind", 3, 0),)}, "3 sites call it “wind”"),
        ({"calls": (Call("elsewhere", 99, 9), Call("wind farm", 1, 1))}, "1 link calls it “wind farm”"),
        ({"url": "http://a.org/wind-farm"}, "Its address says “wind” and “farm”"),
        ({"within": "site"}, "A page of the site you named"),
        ({"within": "community"}, "A page of the community you named"),
        ({}, "“wind” stands in its headings"),
        (
            {"title": "The wind", "share": 0.02},
            "“wind” stands in the title; among the best 2 % of pages by PageRank",
        ),
        ({"title": "The wind", "share": 0.001}, "“wind” stands in the title; first of all 1,000 pages by PageRank"),
        ({"title": "The wind", "share": 0.02, "ranker": "text"}, "“wind” stands in the title"),
        ({"title": "The wind", "share": 0.5}, "“wind” stands in the title"),
    ],
)
def test_why(known: dict[str, Any], sentence: str) -> None:
    fields = [] if known.get("within") else [("wind", "headings")]
    assert why(found(**known), frozenset({"wind", "farm"}), lambda: fields) == sentence


def test_a_phrase_counts_where_its_words_stand_side_by_side() -> None:
    text = "To be, or not to be: that is not the question. To be is to do."
    places = find_words(text, ["to be or not to be"])
    assert [text[begin:end] for begin, end, _ in places] == ["To be, or not to be"]
    assert find_words("not to be or", ["to be or not"]) == []
    assert [end - begin for begin, end, _ in find_words("東京都と東京", ["東 京"])] == [2, 2]


def test_a_long_name_is_cut() -> None:
    sentence = why(found(calls=(Call("wind " * 40, 1, 1),)), frozenset({"wind"}), list)
    assert sentence.endswith("…”")
    assert len(sentence) < 100
