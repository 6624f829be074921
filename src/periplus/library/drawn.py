"""Some pages of a collection as a graph for other programs: titles, sites, rank, subject and communities beside it."""

from __future__ import annotations

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.library.belonging import belonging
from periplus.library.library import Library
from periplus.library.neighbours import title_of
from periplus.numeric.arrays import Ids
from periplus.search.rankers import TEXT_ONLY
from periplus.web.url import site_of

MOST_DRAWN = 20_000


def graph_of_pages(library: Library, pages: Ids) -> Graph:
    """The links among some pages, each page with its title, site, rank and communities; a few thousand at most."""
    if len(pages) > MOST_DRAWN:
        whole = f"`periplus graph convert {library.collection.path} web.gexf --with pagerank,subject,tree` writes all"
        raise ParameterError("pages", len(pages), f"at most {MOST_DRAWN:,} here: {whole}")
    ordered = np.sort(np.asarray(pages, dtype=np.int64))
    ordered = ordered[~np.isin(ordered, list(library.searcher.hidden))]
    urls, name = library.graph.urls, library.searcher.rankers.default
    about = {"title": [title_of(library, page) for page in ordered.tolist()]}
    about["site"] = [site_of(urls[page]) for page in ordered.tolist()]
    ranks = {} if name == TEXT_ONLY else {name: np.asarray(library.scores[name].values)[ordered]}
    return library.graph.subgraph(ordered).described({**about, **ranks, **belonging(library, ordered)})
