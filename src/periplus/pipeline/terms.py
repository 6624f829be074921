"""The words of a collection's pages, as the terms × pages matrix that reputation works on."""

from __future__ import annotations

from periplus.collection import Collection
from periplus.graph.graph import Graph
from periplus.pages.parsed import ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.stages.graph import Newest
from periplus.rank.methods.terms import Terms, term_matrix


def page_terms(collection: Collection, graph: Graph, *, body: bool = True, least_pages: int = 1) -> Terms:
    """Words of title, headings and, with `body`, text of every page; columns by page id."""
    names, parsed = store_of(collection).warc_names(), ParsedPages(collection.parsed_dir)
    texts = [""] * graph.nodes
    newest = Newest(parsed.read(names))
    for page, _, document in newest.documents(parsed.read(names)):
        texts[page] = " ".join((document.title, *document.headings, document.text if body else ""))
    return term_matrix(texts, least_pages=least_pages)
