"""The words of a collection's pages: the terms × pages matrix of reputation, the page × word counts of similarity."""

from __future__ import annotations

from periplus.collection import Collection
from periplus.graph.graph import Graph
from periplus.pages.parsed import ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.stages.graph import Newest
from periplus.rank.methods.terms import Terms, term_matrix
from periplus.similar.words import Words, word_matrix


def page_terms(collection: Collection, graph: Graph, *, body: bool = True, least_pages: int = 1) -> Terms:
    """Words of title, headings and, with `body`, text of every page; columns by page id."""
    return term_matrix(_texts(collection, graph.nodes, body=body), least_pages=least_pages)


def page_words(collection: Collection, graph: Graph) -> Words:
    """How often each word stands in title, headings and text of every page; rows by page id."""
    return word_matrix(_texts(collection, graph.nodes, body=True))


def _texts(collection: Collection, nodes: int, *, body: bool) -> list[str]:
    names, parsed = store_of(collection).warc_names(), ParsedPages(collection.parsed_dir)
    texts = [""] * nodes
    newest = Newest(parsed.read(names))
    for page, _, document in newest.documents(parsed.read(names)):
        texts[page] = " ".join((document.title, *document.headings, document.text if body else ""))
    return texts
