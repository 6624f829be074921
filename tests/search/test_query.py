"""The query language: what each form means, and what is refused in one line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.errors import QueryError
from periplus.search.query import AllOf, Among, AnyOf, Not, Term, Within, parse_query, variants


def term(text: str, *words: str, field: str | None = None, quoted: bool = False, prefix: bool = False) -> Term:
    return Term(text, words or (text,), field, quoted, prefix)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("wind farm", (term("wind"), term("farm"))),
        ('"Wind Farm"', (term("Wind Farm", "wind", "farm", quoted=True),)),
        ('"unclosed phrase', (term("unclosed phrase", "unclosed", "phrase", quoted=True),)),
        ("web-graph", (term("web-graph", "web", "graph"),)),
        ("wind -coal", (term("wind"), Not(term("coal")))),
        ('wind NOT "coal mine"', (term("wind"), Not(term("coal mine", "coal", "mine", quoted=True)))),
        ("wind - coal", (term("wind"), term("coal"))),
        ("wind OR solar farm", (AnyOf((term("wind"), term("solar"))), term("farm"))),
        ("a1 OR b1 | c1", (AnyOf((term("a1"), term("b1"), term("c1"))),)),
        ("OR wind OR", (term("wind"),)),
        ("wind AND farm", (term("wind"), term("farm"))),
        ("(wind farm) OR solar", (AnyOf((AllOf((term("wind"), term("farm"))), term("solar"))),)),
        ("Mercury (planet)", (term("Mercury", "mercury"), term("planet"))),
        ("wind -(coal OR gas)", (term("wind"), Not(AnyOf((term("coal"), term("gas")))))),
        ("((wind", (term("wind"),)),
        ("wind))", (term("wind"),)),
        ("title:wind", (term("wind", field="title"),)),
        ('ANCHOR:"wind farm"', (term("wind farm", "wind", "farm", field="anchor", quoted=True),)),
        ("site:Example.ORG wind", (Within("example.org"), term("wind"))),
        ("site:https://www.example.org/a/b wind", (Within("www.example.org"), term("wind"))),
        ("site:bücher.de wind", (Within("xn--bcher-kva.de"), term("wind"))),
        ("-site:a.org wind", (Not(Within("a.org")), term("wind"))),
        ("community:Tides wind", (Among("community", "tides"), term("wind"))),
        ('community:"tides · neap"', (Among("community", "tides neap"),)),
        ("-community:3 wind", (Not(Among("community", "3")), term("wind"))),
        ("tree:42", (Among("tree", "42"),)),
        ("turb*", (term("turb*", "turb", prefix=True),)),
        ("Nemesis: the end", (term("Nemesis:", "nemesis"), term("end"))),
        ("https://a.org/wind.html", (term("a.org/wind", "a", "org", "wind", field="url"),)),
    ],
)
def test_forms(text: str, parts: tuple[object, ...]) -> None:
    assert parse_query(text).root == AllOf(parts)  # type: ignore[arg-type]


def test_common_words_are_left_out_and_kept_in_the_name() -> None:
    parsed = parse_query("the History of Rome")
    assert parsed.ignored == ("the", "of")
    assert parsed.name == "the history of rome"
    assert [found.words[0] for found in parsed.terms] == ["history", "rome"]


def test_common_words_count_when_quoted_or_bound_to_a_field() -> None:
    assert parse_query('"the who"').ignored == ()
    assert parse_query("title:the").ignored == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 513, "513 characters"),
        ("x" * 1_000_000, "1,000,000 characters"),
        ("(" * 10_000, "10,000 characters"),
        ("(" * 17 + "a", "more than 16 parentheses"),
        ("(a1 OR " * 17, "more than 16 parentheses"),
        (" ".join(f"w{n}" for n in range(33)), "more than 32"),
        ('"' + " ".join(f"w{n}" for n in range(33)) + '"', "33 words"),
        ("", "nothing to look for"),
        ("   ", "nothing to look for"),
        ("-wind", "nothing to look for"),
        ("()", "nothing to look for"),
        ("((((", "nothing to look for"),
        ('""', "nothing to look for"),
        ("!!! ???", "nothing to look for"),
        ("----", "nothing to look for"),
        ("*", "a star stands at the end"),
        ("ab*", "at least 3 letters"),
        ("*ab", "a star stands at the end"),
        ("field:[* TO *]", "no field is called field"),
        ("site:. x", "site: needs"),
        ("community:. x", "community: needs a word or a number"),
        ("tree:tides", "tree: needs the number of a node"),
        ("-tree:4", "nothing to look for"),
    ],
)
def test_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        parse_query(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@given(st.text(alphabet=st.sampled_from("ab() \"'*-:|ORsite.é東\x00\ud800~^[]/\\+&"), max_size=200))
@settings(max_examples=300, derandomize=True)
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        parsed = parse_query(text)
    except QueryError:
        return
    assert len(list(parsed.terms)) <= 32


@given(st.text(max_size=600))
@settings(max_examples=100, derandomize=True)
def test_any_unicode_is_understood_or_refused(text: str) -> None:
    with suppress(QueryError):
        assert parse_query(text).root.parts or parse_query(text).ignored


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("farm", ("farms",)),
        ("farms", ("farm",)),
        ("city", ("citys", "cities")),
        ("cities", ("city", "citie")),
        ("box", ("boxes",)),
        ("boxes", ("boxe", "box")),
        ("glass", ("glasses",)),
        ("virus", ("viruses",)),
        ("as", ()),
        ("2026", ()),
    ],
)
def test_plural_and_singular(word: str, forms: tuple[str, ...]) -> None:
    assert variants(word) == forms
