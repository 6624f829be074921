"""Trawling against brute force, planted cores, copying and random webs, and the graphs that would blow it up."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import data_path
from tests.oracles.communities_cores import has_core, rows_of

from periplus.communities import core_counts, trawl
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.models import erdos_renyi_links, linear_copying
from periplus.pipeline import open_graph


def edges_of(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(graph.nodes), graph.out_degrees), np.asarray(graph.out_targets, np.int64)


def assert_disjoint_and_complete(graph: Graph, found) -> None:
    for role in ("fans", "centres"):
        pages = np.concatenate([core.parts[role] for core in found]) if len(found) else np.zeros(0)
        assert len(np.unique(pages)) == len(pages)
    for core in found:
        assert len(core.parts["fans"]) == found.parameters["i"]
        assert len(core.parts["centres"]) == found.parameters["j"]
        for fan in core.parts["fans"]:
            assert fan not in core.parts["centres"]
            assert set(core.parts["centres"].tolist()) <= set(graph.successors(int(fan)).tolist())


@pytest.mark.parametrize("seed", range(40))
def test_no_core_is_left_by_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes, links = int(rng.integers(6, 13)), int(rng.integers(20, 90))
    graph = Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)
    cap = int(rng.choice([4, 50]))
    for i, j in ((2, 2), (2, 3), (3, 2), (3, 3), (4, 3)):
        found = trawl(graph, i=i, j=j, cap=cap)
        assert_disjoint_and_complete(graph, found)
        gone = [{int(page) for core in found for page in core.parts[role]} for role in ("fans", "centres")]
        rows = rows_of(graph, cap)
        assert not has_core(rows, i, j, *gone)
        assert bool(len(found)) == has_core(rows, i, j, set(), set())


@pytest.mark.parametrize("noise", ["copying", "random"])
@pytest.mark.parametrize(("i", "j"), [(3, 3), (3, 7), (5, 4), (10, 3), (10, 10)])
def test_planted_cores_are_found(noise: str, i: int, j: int) -> None:
    """Pages of their own, tied to the noise by links at random: every planted core comes back, whole."""
    web = linear_copying(2000, seed=3) if noise == "copying" else erdos_renyi_links(2000, m=14_000, seed=3)
    sources, targets = edges_of(web)
    planted, rng, nodes = [], np.random.default_rng(i * 100 + j), 2000
    for _ in range(20):
        fans, centres = np.arange(nodes, nodes + i), np.arange(nodes + i, nodes + i + j)
        nodes += i + j
        planted.append((set(fans.tolist()), set(centres.tolist())))
        extra = rng.integers(0, 2000, i)
        sources = np.concatenate([sources, np.repeat(fans, j), fans])
        targets = np.concatenate([targets, np.tile(centres, i), extra])
    graph = Graph.from_edges(sources, targets, nodes)
    found = trawl(graph, i=i, j=j)
    assert_disjoint_and_complete(graph, found)
    got = [(set(core.parts["fans"].tolist()), set(core.parts["centres"].tolist())) for core in found]
    assert all(core in got for core in planted)


def test_copying_makes_cores_where_chance_makes_none() -> None:
    copied = linear_copying(20_000, rho=0.3, seed=1)
    by_chance = erdos_renyi_links(20_000, m=copied.links, seed=1)
    assert len(trawl(copied)) > 500
    assert len(trawl(by_chance)) == 0


def test_cores_of_a_real_web() -> None:
    """About the counts that another implementation found; a maximal set is not unique."""
    graph = open_graph(data_path("cnr-2000") / "cnr-2000")
    for size, expected in ((3, 9512), (4, 5605), (6, 2402), (10, 865)):
        found = trawl(graph, i=size, j=size)
        assert abs(len(found) / expected - 1) < 0.02
        if size == 10:
            assert_disjoint_and_complete(graph, found)
    removed = found.extra["removed"]
    assert removed["self_links"] == 87_442
    assert removed["fans_in_cores"] == 10 * len(found)


def test_every_size_at_once_agrees_with_one_by_one() -> None:
    graph = linear_copying(3000, rho=0.3, seed=2)
    counted = core_counts(graph, highest=5)
    assert counted.rows()[0][0] == 3
    for i, *row in counted.rows():
        assert row == [len(trawl(graph, i=i, j=j)) for j in (3, 4, 5)]


def with_urls(links: list[tuple[int, int]], urls: list[str]) -> Graph:
    sources, targets = zip(*links, strict=True)
    return Graph.from_edges(np.array(sources), np.array(targets), len(urls), urls=UrlTable.from_urls(urls))


def test_fans_of_one_site_are_one_voice() -> None:
    """Three pages of a.example and three of other sites link to the same centres: only one of the three counts."""
    urls = [f"http://a.example/{k}" for k in range(3)] + [f"http://b{k}.example/" for k in range(3)]
    urls += [f"http://c{k}.example/" for k in range(3)]
    urls = sorted(urls, key=lambda url: url.split("/")[2].split(".")[::-1])
    centres = [at for at, url in enumerate(urls) if "/c" in url]
    own = [at for at, url in enumerate(urls) if "/a." in url]
    others = [at for at, url in enumerate(urls) if "/b" in url]
    alone = with_urls([(fan, centre) for fan in own for centre in centres], urls)
    assert len(trawl(alone)) == 0
    both = with_urls([(fan, centre) for fan in (*own, *others) for centre in centres], urls)
    assert len(trawl(both)) == 1
    assert len(trawl(both, i=4)) == 1
    assert len(trawl(both, i=5)) == 0


def test_mirrors_are_no_core_of_their_own() -> None:
    """Twelve links copied to three sites are one page's opinion; three links that are alike are three."""
    hosts = [f"http://f{k}.example/" for k in range(3)] + [f"http://t{k:02}.example/" for k in range(12)]
    copied = with_urls([(fan, target) for fan in range(3) for target in range(3, 15)], hosts)
    found = trawl(copied)
    assert len(found) == 0
    assert found.extra["removed"]["mirrors"] == 2
    few = with_urls([(fan, target) for fan in range(3) for target in range(3, 6)], hosts)
    assert len(trawl(few)) == 1


def test_links_within_a_site_do_not_count() -> None:
    urls = [f"http://a.example/{k}" for k in range(6)]
    graph = with_urls([(fan, centre) for fan in range(3) for centre in range(3, 6)], urls)
    assert len(trawl(graph)) == 0
    assert trawl(graph).extra["removed"]["same_site_links"] == 9


def star(leaves: int) -> Graph:
    return Graph.from_edges(np.arange(1, leaves + 1), np.zeros(leaves, np.int64), leaves + 1)


def test_graphs_that_would_blow_it_up() -> None:
    many = np.repeat(np.arange(20_000), 12), np.tile(np.arange(20_000, 20_012), 20_000)
    equal = Graph.from_edges(*many, 20_012)
    assert len(trawl(equal)) == 0  # everybody links to them: no emerging community
    assert len(trawl(equal, cap=10**6)) == 4
    turned = equal.reverse()
    assert len(trawl(turned)) == 4
    assert len(trawl(star(1_000_000), cap=10**7)) == 0
    assert len(trawl(star(1_000_000).reverse(), cap=10**7)) == 0


@pytest.mark.parametrize(
    "graph", [Graph.from_edges([], [], 0), Graph.from_edges([], [], 1), Graph.from_edges([0], [0], 1)]
)
def test_webs_without_cores(graph: Graph) -> None:
    found = trawl(graph)
    assert len(found) == 0
    assert found.to_dict()["cores"] == []
    assert list(found.sizes) == []


@pytest.mark.parametrize(("name", "value"), [("i", 1), ("j", 11), ("cap", 0), ("i", "three")])
def test_sizes_outside_the_range_are_refused(name: str, value: object) -> None:
    with pytest.raises(ParameterError) as caught:
        trawl(star(3), **{name: value})
    assert caught.value.name == name
