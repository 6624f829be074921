"""How good the methods of periplus.similar are, on data with known answers: the tables of docs/similar.md.

    python benchmarks/similar_quality.py          all of them, a quarter of an hour

*Share alike*: of the ten pages nearest to each page, the share that has a class in common with it, over all pages that
have a class. Wikispeedia's own lines that print the categories are stripped from the text first. *Shortened*: links
suggested from the paths of one half of the players, tried on the paths of the other half.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import write_section
from similar_data import Labelled, cora, query_graph, rows, share_alike, webkb, wikispeedia

from periplus.demo.web import DemoWeb
from periplus.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.similar import (
    cocitation,
    companion,
    cosine,
    lsi_both_ways,
    lsi_links,
    lsi_smoothed,
    lsi_stacked,
    lsi_words,
    suggest,
)
from periplus.similar.mirrors import merged
from periplus.similar.scan import unit_vectors
from periplus.similar.usage.suggest import shorten

PAGE = Path(__file__).resolve().parent.parent / "docs" / "similar.md"
TEN = 10
WEIGHTINGS = ("tf", "log-tf", "tf-idf", "bm25")
MIXINGS = (0.3, 0.5, 0.7, 0.9)

# -- pages with classes ----------------------------------------------------------------------------------------

Method = Callable[[Graph, Any], Any]
METHODS: dict[str, Method] = {
    **{f"cosine, {one}": (lambda graph, words, one=one: cosine(graph, words, weighting=one)) for one in WEIGHTINGS},
    **{f"lsi-words, {w}": (lambda graph, words, w=w: lsi_words(graph, words, weighting=w)) for w in WEIGHTINGS},
    "lsi-links": lambda graph, words: lsi_links(graph),
    "lsi-both-ways": lambda graph, words: lsi_both_ways(graph),
    **{f"lsi-stacked, mixing {m}": (lambda graph, words, m=m: lsi_stacked(graph, words, mixing=m)) for m in MIXINGS},
    "lsi-stacked, mixing by reliability": lambda graph, words: lsi_stacked(graph, words),
    "lsi-smoothed": lambda graph, words: lsi_smoothed(graph, words),
    "lsi-smoothed, 1 round": lambda graph, words: lsi_smoothed(graph, words, rounds=1),
    "companion": lambda graph, words: companion(graph),
    "cocitation": lambda graph, words: cocitation(graph),
}  # fmt: skip


def nearest_of_all(record: Any, pages: int) -> list[list[int]]:
    """The ten nearest of every page; vectors are compared a block at a time, as `nearest` compares them one by one."""
    if not hasattr(record, "vectors"):
        return [record.nearest(page, TEN).pages for page in range(pages)]
    vectors = record.vectors
    dense = isinstance(vectors, np.ndarray)
    unit = unit_vectors(vectors) if dense else vectors
    across = unit.T if dense else unit.T.tocsr()
    found: list[list[int]] = []
    for begin in range(0, pages, 256):
        product = unit[begin : begin + 256] @ across
        cosines = np.asarray(product if dense else product.toarray())
        cosines[np.arange(len(cosines)), np.arange(begin, begin + len(cosines))] = -1
        found += [row[cosines[at, row] > 0].tolist() for at, row in enumerate(np.argpartition(-cosines, TEN)[:, :TEN])]
    return found


def share(record: Any, data: Labelled) -> str:
    nearest = nearest_of_all(record, data.graph.nodes)
    answered = sum(bool(one) for one in nearest) / len(nearest)
    told = f"{share_alike(nearest, data.classes):.3f}"
    return told if answered > 0.995 else f"{told} ({answered:.0%} answered)"


def labelled_table() -> Iterator[str]:
    data = [load() for load in (wikispeedia, cora, webkb)]
    heads = [f"{one.name} ({one.graph.nodes:,} pages, {one.words.matrix.shape[1]:,} words)" for one in data]
    yield "| method | " + " | ".join(heads) + " |"
    yield "|---|" + "---:|" * len(data)
    for name, method in METHODS.items():
        cells = [share(method(one.graph, one.words), one) for one in data]
        print(name, cells, flush=True)
        yield f"| {name} | " + " | ".join(cells) + " |"
    chances = [share_alike(random_pages(one.graph.nodes), one.classes) for one in data]
    yield "| ten random pages | " + " | ".join(f"{one:.3f}" for one in chances) + " |"


CLASSES = ("student", "faculty", "staff", "course", "project", "department", "other")
BY_CLASS = ("cosine, log-tf", "lsi-words, bm25", "lsi-both-ways", "lsi-stacked, mixing 0.5", "companion", "cocitation")


def class_table() -> Iterator[str]:
    data = webkb()
    sizes = [sum(name in one for one in data.classes) for name in CLASSES]
    heads = [f"{name} ({size:,})" for name, size in zip(CLASSES, sizes, strict=True)]
    yield "| method | " + " | ".join(heads) + " | mean |"
    yield "|---|" + "---:|" * (len(CLASSES) + 1)
    for label in BY_CLASS:
        nearest = nearest_of_all(METHODS[label](data.graph, data.words), data.graph.nodes)
        shares = [share_alike(nearest, [one & {name} for one in data.classes]) for name in CLASSES]
        yield f"| {label} | " + " | ".join(f"{one:.3f}" for one in (*shares, float(np.mean(shares)))) + " |"
    chances = [size / data.graph.nodes for size in sizes]
    yield "| random pages | " + " | ".join(f"{one:.3f}" for one in (*chances, float(np.mean(chances)))) + " |"


def random_pages(pages: int) -> Any:
    return np.random.default_rng(0).integers(0, pages, (pages, TEN))


# -- the top tens of well-known pages --------------------------------------------------------------------------

KNOWN = (
    ("California", "kleinberg-california/", 1, ("http://www.berkeley.edu/", "http://www.caltech.edu/",
        "http://www.sen.ca.gov/", "http://www.exploratorium.edu/", "http://www.cnn.com/")),
    ("vintage cars", "tsaparas-query-graphs/vintage-cars.", 2, ("http://www.hemmings.com",)),
    ("amusement parks", "tsaparas-query-graphs/amusement-parks.", 2, ("http://www.iaapa.org", "http://www.cedarpoint.com",
        "http://www.disneyland.com")),
    ("randomized algorithms", "tsaparas-query-graphs/randomized-algorithms.", 2, ("http://theory.lcs.mit.edu/~karger",)),
)  # fmt: skip


PAPER = (
    "| Dean and Henzinger 1999, 59 pages that people asked about | 59 | 85%, 10.0 pages, 73% | 98%, 10.0 pages, 51% |"
)


def top_tens() -> Iterator[str]:
    webs = [(name, query_graph(path, column), pages) for name, path, column, pages in KNOWN]
    yield "Answered, with how many pages each; of the paper also by how much more of the first ten were found valuable"
    yield "than of Netscape's (which answered 68%, with 9.1 pages).\n"
    yield "| | pages asked about | Companion | Cocitation |\n|---|---:|---:|---:|"
    for name, graph, _ in webs:
        for least in (1, 10):
            asked = np.flatnonzero(graph.in_degrees >= least).tolist()
            cells = [answered(record, asked) for record in both(graph).values()]
            links = "1 link" if least == 1 else f"{least} links"
            yield f"| {name}, {links} to it or more | {len(asked):,} | {' | '.join(cells)} |"
    yield PAPER
    for name, graph, pages in webs:
        yield f"\n**{name}**, {graph.nodes:,} pages\n"
        records = both(graph)
        for url in pages:
            page = graph.urls.find(url)
            yield f"*{url}*\n\n| | Companion | Cocitation |\n|---:|---|---|"
            found = [[short(one.url) for one in record.nearest(page, TEN)] for record in records.values()]
            for place in range(max(map(len, found))):
                yield f"| {place + 1} | " + " | ".join(one[place] if place < len(one) else "" for one in found) + " |"
            yield ""


def both(graph: Graph) -> dict[str, Any]:
    return {"Companion": companion(graph), "Cocitation": cocitation(graph)}


def answered(record: Any, pages: list[int]) -> str:
    counts = np.array([len(record.nearest(page, TEN)) for page in pages])
    return f"{np.mean(counts > 0):.0%}, {counts[counts > 0].mean():.1f} pages"


# -- a mirror ---------------------------------------------------------------------------------------------------


def mirror_table() -> Iterator[str]:
    demo = DemoWeb()
    urls = sorted(demo.reachable)
    ids = {url: page for page, url in enumerate(urls)}
    sources, targets = np.array([(ids[a], ids[b]) for a, b in demo.true_edges()]).T
    graph = Graph.from_edges(sources, targets, len(urls), urls=NameTable.from_names(urls))
    pairs = [(ids[page], ids[copy]) for page, copy in demo.facts.mirrors.items() if page in ids and copy in ids]
    copies = np.arange(len(urls), dtype=np.uint32)
    for page, copy in pairs:
        copies[copy] = page
    yield f"{len(pairs)} of {len(urls):,} pages have a copy on another host, whose own links lead to copies.\n"
    yield "| copies are known by | pairs made one | pages linked alike made one | answers with a page and its copy |"
    yield "|---|---:|---:|---:|"
    for name, known in (("their links alone (the paper)", None), ("their content too (in a collection)", copies)):
        stands = merged(graph, np.arange(len(urls), dtype=np.uint32), known)
        record = replace(companion(graph), copies=known)
        found = [{page, *record.nearest(page, TEN).pages} for page in range(len(urls))]
        twice = sum(any(a in one and b in one for a, b in pairs) for one in found)
        one = sum(stands[a] == stands[b] for a, b in pairs)
        yield f"| {name} | {one} | {len(urls) - len(np.unique(stands)) - one} | {twice} |"


def short(url: str | None) -> str:
    return (url or "").removeprefix("http://").removeprefix("www.").rstrip("/")[:60]


# -- suggestions tried on other people's paths -----------------------------------------------------------------


def game_paths(ids: dict[str, int]) -> tuple[list[list[int]], list[list[int]]]:
    """The unfinished games of wikispeedia, goal last, in two halves by player; a step back leads back."""
    halves: tuple[list[list[int]], list[list[int]]] = ([], [])
    for player, _, _, path, goal, _ in rows("wikispeedia/paths_unfinished.tsv.xz"):
        steps: list[int] = []
        for name in path.split(";"):
            if name == "<":
                steps[-1:] = [] if len(steps) > 1 else steps[-1:]
            elif name in ids:
                steps.append(ids[name])
        if goal in ids and len(steps) > 1:
            halves[int(player[-1], 16) % 2].append([*steps, ids[goal]])
    return halves


def usage_table() -> Iterator[str]:
    ids = {row[0]: page for page, row in enumerate(rows("wikispeedia/articles.tsv.xz"))}
    links = np.array([(ids[a], ids[b]) for a, b in rows("wikispeedia/links.tsv.xz")])
    graph = Graph.from_edges(links[:, 0], links[:, 1], len(ids))
    learned, held_out = game_paths(ids)
    yield f"{len(learned):,} paths to learn from, {len(held_out):,} of other players to try on.\n"
    yield "| links added | suggested | most-linked | random |\n|---:|---:|---:|---:|"
    for count in (100, 1000, 5000):
        suggested = [(one.source, one.target) for one in suggest(graph, learned, count=count)]
        cells = []
        for pairs in (suggested, most_linked(graph, learned, count), random_links(graph, count)):
            found = shorten(held_out, pairs)
            cells.append(f"{found.share:.1%}, {found.saved_each:.1f} clicks each")
        yield f"| {count:,} | " + " | ".join(cells) + " |"


def most_linked(graph: Graph, paths: Sequence[Sequence[int]], count: int) -> list[tuple[int, int]]:
    """Links from the most visited pages to the pages with the most in-links, where there are none."""
    visits = np.bincount(np.concatenate(paths), minlength=graph.nodes)
    side = int(np.ceil(np.sqrt(2 * count)))
    sources, targets = np.argsort(-visits, kind="stable")[:side], np.argsort(-graph.in_degrees, kind="stable")[:side]
    pairs = [(int(a), int(b)) for a in sources for b in targets if a != b and not graph.has_edge(int(a), int(b))]
    return pairs[:count]


def random_links(graph: Graph, count: int) -> list[tuple[int, int]]:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, graph.nodes, (2 * count, 2)).tolist()
    return [(a, b) for a, b in ends if a != b and not graph.has_edge(a, b)][:count]


PARTS = {
    "labelled": labelled_table,
    "webkb": class_table,
    "mirrors": mirror_table,
    "usage": usage_table,
    "tens": top_tens,
}
TITLES = {
    "labelled": "Share of the ten nearest with a class in common",
    "webkb": "webkb by class: of the ten nearest to a page of the class, the share in it too",
    "mirrors": "A mirror in the demonstration web",
    "usage": "Suggested links on paths left out",
    "tens": "Companion and Cocitation on webs of many sites",
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("parts", nargs="*", default=list(PARTS), choices=[*PARTS, []])
    for part in asked.parse_args().parts:
        told = "\n".join(PARTS[part]())
        print(told, flush=True)
        write_section(f"similar_quality.py {part}", TITLES[part], told, PAGE)


if __name__ == "__main__":
    main()
