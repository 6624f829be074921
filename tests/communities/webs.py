"""Webs with known classes: the demonstration web, wikispeedia, and planted blocks."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
from tests.conftest import data_path

from periplus.demo.web import DemoWeb
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.web.url import sort_key


def demonstration() -> tuple[Graph, np.ndarray, list[str]]:
    """The demonstration web as a graph, the subject of every page (−1: none), and the titles."""
    web = DemoWeb()
    urls = sorted(web.reachable, key=lambda url: sort_key(url).encode())
    place = {url: at for at, url in enumerate(urls)}
    ends = np.array([(place[source], place[target]) for source, target in web.true_edges()]).T
    subjects = sorted(set(web.subjects))
    classes = [subjects.index(web.pages[url].subject) if web.pages[url].subject in subjects else -1 for url in urls]
    graph = Graph.from_edges(*ends, len(urls), urls=UrlTable.from_urls(urls))
    return graph, np.array(classes), [web.pages[url].title for url in urls]


def rows(folder: Path, name: str) -> list[list[str]]:
    with lzma.open(folder / f"{name}.tsv.xz", "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def wikispeedia() -> tuple[Graph, list[str], np.ndarray, np.ndarray]:
    """Articles and links; their names; the first category of each, whole and by its top (−1: none)."""
    folder = data_path("wikispeedia")
    names = [row[0] for row in rows(folder, "articles")]
    place = {name: at for at, name in enumerate(names)}
    graph = Graph.from_edges(*np.array([(place[a], place[b]) for a, b in rows(folder, "links")]).T, len(names))
    first: dict[str, str] = {}
    for name, category in rows(folder, "categories"):
        first.setdefault(name, category)
    return (
        graph,
        names,
        numbered([first.get(name, "") for name in names], 99),
        numbered([first.get(name, "") for name in names], 2),
    )


def numbered(categories: list[str], depth: int) -> np.ndarray:
    """A number per category cut to `depth` parts; −1 for none."""
    cut = [".".join(one.split(".")[:depth]) for one in categories]
    known = sorted(set(cut) - {""})
    return np.array([known.index(one) if one else -1 for one in cut])


def blocks(groups: int, subgroups: int, size: int, *, links: tuple[int, int, int], seed: int = 0) -> Graph:
    """Groups of subgroups of `size` pages; each page has so many links within its subgroup, group and anywhere."""
    rng = np.random.default_rng(seed)
    nodes = groups * subgroups * size
    pages = np.arange(nodes)
    sources, targets = [], []
    for width, count in zip((size, subgroups * size, nodes), links, strict=True):
        first = pages // width * width
        sources.append(np.repeat(pages, count))
        targets.append(np.repeat(first, count) + rng.integers(0, width, nodes * count))
    return Graph.from_edges(np.concatenate(sources), np.concatenate(targets), nodes)
