"""How many passages under results are navigation, and how long searches take: a table for the manuals that are there.

    python benchmarks/search_snippets.py DIR [python cppreference …]

The judge is the markup of each manual, which Periplus does not know: `MAIN` names its main text and what is navigation
within. A passage is navigation if more than half of its runs of three words do not stand in that text. Asked are the
queries of benchmarks/search.py; looked at are the first three results of each.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from search_data import BASE, Manual, corpora
from selectolax.lexbor import LexborHTMLParser

from periplus.web.html import parse_html
from search import searcher_of

MAIN = {
    "python": ("div.body", "a.headerlink"),
    "postgresql": ("body", "div.navheader, div.navfooter, div.toc"),
    "cppreference": ("#mw-content-text", ".t-navbar, .editsection, #toc"),
    "handbook": ("body", "p#title, ul.docnav, .toc"),
}
QUERIES, SHOWN, RUN = 300, 3, 3


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def _main_text(manual: Manual, packages: Path, url: str) -> str:
    """The main text of a page by the manual's own markup, and its title."""
    main, beside = MAIN[manual.name]
    path = packages / manual.package / manual.folder / url.removeprefix(BASE)
    tree = LexborHTMLParser(path.read_bytes())
    for node in tree.css(beside):
        node.decompose()
    kept = "".join(node.html or "" for node in tree.css(main))
    return parse_html(f"<body>{kept}".encode(), url, "text/html; charset=utf-8").text


def measured(manual: Manual, packages: Path) -> tuple[float, float, float]:
    """The share of passages that are navigation; the median and the 99th percentile of a search in milliseconds."""
    (corpus,) = corpora(packages, [manual.name])
    known: dict[str, set[tuple[str, ...]]] = {}
    navigation, times = [], []
    with tempfile.TemporaryDirectory() as scratch:
        searcher = searcher_of(corpus, Path(scratch) / "index")
        for query in list(corpus.queries)[:QUERIES]:
            found = searcher.search(query)
            times.append(found.ms)
            for result in found.results[:SHOWN]:
                if result.url not in known:
                    known[result.url] = _runs(_main_text(manual, packages, result.url))
                runs = _runs(result.snippet.text)
                if runs:
                    navigation.append(len(runs - known[result.url]) > len(runs) / 2)
    return float(np.mean(navigation)), *np.percentile(times, [50, 99]).tolist()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("packages", type=Path, help="where the Debian packages are unpacked")
    arguments.add_argument("manuals", nargs="*", help="only these")
    options = arguments.parse_args()
    print("| | passages that are navigation | a search, median | p99 |\n|---|---|---|---|")
    for corpus in corpora(options.packages, options.manuals or list(MAIN)):
        if corpus.manual.name in MAIN:
            share, half, most = measured(corpus.manual, options.packages)
            print(f"| {corpus.manual.name} | {share:.1%} | {half:.1f} ms | {most:.1f} ms |", flush=True)


if __name__ == "__main__":
    main()
