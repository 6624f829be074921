"""Communities by modularity or by the constant Potts model (Traag, Waltman & van Eck 2019).

    modularity   Q = Σ_c [ w(c)/m − γ·(K_c/2m)² ]        K_c the sum of degrees in c, m the weight of all links
    CPM          H = Σ_c [ w(c) − γ·n_c²/2 ]             n_c the number of pages in c

over the graph without directions and loops, where w = A + Aᵀ. Modularity has no scale below which it sees (its
communities grow with the web); the constant Potts model keeps every community denser than γ and the links between two
sparser. Both by the Leiden algorithm of `communities.modular.partition`, ours: every community is connected.

Pages without links to others are in no community (−1). O(m) per round, and three to five rounds.
"""

from __future__ import annotations

import numpy as np

from periplus.catalog import checked
from periplus.communities.modular.moves import quality_of
from periplus.communities.modular.partition import partition
from periplus.communities.modular.weighted import Weighted, undirected
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.record import PageLabels


@checked(COMMUNITIES["leiden"])
def leiden(graph: Graph, *, resolution: float = 1.0, quality: str = "modularity", seed: int = 0) -> PageLabels:
    """Find communities; `extra` has the modularity, whichever quality was maximised."""
    weighted = undirected(graph)
    links = float(weighted.sizes.sum()) / 2
    if quality == "cpm":
        found = partition(weighted._replace(sizes=np.ones(graph.nodes)), resolution, seed=seed)
        reached = found.quality
    else:
        found = partition(weighted, resolution / max(2 * links, 1.0), seed=seed)
        reached = found.quality / max(links, 1.0)
    labels = labels_of_linked(weighted, found.labels)
    return PageLabels(
        "leiden",
        labels,
        parameters={"resolution": resolution, "quality": quality, "seed": seed},
        iterations=found.rounds,
        graph_digest=graph,
        extra={"modularity": modularity_of(weighted, labels), "reached": reached},
        urls=graph.urls,
    )


def labels_of_linked(weighted: Weighted, labels: AnyArray) -> AnyArray:
    """The labels of the pages that have links, without gaps; −1 for those without."""
    linked = np.diff(weighted.offsets) > 0
    kept = np.zeros(len(labels), np.int64)
    kept[labels[linked]] = 1
    return np.where(linked, (np.cumsum(kept) - 1)[labels], -1)


@checked
def modularity(graph: Graph, labels: PageLabels) -> float:
    """Modularity of any grouping, at resolution 1; a page in no group counts as a group of its own."""
    own = np.where(labels.labels >= 0, labels.labels, -1 - np.arange(graph.nodes))
    return modularity_of(undirected(graph), np.unique(own, return_inverse=True)[1])


def modularity_of(weighted: Weighted, labels: AnyArray) -> float:
    """The same for a weighted graph whose sizes are the weights of its rows, labels without gaps; 0 without links."""
    total = float(weighted.sizes.sum())
    if total == 0:
        return 0.0
    own, alone = labels.copy(), np.flatnonzero(labels < 0)
    own[alone] = labels.max() + 1 + np.arange(len(alone))
    return quality_of(weighted, 1.0 / total, own) / (total / 2)
