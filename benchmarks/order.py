"""What the orders of a crawl are worth: the share of PageRank met against the pages fetched, order by order.

    python benchmarks/order.py --write                      the web model and wikispeedia
    python benchmarks/order.py --package DIR --write        and a manual: a folder of HTML, e.g. of the Debian package
                                                            python3.11-doc, crawled from its index.html

The plot of Cho, Garcia-Molina and Page (WWW 1998) on webs that are known: `rehearse` runs the frontier, the scheduler
and the order of real crawls without a network. PageRank (damping 0.85) is that of the whole graph, as a share of what
can be reached from the seed. *Clairvoyant* fetches the pages in the order of their true PageRank, whether a link to
them is known yet or not: no order can do better. A page of the table is the median over five seeds, drawn from the
pages that reach most others; a manual begins at its index page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import write_section
from similar_data import rows

from periplus.crawl.engine.rehearsal import rehearse
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders import ORDERS
from periplus.draw.charts import Series, chart
from periplus.draw.style import standalone
from periplus.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.models import web_model
from periplus.rank.methods.pagerank import pagerank
from periplus.structure import strong_components
from periplus.web.html import extract_links

DOCS = Path(__file__).resolve().parent.parent / "docs"
SHARES = (0.5, 0.8, 0.9)
SEEDS = 5
ANY_ORDER = [name for name in ORDERS if name not in ("round-robin", "nearness", "topic")]


@dataclass(frozen=True)
class Web:
    """A graph, and the pages to begin from, one crawl each."""

    name: str
    graph: Graph
    seeds: list[int]


def from_the_core(name: str, graph: Graph) -> Web:
    """Five pages of the largest strong component, drawn with a fixed seed."""
    labels = strong_components(graph).labels
    core = np.flatnonzero(labels == np.bincount(labels).argmax())
    return Web(name, graph, np.random.default_rng(1).choice(core, SEEDS, replace=False).tolist())


def wikispeedia() -> Web:
    names = [row[0] for row in rows("wikispeedia/articles.tsv.xz")]
    ids = {name: page for page, name in enumerate(names)}
    links = np.array([(ids[a], ids[b]) for a, b in rows("wikispeedia/links.tsv.xz")])
    return from_the_core("wikispeedia", Graph.from_edges(links[:, 0], links[:, 1], len(names)))


def manual(folder: Path) -> Web:
    """The pages of a folder and the links between them."""
    base = "http://manual.example/"
    paths = sorted(path for path in folder.rglob("*.htm*") if path.suffix in (".html", ".htm") and path.is_file())
    ids = {base + path.relative_to(folder).as_posix(): page for page, path in enumerate(paths)}

    def links() -> Iterator[tuple[int, int]]:
        for url, path in zip(ids, paths, strict=True):
            for link in extract_links(path.read_bytes(), url, "text/html").links:
                if link.target in ids:
                    yield ids[url], ids[link.target]

    sources, targets = np.array(sorted(set(links()))).T
    graph = Graph.from_edges(sources, targets, len(ids), urls=NameTable.from_names(list(ids)))
    return Web(folder.parent.name, graph, [ids[base + "index.html"]])


@dataclass(frozen=True)
class Curve:
    """The share of the mass after 0, 1, 2, … pages, in the crawl from each seed."""

    shares: list[np.ndarray]

    def pages_for(self, share: float) -> float:
        """The pages for this share of the mass: the median over the seeds."""
        return float(np.median([np.searchsorted(one, share) for one in self.shares]))


def curves(web: Web) -> dict[str, Curve]:
    """Every order, and the best there is."""
    worth = pagerank(web.graph).values

    def met(pages: list[int] | np.ndarray) -> np.ndarray:
        mass = np.concatenate([[0.0], np.cumsum(worth[pages])])
        return mass / mass[-1]

    found: dict[str, Curve] = {}
    for name in ANY_ORDER:
        crawls = [rehearse(web.graph, [seed], ORDERS[name](CrawlOptions())) for seed in web.seeds]
        found[name] = Curve([met(pages) for pages in crawls])
    best = [np.array(pages)[np.argsort(-worth[pages], kind="stable")] for pages in crawls]
    return found | {"clairvoyant": Curve([met(pages) for pages in best])}


def table(web: Web, found: dict[str, Curve]) -> list[str]:
    first = found["breadth-first"]
    head = f"| {web.name}, {web.graph.nodes:,} pages | 50 % | 80 % | 90 % | 80 %, to breadth-first |"
    lines = [head, "|---|---|---|---|---|"]
    for name, curve in found.items():
        cells = " | ".join(f"{curve.pages_for(share):,.0f}" for share in SHARES)
        lines.append(f"| {name} | {cells} | {curve.pages_for(0.8) / first.pages_for(0.8):.2f} |")
    return [*lines, ""]


def picture(web: Web, found: dict[str, Curve]) -> str:
    """The first seed's crawl in every order."""
    series = []
    for name, curve in found.items():
        share = curve.shares[0]
        at = np.unique(np.linspace(0, len(share) - 1, 200).astype(int))
        series.append(Series(name, at, 100 * share[at], "line", muted=name == "clairvoyant"))
    what = f"{web.name}: important pages first, by the order of the crawl"
    return chart(series, title=what, x_label="pages fetched", y_label="% of PageRank met", width=640, height=360)


def stacked(pictures: list[str]) -> str:
    """Pictures of 640 × 360 below each other, in one file."""
    inner = "".join(
        f'<svg y="{360 * at}" width="640" height="360">{svg.split(">", 1)[1]}' for at, svg in enumerate(pictures)
    )
    size = f'viewBox="0 0 640 {360 * len(pictures)}" width="640" height="{360 * len(pictures)}"'
    about = "Share of PageRank met against pages fetched, for every order of a crawl"
    opening = f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{about}" '
    return standalone(f'{opening}font-family="system-ui, sans-serif">{inner}</svg>')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--package", type=Path, action="append", default=[], help="a folder of HTML with an index.html")
    parser.add_argument("--pages", type=int, default=10_000, help="of the web model")
    parser.add_argument("--write", action="store_true", help="put the table and the plot into docs/")
    given = parser.parse_args()
    webs = [from_the_core("web model", web_model(given.pages, seed=1)), wikispeedia(), *map(manual, given.package)]
    report, pictures = [], []
    for web in webs:
        found = curves(web)
        report += table(web, found)
        pictures.append(picture(web, found))
        print("\n".join(report[-len(found) - 3 :]), flush=True)
    if given.write:
        (DOCS / "img" / "crawl-orders.svg").write_text(stacked(pictures), encoding="utf-8")
        write_section("order.py", "What the orders are worth", "\n".join(report).rstrip(), DOCS / "crawling.md")


if __name__ == "__main__":
    main()
