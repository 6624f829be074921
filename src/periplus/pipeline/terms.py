"""The words of a collection's pages: terms × pages, and page × word counts for pages that are alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from periplus.collection import Collection
from periplus.communities.hierarchy.names import LEAD
from periplus.communities.hierarchy.names import naming_terms as as_they_say
from periplus.graph.graph import Graph
from periplus.pages.parsed import ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.stages.graph import LinkDatabase, Newest, captures_of
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
    newest = Newest(parsed.read(names, upto="heads"))
    for page, _, document in newest.documents(parsed.read(names, upto="words")):
        texts[page] = " ".join((document.title, *document.headings, document.text if body else ""))
    return texts


def naming_terms(collection: Collection, database: LinkDatabase) -> Terms:
    """Words that name a page: of its title and of the links to it from others, of its URL where it has none of these.

    A page has such a word also where its headings say it, or the first `LEAD` characters of its text. Names are shown
    to everyone: a page that asks not to be indexed gives them no word.
    """
    graph = database.graph
    heads, words = captures_of(collection, upto="heads"), captures_of(collection, upto="words")
    titles, leads, hidden = [""] * graph.nodes, [""] * graph.nodes, np.zeros(graph.nodes, np.bool_)
    for page, _, document in Newest(heads()).documents(words()):
        if document.noindex:
            hidden[page] = True
            continue
        titles[page] = document.title
        leads[page] = " ".join((*document.headings, document.text[:LEAD]))
    sources, meant, numbers, texts = database.anchors.calls()
    open_to_all = ~(hidden[sources] | hidden[meant])
    meant, numbers = meant[open_to_all], numbers[open_to_all]
    called = hidden.copy()
    called[meant] = True
    for page in range(graph.nodes):
        if not called[page] and not titles[page]:
            titles[page] = str(graph.urls[page]).rpartition("://")[2]
    calls = csr_array((np.ones(len(meant)), (numbers, meant)), (len(texts), graph.nodes))
    return as_they_say(_with_calls(titles, texts, calls), term_matrix(leads))


def _with_calls(titles: Sequence[str], texts: Sequence[str], calls: csr_array) -> Terms:
    """Terms of the titles and of the texts that call each page; each text is read once."""
    words = term_matrix([*titles, *texts], least_pages=1)
    pages = len(titles)
    return Terms(words.vocabulary, csr_array(words.matrix[:, :pages] + words.matrix[:, pages:] @ calls))
