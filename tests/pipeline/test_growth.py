"""The growth of a collection: the first capture of each page dates it, and the study shows the curve."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from tests.pipeline.stages.test_structure import written

from periplus.cli.graphs.structure import structure
from periplus.collection import Collection
from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.pipeline import add, build
from periplus.pipeline.growth import first_seen
from periplus.structure.studies.growth import growth
from periplus.structure.studies.report import figures
from periplus.structure.studies.study import study

START = datetime(2026, 5, 1, tzinfo=UTC)


class Store:
    """Captures of three pages over ten days, one of them twice, and of a URL that is no page of the graph."""

    def entries(self) -> list[SimpleNamespace]:
        days = [("http://a.org/1", 9), ("http://a.org/0", 0), ("http://a.org/1", 4), ("http://a.org/x", 2)]
        return [SimpleNamespace(url=url, fetched=START + timedelta(days=day)) for url, day in days]


@pytest.fixture
def graph() -> Graph:
    return Graph.from_edges([0, 1, 2], [1, 2, 0], 3, urls=UrlTable.from_urls([f"http://a.org/{k}" for k in range(3)]))


def test_the_first_capture_counts(graph: Graph) -> None:
    day, start = 86_400, int(START.timestamp())
    assert first_seen(Store(), graph).tolist() == [start, start + 4 * day, -1]  # type: ignore[arg-type]
    assert first_seen(Store(), Graph.from_edges([0], [1])).tolist() == [-1, -1]  # type: ignore[arg-type]


def test_the_curve_is_drawn(graph: Graph) -> None:
    grown = growth(first_seen(Store(), graph))  # type: ignore[arg-type]
    assert grown is not None
    found = {**study(graph, fast=True).to_dict(), "growth": grown.to_dict()}
    assert found["growth"]["pages"] == [1, 2]
    drawn = {one.name: one for one in figures(found)}["growth"]
    assert "2 pages in 4 days" in drawn.svg
    assert "1 more are linked to" in drawn.caption


def test_a_collection_says_how_it_grew(tmp_path: Path) -> None:
    add(tmp_path / "c.web", [written(tmp_path / "html", 12)], base="http://a.example/")
    build(Collection.open(tmp_path / "c.web"))
    found = json.loads(CliRunner().invoke(structure, [str(tmp_path / "c.web"), "--json", "--fast"]).stdout)
    assert found["growth"]["pages"][-1] == 12
    shown = CliRunner().invoke(structure, [str(tmp_path / "c.web"), "--fast"]).output
    assert "12 pages" in shown
