"""Communities from the eigenvectors of HITS (Gibson, Kleinberg & Raghavan 1998; Deo & Gupta 7.1).

The principal eigenvector of AᵀA is one community of authorities, with its hubs from A·a. Every further one has entries
of both signs, and each end is a community of its own: the pages with the largest entries, and the hubs likewise. A word
with several meanings comes apart there. On a whole web the first vectors show its tightest corners; on the base set of
a query they show its senses.
"""

from __future__ import annotations

import numpy as np

from periplus.catalog import checked
from periplus.communities.groups import PageGroup, PageGroups
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.rank.methods.hits_vectors import singular_vectors


@checked(COMMUNITIES["eigenvectors"])
def eigenvectors(graph: Graph, *, count: int = 6, pages: int = 10) -> PageGroups:
    """Authorities and hubs at each end of the leading eigenvectors, the principal one first."""
    parameters = {"count": count, "pages": pages}
    if not graph.links:
        return PageGroups("eigenvectors", (), graph.nodes, parameters, graph_digest=graph.digest, urls=graph.urls)
    found = singular_vectors(graph, count=count)
    groups = []
    for index in range(1, len(found.eigenvalues) + 1):
        for end in ("positive", "negative"):
            authorities, hubs = found.end(index, end, pages)
            if len(authorities) and len(hubs):
                facts = {"eigenvector": index, "end": end, "eigenvalue": float(found.eigenvalues[index - 1])}
                groups.append(PageGroup({"authorities": np.sort(authorities), "hubs": np.sort(hubs)}, facts=facts))
    return PageGroups(
        "eigenvectors",
        tuple(groups),
        graph.nodes,
        parameters,
        graph_digest=graph.digest,
        extra={"degenerate": list(found.degenerate)},
        urls=graph.urls,
    )
