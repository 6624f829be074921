"""Graphs between processes and beside each other: pickled with their names, equal by their links; lenient headers."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from periplus.errors import FormatError, PeriplusWarning
from periplus.graph import Graph
from periplus.graph.formats import read_graph
from periplus.graph.urls.table import UrlTable


def named() -> Graph:
    urls = UrlTable.from_urls(["http://a.example/", "http://b.example/x", "http://c.example/"])
    return Graph.from_edges([0, 1, 1], [1, 0, 2], nodes=3, urls=urls)


def test_a_graph_with_names_is_pickled(tmp_path: Path) -> None:
    named().save(tmp_path / "g")
    for graph in (named(), Graph.open(tmp_path / "g")):
        again = pickle.loads(pickle.dumps(graph))
        assert again == graph
        assert [again.urls[page] for page in range(3)] == [graph.urls[page] for page in range(3)]
        assert again.urls.find("http://b.example/x") == graph.urls.find("http://b.example/x")


def test_equal_means_the_same_links() -> None:
    assert named() == Graph.from_edges([1, 1, 0], [2, 0, 1], nodes=3)
    assert named() != Graph.from_edges([0, 1, 1], [1, 0, 2], nodes=4)
    assert named() != Graph.from_edges([0, 1, 2], [1, 0, 2], nodes=3)
    assert named() != "a graph"
    assert len({named(), named()}) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lie.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 9\n1 2\n2 3\n"),
        ("lie.metis", "3 9\n2\n1 3\n2\n"),
    ],
)
def test_a_header_that_lies_is_an_error_or_a_warning(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError, match="promises"):
        read_graph(path)
    with pytest.warns(PeriplusWarning, match="promises"):
        assert read_graph(path, lenient=True).links >= 2
