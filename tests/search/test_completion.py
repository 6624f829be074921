"""What a query that is being typed may become."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from periplus.index import IndexDocument, build_index
from periplus.index.schema import Call
from periplus.record import Scores
from periplus.search import Searcher

PAGES = [
    IndexDocument(0, "http://a.org/0", "Wind farm | Energy", body="turbines turn"),
    IndexDocument(1, "http://a.org/1", "The window of Édouard", body="turbines of old"),
    IndexDocument(2, "http://b.org/2", "Old wind mills", body="mills", calls=(Call("Windmill museum", 3, 1),)),
    IndexDocument(3, "http://b.org/3", "Wind farm", body="another"),
    IndexDocument(4, "http://b.org/4", "Wind of secrets", body="turbulent", noindex=True),
    IndexDocument(5, "http://c.org/5", "東京タワー", body="塔"),
]


def searcher(folder: Path, *, public: bool = False) -> Searcher:
    build_index(PAGES, folder / "index")
    ranks = {"pagerank": Scores("pagerank", np.array([0.3, 0.2, 0.25, 0.1, 0.05, 0.1]), error_bound=0.0)}
    return Searcher(folder / "index", scores=ranks, public=public)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("win", ("Wind farm", "Wind of secrets", "Windmill museum", "Old wind mills", "The window of Édouard")),
        ("wind f", ("Wind farm",)),
        ("  WIND   FA", ("Wind farm",)),
        ("edou", ("The window of Édouard",)),
        ("windm", ("Windmill museum",)),
        ("東", ("東京タワー",)),
    ],
)
def test_names_that_go_on_like_what_was_typed(tmp_path: Path, typed: str, expected: tuple[str, ...]) -> None:
    found = searcher(tmp_path).completions(typed)
    assert found[: len(expected)] == expected


def test_words_of_texts_fill_the_list_where_they_stand_together(tmp_path: Path) -> None:
    made = searcher(tmp_path)
    assert made.completions("turb") == ("turbines", "turbulent")
    assert made.completions("farm turb") == ("farm turbines",)
    assert made.completions("zzz") == made.completions("") == made.completions("(") == made.completions('"') == ()


def test_pages_that_ask_not_to_be_indexed_are_not_named_to_the_public(tmp_path: Path) -> None:
    made = searcher(tmp_path, public=True)
    assert "Wind of secrets" not in made.completions("wind")
    assert made.completions("turb") == ("turbines",)
    assert made.completions("turbu") == ()


def test_a_community_that_there_is_not_offers_nothing(tmp_path: Path) -> None:
    build_index([IndexDocument(0, "http://a.org/", body="harbour")], tmp_path / "index")
    searcher = Searcher(tmp_path / "index", scores={})
    assert searcher.completions("community:9 har") == ()
    assert searcher.completions("har") == ("harbour",)
