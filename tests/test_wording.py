"""Plurals, durations, shares and capitals: examples, and what holds for every number."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from periplus.wording import agree, counted, counted_verb, duration, glued, listed, ordinal, percent, plural, sentence


@pytest.mark.parametrize(
    ("one", "many"),
    [("page", "pages"), ("match", "matches"), ("company", "companies"), ("day", "days"), ("box", "boxes")],
)
def test_plurals(one: str, many: str) -> None:
    assert plural(one) == many
    assert (counted(1, one), counted(2, one), counted(0, one)) == (f"1 {one}", f"2 {many}", f"0 {many}")
    assert counted(1234, one) == f"1,234 {many}"
    assert counted(None, one) == f"– {many}"


@pytest.mark.parametrize(
    ("one", "many"), [("links", "link"), ("has", "have"), ("is", "are"), ("matches", "match"), ("calls", "call")]
)
def test_verbs_agree(one: str, many: str) -> None:
    assert (agree(1, one), agree(2, one), agree(0, one)) == (one, many, many)


def test_a_count_and_what_it_does() -> None:
    assert counted_verb(1, "page", "links") == "1 page links"
    assert counted_verb(3, "site", "calls") == "3 sites call"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "less than 1 ms"), (0.0004, "less than 1 ms"), (0.0041, "4 ms"), (0.9994, "999 ms"), (0.9996, "1.0 s"),
        (2.345, "2.3 s"), (9.96, "10 s"), (41.3, "41 s"), (120, "2 min"), (5399, "90 min"), (9000, "2.5 h"),
    ],
)  # fmt: skip
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@given(st.floats(0, 1e9))
def test_a_duration_has_at_most_three_figures_below_a_hundred_hours(seconds: float) -> None:
    figures = re.sub(r"\D", "", duration(seconds))
    assert len(figures) <= 3 or seconds >= 360_000
    assert "0 ms" not in duration(seconds).split()[:1]


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.5, "50 %"), (0.013, "1.3 %"), (0.00046, "0.046 %"), (1.0, "100 %"), (0.996, "over 99 %"), (0.0, "0 %")],
)
def test_shares(share: float, said: str) -> None:
    assert percent(share) == said


@given(st.floats(0, 1, exclude_max=True))
def test_nearly_all_is_not_all(share: float) -> None:
    assert percent(share) != "100 %"


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 1011)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "1,011th",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "kept",
    [
        "http://a.org/ is gone",
        "/tmp/x is full",
        "pages.csv is there",
        "max_pages is 3",
        "`build` first",
        "p = 7.0 is not allowed",
        "",
    ],
)
def test_a_url_a_path_or_code_is_never_capitalised(kept: str) -> None:
    assert sentence(kept) == kept


def test_a_sentence_is_capitalised() -> None:
    assert sentence("no page has all the words.") == "No page has all the words."
    assert sentence("offset + size is 5") == "Offset + size is 5"
    assert sentence("é") == "É"


def test_lists() -> None:
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b"], joint="or") == "a or b"


def test_a_number_holds_on_to_its_unit() -> None:
    assert glued("among the best 6 % of 12 pages in 3 ms") == "among the best 6\u00a0% of 12\u00a0pages in 3\u00a0ms"
    assert glued("2.19 ± 0.03 from 3 on") == "2.19\u00a0±\u00a00.03 from 3 on"
    assert glued("3 seconds, 4 pagesofit") == "3 seconds, 4 pagesofit"
