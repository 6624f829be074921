"""The data that the quality tables of docs/similar.md are made from: pages with words, links and known classes."""

from __future__ import annotations

import lzma
import re
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from scipy.sparse import csr_array

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.conftest import DATA

from periplus.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.similar.words import Words, word_matrix
from periplus.web.html import parse_html
from periplus.web.page import Document

# Both print the categories of an article: a method that read them would be told the answer.
_CATEGORIES = re.compile(rb'<h3 id="siteSub">.*?</h3>', re.S)


@dataclass(frozen=True)
class Labelled:
    """A graph whose pages have words and belong to some classes."""

    name: str
    graph: Graph
    words: Words
    classes: list[frozenset[str]]


def rows(path: str) -> Iterator[list[str]]:
    """The lines of a table of the shared data, cut at tabs; comments and empty lines are left out."""
    with lzma.open(DATA / path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def edges(path: str) -> Any:
    """The two columns of a list of links."""
    return np.array([[int(source), int(target)] for source, target in rows(path)]).T


def wikispeedia() -> Labelled:
    """4,604 articles of the 2007 Schools Wikipedia, with their subjects as classes."""
    names = [row[0] for row in rows("wikispeedia/articles.tsv.xz")]
    ids = {name: page for page, name in enumerate(names)}
    links = np.array([(ids[a], ids[b]) for a, b in rows("wikispeedia/links.tsv.xz")])
    subjects: defaultdict[str, set[str]] = defaultdict(set)
    for name, subject in rows("wikispeedia/categories.tsv.xz"):
        subjects[name].add(subject)
    texts = [""] * len(names)
    for page, document in articles(ids):
        texts[page] = " ".join((document.title, *document.headings, document.text))
    urls = NameTable.from_names([f"http://wiki.example/wiki/{name}" for name in names])
    graph = Graph.from_edges(links[:, 0], links[:, 1], len(names), urls=urls)
    return Labelled("wikispeedia", graph, word_matrix(texts), [frozenset(subjects[name]) for name in names])


def articles(ids: dict[str, int]) -> Iterator[tuple[int, Document]]:
    """Every article of wikispeedia as parsed, without the line that prints its categories."""
    with tarfile.open(DATA / "wikispeedia/wpcd-html.tar.xz") as archive:
        for member in archive:
            page = article_of(member.name, ids)
            if page is not None:
                body = _CATEGORIES.sub(b"", archive.extractfile(member).read())  # type: ignore[union-attr]
                yield page, parse_html(body, f"http://wiki.example/{quote(member.name)}", "text/html; charset=utf-8")


def article_of(path: str, ids: dict[str, int]) -> int | None:
    if "/index/" in path or not path.endswith(".htm"):
        return None
    name = path.rsplit("/", 1)[1].removesuffix(".htm").replace("%25", "%")
    return ids.get(name, ids.get(quote(unquote(name), safe="()',!:&;*@+$-._~")))


def cora() -> Labelled:
    """2,708 papers of seven fields; words are there or not, and a citation leads both ways."""
    found = list(rows("planetoid/cora.nodes.tsv.xz"))
    words = [[int(one) for one in row[2].split(",") if one] for row in found]
    ends = np.concatenate(([0], np.cumsum([len(one) for one in words])))
    flat = np.concatenate([np.array(one, np.int64) for one in words])
    matrix = csr_array((np.ones(len(flat), np.float32), flat, ends), shape=(len(found), int(flat.max()) + 1))
    sources, targets = edges("planetoid/cora.edges.tsv.xz")
    graph = Graph.from_edges(np.append(sources, targets), np.append(targets, sources), len(found))
    return Labelled("cora", graph, Words(matrix), [frozenset({row[1]}) for row in found])


def webkb() -> Labelled:
    """8,281 pages of computer science departments of 1997, in seven classes; links as their HTML has them."""
    listed = {row[0]: row for row in rows("webkb/index.tsv.xz")}
    pages: dict[str, tuple[str, str, tuple[str, ...]]] = {}
    with tarfile.open(DATA / "webkb/webkb-html.tar.xz") as archive:
        for member in archive:
            row = listed.get(member.name)
            if row is not None:
                _, _, body = archive.extractfile(member).read().partition(b"\n\n")  # type: ignore[union-attr]
                document = parse_html(body, row[3], "text/html")
                text = " ".join((document.title, *document.headings, document.text))
                pages.setdefault(row[3], (row[1], text, tuple(link.target for link in document.links)))
    urls = list(pages)
    ids = {_plain(url): page for page, url in enumerate(urls)}
    links = [(page, ids[_plain(to)]) for page, url in enumerate(urls) for to in pages[url][2] if _plain(to) in ids]
    sources, targets = np.array(links).T
    graph = Graph.from_edges(sources, targets, len(urls), urls=NameTable.from_names(urls))
    return Labelled("webkb", graph, word_matrix(pages[u][1] for u in urls), [frozenset({pages[u][0]}) for u in urls])


def _plain(url: str) -> str:
    return re.sub(r"/(index\.html?)?$", "", url.lower())


def query_graph(path: str, column: int) -> Graph:
    """A base set of a query: pages of many sites, named by their URLs."""
    names = [row[column] for row in rows(f"{path}nodes.tsv.xz")]
    sources, targets = edges(f"{path}edges.tsv.xz")
    return Graph.from_edges(sources, targets, len(names), urls=NameTable.from_names(names))


def share_alike(nearest: Any, classes: list[frozenset[str]]) -> float:
    """The share of each page's nearest (a row of ids per page) that have a class in common, over all pages with one."""
    kept = [page for page, known in enumerate(classes) if known]
    hits = [sum(bool(classes[page] & classes[int(one)]) for one in nearest[page]) for page in kept]
    return float(sum(hits) / sum(len(nearest[page]) for page in kept))
