"""The captures of a page, and what changed between two."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.library.captures import MOON, TIDES, TIMES, library_in

from periplus.errors import ParameterError, UnknownPageError
from periplus.library import Library, difference, history_of
from periplus.library.history import _changes


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return library_in(tmp_path_factory.mktemp("history") / "tides.web")


def test_every_capture_in_order_and_whether_it_changed(library: Library) -> None:
    moments = history_of(library, TIDES)
    assert tuple(one.timestamp for one in moments) == TIMES
    assert [one.changed for one in moments] == [False, False, True]
    assert len(history_of(library, MOON)) == 1


def test_what_changed_with_a_line_around_and_the_rest_counted(library: Library) -> None:
    found = difference(library, TIDES, TIMES[0], TIMES[2])
    assert [one.text for one in found.changes if one.kind == "removed"] == ["It falls after six hours."]
    added = [one.text for one in found.changes if one.kind == "added"]
    assert added == ["It falls after six hours & a quarter.", "Dues: <script>alert(1)</script>"]
    assert (found.added, found.removed) == (2, 1)
    kinds = [one.kind for one in found.changes]
    assert "skipped" in kinds
    assert sum(int(one.text) for one in found.changes if one.kind == "skipped") + kinds.count("same") == 12
    assert kinds[0] == "same"


def test_backwards_is_the_reverse_and_no_change_is_none(library: Library) -> None:
    back = difference(library, TIDES, TIMES[2], TIMES[0])
    assert (back.added, back.removed) == (1, 2)
    assert not difference(library, TIDES, TIMES[0], TIMES[1]).added


def test_unknown_pages_and_times(library: Library) -> None:
    with pytest.raises(UnknownPageError):
        history_of(library, "http://nowhere.example/")
    with pytest.raises(ParameterError, match="time of a capture"):
        difference(library, TIDES, "20200101000000", TIMES[0])


def test_the_public_is_not_shown_what_asks_not_to_be(tmp_path: Path, library: Library, monkeypatch) -> None:
    from periplus.library import history

    read = history.read_capture
    monkeypatch.setattr(
        history,
        "read_capture",
        lambda entry, page: (
            (made := read(entry, page)) and replace(made, document=replace(made.document, noindex=True))
        ),
    )
    assert difference(library, TIDES, TIMES[0], TIMES[2]).added
    monkeypatch.setattr(library, "public", True)
    assert not difference(library, TIDES, TIMES[0], TIMES[2]).changes


def test_as_much_as_can_be_is_the_same() -> None:
    draw = random.Random(17)
    for _ in range(200):
        old, new = (draw.choices("abcd", k=draw.randrange(9)) for _ in range(2))
        changes = _changes(old, new)
        assert [one.text for one in changes if one.kind != "added"] == old
        assert [one.text for one in changes if one.kind != "removed"] == new
        assert sum(one.kind == "same" for one in changes) == _longest(old, new)


def test_a_page_that_repeats_itself_is_compared_like_any_other() -> None:
    """The worst case of `difflib`, for which it would take minutes."""
    old, new = ["a"] * 2000, [text for at in range(1000) for text in ("a", f"x{at}")]
    assert sum(one.kind == "same" for one in _changes(old, new)) == 1000


def _longest(old: list[str], new: list[str]) -> int:
    """The length of a longest common subsequence, by its definition."""
    if not (old and new):
        return 0
    if old[0] == new[0]:
        return 1 + _longest(old[1:], new[1:])
    return max(_longest(old[1:], new), _longest(old, new[1:]))
