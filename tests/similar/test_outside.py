"""A URL that is linked to and not stored is answered as if it were stored without links of its own."""

from __future__ import annotations

import numpy as np
import pytest
from tests.similar.conftest import ordered_web

from periplus.errors import UnknownPageError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.similar import cocitation, companion
from periplus.similar.outside import Outside, with_page

NODES = 40


def names(count: int) -> list[str]:
    return [f"http://h{page % 9}.example/d{page % 4}/p{page}" for page in range(count)]


def with_and_without(seed: int) -> tuple[tuple[Graph, np.ndarray], tuple[Graph, np.ndarray], Outside]:
    """A web whose last page has no links out; the same without that page; the links to it."""
    graph, places, _ = ordered_web(NODES, 25, seed)
    sources = np.repeat(np.arange(NODES), graph.out_degrees)
    kept = sources != NODES - 1
    sources, targets, places = sources[kept], graph.out_targets[kept], places[kept]
    inside = targets != NODES - 1
    whole = Graph.from_edges(sources, targets, NODES, urls=NameTable.from_names(names(NODES)))
    part = Graph.from_edges(sources[inside], targets[inside], NODES - 1, urls=NameTable.from_names(names(NODES - 1)))
    linking, at = sources[~inside].astype(np.uint32), places[~inside].astype(np.uint32)
    outside = Outside(NameTable.from_names(names(NODES)[-1:]), np.array([0, len(linking)]), linking, at)
    return (whole, places), (part, places[inside]), outside


@pytest.mark.parametrize("seed", range(6))
def test_the_graph_with_one_page_more_is_the_graph_that_had_it(seed: int) -> None:
    (whole, places), (part, fewer), outside = with_and_without(seed)
    again, positions = with_page(part, fewer, names(NODES)[-1], outside.sources, outside.places)
    assert again == whole
    assert np.array_equal(again.in_sources, whole.in_sources)
    assert np.array_equal(positions, places)
    assert list(again.urls) == list(whole.urls)
    assert [again.urls.find(name) for name in names(NODES)] == list(range(NODES))
    hosts = [again.urls.hosts()[number] for number in again.urls.host_ids()]
    assert hosts == [whole.urls.hosts()[number] for number in whole.urls.host_ids()]


@pytest.mark.parametrize("method", [companion, cocitation])
@pytest.mark.parametrize("seed", range(6))
def test_its_answer_is_that_of_the_graph_that_had_it(method, seed: int) -> None:
    (whole, places), (part, fewer), outside = with_and_without(seed)
    url = names(NODES)[-1]
    expected = method(whole, positions=places).nearest(url)
    made = method(part, positions=fewer)
    object.__setattr__(made, "outside", lambda: outside)
    found = made.nearest(url)
    assert found.results == expected.results
    assert found.results
    assert found.of == ()
    assert found.notes[0] == f"{url} is not stored: the links from {len(outside.sources)} pages speak for it"
    assert set(found.notes[1:]) == set(expected.notes)
    below = made.nearest(url + "/deep?q=1")
    assert below.results == expected.results
    assert below.notes[0].endswith(f" pages to {url} speak for it")
    both = made.nearest([0, url])
    assert both.of == (0,)
    assert both.results == method(whole, positions=places).nearest([0, url]).results


def test_a_url_of_a_new_host_and_one_that_nobody_links_to() -> None:
    graph = Graph.from_edges(*np.array([(0, 2), (1, 2)]).T, 3, urls=NameTable.from_names(names(3)))
    larger, _ = with_page(graph, None, "http://new.example/", np.array([0, 1], np.uint32), np.zeros(2, np.uint32))
    assert larger.urls.hosts()[larger.urls.host_ids()[3]] == "new.example"
    assert companion(larger).nearest(3).pages == [2]
    with pytest.raises(UnknownPageError):
        companion(graph).nearest("http://new.example/")
