"""The query language: what each form means, and what is refused in one line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.errors import QueryError
from periplus.search.query import MAX_CLAUSES, AllOf, Among, AnyOf, Not, Only, Term, Within, parse_query


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
        ("lang:de wind", (Only("lang", "de"), term("wind"))),
        ("-LANG:pt-BR wind", (Not(Only("lang", "pt")), term("wind"))),
        ("after:2024 wind", (Only("after", 20240101), term("wind"))),
        ("before:2024-05 wind", (Only("before", 20240501), term("wind"))),
        ("filetype:.PHP wind", (Only("filetype", "php"), term("wind"))),
        ("community:Tides wind", (Among("community", "tides"), term("wind"))),
        ('community:"tides · neap"', (Among("community", "tides neap"),)),
        ("-community:3 wind", (Not(Among("community", "3")), term("wind"))),
        ("tree:42", (Among("tree", "42"),)),
        ("turb*", (term("turb*", "turb", prefix=True),)),
        ("Nemesis: the end", (term("Nemesis:", "nemesis"), term("end"))),
        ("https://a.org/wind.html", (term("a.org/wind", "a", "org", "wind", field="url", quoted=True),)),
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
    ("text", "words"),
    [
        ("-DSQLITE_CDECL", ["dsqlite", "cdecl"]),
        ("-wind", ["wind"]),
        ("-(wind farm)", ["wind", "farm"]),
        ("IS NOT NULL", ["null"]),
        ("NOT NULL constraint", ["null", "constraint"]),
        ("CREATE TABLE IF NOT EXISTS", ["create", "table", "exists"]),
        ("bitwise AND", ["bitwise"]),
        ("logical OR", ["logical"]),
        ("std::vector", ["std", "vector"]),
        ("field:[* TO *]", ["field"]),
        ("unknown:wind", ["unknown", "wind"]),
        ("after:effects", ["after", "effects"]),
        ("lang:x", ["lang", "x"]),
        ("ab*", ["ab"]),
        ("*args", ["args"]),
        ("site:. x", ["site", "x"]),
        ("--compress", ["compress"]),
        ("community:. x", ["community", "x"]),
        ("tree:tides", ["tree", "tides"]),
        ("-title:wind", ["title", "wind"]),
        ("of the and", ["of", "the", "and"]),
        ("(" * 17 + "a1", ["a1"]),
        ("(" * 400 + "a1 b1", ["a1", "b1"]),
    ],
)
def test_what_cannot_be_an_operator_is_read_as_words(text: str, words: list[str]) -> None:
    assert [word for found in parse_query(text).terms for word in found.words] == words


def test_what_looked_like_an_operator_and_counted_as_a_word_is_said() -> None:
    assert parse_query("-wind").notes == (
        "read as words: write also what a page should have, beside what it should not",
    )
    assert parse_query("wind -coal").notes == ()


def test_capitals_around_not_are_words_side_by_side() -> None:
    parsed = parse_query("IS NOT NULL")
    assert parsed.side_by_side == ("is", "not", "null")
    assert not any(isinstance(part, Not) for part in parsed.root.parts)
    assert isinstance(parse_query("wind NOT coal").root.parts[1], Not)


def test_too_much_is_read_up_to_a_limit_and_said() -> None:
    long = parse_query("wind " * 200_000)
    assert long.notes[0] == "only the first 512 characters were read"
    many = parse_query(" ".join(f"w{number}" for number in range(40)))
    assert len(many.terms) == MAX_CLAUSES
    assert many.notes == ("only the first 32 words were read",)
    assert len(parse_query('"' + " ".join(f"w{number}" for number in range(40)) + '"').terms[0].words) == MAX_CLAUSES


@pytest.mark.parametrize("text", ["", "   ", "()", "((((", '""', "!!! ???", "----", "*"])
def test_a_query_without_a_word_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(QueryError, match="nothing to look for") as caught:
        parse_query(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("os.path.join", [("os",), ("path",), ("join",)]),
        ("web-graph", [("web",), ("graph",)]),
        ("wind", [("wind",)]),
        ('"wind farm"', [("wind", "farm")]),
        ("東京", [("東", "京")]),
        ("東京都x", [("東", "京"), ("京", "都"), ("x",)]),
        ("山", [("山",)]),
    ],
)
def test_parts_of_what_is_typed_as_one_word(text: str, parts: list[tuple[str, ...]]) -> None:
    assert [part.words for part in parse_query(text).parts] == parts


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
