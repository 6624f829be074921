"""Personalised PageRank for one set of pages: PageRank whose jumps, also those from dangling pages, lead to them.

    π = α π H + (α π·a + 1 − α) v,     v = 1/|seeds| on the seeds

`personalised` solves many such preferences in one pass over the links, `push` finds the top of one without reading the
whole graph; this is the plain one, for the table of rankings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.given import page_ids
from periplus.numeric.stop import Stop
from periplus.rank.methods.pagerank import DEFAULT_STOP, pagerank
from periplus.rank.table import RANKERS
from periplus.record import Scores


@checked(RANKERS["personalised"])
def personalised_pagerank(
    graph: Graph, *, seeds: Sequence[int], damping: float = 0.85, stop: Stop = DEFAULT_STOP
) -> Scores:
    """PageRank with all jumps leading to the pages `seeds`, each equally likely."""
    pages = np.unique(page_ids(seeds, graph.nodes, "seeds")).tolist()
    if not pages:
        raise ParameterError("seeds", seeds, f"one page or more, ids from 0 to {graph.nodes - 1}")
    preference = np.zeros(graph.nodes)
    preference[pages] = 1.0
    ranked = pagerank(graph, damping=damping, preference=preference, stop=stop)
    parameters = {"seeds": pages, "damping": damping, "tolerance": stop.tolerance}
    return replace(ranked, method="personalised", parameters=parameters)
