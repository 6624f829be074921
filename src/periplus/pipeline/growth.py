"""When each page of a collection was first fetched, from the index of its stored pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Offsets
from periplus.pages.store import PageStore, store_of
from periplus.structure.studies.growth import growth


def first_seen(pages: PageStore, graph: Graph) -> Offsets:
    """Seconds since 1970 at the first capture of every page of the graph; −1 for pages that were only linked to."""
    dates = np.full(graph.nodes, -1, np.int64)
    if graph.urls is None:
        return dates
    for entry in pages.entries():
        page = graph.urls.find(entry.url)
        if page is not None:
            moment = int(entry.fetched.timestamp())
            dates[page] = moment if dates[page] < 0 else min(int(dates[page]), moment)
    return dates


def with_growth(study: dict[str, Any], collection: Collection, graph: Graph) -> dict[str, Any]:
    """A study (`Study.to_dict`) of a collection's graph, and in it how the collection grew, where dates are known."""
    found = growth(first_seen(store_of(collection), graph))
    return {**study, "growth": found.to_dict()} if found is not None else study
