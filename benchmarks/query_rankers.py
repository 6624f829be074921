"""The rankings of a query: how well each finds known pages, and how fast each is at 100,000 pages.

    python benchmarks/query_rankers.py DIR              both tables; collections are built in DIR once, minutes
    python benchmarks/query_rankers.py DIR --speed      times alone; --quality: known pages alone

Known pages. wikispeedia: the title of an article; and the commonest text of links to it, less the words of its title.
WebKB: the title of a page, by the class of the page. Rankings that answer "which page do others recommend on this?"
are not made for known pages: the table says how far each is from that use.

Times: one request as the result page makes it, first ten with passages; and two rankings side by side.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import write_section
from similar_data import rows
from tests.conftest import DATA

from periplus import add, build
from periplus.collection import Collection
from periplus.errors import QueryError
from periplus.focus import QUERY_RANKERS, Web, firmness_of
from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.index import IndexDocument, build_index
from periplus.library import Library, open_library
from periplus.rank import pagerank
from periplus.search import Searcher

PAGE = Path(__file__).resolve().parent.parent / "docs" / "search.md"
QUERIES, A_CLASS, PAGES = 200, 60, 100_000
CLASSES = ("student", "faculty", "staff", "department", "course", "project")
Known = list[tuple[str, str]]


# -- known pages ---------------------------------------------------------------------------------------------


def collection(folder: Path, name: str, archive: str) -> Library:
    """A collection of the shared data, built once."""
    path = folder / f"{name}.web"
    if not Collection.is_collection(path):
        with tempfile.TemporaryDirectory() as scratch, tarfile.open(DATA / archive) as packed:
            packed.extractall(scratch, filter="data")
            add(path, [Path(scratch)])
        build(Collection.open(path))
    return open_library(path)


def articles(library: Library) -> Iterator[tuple[int, str, str]]:
    """Every article: its page, URL and title as its name in the archive has it."""
    urls = library.graph.urls
    for page in range(library.graph.nodes):
        found = re.search(r"/wp/./([^/]*)\.htm$", urls[page])
        if found:
            yield page, urls[page], unquote(unquote(found[1])).replace("_", " ")


def titles_and_calls(library: Library) -> dict[str, Known]:
    """(query, URL) of articles, by their titles and by what else others call them."""
    titles, calls = [], []
    for page, url, title in articles(library):
        titles.append((title, url))
        own = set(re.findall(r"\w+", title.lower()))
        texts = Counter(
            " ".join(word for word in re.findall(r"\w+", text.lower()) if word not in own)
            for _, text in library.anchors_of(page)
        )
        texts.pop("", None)
        if texts:
            calls.append((texts.most_common(1)[0][0], url))
    chosen = random.Random(1)
    return {
        "titles": chosen.sample(titles, min(QUERIES, len(titles))),
        "other names": chosen.sample(calls, min(QUERIES, len(calls))),
    }


def by_class(library: Library) -> dict[str, Known]:
    """(title, URL) of pages of the WebKB, by class; titles of one word name no page."""
    urls, found = library.graph.urls, defaultdict(list)
    for _, kind, _, url, *_ in rows("webkb/index.tsv.xz"):
        page = urls.find(url)
        stored = library.searcher.document(page) if page is not None else None
        if kind in CLASSES and stored and len(stored["title"].split()) > 1:
            found[kind].append((stored["title"], urls[page]))
    return {kind: random.Random(1).sample(found[kind], min(A_CLASS, len(found[kind]))) for kind in CLASSES}


def quality(library: Library, known: Known) -> dict[str, np.ndarray]:
    """1 / place of the right page for each query, by ranking; 0 beyond the tenth."""
    places: dict[str, list[float]] = {name: [] for name in library.searcher.ranks}
    copies, urls = library.links.representatives, library.graph.urls
    for query, url in known:
        right = int(copies[urls.find(url)])
        try:
            lists, _ = library.searcher.side_by_side(query, list(places))
        except QueryError:
            lists = ()
        for name, one in zip(places, lists, strict=False):
            first = one.ranked.nodes[:10].tolist()
            places[name].append(1 / (first.index(right) + 1) if right in first else 0.0)
    return {name: np.array(found) for name, found in places.items()}


def quality_table(folder: Path) -> str:
    """A row per ranking, a column per kind of query: MRR / found."""
    wiki = collection(folder, "wiki", "wikispeedia/wpcd-html.tar.xz")
    webkb = collection(folder, "webkb", "webkb/webkb-html.tar.xz")
    columns = {name: quality(wiki, known) for name, known in titles_and_calls(wiki).items()}
    columns |= {name: quality(webkb, known) for name, known in by_class(webkb).items()}
    sizes = ", ".join(f"{name} {max(len(one) for one in made.values())}" for name, made in columns.items())
    lines = [
        "MRR: the mean of 1 / place of the right page, 0 beyond the tenth. Found: the share of queries with it among "
        "the first ten. wikispeedia: titles of articles, and the commonest text of links to one less the words of its "
        "title. WebKB: titles of pages, by class.",
        "",
        "| MRR / found | " + " | ".join(columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for name in QUERY_RANKERS:
        cells = [f"{made[name].mean():.3f} / {(made[name] > 0).mean():.2f}" for made in columns.values()]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", f"Queries: {sizes}."])


# -- times ---------------------------------------------------------------------------------------------------


def composed(folder: Path) -> tuple[Searcher, Web, list[str]]:
    """100,000 pages in 2,000 sites, ten links a page, words and link targets by Zipf's law; and queries."""
    rng = np.random.default_rng(5)
    urls = UrlTable.from_urls(sorted(f"http://s{page // 50:05d}.example/{page:06d}.html" for page in range(PAGES)))
    links = 10 * PAGES
    sources = rng.integers(0, PAGES, links)
    inside = sources // 50 * 50 + rng.integers(0, 50, links)
    famous = rng.permutation(PAGES)[np.minimum(rng.zipf(1.3, links), PAGES) - 1]
    graph = Graph.from_edges(sources, np.where(rng.random(links) < 0.5, inside, famous), PAGES, urls=urls)
    words = np.minimum(rng.zipf(1.25, (PAGES, 84)), 60_000)
    letters = np.array(["".join(rng.choice(list("aeioulmnrst"), 7)) for _ in range(60_001)])

    def documents() -> Iterator[IndexDocument]:
        for page in range(PAGES):
            said = letters[words[page]]
            site = f"s{page // 50:05d}.example"
            yield IndexDocument(page, urls[page], " ".join(said[:4]), "", " ".join(said[4:]), host=site, site=site)

    build_index(documents(), folder)
    ranks = pagerank(graph)
    web = Web(graph, ranks.values, np.arange(PAGES) // (PAGES // 16))
    searcher = Searcher(folder, scores={"pagerank": ranks}, urls=urls, graph=graph, web=lambda: web)
    seen = [letters[number] for number in (3, 8, 20, 50, 120, 400, 1500)]
    return (
        searcher,
        web,
        [" ".join(rng.choice(seen, count, replace=False)) for count in (1, 1, 2, 2, 3) for _ in range(20)],
    )


def timed(ask: Callable[[str], object], queries: list[str]) -> tuple[np.ndarray, float]:
    """Milliseconds of each query, after one of each was asked; and the mean of the CPU time, of all threads."""
    for query in queries[::10]:
        ask(query)
    taken, cpu = [], time.process_time()
    for query in queries:
        began = time.perf_counter()
        ask(query)
        taken.append((time.perf_counter() - began) * 1000)
    return np.array(taken), (time.process_time() - cpu) / len(queries) * 1000


def speed_table() -> str:
    """A row per ranking: medians and 95th percentiles."""
    with tempfile.TemporaryDirectory() as folder:
        searcher, web, queries = composed(Path(folder) / "index")

        def beside(name: str) -> Callable[[str], object]:
            def ask(query: str) -> object:
                lists, _ = searcher.side_by_side(query, ["blended", name])
                return [firmness_of(one.focus, one.found) for one in lists]

            return ask

        lines = [
            f"Composed: {PAGES:,} pages, {web.graph.links:,} links, {len(queries)} queries of one to three words. "
            "Milliseconds, in process: a result page's ten; and beside `blended`, with the firmness of both. "
            "CPU: the mean, both cores.",
            "",
            "| ranking | p50 | p95 | CPU | side by side p50 | p95 | CPU |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for name in QUERY_RANKERS:
            asked = timed(lambda query, name=name: searcher.search(query, rank=name, facts=True), queries)
            compared = timed(beside(name), queries)
            figures = [
                figure
                for wall, cpu in (asked, compared)
                for figure in (np.percentile(wall, 50), np.percentile(wall, 95), cpu)
            ]
            lines.append(f"| `{name}` | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, help="where the collections are, or will be built")
    arguments.add_argument("--speed", action="store_true", help="times alone")
    arguments.add_argument("--quality", action="store_true", help="known pages alone")
    arguments.add_argument("--write", action="store_true", help="put the tables into docs/search.md")
    options = arguments.parse_args()
    parts = []
    if not options.speed:
        parts.append(quality_table(options.folder))
    if not options.quality:
        parts.append(speed_table())
    print("\n\n".join(parts))
    if options.write:
        write_section(
            "query_rankers.py", "How the other rankings find known pages, and how fast", "\n\n".join(parts), PAGE
        )


if __name__ == "__main__":
    main()
