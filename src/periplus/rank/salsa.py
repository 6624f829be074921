"""SALSA: the random walk between hubs and authorities (Lempel and Moran 2000), in closed form.

Split every page into a hub side (if it has out-links) and an authority side (if it has in-links), with one edge a link.
The authority walk goes from an authority back along a random in-link to a hub, and forwards along a random out-link of
that hub. On one connected component C of this bipartite graph the walk is reversible, so its stationary distribution
is proportional to the in-degree; started from a uniform authority, the weight of C is its share of the authorities:

    a(j) = |A_C| / |A| · d⁻(j) / |E_C|,      h(i) = |H_C| / |H| · d⁺(i) / |E_C|

with A_C, H_C, E_C the authorities, hubs and links of the component. No iteration, no tolerance, no tightly knit
community: inside a component SALSA *is* in-degree, and a small component cannot take all the weight, as with HITS.

Both vectors sum to one. The components come from union–find over the targets of each page. O(n + m) time, one pass.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Offsets
from periplus.rank.links import require_links
from periplus.rank.scores import Scores

# Each value is a product and a quotient of whole numbers: three roundings, relative to a vector that sums to one.
_ERROR = 3 * 2.0**-53


def salsa(graph: Graph) -> Scores:
    """Authorities (`values`) and hubs (`extra["hubs"]`), each summing to one; exact."""
    require_links(graph, "salsa")
    authority_component, hub_component = bipartite_components(graph)
    into, out = graph.in_degrees, graph.out_degrees
    links = np.bincount(authority_component, weights=into, minlength=graph.nodes).astype(np.float64)
    authorities = _shares(authority_component, into, links)
    hubs = _shares(hub_component, out, links)
    return Scores(
        method="salsa",
        values=authorities,
        parameters={},
        iterations=0,
        residual=0.0,
        error_bound=_ERROR,
        graph_digest=graph.digest,
        extra={"hubs": hubs, "components": int(np.count_nonzero(links))},
    )


def _shares(component: Offsets, degrees: Offsets, links: Floats) -> Floats:
    """|members of C| / |all| · degree / |links of C|, zero where the degree is."""
    on = degrees > 0
    members = np.bincount(component[on], minlength=len(degrees))
    share = np.zeros(len(degrees))
    share[on] = (members[component[on]] / np.count_nonzero(on)) * (degrees[on] / links[component[on]])
    return share


def bipartite_components(graph: Graph) -> tuple[Offsets, Offsets]:
    """The component of each page as an authority and as a hub, named by the smallest authority in it.

    Pages without in-links (out-links) get their own id: no component of the other kind uses it.
    """
    forest = _join_targets(graph.out_offsets, graph.out_targets, graph.nodes)
    hubs = np.arange(graph.nodes)
    linking = np.flatnonzero(graph.out_degrees)
    hubs[linking] = forest[graph.out_targets[graph.out_offsets[linking]]]
    return forest, hubs


@njit(cache=True, nogil=True)
def _join_targets(offsets, targets, nodes):  # type: ignore[no-untyped-def]
    """Union–find with path halving and the smaller id as root: all targets of one page are in one component."""
    parent = np.arange(nodes)
    for row in range(nodes):
        first, last = offsets[row], offsets[row + 1]
        if last - first < 2:
            continue
        root = np.int64(targets[first])
        while parent[root] != root:
            root = parent[root]
        for link in range(first + 1, last):
            other = np.int64(targets[link])
            while parent[other] != other:
                parent[other] = parent[parent[other]]
                other = parent[other]
            if other < root:
                parent[root] = other
                root = other
            elif root < other:
                parent[other] = root
        parent[np.int64(targets[first])] = root
    for page in range(nodes):
        parent[page] = parent[parent[page]]  # parents have smaller ids and are already roots' children
    return parent
