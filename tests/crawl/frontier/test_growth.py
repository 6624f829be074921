"""What the judge keeps in memory is bounded, however many spaces a web has."""

from __future__ import annotations

from array import array

from periplus.crawl.fetch.reading import Reading
from periplus.crawl.frontier import growth
from periplus.crawl.frontier.growth import WHOLE_HOST, Judge, Verdict
from periplus.crawl.visit import Visit
from periplus.pages.cdx import Entry


def page(number: int) -> Visit:
    """A page that says what no other says, in a space of its own."""
    marks = array("I", range(100 * number, 100 * number + 64)).tobytes()
    letters = "".join(chr(97 + int(digit)) for digit in str(number))
    entry = Entry(f"http://a.test/{letters}", 0.0, 200, "text/html", "", "", 0, 0)
    return Visit(entry.url, reading=Reading(b"", entry, html=True, marks=marks, exact=marks))


def test_the_spaces_met_longest_ago_make_room(monkeypatch) -> None:
    monkeypatch.setattr(growth, "_ALL_MARKS", 3000)
    judge = Judge([])
    for number in range(200):
        judge.learn(page(number), [])
        judge.learn(page(number), [])  # again: its size is counted once
        assert judge._held == sum(space.size for space in judge._spaces.values()) <= 3000
    assert ("a.test", "bjj") in judge._spaces


def test_a_verdict_says_whether_a_whole_host_is_left() -> None:
    assert str(Verdict("a.test", WHOLE_HOST, "no end")) == "a.test, the whole host: no end"
    assert str(Verdict("a.test", "cal/0", "no end")) == "a.test: no end"
