"""What is known of each node of a tree besides its name: how dense its links are, and its best pages.

Inside a node, the authority of a page is the number of the node's pages that link to it, and a page is a hub by the sum
of the authorities it links to: one step of HITS on the node alone. The density is the share of all ordered pairs of its
pages that are links. O(m) a level.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray

BEST = 3


def facts_of(graph: Graph, levels: Iterable[AnyArray], sizes: AnyArray) -> dict[str, AnyArray]:
    """Density, authorities and hubs of every node; `levels` as of `names_of`."""
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    targets = graph.out_targets.astype(np.int64)
    kept = sources != targets
    sources, targets = sources[kept], targets[kept]
    facts: dict[str, AnyArray] = {
        "density": np.zeros(len(sizes)),
        "authorities": np.full((len(sizes), BEST), -1, np.int64),
        "hubs": np.full((len(sizes), BEST), -1, np.int64),
    }
    for nodes in (np.zeros(graph.nodes, np.int64), *levels):
        inside = nodes[sources] == nodes[targets]
        begin, end = sources[inside], targets[inside]
        authority = np.bincount(end, minlength=graph.nodes)
        hub = np.bincount(begin, weights=authority[end], minlength=graph.nodes)
        facts["density"] = np.maximum(facts["density"], np.bincount(nodes[begin], minlength=len(sizes)))
        _fill(facts["authorities"], nodes, authority)
        _fill(facts["hubs"], nodes, hub)
    facts["density"] /= np.maximum(sizes * (sizes - 1.0), 1.0)
    return facts


def _fill(best: AnyArray, nodes: AnyArray, values: AnyArray) -> None:
    """The pages with the highest values of each node; pages of value 0 are not among them."""
    pages = np.flatnonzero(values > 0)
    order = pages[np.lexsort((pages, -values[pages], nodes[pages]))]
    own = nodes[order]
    place = np.arange(len(order)) - np.searchsorted(own, own)
    listed = place < best.shape[1]
    best[own[listed], place[listed]] = order[listed]
