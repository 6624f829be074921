"""Centres and attractors of a result set (Adamic 1999; Bennouas et al. 3).

The pages of a result, and the links among them without directions, fall into connected groups. The *centres* of a group
are the pages of least eccentricity: from nowhere else is the farthest page as near. Its *attractors* are the pages that
most of the group link to. Groups of one page are left out. In a small world a centre leads to everything in a few
clicks, so it is the place to begin.

One search from each page, 64 at once, O(p · m / 64) to O(p · m) for p pages and m links of a group; groups larger than
`MOST_SEARCHED` take the pages with the most links as candidates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from periplus.catalog import checked
from periplus.communities.groups import PageGroup, PageGroups
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.numeric.given import page_ids
from periplus.structure.paths.searches import search_64

MOST_SEARCHED = 1000


@checked(COMMUNITIES["centres"])
def centres(graph: Graph, *, results: Sequence[int] | None = None, best: int = 3, least: int = 2) -> PageGroups:
    """The connected groups of a result set (the whole graph by default), each with centres and attractors."""
    chosen = np.arange(graph.nodes) if results is None else np.unique(page_ids(results, graph.nodes, "results"))
    part = graph.subgraph(chosen)
    matrix = csr_array((np.ones(part.links), part.out_targets, part.out_offsets), shape=(part.nodes, part.nodes))
    labels = connected_components(matrix, directed=False)[1] if part.nodes else np.zeros(0, np.int64)
    loops = part.sources == part.out_targets
    attraction = part.in_degrees - np.bincount(part.sources[loops], minlength=part.nodes)
    sizes = np.bincount(labels)
    groups = [
        _group(np.flatnonzero(labels == label), chosen, csr_array(matrix + matrix.T), attraction, best)
        for label in np.argsort(-sizes, kind="stable").tolist()
        if sizes[label] >= least
    ]
    given = None if results is None else chosen.tolist()
    parameters = {"results": given, "best": best, "least": least}
    return PageGroups("centres", tuple(groups), graph.nodes, parameters, graph_digest=graph.digest, urls=graph.urls)


def _group(members: AnyArray, chosen: AnyArray, matrix: csr_array, attraction: AnyArray, best: int) -> PageGroup:
    links = csr_array(matrix[members][:, members])
    degrees = np.diff(links.indptr)
    candidates = np.argsort(-degrees, kind="stable")[:MOST_SEARCHED]
    rows = links.indptr.astype(np.int64), links.indices.astype(np.uint32)
    words = [candidates[at : at + 64] for at in range(0, len(candidates), 64)]
    farthest = np.concatenate([search_64(*rows, word)[1] for word in words])
    order = np.lexsort((candidates, -degrees[candidates], farthest))
    central = candidates[order][: min(best, int((farthest == farthest.min()).sum()))]
    drawn = attraction[members]
    attractors = np.lexsort((members, -drawn))[:best]
    parts = {
        "centres": chosen[members[central]],
        "attractors": chosen[members[attractors[drawn[attractors] > 0]]],
        "pages": chosen[members],
    }
    facts = {"eccentricity": int(farthest.min())}
    return PageGroup({role: pages.astype(np.uint32) for role, pages in parts.items()}, facts=facts)
