"""SALSA: the random walk between hubs and authorities (Lempel and Moran 2000), in closed form.

Split every page into a hub side (if it has out-links) and an authority side (if it has in-links), with one edge a link.
The authority walk goes from an authority back along a random in-link to a hub, and forwards along a random out-link of
that hub. On one connected component C of this bipartite graph the walk is reversible, so its stationary distribution
is proportional to the in-degree; started from a uniform authority, the weight of C is its share of the authorities:

    a(j) = |A_C| / |A| · d⁻(j) / |E_C|,      h(i) = |H_C| / |H| · d⁺(i) / |E_C|

with A_C, H_C, E_C the authorities, hubs and links of the component. No iteration, no tolerance, no tightly knit
community: inside a component SALSA *is* in-degree, and a small component cannot take all the weight, as with HITS.

Both vectors sum to one. The components come from one union–find pass over the targets of each page, in which nearly
every link costs one look (its target already points at the root). O(n + m) time, 4 bytes per page beside the answer.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Ids
from periplus.numeric.unionfind import root
from periplus.rank.table import RANKERS
from periplus.record import Scores

# Each value is a product and a quotient of whole numbers: three roundings, relative to a vector that sums to one.
_ERROR = 3 * 2.0**-53


@checked(RANKERS["salsa"])
def salsa(graph: Graph) -> Scores:
    """Authorities (`values`) and hubs (`extra["hubs"]`), each summing to one; exact."""
    component, components = authority_components(graph)
    authorities, hubs = np.empty(graph.nodes), np.empty(graph.nodes)
    _closed_form(graph.out_offsets, graph.out_targets, graph.in_offsets, component, components, authorities, hubs)
    return Scores(
        method="salsa",
        values=authorities,
        parameters={},
        iterations=0,
        residual=0.0,
        error_bound=_ERROR,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"hubs": hubs, "hubs_error_bound": _ERROR, "components": components},
    )


def authority_components(graph: Graph) -> tuple[Ids, int]:
    """The component of each page as an authority, in the order of their smallest pages, and how many there are.

    As a hub a page is in the component of any page that it links to. For pages without in-links it means nothing.
    """
    component = np.arange(graph.nodes, dtype=np.uint32)
    _join_targets(graph.out_offsets, graph.out_targets, component)
    return component, int(_number(component, graph.in_offsets))


@njit(cache=True, nogil=True)
def _join_targets(offsets, targets, parent):  # type: ignore[no-untyped-def]
    """Union–find with the smaller id as root: all targets of one page are in one component."""
    one, link = np.uint64(1), np.uint64(0)  # unsigned: no check for negative indices
    for page in range(np.uint64(len(parent))):
        end = np.uint64(offsets[page + one])
        if link == end:
            continue
        top = root(parent, targets[link])
        link += one
        while link < end:
            target = np.uint64(targets[link])
            if np.uint64(parent[target]) != top:
                other = root(parent, target)
                top, other = min(top, other), max(top, other)
                parent[other] = top
            link += one


@njit(cache=True, nogil=True)
def _number(parent, in_offsets):  # type: ignore[no-untyped-def]
    """Put the number of its component in the place of each page's parent; how many with a link there are.

    A parent has a smaller id than its page, and so already its number.
    """
    count = 0
    for page in range(len(parent)):
        if parent[page] != page:
            parent[page] = parent[parent[page]]
        elif in_offsets[page] < in_offsets[page + 1]:
            parent[page] = count
            count += 1
    return count


@njit(cache=True, nogil=True)
def _closed_form(offsets, targets, in_offsets, component, components, authorities, hubs):  # type: ignore[no-untyped-def]
    """Fill in |members of C| / |all| · degree / |links of C|, zero where the degree is."""
    counts = np.zeros((components, 3))  # links, authorities, hubs
    for page in range(len(component)):
        into = in_offsets[page + 1] - in_offsets[page]
        if into > 0:
            counts[component[page], 0] += into
            counts[component[page], 1] += 1
        if offsets[page] < offsets[page + 1]:
            counts[component[targets[offsets[page]]], 2] += 1
    shares = counts[:, 1:] / counts[:, 1:].sum(axis=0) / counts[:, :1]
    for page in range(len(component)):
        into, out = in_offsets[page + 1] - in_offsets[page], offsets[page + 1] - offsets[page]
        authorities[page] = shares[component[page], 0] * into if into > 0 else 0.0
        hubs[page] = shares[component[targets[offsets[page]]], 1] * out if out > 0 else 0.0
