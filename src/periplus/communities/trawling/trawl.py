"""Trawling (Kumar, Raghavan, Rajagopalan & Tomkins 1999; Deo & Gupta 7.3; Fogaras 2): all disjoint (i, j) cores.

An (i, j) core is i fans that all link to the same j centres: a complete bipartite K(i, j), directed from fans to
centres. A random graph has none, a web has one wherever people care for the same pages without knowing each other.

1. Links of a page to itself are left out. Where URLs are known so are links within a site, and fans that copy another
   (more than `MIRROR_LINKS` links, all the same): mirrors would be cores of their own making. The fans of a core are
   then all of different sites.
2. Pages with more than `cap` in-links are no centres: everybody links to them.
3. Fans with fewer than j centres and centres with fewer than i fans are pruned, until none is left.
4. Each fan is visited once, those with the fewest centres first. A core found there is put out and removed; a fan
   without one is removed. Both cascade. The graph only shrinks, so a fan that had no core has none later, and one visit
   each proves that no core is left: the set is maximal, not the largest possible.

Cores are disjoint by (role, page): a page may be a fan of one and a centre of another. Memory: 30 bytes per page, 8 per
link that passes step 2. Time is linear in practice; a single visit is exponential in min(i, j) at worst, on the at most
d · cap fans that share a centre with a page of d links.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.communities.groups import PageGroup, PageGroups
from periplus.communities.table import COMMUNITIES
from periplus.communities.trawling.search import GONE, Sides, Space, find_cores, marks_of, prune
from periplus.graph.building.build import transpose_arrays
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.record.plain import Findings

MIRROR_LINKS = 10
_FEWEST, _MOST = 3, 10


@checked(COMMUNITIES["trawl"])
def trawl(graph: Graph, *, i: int = 3, j: int = 3, cap: int = 50) -> PageGroups:
    """Find disjoint (i, j) cores until none is left; `extra["removed"]` tells what each pass took away."""
    links, removed = _links(graph, cap)
    found, passes = _cores(links, i, j)
    parts = zip(*found, strict=True)
    return PageGroups(
        "trawl",
        tuple(PageGroup({"fans": fans, "centres": np.sort(centres)}) for fans, centres in parts),
        graph.nodes,
        parameters={"i": i, "j": j, "cap": cap},
        noun="cores",
        graph_digest=graph.digest,
        extra={"removed": {**removed, **passes}},
        urls=graph.urls,
    )


@dataclass(frozen=True, slots=True)
class CoreCounts(Findings):
    """How many disjoint cores of every (i, j) a web has: `counts[i − 3][j − 3]`; what was left out before."""

    cap: int
    lowest: int
    highest: int
    counts: tuple[tuple[int, ...], ...]
    removed: Mapping[str, int]

    def rows(self) -> list[tuple[int, ...]]:
        """A row per i: i, then the number of cores for each j."""
        return [(self.lowest + at, *row) for at, row in enumerate(self.counts)]


@checked(COMMUNITIES["trawl"])
def core_counts(graph: Graph, *, highest: int = 6, cap: int = 50) -> CoreCounts:
    """Trawl for every (i, j) from (3, 3) to (highest, highest), each on the whole graph."""
    links, removed = _links(graph, cap)
    sizes = range(_FEWEST, min(highest, _MOST) + 1)
    counts = tuple(tuple(len(_cores(links, i, j)[0][0]) for j in sizes) for i in sizes)
    return CoreCounts(cap, _FEWEST, sizes.stop - 1, counts, removed)


@dataclass(frozen=True, slots=True)
class _Links:
    """The links from fans to centres both ways, and the site of each page (itself where no URLs are known)."""

    offsets: Offsets
    targets: Ids
    in_offsets: Offsets
    in_sources: Ids
    sites: AnyArray


def _links(graph: Graph, cap: int) -> tuple[_Links, dict[str, int]]:
    """What is trawled, and how much steps 1 and 2 left out."""
    sources = np.repeat(np.arange(graph.nodes, dtype=np.uint32), graph.out_degrees)
    targets: Ids = graph.out_targets
    named = graph.urls is not None
    sites = np.asarray(graph.urls.site_ids(), np.int64) if named else np.arange(graph.nodes)
    removed = {"self_links": int((sources == targets).sum()), "same_site_links": 0, "mirrors": 0}
    kept = sources != targets
    if named:
        apart = sites[sources] != sites[targets]
        removed["same_site_links"] = int((kept & ~apart).sum())
        copies = _copies(graph, apart)
        removed["mirrors"] = int(copies.sum())
        kept = apart & ~copies[sources]
    sources, targets = sources[kept], targets[kept]
    popular = np.bincount(targets, minlength=graph.nodes) > cap
    removed["popular_pages"] = int(popular.sum())
    kept = ~popular[targets]
    removed["links_to_popular_pages"] = int(len(kept) - kept.sum())
    targets = targets[kept]
    degrees = np.bincount(sources[kept], minlength=graph.nodes)
    offsets = np.concatenate(([0], np.cumsum(degrees))).astype(np.int64)
    return _Links(offsets, targets, *transpose_arrays(offsets, targets), sites), removed


def _copies(graph: Graph, apart: Bools) -> Bools:
    """Pages with more than `MIRROR_LINKS` links to other sites, all of them those of an earlier page."""
    sources = np.repeat(np.arange(graph.nodes, dtype=np.uint32), graph.out_degrees)[apart]
    degrees = np.bincount(sources, minlength=graph.nodes)
    marks = marks_of(sources, graph.out_targets[apart], graph.nodes)
    long = np.flatnonzero(degrees > MIRROR_LINKS)
    _, first = np.unique(np.stack([marks[long], degrees[long].astype(np.uint64)]), axis=1, return_index=True)
    copies = np.zeros(graph.nodes, np.bool_)
    copies[long] = True
    copies[long[first]] = False
    return copies


def _cores(links: _Links, i: int, j: int) -> tuple[tuple[Ids, Ids], dict[str, Any]]:
    """The fans and centres of every core, and what pruning and the visits took away."""
    nodes = len(links.sites)
    degrees = np.diff(links.offsets).astype(np.int32), np.diff(links.in_offsets).astype(np.int32)
    sides = Sides(links.offsets, links.targets, links.in_offsets, links.in_sources, *degrees, links.sites)
    stack = np.empty(2 * nodes, np.int64)
    linking, linked = int((degrees[0] > 0).sum()), int((degrees[1] > 0).sum())
    prune(sides, i, j, stack)
    fans = np.flatnonzero(sides.fan_degrees != GONE).astype(np.uint32)
    centres = int((sides.centre_degrees != GONE).sum())
    order = fans[np.argsort(sides.fan_degrees[fans], kind="stable")]
    space = Space(np.full(nodes, -1, np.int64), np.zeros(nodes, np.int32), np.empty(nodes, np.int64), stack)
    found = find_cores(sides, order, i, j, space)
    return found, {
        "pruned_fans": linking - len(fans),
        "pruned_centres": linked - centres,
        "fans_in_cores": found[0].size,
        "centres_in_cores": found[1].size,
        "fans_without_a_core": len(fans) - found[0].size,
        "centres_without_a_core": centres - found[1].size,
    }
