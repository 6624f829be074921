"""Cocitation against the literal transcription, and how URLs are chopped up."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import similar_links as oracle
from tests.similar.conftest import ordered_web

from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.similar import cocitation
from periplus.similar.starts import chopped


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("most", [2, 5, 8])
def test_degrees_are_those_of_the_transcription(seed: int, most: int) -> None:
    graph, places, web = ordered_web(40, 25, seed)
    found = cocitation(graph, positions=places, back_forward=most)
    for page in range(0, 40, 3):
        got = {one.id: one.score for one in found.nearest(page, 100)}
        assert got == oracle.cocited(web, page, most, set(np.flatnonzero(found.stoplist).tolist()))


def test_why_counts_the_pages_that_name_both() -> None:
    ends = np.array([(0, 2), (0, 3), (1, 2), (1, 3), (1, 4)])
    found = cocitation(Graph.from_edges(*ends.T, 5)).nearest(2)
    assert [(one.id, one.score) for one in found] == [(3, 2.0)]
    assert found[0].why == "2 pages link to both, among them page 0, page 1"


@pytest.mark.parametrize(
    ("url", "above"),
    [
        ("http://a.com/X/Y/Z", ["http://a.com/X/Y/", "http://a.com/X/Y", "http://a.com/X/", "http://a.com/X", "http://a.com/"]),
        ("http://a.com/X/?q=1", ["http://a.com/X/", "http://a.com/X", "http://a.com/"]),
        ("http://a.com/?q", ["http://a.com/"]),
        ("http://a.com:8080/x", ["http://a.com:8080/"]),
        ("http://a.com/", []),
        ("not a URL", []),
    ],
)  # fmt: skip
def test_a_url_loses_one_element_at_a_time(url: str, above: list[str]) -> None:
    assert list(chopped(url)) == above


def test_too_few_cocited_pages_send_it_to_the_page_above() -> None:
    names = [f"http://hub{n}.example/" for n in range(4)] + [f"http://s{n}.example/" for n in range(4)]
    names += ["http://a.example/x/deep", "http://a.example/x/"]
    deep, parent = 8, 9
    ends = [(hub, target) for hub in (0, 1) for target in (4, 5, deep)]
    ends += [(hub, target) for hub in (2, 3) for target in (4, 5, 6, 7, parent)]
    graph = Graph.from_edges(*np.array(ends).T, 10, urls=NameTable.from_names(names))
    found = cocitation(graph, enough=3).nearest(deep)
    assert found.notes[0] == "only 2 pages are cocited with it twice: http://a.example/x/ stands for it"
    assert (found.of, found.pages) == ((deep,), [4, 5, 6, 7])
    assert cocitation(graph, enough=2).nearest(deep).pages == [4, 5]
    # Where nothing above has enough either, the answer is that of the page itself.
    assert cocitation(graph, enough=50).nearest(deep).pages == [4, 5]


def test_the_page_asked_about_is_no_answer_of_the_page_above() -> None:
    names = [
        "http://h.example/",
        "http://i.example/",
        "http://a.example/x/",
        "http://a.example/x/deep",
        "http://b.example/",
    ]
    ends = np.array([(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)])
    graph = Graph.from_edges(*ends.T, 5, urls=NameTable.from_names(names))
    found = cocitation(graph, enough=3).nearest(3)
    assert found.pages == [2, 4]


def test_pages_without_parents_have_no_answer() -> None:
    assert cocitation(Graph.from_edges(np.array([0]), np.array([1]), 3)).nearest(2).results == ()
    assert cocitation(Graph.from_edges(np.array([0]), np.array([1]), 3)).nearest([0, 2]).results == ()
