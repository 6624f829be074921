"""Orders on graphs that are known, against plain versions of what their papers say."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from periplus.crawl.engine.rehearsal import rehearse
from periplus.crawl.frontier.store import Batch, FoundUrl, Frontier
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders import ORDERS
from periplus.crawl.orders.pagerank import DAMPING, FIRST, TOLERANCE, PartialPageRank
from periplus.crawl.politeness.hosts import Host
from periplus.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.models import web_model
from periplus.rank.methods.pagerank import pagerank


@pytest.fixture(scope="module")
def web() -> Graph:
    return web_model(1000, seed=4)


def order(name: str):
    return ORDERS[name](CrawlOptions())


def seed_of(graph: Graph) -> int:
    """A page from which most of the web can be reached."""
    links = graph.to_networkx()
    return max(range(0, graph.nodes, 7), key=lambda page: len(nx.descendants(links, page)))


def plain(graph: Graph, seed: int, name: str) -> list[int]:
    """The order by the definition: of all that is known and not fetched, the largest worth, the oldest first."""
    worth, known, fetched = {seed: 1.0}, [seed], []
    depth = {seed: 0}
    while waiting := [page for page in known if page not in set(fetched)]:
        value = (lambda page: -depth[page]) if name == "breadth-first" else worth.__getitem__
        page = max(waiting, key=value)
        fetched.append(page)
        links = graph.successors(page).tolist()
        for target in links:
            if target not in depth:
                known.append(target)
                depth[target], worth[target] = depth[page] + 1, 0.0
            worth[target] += worth[page] / len(links) if name == "opic" else 1.0
    return fetched


@pytest.mark.parametrize("name", ["breadth-first", "back-links", "opic"])
def test_pages_come_in_the_order_of_the_definition(name: str) -> None:
    graph = web_model(200, seed=3)
    seed = seed_of(graph)
    got = rehearse(Graph(graph.out_offsets, graph.out_targets), [seed], order(name), batch=1)
    assert len(got) > 50
    if name == "opic":  # equal cash may differ in its last bit: compare how much cash was in hand at each step
        shares = {page: share for share, page in enumerate(plain(graph, seed, name))}
        assert np.mean([abs(shares[page] - at) for at, page in enumerate(got)]) < 1
    else:
        assert got == plain(graph, seed, name)


@pytest.mark.parametrize("name", list(ORDERS))
def test_every_order_reaches_the_same_pages_and_stops_where_it_is_told(web: Graph, name: str) -> None:
    seed = seed_of(web)
    reachable = nx.descendants(web.to_networkx(), seed) | {seed}
    got = rehearse(web, [seed], order(name))
    assert len(got) == len(set(got))
    assert set(got) == reachable
    assert rehearse(web, [seed], order(name), pages=100) == got[:100]


def test_hosts_take_turns() -> None:
    """Ten pages of one host and two of another, all linked from a third: the two are not left for the end."""
    urls = [
        "http://c.example/",
        *(f"http://a.example/{i}" for i in range(10)),
        *(f"http://b.example/{i}" for i in (0, 1)),
    ]
    graph = Graph.from_edges([0] * 12, range(1, 13), 13, urls=NameTable.from_names(urls))
    assert rehearse(graph, [0], order("round-robin"), batch=1) == [0, 1, 11, 2, 12, *range(3, 11)]


def test_pagerank_meets_important_pages_before_breadth_first(web: Graph) -> None:
    worth, seed = pagerank(web).values, seed_of(web)
    half = {name: worth[rehearse(web, [seed], order(name))[:200]].sum() for name in ("breadth-first", "pagerank")}
    assert half["pagerank"] > 1.05 * half["breadth-first"]


def links_of(pages: int) -> list[list[int]]:
    """Who links to whom, by the frontier's ids: the first pages are fetched, their links lead among 300 URLs."""
    random = np.random.default_rng(1)
    return [sorted({*random.integers(1, 301, 7).tolist(), *random.integers(1, 20, 2).tolist()}) for _ in range(pages)]


def test_the_keys_of_pagerank_are_those_of_networkx() -> None:
    one = order("pagerank")
    links = links_of(FIRST)
    for page, urls in enumerate(links, 1):
        assert list(one.revised()) == []
        one.linked(page, 1, urls)
    keys = {page: -key for key, page in one.revised()}
    graph = nx.DiGraph([(page, url) for page, urls in enumerate(links, 1) for url in urls])
    expected = nx.pagerank(graph, alpha=DAMPING, tol=1e-12)
    assert keys.keys() == {page for page in graph if page > FIRST}
    assert sum(abs(keys[page] - expected[page]) for page in keys) < 2 * TOLERANCE
    assert list(one.revised()) == []  # until the graph has grown


def test_pagerank_knows_its_links_after_a_restart(tmp_path) -> None:
    """The frontier alone is enough: a second run solves the same graph as a run that was never stopped."""
    path, host = tmp_path / "frontier.sqlite", Host(1, "a")
    urls = [f"http://a/{i}" for i in range(1, 301)]
    links, keys = links_of(FIRST), []
    for stops in (FIRST, FIRST // 2):
        path.unlink(missing_ok=True)
        for begin in range(0, FIRST, stops):
            frontier = Frontier(path, PartialPageRank(CrawlOptions()))
            frontier.begin()
            found = [FoundUrl(url, host, 0, 0, -1.0) for url in urls]
            rows = [(page + 1, [urls[i - 1] for i in links[page]]) for page in range(begin, begin + stops)]
            frontier.write(Batch(found=found, links=rows, hosts={1: host}))
            keys.append(frontier.find(urls[200]).key)
            frontier.close()
    assert keys[1] == -1.0  # half of the pages are not enough for a solution
    assert keys[0] == keys[2] < 0


def two_towns(seed: int) -> Graph:
    """Two groups of 300 pages, each page with ten links within its own; page 0 links to eight of the other town too."""
    random = np.random.default_rng(seed)
    sources = np.repeat(np.arange(600), 10)
    targets = random.integers(0, 300, 6000) + 300 * (sources >= 300)
    return Graph.from_edges(np.append(sources, [0] * 8), np.append(targets, np.arange(300, 308)), 600)


def test_nearness_stays_in_the_town_of_the_seed() -> None:
    share = {
        name: np.mean([np.array(rehearse(two_towns(seed), [0], order(name), pages=300)) < 300 for seed in range(4)])
        for name in ("nearness", "breadth-first")
    }
    assert share["nearness"] > share["breadth-first"] + 0.05


def test_nearness_knows_its_seeds_after_a_restart(tmp_path) -> None:
    """The seed is told with its depth when the frontier is opened again; pages farther from it are no seeds."""

    def opened() -> Frontier:
        return Frontier(tmp_path / "frontier.sqlite", order("nearness"))

    frontier, host = opened(), Host(1, "a")
    urls = [FoundUrl(f"http://a/{number}", host, number and 1, 0, 0.0) for number in range(9)]
    frontier.begin()
    batch = Batch([("OK", 1), ("OK", 2)], found=urls, hosts={1: host})
    batch.links = [(1, [url.url for url in urls[1:5]]), (2, [url.url for url in urls[5:]])]
    frontier.write(batch)
    before = list(frontier.order._seeds)
    frontier.close()
    again = opened()
    assert before == list(again.order._seeds) == [1]
    again.close()


def test_the_keys_of_nearness_are_distances_to_the_seed() -> None:
    one = order("nearness")
    random = np.random.default_rng(3)
    links = [sorted({*random.integers(1, 80, 4).tolist(), 60 + page}) for page in range(1, 51)]
    for page, urls in enumerate(links, 1):
        assert list(one.revised()) == []
        one.linked(page, 0 if page == 1 else 1, urls)
    keys = {page: key for key, page in one.revised()}
    assert keys.keys() == {page for urls in links for page in urls if page > 50}
    assert min(keys.values()) >= 0
    assert len(set(keys.values())) > 10
    assert list(one.revised()) == []
