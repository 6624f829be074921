"""The community around seed pages by a minimum cut (Flake, Lawrence & Giles 2000; Bennouas et al. 3).

Pages near the seeds, in both directions of the links, make the *vicinity*. In it every link can carry k units either
way, a virtual source feeds the seeds without limit, and every other page drains into a virtual sink with capacity

    1 + k · (links between the page and pages outside the vicinity)

The community is what the source still reaches when the flow is largest: the smaller side of the smallest cut. Take a
page out of it and the cut cannot fall, so k·(its links inside) ≥ 1 + k·(its links outside, in the vicinity and beyond).
Every member but the seeds thus has more links inside than outside *in the whole graph*; the result says that it was
checked. (Flake's sinks have capacity 1 and see only what was crawled.)

O(vicinity · links of the vicinity) at worst, a few milliseconds in practice, whatever the size of the web.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from periplus.catalog import checked
from periplus.communities.table import COMMUNITIES
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Offsets
from periplus.numeric.given import page_ids
from periplus.record import PageLabels


@checked(COMMUNITIES["min-cut"])
def min_cut(
    graph: Graph, *, seeds: Sequence[int], k: int | None = None, steps: int = 2, limit: int = 2000
) -> PageLabels:
    """Label 0 for the community of the seeds, −1 for all other pages."""
    chosen = np.unique(page_ids(seeds, graph.nodes, "seeds"))
    if not len(chosen):
        raise ParameterError("seeds", seeds, f"one page or more, ids from 0 to {graph.nodes - 1}")
    pages = vicinity(graph, chosen, steps=steps, limit=limit)
    capacity = len(chosen) if k is None else k
    links, leaving = _links_among(graph, pages)
    inside, cut = _source_side(links, leaving, np.searchsorted(pages, chosen), capacity)
    labels = np.full(graph.nodes, -1, np.int64)
    labels[pages[inside]] = 0
    return PageLabels(
        "min-cut",
        labels,
        parameters={"seeds": chosen.tolist(), "k": capacity, "steps": steps, "limit": limit},
        graph_digest=graph,
        extra={
            "vicinity": len(pages),
            "cut": cut,
            "members": int(inside.sum()),
            "weakly_tied": weakly_tied(graph, labels, chosen),
        },
        urls=graph.urls,
    )


def vicinity(graph: Graph, seeds: Offsets, *, steps: int, limit: int) -> Offsets:
    """The pages within so many links of the seeds, either way, sorted; nearer ones first up to `limit`."""
    seen = {int(page): None for page in seeds}
    front = list(seen)
    for _ in range(steps):
        fresh: dict[int, None] = {}
        for page in front:
            for other in (*graph.successors(page)[:limit].tolist(), *graph.predecessors(page)[:limit].tolist()):
                if other not in seen:
                    fresh[other] = None
            if len(seen) + len(fresh) >= limit:
                break
        front = list(fresh)[: max(0, limit - len(seen))]
        seen |= dict.fromkeys(front)
    return np.array(sorted(seen), np.int64)


def _links_among(graph: Graph, pages: Offsets) -> tuple[csr_array, AnyArray]:
    """How many links there are between each two pages, either way, and how many leave to others."""
    part = graph.subgraph(pages)
    apart = part.sources != part.out_targets
    ends = part.sources[apart], part.out_targets[apart]
    one_way = csr_array((np.ones(len(ends[0]), np.int64), ends), (len(pages), len(pages)))
    both = csr_array(one_way + one_way.T)
    loops = np.bincount(part.sources[~apart], minlength=len(pages))
    out_offsets, in_offsets = (
        graph.out_offsets,
        graph.in_offsets,
    )  # the degrees of all pages would cost more than the cut
    total = out_offsets[pages + 1] - out_offsets[pages] + in_offsets[pages + 1] - in_offsets[pages] - 2 * loops
    return both, total - np.asarray(both.sum(axis=1)).ravel()


def _source_side(links: csr_array, leaving: AnyArray, seeds: AnyArray, k: int) -> tuple[AnyArray, int]:
    """Which pages the source still reaches in the largest flow, and what the cut is worth."""
    count = links.shape[0]
    source, sink = count, count + 1
    drains = np.setdiff1d(np.arange(count), seeds)
    unlimited = int(k * links.sum() + k * leaving.sum() + count + 1)
    if unlimited > np.iinfo(np.int32).max:
        raise ParameterError("k", k, f"a smaller capacity: the flow would pass {np.iinfo(np.int32).max:,}")
    found = links.tocoo()
    rows = np.concatenate([found.row, np.full(len(seeds), source), drains])
    columns = np.concatenate([found.col, seeds, np.full(len(drains), sink)])
    values = np.concatenate([k * found.data, np.full(len(seeds), unlimited), 1 + k * leaving[drains]])
    network = csr_array((values.astype(np.int32), (rows, columns)), shape=(count + 2, count + 2))
    flow = maximum_flow(network, source, sink)
    left = csr_array(network - flow.flow)
    left.data[left.data < 0] = 0
    left.eliminate_zeros()
    reached = np.zeros(count + 2, np.bool_)
    reached[breadth_first_order(left, source, return_predecessors=False)] = True
    return reached[:count], int(flow.flow_value)


def weakly_tied(graph: Graph, labels: AnyArray, seeds: Offsets) -> int:
    """How many members, without the seeds, have no more links inside than outside in the whole graph: none, if well."""
    count = 0
    for page in np.setdiff1d(np.flatnonzero(labels == 0), seeds).tolist():
        ends = np.concatenate([graph.successors(page), graph.predecessors(page)])
        inside = labels[ends[ends != page]] == 0
        count += int(inside.sum() * 2 <= len(inside))
    return count
