"""Rankings side by side: the places, the overlap and the counts against the lists themselves."""

from __future__ import annotations

import json

import pytest
from tests.oracles import rankings as oracle
from tests.search.test_focused import BEST, library, web

from periplus.errors import ParameterError
from periplus.library.compare import QueryComparison, compare_query

__all__ = ["library", "web"]


def lists(found: QueryComparison) -> list[list[int]]:
    return [list(column.pages) for column in found.columns]


def test_places_elsewhere_are_those_of_the_other_lists(library) -> None:
    found = compare_query(library, "gull", ["text", "hits", "markov"])
    every = lists(found)
    for at, column in enumerate(found.columns):
        others = [one for other, one in enumerate(every) if other != at]
        for place, cell in enumerate(column.cells):
            assert cell.page.node == every[at][place]
            wanted = [one.index(cell.page.node) + 1 if cell.page.node in one else None for one in others]
            assert list(cell.places) == wanted
    assert found.columns[1].cells[0].page.url == BEST


def test_agreement_is_rank_biased_overlap_of_the_lists(library) -> None:
    found = compare_query(library, "gull", ["text", "blended", "hits"])
    every = dict(zip(("text", "blended", "hits"), lists(found), strict=True))
    assert [(one.first, one.second) for one in found.agreements] == [
        ("text", "blended"), ("text", "hits"), ("blended", "hits"),
    ]  # fmt: skip
    for one in found.agreements:
        first, second = every[one.first], every[one.second]
        depth = min(len(first), len(second))
        assert one.overlap == pytest.approx(oracle.rank_biased_overlap(first[:depth], second[:depth], 0.9))
        assert one.shared == len(set(first[:10]) & set(second[:10]))
        assert any(f"{one.shared} of the first" in line or "same order" in line for line in found.sentences)


def test_as_data(library) -> None:
    told = json.loads(json.dumps(compare_query(library, "gull", ["text", "hits"], top=3).to_dict()))
    assert list(told) == ["query", "findings", "notes", "columns", "agreements"]
    assert [column["rank"] for column in told["columns"]] == ["text", "hits"]
    assert [page["place"] for page in told["columns"][1]["pages"]] == [1, 2, 3]
    assert set(told["columns"][1]["pages"][0]["elsewhere"]) == {"text"}
    assert told["columns"][1]["stability"]["sentence"]
    assert told["columns"][1]["hubs"]


def test_no_page_and_one_page(library) -> None:
    nothing = compare_query(library, "xylophone", ["text", "hits"])
    assert nothing.sentences == ["No page has these words"]
    assert not any(column.cells for column in nothing.columns)
    one = compare_query(library, "apart 3", ["text", "hits"])
    assert one.columns[0].cells


@pytest.mark.parametrize("ranks", [[], ["text"], ["text", "text"], ["text", "hits", "salsa", "markov"]])
def test_two_or_three_rankings(library, ranks: list[str]) -> None:
    with pytest.raises(ParameterError, match="two or three different ones of"):
        compare_query(library, "gull", ranks)


def test_bad_parameters(library) -> None:
    with pytest.raises(ParameterError, match="ranking"):
        compare_query(library, "gull", ["text", "magic"])
    for top in (0, 101):
        with pytest.raises(ParameterError, match="top"):
            compare_query(library, "gull", ["text", "hits"], top=top)
