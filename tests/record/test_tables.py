"""Tables of pages for other programs: CSV, pandas, polars, notebooks."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from tests.record.samples import GRAPHS, MAKERS, graphs, makers

from periplus.errors import MissingDependencyError
from periplus.graph import Graph
from periplus.rank import indegree
from periplus.record import (
    PageLabels,
    PagePositions,
    Record,
    Scores,
    csv_text,
)
from periplus.record.plain import same

COLUMNS = {
    "pagerank": ["page", "url", "score", "rank", "tied_with"],
    "nan": ["page", "url", "score", "rank", "tied_with"],
    "strong": ["page", "url", "label"],
    "bowtie": ["page", "url", "label", "name"],
    "positions": ["page", "url", "x", "y", "z"],
}
tables = pytest.mark.parametrize("name", COLUMNS)


@tables
@graphs
def test_a_table_as_csv(name: str, graph: Graph, tmp_path: Path) -> None:
    record = MAKERS[name](graph)
    record.to_csv(tmp_path / "table.csv")
    head, *lines = csv.reader((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines())
    assert head == [column for column in COLUMNS[name] if column != "url" or graph.urls is not None]
    assert len(lines) == graph.nodes
    for line, row in zip(lines, record.rows(), strict=True):
        assert same([type(cell)(text) for cell, text in zip(row, line, strict=True)], list(row))


@tables
@graphs
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_as_a_data_frame(library: str, name: str, graph: Graph, tmp_path: Path) -> None:
    pytest.importorskip(library)
    record = MAKERS[name](graph)
    record.save(tmp_path, name)
    for one in (record, type(record).load(tmp_path, name, urls=graph.urls)):  # from memory and from a mapped file
        frame = one.to_pandas() if library == "pandas" else one.to_polars()
        assert list(frame.columns) == list(one.columns())
        assert len(frame) == graph.nodes
        for column, values in one.columns().items():
            assert same(frame[column].to_list(), list(values))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_not_there_is_named_with_what_installs_it(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    scores = indegree(GRAPHS["with URLs"])
    with pytest.raises(MissingDependencyError, match=f"pip install {library}$"):
        scores.to_pandas() if library == "pandas" else scores.to_polars()


def test_a_text_that_a_spreadsheet_would_run_is_quoted(tmp_path: Path) -> None:
    labels = PageLabels("mine", np.array([0, 1, 2]), ["=1+1", "-2", 'a,"b"\n'])
    labels.to_csv(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        assert [row[-1] for row in csv.reader(file)] == ["name", "'=1+1", "'-2", 'a,"b"\n']
    assert csv_text(("a", "b"), [(-1.5, "@x")]) == "a,b\r\n-1.5,'@x\r\n"


class Cells(HTMLParser):
    """The texts of a table, and its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@makers
@graphs
def test_a_notebook_shows_the_first_lines(maker: Callable[[Graph], Record], graph: Graph) -> None:
    record = maker(graph)
    shown = Cells(record._repr_html_())
    assert set(shown.tags) <= {"div", "b", "table", "tr", "th", "td"}
    assert shown.texts[0] == record.method
    assert f"{graph.nodes} page" in shown.texts[1]
    if graph.urls is not None and graph.nodes:
        assert "https://example.org/0" in shown.texts


def test_a_notebook_is_safe_and_says_what_is_not_sure() -> None:
    scores = Scores("<b>", np.arange(20.0), iterations=1, error_bound=0.25, converged=False)
    shown = Cells(scores._repr_html_())
    assert shown.texts[:2] == ["<b>", ": 20 pages, 1 pass, error at most 0.25, not converged"]
    assert shown.texts[2:8] == ["place", "page", "score", "1", "19", "19"]
    assert shown.tags.count("tr") == 11
    assert repr(scores) == "Scores(<b>, 20 pages, error ≤ 0.25)"


def test_points_of_many_dimensions_have_a_column_for_each() -> None:
    found = PagePositions("mine", np.arange(8.0).reshape(2, 4)).columns()
    assert list(found) == ["page", "x0", "x1", "x2", "x3"]
    assert list(PagePositions("mine", np.zeros((2, 2))).columns()) == ["page", "x", "y"]
