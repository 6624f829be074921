"""How well known pages are found, beside other search engines on the same pages: the table of docs/search.md.

    python benchmarks/search.py DIR             every manual whose Debian package is unpacked in DIR, a few minutes
    python benchmarks/search.py DIR python sqlite --misses

MRR: the mean of 1 / place of the first right page, 0 beyond the tenth. Found: the share of queries with a right page
among the first ten. All systems read the same parsed pages and answer the same queries.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import write_section
from search_data import Corpus, corpora
from search_peers import PEERS, TEN, Found

from periplus.errors import QueryError
from periplus.index import build_index
from periplus.pipeline.stages.graph import Newest, link_database
from periplus.pipeline.stages.index import index_documents
from periplus.rank import pagerank
from periplus.search import Searcher

PAGE = Path(__file__).resolve().parent.parent / "docs" / "search.md"
OURS = "Periplus"
TEXT = "Periplus, text only"
INTRODUCTION = """Queries are terms of a manual's own index, right answers the pages that it names; index pages are left
out. MRR: the mean of 1 / place of the first right page, 0 beyond the tenth. Found: the share of queries with a right
page among the first ten."""


def places(found: Found, corpus: Corpus) -> np.ndarray:
    """1 / place of the first right page of each query."""
    urls = [capture.url for capture in corpus.captures]
    values = np.zeros(len(found))
    for at, (hits, right) in enumerate(zip(found, corpus.queries.values(), strict=True)):
        values[at] = next((1 / place for place, hit in enumerate(hits[:TEN], 1) if urls[hit] in right), 0.0)
    return values


def searcher_of(corpus: Corpus, folder: Path) -> Searcher:
    """The index and the default ranking of a manual, as a build makes them."""
    newest = Newest(corpus.captures)
    database = link_database(lambda: corpus.captures, newest)
    began = time.perf_counter()
    report = build_index(index_documents(lambda: corpus.captures, database), folder)
    letters = sum(len(capture.document.text.encode()) for capture in corpus.captures if capture.document)
    print(f"{corpus.manual.name}: {report.documents:,} pages indexed in {time.perf_counter() - began:.1f} s, "
          f"{report.bytes / letters:.2f} bytes a byte of text", file=sys.stderr)  # fmt: skip
    return Searcher(folder, scores={"pagerank": pagerank(database.graph)}, urls=newest.urls, graph=database.graph)


def ours(searcher: Searcher, corpus: Corpus, ranker: str) -> Found:
    """Page numbers of the first ten, with copies counted as the page that stands for them."""
    numbers = {capture.url: number for number, capture in enumerate(corpus.captures)}
    found: Found = []
    for query in corpus.queries:
        try:
            results = searcher.search(query, ranker=ranker).results
        except QueryError:
            results = ()
        found.append([numbers[result.url] for result in results])
    return found


def answers(corpus: Corpus, tools: Path, peers: Sequence[str]) -> dict[str, np.ndarray]:
    """1 / place for each query, by system."""
    made = {}
    with tempfile.TemporaryDirectory() as scratch:
        searcher = searcher_of(corpus, Path(scratch) / "index")
        made[OURS] = places(ours(searcher, corpus, "pagerank"), corpus)
        made[TEXT] = places(ours(searcher, corpus, "text"), corpus)
    documents = [capture.document for capture in corpus.captures]
    pages = [(one.title, one.text) if one else ("", "") for one in documents]
    for name in peers:
        try:
            made[name] = places(PEERS[name](pages, list(corpus.queries), tools), corpus)
        except (ImportError, FileNotFoundError) as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
    return made


def table(results: dict[str, dict[str, np.ndarray]], fitted: dict[str, bool]) -> str:
    """A row per system, a column per manual: MRR / found."""
    systems = list(dict.fromkeys(system for made in results.values() for system in made))
    head = [f"{name}{'' if fitted[name] else ' †'}" for name in results]
    lines = [INTRODUCTION, "", "| MRR / found | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    for system in systems:
        cells = [_cell(made.get(system)) for made in results.values()]
        lines.append(f"| {system} | " + " | ".join(cells) + " |")
    sizes = ", ".join(f"{name} {len(next(iter(made.values()))):,}" for name, made in results.items())
    unseen = "" if all(fitted[name] for name in results) else " † no constant was chosen on it."
    return "\n".join([*lines, "", f"Queries: {sizes}.{unseen}"])


def _cell(values: np.ndarray | None) -> str:
    return "" if values is None else f"{values.mean():.3f} / {(values > 0).mean():.3f}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("packages", type=Path, help="where the Debian packages are unpacked")
    arguments.add_argument("manuals", nargs="*", help="only these")
    arguments.add_argument("--misses", action="store_true", help="print what a peer finds and Periplus does not")
    arguments.add_argument("--alone", action="store_true", help="without peers")
    arguments.add_argument("--write", action="store_true", help="put the table into docs/search.md")
    options = arguments.parse_args()
    results, fitted = {}, {}
    for corpus in corpora(options.packages, options.manuals):
        name = corpus.manual.name
        results[name] = made = answers(corpus, options.packages, () if options.alone else list(PEERS))
        fitted[name] = corpus.manual.fitted
        if options.misses:
            best = np.max([values for system, values in made.items() if not system.startswith(OURS)], axis=0)
            missed = np.flatnonzero(best > made[OURS] + 0.3)
            queries = list(corpus.queries)
            print(*(f"{name}: {queries[at]}  ours {made[OURS][at]:.2f} best {best[at]:.2f}" for at in missed), sep="\n")
        print(table({name: made}, fitted))
    if options.write:
        write_section("search.py", "How well known pages are found", table(results, fitted), PAGE)


if __name__ == "__main__":
    main()
