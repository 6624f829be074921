"""The figures of docs/sky.md: the paper's pictures as numbers, who leaves its site, communities in space, orders.

    python benchmarks/sky_figures.py --write               all of them, some minutes; one alone by its name:
    python benchmarks/sky_figures.py pictures | leaving | communities | orders | crawling

*Leaving.* The paper says that 80 % of the pages tend to leave the place where they began (their site) and migrate to a
community, and not when a page counts as having left. Read plainly, it is then outside the ball about the middle of its
site that held all pages of the site at the start (sites of one page have no ball and are left out), and, to have
migrated, it belongs to an attractor that holds pages of several sites. Our own, stricter reading: it is nearer to where
another site stood than to where its own did. Either way places have first grown with the expansion alone. It is among
others when most of the ten pages nearest to it are of other sites. A page without links to other sites never moves, so
linked pages are counted apart.
*Communities.* Adjusted mutual information with the classes of the data; pages in no community are left out, and the
share of the others is given. The literal model is the preset `paper` from a ball, which knows nothing of the answer.
*Orders.* Bits per link of the file that `periplus graph convert X x.graph` writes. *Tree* is the walk over the tree of
communities from which the pages of the sky begin.
*Crawling.* What a crawl fetches first, rehearsed on webs whose pages have classes: from the page with the most links of
each of the largest classes, the share of the pages fetched so far that are of the class of the seed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import write_section
from scipy.spatial import cKDTree
from similar_data import edges, query_graph, rows

from periplus.communities import adjusted_mutual_information, leiden, trawl, tree
from periplus.crawl.engine.rehearsal import rehearse
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders import ORDERS
from periplus.demo.web import DemoWeb
from periplus.graph import Graph, write_graph
from periplus.graph.bv.reader import bits_per_link
from periplus.graph.urls.table import NameTable
from periplus.gravity import Simulation, Tree, attractors, dichotomy, ring, spheres, summary, world
from periplus.gravity.constants import paper
from periplus.gravity.layouts import start_of
from periplus.gravity.measure import group_sizes, left
from periplus.gravity.order import by_sky, by_sky_and_site
from periplus.gravity.start import preorder
from periplus.models import MODELS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "sky.md"
LARGE = 10  # pages that make a group

# -- the pictures of the paper ---------------------------------------------------------------------------------


def picture(nodes: int, p: float, seed: int) -> str:
    """One run of 3,000 steps from a ring, watched every 20."""
    graph = MODELS["watts-strogatz"].generate(n=nodes, d=10, p=p, seed=seed)
    moving = Simulation(graph, ring(nodes), paper(graph))
    before, widest, closest, one, several = summary(moving), 0.0, np.inf, 0.0, 0
    for _ in range(150):
        now = summary(moving.run(20))
        widest = max(widest, now.radius)
        places = moving.positions.astype(float)
        if now.radius < closest:
            closest, one = now.radius, group_sizes(places, 0.1)[0] / nodes
        sizes = group_sizes(places, 0.1 * now.radius)
        if sizes[sizes >= LARGE].sum() >= 0.99 * nodes:
            several = max(several, int((sizes >= LARGE).sum()))
    cells = f"{closest / widest:.3f} | {one:.0%} | {several} | {now.link_distance / before.link_distance:.1f}"
    return f"| {nodes:,} | {p:g} | {seed} | {cells} | {now.gathered:.2f} |"


def pictures() -> Iterator[str]:
    yield (
        "| pages | p | seed | closest / widest radius | largest group then | groups that hold 99 % | links grow | "
        "links / pairs |"
    )
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|"
    for p in (0.0, 0.01, 0.05, 0.1, 1.0):
        for seed in (0, 1):
            yield picture(1000, p, seed)
    for p in (0.0, 0.01, 0.05, 0.1, 1.0):
        yield picture(3000, p, 0)


# -- who leaves its site ---------------------------------------------------------------------------------------


def demonstration() -> tuple[Graph, np.ndarray]:
    """The links of the demonstration web as its maker knows them, and the subject of each page."""
    web = DemoWeb()
    urls = sorted(page.url for page in web.pages.values())
    ids = {url: number for number, url in enumerate(urls)}
    pairs = [(ids[page.url], ids[to]) for page in web.pages.values() for to, _ in page.links if to in ids]
    sources, targets = np.array(pairs).T
    subjects = sorted({page.subject for page in web.pages.values()})
    labels = np.array([subjects.index(page.subject) for page in sorted(web.pages.values(), key=lambda one: one.url)])
    return Graph.from_edges(sources, targets, len(urls), urls=NameTable.from_names(urls)), labels


def webs() -> Iterator[tuple[str, Graph]]:
    for name in ("vintage-cars", "amusement-parks", "randomized-algorithms"):
        yield name, query_graph(f"tsaparas-query-graphs/{name}.", 2)
    yield "california", query_graph("kleinberg-california/", 1)
    yield "the demonstration web", demonstration()[0]


def outside(start: np.ndarray, now: np.ndarray, sites: np.ndarray) -> np.ndarray:
    """Whether each page is outside the ball that held its site at the start."""
    counts = np.maximum(np.bincount(sites), 1)
    middles = np.stack([np.bincount(sites, start[:, axis]) for axis in range(3)], axis=1) / counts[:, None]
    reach = np.zeros(len(counts))
    np.maximum.at(reach, sites, np.linalg.norm(start - middles[sites], axis=1))
    return np.linalg.norm(now - middles[sites], axis=1) > reach[sites] + 1e-6


def migrated(moving: Simulation, sites: np.ndarray) -> np.ndarray:
    """Whether each page belongs to an attractor that holds pages of several sites."""
    groups = attractors(moving.record()).labels
    pairs = np.unique(np.stack([groups, sites], axis=1), axis=0)
    of_several = np.bincount(pairs[:, 0] + 1, minlength=groups.max(initial=-1) + 2) > 1
    return (groups >= 0) & of_several[groups + 1]


def among_others(now: np.ndarray, sites: np.ndarray) -> np.ndarray:
    """Whether most of the ten pages nearest to each page are of other sites."""
    near = cKDTree(now).query(now, k=11)[1][:, 1:]
    return (sites[near] != sites[:, None]).mean(axis=1) > 0.5


def leaving() -> Iterator[str]:
    heads = (
        "out of the ball, all pages", "linked", "out and migrated, linked", "nearer to another site, all", "linked",
        "among others, all", "linked", "links / pairs",
    )  # fmt: skip
    yield "| web | world | " + " | ".join(heads) + " |"
    yield "|---|---|" + "---:|" * len(heads)
    for name, graph in webs():
        grown = tree(graph)
        for preset, moments in (("paper", (0, 300, 3000)), ("sky", (300,))):
            yield from departures(name, graph, world(graph, preset, start="sites"), f"{preset}, by site", moments)
        by_tree = world(graph, "sky", tree=Tree(grown.parents, grown.labels))
        yield from departures(name, graph, by_tree, "sky, by tree", (60, 300))


def departures(name: str, graph: Graph, moving: Simulation, how: str, moments: tuple[int, ...]) -> Iterator[str]:
    """A line for each moment; where pages began by the tree, they never stood at a site to leave."""
    sites = np.unique(graph.urls.site_ids(), return_inverse=True)[1]
    start, stretch = start_of(graph, "sites"), 1.0
    linked = (moving.graph.in_degrees + moving.graph.out_degrees) > 0
    for steps in moments:
        while moving.steps < steps:
            stretch *= moving.constants.stretch(moving.steps)
            moving.step()
        now = moving.positions.astype(float) / stretch
        gone, out = left(start, now, sites), outside(start, now, sites)
        several = np.bincount(sites)[sites] > 1
        gathered = out & migrated(moving, sites)
        shares = (out[several], out[several & linked], gathered[several & linked], gone, gone[linked])
        place = " | ".join("–" if "tree" in how else f"{share.mean():.0%}" for share in shares)
        mixed = among_others(now, sites)
        told = f"{place} | {mixed.mean():.0%} | {mixed[linked].mean():.0%} | {summary(moving).gathered:.2f}"
        yield f"| {name} ({linked.sum():,} of {graph.nodes:,} linked) | {how}, {steps:,} steps | {told} |"


# -- communities -----------------------------------------------------------------------------------------------


def wikispeedia() -> tuple[Graph, np.ndarray]:
    """4,604 articles with the first of their subjects."""
    names = [row[0] for row in rows("wikispeedia/articles.tsv.xz")]
    ids = {name: page for page, name in enumerate(names)}
    links = np.array([(ids[a], ids[b]) for a, b in rows("wikispeedia/links.tsv.xz")])
    labels, kinds = np.full(len(names), -1), dict[str, int]()
    for name, subject in rows("wikispeedia/categories.tsv.xz"):
        if labels[ids[name]] < 0:
            labels[ids[name]] = kinds.setdefault(subject, len(kinds))
    return Graph.from_edges(links[:, 0], links[:, 1], len(names)), labels


def cora() -> tuple[Graph, np.ndarray]:
    """2,708 papers of seven fields, each link both ways."""
    fields = [row[1] for row in rows("planetoid/cora.nodes.tsv.xz")]
    sources, targets = edges("planetoid/cora.edges.tsv.xz")
    graph = Graph.from_edges(np.append(sources, targets), np.append(targets, sources), len(fields))
    return graph, np.unique(fields, return_inverse=True)[1]


SPATIAL: dict[str, Callable] = {
    "attractors": attractors,
    "spheres": lambda sky: spheres(sky, k=20),
    "dichotomy": dichotomy,
}


def found_by(graph: Graph) -> Iterator[tuple[str, np.ndarray]]:
    """(method, label of every page)."""
    grown = tree(graph)
    branches = Tree(grown.parents, grown.labels)
    moving = world(graph, "sky", tree=branches)
    skies = {
        "the sky": moving.run(60).record(),
        "the sky, 300 steps": moving.run(240).record(),
        "the sky from cubes": world(graph, "sky", tree=branches, start="cubes").run(60).record(),
        "the literal model": world(graph, "paper", start="ball").run(3000).record(),
    }
    for where, sky in skies.items():
        for name, method in SPATIAL.items():
            yield f"{name} in {where}", method(sky).labels
    yield "Leiden", leiden(graph).labels
    yield "the tree: its leaves", np.asarray(grown.labels)
    yield "the tree: its middle", np.asarray(grown.extra["flat"])
    cores = np.full(graph.nodes, -1)
    for number, group in enumerate(trawl(graph)):
        cores[group.pages] = number
    yield "trawling (3, 3)", cores


def communities() -> Iterator[str]:
    data = {
        "wikispeedia (129 subjects)": wikispeedia(),
        "cora (7 fields)": cora(),
        "the demonstration web": demonstration(),
    }
    cells: dict[str, list[str]] = {}
    for graph, classes in data.values():
        for name, labels in found_by(graph):
            held = (labels >= 0).mean()
            agrees = adjusted_mutual_information(labels, classes) if held else 0.0
            count = len(np.unique(labels[labels >= 0]))
            cells.setdefault(name, []).append(f"{agrees:.2f} ({count:,} of {held:.0%})")
    yield "Agreement with the classes (number of communities, share of the pages that are in one):\n"
    yield "| | " + " | ".join(data) + " |"
    yield "|---|" + "---:|" * len(data)
    for name, found in cells.items():
        yield f"| {name} | " + " | ".join(found) + " |"


# -- orders ----------------------------------------------------------------------------------------------------


def bits(graph: Graph) -> float:
    """Bits per link of the graph in the format of WebGraph, its ids as they are."""
    with tempfile.TemporaryDirectory() as folder:
        write_graph(Graph(graph.out_offsets, graph.out_targets), Path(folder) / "web.graph")
        return bits_per_link(Path(folder) / "web")


def orders() -> Iterator[str]:
    heads = ("by URL", "breadth first", "layered labels", "tree", "sky", "sky and site", "at random")
    yield "| web | links | " + " | ".join(heads) + " |"
    yield "|---|---:|" + "---:|" * len(heads)
    graphs = dict(webs()) | {"wikispeedia": wikispeedia()[0], "cora": cora()[0]}
    graphs["cs.stanford.edu"] = query_graph("wb-cs-stanford/", 1)
    for name, graph in graphs.items():
        yield f"| {name} | {graph.links:,} | " + " | ".join(ordered(graph)) + " |"


def ordered(graph: Graph) -> Iterator[str]:
    """The cells of one web."""
    known = graph.urls is not None
    grown = tree(graph)
    everything = world(graph, "sky", tree=Tree(grown.parents, grown.labels), navigational=True).run(60).record()
    shuffled = np.random.default_rng(0).permutation(graph.nodes)
    yield f"{bits(graph.reordered('url')):.2f}" if known else "–"
    for method in ("bfs", "llp"):
        yield f"{bits(graph.reordered(method)):.2f}"
    walk = preorder(Tree(grown.parents, grown.labels))
    yield f"{bits(graph.subgraph(np.argsort(walk))):.2f}"
    yield f"{bits(graph.subgraph(by_sky(everything))):.2f}"
    yield f"{bits(graph.subgraph(by_sky_and_site(graph, everything))):.2f}" if known else "–"
    yield f"{bits(graph.reordered(shuffled)):.2f}"


# -- crawling --------------------------------------------------------------------------------------------------


def of_the_class(graph: Graph, classes: np.ndarray, seed: int, order: str) -> list[float]:
    """The share of the pages of the seed's class among the first 100, 200, 500 that are fetched."""
    fetched = rehearse(graph, [seed], ORDERS[order](CrawlOptions()), pages=500)
    return [float((classes[fetched[:count]] == classes[seed]).mean()) for count in (100, 200, 500)]


def crawling() -> Iterator[str]:
    yield "| web | order | of the first 100 | 200 | 500 |"
    yield "|---|---|---:|---:|---:|"
    for name, (graph, classes) in {"wikispeedia": wikispeedia(), "cora": cora()}.items():
        links = Graph(graph.out_offsets, graph.out_targets)
        largest = np.argsort(-np.bincount(classes[classes >= 0]))[:8]
        degrees = np.where(classes == largest[:, None], graph.out_degrees, -1)
        for order in ORDERS:
            found = [of_the_class(links, classes, int(seed), order) for seed in degrees.argmax(axis=1)]
            yield f"| {name} | {order} | " + " | ".join(f"{share:.0%}" for share in np.mean(found, axis=0)) + " |"


PARTS = {
    "pictures": ("The pictures of the paper, in numbers", pictures),
    "leaving": ("Who leaves its site", leaving),
    "communities": ("Communities in space", communities),
    "orders": ("Orders from the sky", orders),
    "crawling": ("Crawling by nearness", crawling),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", choices=list(PARTS))
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    for name in given.parts or PARTS:
        title, lines = PARTS[name]
        report = []
        for line in lines():
            print(line, flush=True)
            report.append(line)
        if given.write:
            write_section(f"sky_figures.py {name}", title, "\n".join(report), page=PAGE)


if __name__ == "__main__":
    main()
