"""The tables of pages, links and sites, against what was composed and against the graph read link by link."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.webs.composed import composed, html, link

from periplus.errors import InputError
from periplus.graph import Graph
from periplus.graph.attributes import Attributes
from periplus.graph.urls.table import UrlTable
from periplus.library import Library, links_table, open_library, pages_table, sites_table
from periplus.library import tables as module
from periplus.library.sites import count_sites
from periplus.pages.store import store_of
from periplus.pipeline import build
from periplus.web.page import Page
from periplus.web.url import same_site

HOME, GUIDE, COPY, OTHER = (
    "http://a.example/",
    "http://a.example/guide",
    "http://www.a.example/guide-copy",
    "http://b.example/",
)
BODY = "A guide to otters."


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    guide = html(BODY, title="Guide")
    answers = {
        HOME: html(link(GUIDE, "the guide"), link("/guide", "otters"), link(OTHER, "=b()"), title="Home"),
        GUIDE: guide,
        COPY: guide,
        OTHER: f"<html><head><title>B</title></head><body><a href='{HOME}' rel='nofollow'>A</a></body></html>",
    }
    return open_library(composed(tmp_path_factory.mktemp("tables") / "small.web", answers).path)


def test_pages(library: Library) -> None:
    made = pages_table(library)
    rows = {row["url"]: row for row in (dict(zip(made.columns, row, strict=True)) for row in made.rows())}
    assert made.length == len(rows) == 4
    home, copy = rows[HOME], rows[COPY]
    told = {name: home[name] for name in ("title", "host", "site", "language", "in_degree", "out_degree", "status")}
    assert told == {
        "title": "Home",
        "host": "a.example",
        "site": "a.example",
        "language": "en",
        "in_degree": 1,
        "out_degree": 2,
        "status": 200,
    }
    assert home["fetched"] == "2026-11-16T05:52:58Z"
    assert (copy["host"], copy["site"]) == ("www.a.example", "a.example")
    assert (copy["copies"], copy["copy_of"], rows[GUIDE]["copy_of"], home["copies"]) == (2, GUIDE, None, 1)
    assert rows[OTHER]["language"] == ""
    assert home["region"] == "scc"


def test_every_ranking_has_its_value_and_the_place_counted_by_hand(library: Library) -> None:
    made = pages_table(library)
    rows = [dict(zip(made.columns, row, strict=True)) for row in made.rows()]
    assert {"pagerank", "indegree", "hits", "hits-hubs", "salsa", "salsa-hubs"} <= set(made.columns)
    for name, scores in library.scores.items():
        for row in rows:
            assert row[name] == scores.values[row["id"]]
            assert row[f"{name}_place"] == sum(scores.values >= row[name])


def test_links_are_those_written_with_their_texts(library: Library) -> None:
    made = links_table(library)
    rows = list(made.rows())
    assert made.length == len(rows)
    assert sorted(rows) == [
        (HOME, GUIDE, "otters", True, False, 0),
        (HOME, GUIDE, "the guide", True, False, 0),
        (HOME, OTHER, "=b()", False, False, 2),
        (OTHER, HOME, "A", False, True, 0),
    ]


def test_sites(library: Library) -> None:
    made = sites_table(library)
    assert list(made.rows()) == [("a.example", 3, 2, 1, 1, 1, 1, 1), ("b.example", 1, 1, 0, 1, 1, 1, 1)]


def test_some_pages_alone(library: Library) -> None:
    pages = library.graph.urls.site_range("b.example")
    made = pages_table(library, pages)
    assert [row[1] for row in made.rows()] == [OTHER]


def test_parts_of_any_size_make_the_same_table(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [list(make(library).rows()) for make in (pages_table, links_table)]
    monkeypatch.setattr(module, "AT_ONCE", 2)
    assert [list(make(library).rows()) for make in (pages_table, links_table)] == whole


def test_a_graph_alone_tells_what_it_has() -> None:
    graph = Graph.from_edges(np.array([0, 2, 2]), np.array([1, 0, 1]), 4)
    assert list(pages_table(graph).columns) == ["id", "in_degree", "out_degree"]
    assert list(pages_table(graph).rows())[2] == (2, 0, 2)
    assert list(links_table(graph).rows()) == [(0, 1), (2, 0), (2, 1)]
    with pytest.raises(InputError, match="no URLs"):
        sites_table(graph)


def test_what_a_graph_knows_of_its_nodes_has_columns_too() -> None:
    graph = Graph.from_edges(np.array([0]), np.array([1]), 2)
    graph.node_attributes = Attributes.of({"country": ["UK", None], "id": [7, 8]}, 2)
    made = pages_table(graph)
    assert list(made.columns) == ["id", "in_degree", "out_degree", "country", "id (attribute)"]
    assert list(made.rows()) == [(0, 0, 1, "UK", 7), (1, 1, 0, None, 8)]


def test_a_graph_without_a_page_or_a_link() -> None:
    for nodes in (0, 3):
        graph = Graph.from_edges(np.zeros(0, np.int64), np.zeros(0, np.int64), nodes)
        assert (pages_table(graph).length, len(list(pages_table(graph).rows()))) == (nodes, nodes)
        assert list(links_table(graph).rows()) == []


def test_sites_are_counted_as_link_by_link() -> None:
    """The oracle: every link looked at by itself, on a grown web of many sites."""
    random = np.random.default_rng(3)
    urls = [f"http://{'www.' * (n % 2)}s{n % 17}.example/{n}" for n in range(300)]
    graph = Graph.from_edges(*random.integers(0, 300, (2, 2000)), 300, urls=UrlTable.from_urls(urls))
    links = [(graph.urls[s], graph.urls[int(t)]) for s in range(graph.nodes) for t in graph.successors(s)]
    for row in count_sites(graph):
        home = f"http://{row.site}/"
        out = [t for s, t in links if same_site(s, home) and not same_site(t, home)]
        into = [s for s, t in links if same_site(t, home) and not same_site(s, home)]
        assert row.inside == sum(same_site(s, home) and same_site(t, home) for s, t in links)
        assert (row.to_outside, row.from_outside) == (len(out), len(into))


def test_the_title_of_a_page_that_failed_since_is_kept_and_its_status_told(tmp_path: Path) -> None:
    folder = tmp_path / "failed.web"
    collection = composed(folder, {HOME: html(title="Home")}, built=False)
    with store_of(collection).writer("added") as writer:
        writer.append(Page(HOME, 503, {"content-type": "text/html"}, b""))
    build(collection)
    made = pages_table(open_library(folder))
    (row,) = made.rows()
    told = dict(zip(made.columns, row, strict=True))
    assert (told["title"], told["status"]) == ("Home", 503)
