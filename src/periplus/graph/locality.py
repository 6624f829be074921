"""Whether links stay near in the order of the ids: the cost of a pass or a search depends on it.

When the ends of a link lie within 2¹⁷ ids of each other, the value of the other end (1 MiB of float64) is likely to be
in the cache. Pages in the order of their URLs have nearly all links near; ids without meaning have hardly any.
"""

from __future__ import annotations

import numpy as np

from periplus.graph.graph import Graph

NEAR = 1 << 17


def near_share(graph: Graph, sample: int = 10_000, *, within: int | None = None) -> float:
    """The share of links whose ends are at most `within` ids apart, from an even sample of the links."""
    limit = NEAR if within is None else within
    links = np.linspace(0, graph.links - 1, min(sample, graph.links)).astype(np.int64)
    sources = np.searchsorted(graph.out_offsets, links, side="right") - 1
    return float(np.mean(np.abs(graph.out_targets[links].astype(np.int64) - sources) < limit)) if len(links) else 1.0
