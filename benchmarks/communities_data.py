"""The data that the quality tables of docs/communities.md are made from: graphs whose pages have known classes."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from similar_data import article_of, articles, cora, rows, webkb
from tests.communities.webs import demonstration
from tests.communities.webs import wikispeedia as wikispeedia_graph
from tests.conftest import DATA

from periplus.graph import Graph, read_graph
from periplus.models import linear_copying


@dataclass(frozen=True)
class Known:
    """A graph, and one or two ways in which its pages are classed (−1: no class)."""

    name: str
    graph: Graph
    classes: dict[str, np.ndarray]
    titles: list[str] = field(default_factory=list)


def wikispeedia() -> Known:
    """4,604 articles; the class is the first category, whole and by its top."""
    graph, names, fine, top = wikispeedia_graph()
    titles = [unquote(name).replace("_", " ") for name in names]
    return Known("wikispeedia", graph, {"127 categories": fine, "15 categories": top}, titles)


def polblogs() -> Known:
    """1,490 political blogs of 2004 in two camps; those without links are in no camp here."""
    graph = read_graph(DATA / "polblogs/polblogs.gml.xz")
    camps = np.asarray(graph.node_attributes["value"]).astype(np.int64)
    linked = graph.out_degrees + graph.in_degrees > 0
    return Known("polblogs", graph, {"2 camps": np.where(linked, camps, -1)})


def labelled(load: Any) -> Known:
    """A data set of the tables of similarity, whose pages have one class each."""
    found = load()
    kinds = sorted(set().union(*found.classes))
    numbers = np.array([kinds.index(min(one)) if one else -1 for one in found.classes])
    return Known(found.name, found.graph, {f"{len(kinds)} classes": numbers})


def demo() -> Known:
    """The demonstration web; the class is the subject that a page was written for."""
    graph, classes, titles = demonstration()
    return Known("demonstration", graph, {f"{classes.max() + 1} subjects": classes}, titles)


def departments() -> Known:
    """Pages of computer science departments, by what they are and by their university."""
    found = labelled(webkb)
    school = {row[3]: row[2] for row in rows("webkb/index.tsv.xz")}
    names = sorted(set(school.values()))
    numbers = [names.index(school[str(found.graph.urls[page])]) for page in range(found.graph.nodes)]
    return Known(found.name, found.graph, {**found.classes, f"{len(names)} universities": np.array(numbers)})


def every_graph() -> list[Known]:
    """All of them."""
    return [wikispeedia(), labelled(cora), departments(), polblogs(), demo()]


def article_texts() -> tuple[list[str], list[str]]:
    """What each article of wikispeedia says, and its title with the texts of the links to it."""
    ids = {row[0]: page for page, row in enumerate(rows("wikispeedia/articles.tsv.xz"))}
    texts, names = [""] * len(ids), [[unquote(name).replace("_", " ")] for name in ids]
    for page, document in articles(ids):
        texts[page] = " ".join((document.title, *document.headings, document.text))
        for link in document.links:
            target = article_of(unquote(urlsplit(link.target).path), ids)
            if target is not None and target != page:
                names[target].append(link.anchor)
    return texts, [" ".join(one) for one in names]


def planted(size: int, density: float, *, count: int = 40, nodes: int = 20_000, seed: int = 1) -> tuple[Graph, Any]:
    """A copying-model web where `count` × `size` pages are made communities: half fans, half centres.

    Each of the links from its fans to its centres is there with probability `density`, beside what the web has.
    """
    web, rng = linear_copying(nodes, rho=0.3, seed=seed), np.random.default_rng(seed)
    groups = rng.choice(nodes, (count, size), replace=False)
    half = size // 2
    fans, centres = np.repeat(groups[:, :half], size - half, axis=1), np.tile(groups[:, half:], (1, half))
    kept = rng.random(fans.shape) < density
    ends = np.append(web.sources, fans[kept]), np.append(web.out_targets, centres[kept])
    return Graph.from_edges(*ends, nodes), groups
