"""What passes between sites, and all links of a page: against every link looked at by itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.webs.composed import composed, html, link

from periplus.errors import ParameterError
from periplus.library import (
    Library,
    best_pages,
    copies_in,
    crosstalk,
    crosstalk_table,
    linked_sites,
    linking_sites,
    links_of,
    links_table_of,
    open_library,
    pages_of,
    region_shares,
)
from periplus.web.url import site_of

HOSTS = ("a.example", "www.a.example", "b.example", "c.example")


@pytest.fixture(scope="module")
def links() -> list[tuple[str, str, str]]:
    random = np.random.default_rng(7)
    urls = [f"http://{host}/{number}" for host in HOSTS for number in range(9)]
    ends = {(str(random.choice(urls)), str(random.choice(urls))) for _ in range(220)}
    return [(one, two, f"text {random.integers(5)}") for one, two in sorted(ends)]


@pytest.fixture(scope="module")
def library(links, tmp_path_factory: pytest.TempPathFactory) -> Library:
    answers = {
        f"http://{host}/{number}": html(
            f"{host} {number}",
            *(link(two, text) for one, two, text in links if one == f"http://{host}/{number}"),
            title=f"{host} {number}",
        )
        for host in HOSTS
        for number in range(9)
    }
    answers["http://c.example/copy"] = answers["http://c.example/1"]
    return open_library(composed(tmp_path_factory.mktemp("relations") / "four.web", answers).path)


@pytest.fixture(scope="module")
def stored(library: Library) -> list[tuple[str, str]]:
    graph = library.graph
    return [(graph.urls[s], graph.urls[int(t)]) for s in range(graph.nodes) for t in graph.successors(s)]


@pytest.mark.parametrize("host", ["a.example", "www.a.example", "b.example"])
def test_the_sites_on_both_sides(library: Library, stored, host: str) -> None:
    pages, own = pages_of(library, host), site_of(f"http://{host}/")
    ours = {library.graph.urls[page] for page in pages}
    into = Counter(site_of(s) for s, t in stored if t in ours and site_of(s) != own)
    out = Counter(site_of(t) for s, t in stored if s in ours and site_of(t) != own)
    assert dict(linking_sites(library, pages, own)) == into
    assert dict(linked_sites(library, pages, own)) == out
    counts = [count for _, count in linking_sites(library, pages, own)]
    assert counts == sorted(counts, reverse=True)


def test_every_link_between_two_sites(library: Library, stored, links) -> None:
    here, there = pages_of(library, "a.example"), pages_of(library, "b.example")
    found = crosstalk(library, here, there)
    expected = {(s, t) for s, t in stored if site_of(s) == "a.example" and site_of(t) == "b.example"}
    assert {(one.source, one.target) for one in found} == expected
    assert len(found) == len(expected) > 3
    written = {(one, two): text for one, two, text in links}
    assert all(one.texts == (written[one.source, one.target],) for one in found)
    table = crosstalk_table(library, here, there)
    assert table.length == len(found) + len(crosstalk(library, there, here))


@pytest.mark.parametrize("side", ["in", "out"])
def test_all_links_of_a_page_best_first(library: Library, stored, side) -> None:
    node = int(np.argmax(library.graph.in_degrees))
    url = library.graph.urls[node]
    expected = {s for s, t in stored if t == url} if side == "in" else {t for s, t in stored if s == url}
    whole = links_of(library, node, side, size=1000)
    assert [one.url for one in whole.shown] != sorted(one.url for one in whole.shown)
    assert {one.url for one in whole.shown} == expected
    ranks = [library.scores["pagerank"].values[one.node] for one in whole.shown]
    assert ranks == sorted(ranks, reverse=True)
    parts = [one for at in range(0, len(expected), 2) for one in links_of(library, node, side, offset=at, size=2).shown]
    assert tuple(parts) == whole.shown
    some = links_of(library, node, side, site="a.example", size=1000)
    assert {one.url for one in some.shown} == {one for one in expected if site_of(one) == "a.example"}
    assert dict(whole.sites) == Counter(map(site_of, expected))
    assert {row[0] for row in links_table_of(library, node, side).rows()} == expected


def test_pages_in_parts_regions_and_copies(library: Library) -> None:
    pages = pages_of(library, "c.example")
    urls = [row.url for at in range(0, len(pages), 3) for row in best_pages(library, pages, offset=at, size=3)]
    assert sorted(urls) == sorted(library.graph.urls[page] for page in pages)
    assert sum(count for _, count in region_shares(library, pages)) == len(pages) == 10
    copies = {frozenset(pair) for pair in copies_in(library, pages)}
    assert copies == {frozenset(("http://c.example/1", "http://c.example/copy"))}
    assert copies_in(library, pages_of(library, "b.example")) == []


def test_what_is_refused(library: Library, tmp_path: Path) -> None:
    for offset in (-1, 10_000):
        with pytest.raises(ParameterError, match="offset"):
            links_of(library, 0, "in", offset=offset)
        with pytest.raises(ParameterError, match="offset"):
            best_pages(library, pages_of(library, "b.example"), offset=offset)
    with pytest.raises(ParameterError, match="in, out"):
        links_of(library, 0, "both")  # type: ignore[arg-type]
    assert links_of(library, 0, "in", site="nowhere.example").shown == ()
