"""Pages from memory: every form that holds them, what is passed over, and what is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest

import periplus
from periplus.collection import Collection
from periplus.errors import ParameterError
from periplus.library import search
from periplus.pages.given import captures
from periplus.pages.store import store_of

PAGES = [
    ("https://a.example/", "<title>Harbour</title><a href='b.html'>the light</a>"),
    ("https://a.example/b.html", "<title>Licht</title>Größe"),
]
COLUMNS = {"url": [url for url, _ in PAGES], "html": [html for _, html in PAGES]}


@pytest.mark.parametrize(
    "pages",
    [
        PAGES,
        iter(PAGES),
        dict(PAGES),
        [list(pair) for pair in PAGES],
        [(url, html.encode()) for url, html in PAGES],
        pandas.DataFrame(COLUMNS),
        polars.DataFrame(COLUMNS),
        pyarrow.table(COLUMNS),
    ],
    ids=["pairs", "iterator", "mapping", "lists", "bytes", "pandas", "polars", "arrow"],
)
def test_pages_of_a_program_are_built_and_found(tmp_path: Path, pages: object) -> None:
    report = periplus.add_pages(tmp_path / "my.web", pages)
    assert (report.pages, report.skipped) == (2, {})
    periplus.build(tmp_path / "my.web")
    assert periplus.open_graph(tmp_path / "my.web").links == 1
    assert search(tmp_path / "my.web", '"the light"').results[0].url == "https://a.example/b.html"


def test_text_is_read_as_it_was_given(tmp_path: Path) -> None:
    """A page that declares another charset was decoded before it came here."""
    html = "<meta charset=iso-8859-1><title>Größe</title>"
    periplus.add_pages(tmp_path / "my.web", [("http://a.example/", html)])
    periplus.build(str(tmp_path / "my.web"))
    assert search(tmp_path / "my.web", "größe").results[0].title == "Größe"


def test_when_a_page_was_fetched() -> None:
    nine = datetime(2020, 5, 4, 9, tzinfo=UTC)
    given = [nine, nine.replace(tzinfo=None), "2020-05-04T09:00:00", pandas.Timestamp("2020-05-04T11:00+02:00")]
    assert {one.fetched for one in captures([("http://a.org/", "x", when) for when in given])} == {nine}
    assert next(captures([("http://a.org/", "x", date(2020, 5, 4))])).fetched == datetime(2020, 5, 4, tzinfo=UTC)
    for unknown in (None, pandas.NaT, "yesterday", 7):
        age = datetime.now(UTC) - next(captures([("http://a.org/", "x", unknown)])).fetched
        assert timedelta(0) <= age < timedelta(seconds=60)
    table = pandas.DataFrame({"adresse": ["http://a.org/"], "text": ["x"], "am": ["2020-05-04T09:00:00Z"]})
    assert next(captures(table, url="adresse", html="text", fetched="am")).fetched == nine


def test_a_newer_text_of_a_page_replaces_the_older(tmp_path: Path) -> None:
    for day, text in ((1, "old"), (2, "new")):
        periplus.add_pages(tmp_path / "my.web", [("http://a.org/", text, datetime(2020, 1, day, tzinfo=UTC))])
    store = store_of(Collection.open(tmp_path / "my.web"))
    assert store.read(store.find("http://a.org/")).body == b"new"
    again = periplus.add_pages(tmp_path / "my.web", [("http://a.org/", "new", datetime(2020, 1, 2, tzinfo=UTC))])
    assert (again.pages, again.known) == (0, 1)


def test_pages_without_a_url_or_text_are_counted(tmp_path: Path) -> None:
    pages = [
        *PAGES,
        ("not a url", "x"),
        ("ftp://a.org/", "x"),
        (None, "x"),
        ("http://a.org/", None),
        ("http://b.org/", 1.5),
    ]
    report = periplus.add_pages(tmp_path / "my.web", pages)
    assert (report.pages, report.skipped) == (2, {"page of no http(s) URL": 3, "page without HTML": 2})


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ("http://a.org/", "pairs of URL and HTML"),
        (7, "pairs of URL and HTML"),
        (["http://a.org/"], "pairs of URL and HTML"),
        ([("http://a.org/",)], "pairs of URL and HTML"),
        (pandas.DataFrame({"link": [], "html": []}), "one of the columns of the table: link, html"),
    ],
)
def test_what_holds_no_pages_is_refused(tmp_path: Path, pages: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        periplus.add_pages(tmp_path / "my.web", pages)


def test_one_file_or_one_seed_needs_no_list(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    assert periplus.add(tmp_path / "my.web", str(tmp_path / "a.html")).pages == 1
