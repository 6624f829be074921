"""What surrounds the results of a query: good hubs, and the communities that the results fall into.

A good hub links to more of the best results than its links would by chance: with d links, k of them to the r best of n
pages, it is worth k − d·r/n. Where there are several sites, links within a site do not count (a menu recommends
nothing), and of each site only its best hub is shown. Cost: the in-links of the best results, and a look-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from periplus.communities.hierarchy.tree import Tree
from periplus.library.branches import Branch
from periplus.library.communities import PageName, named
from periplus.library.library import Library
from periplus.numeric.arrays import AnyArray, Ids

ROOTS, MOST_HUBS, LEAST_LINKS = 50, 5, 2
MOST_IN_LINKS = 5_000  # what more pages than these link to, tells little of who links there
MOST_BRANCHES, MOST_NAMED = 5, 3
_TOGETHER = 0.9


@dataclass(frozen=True, slots=True)
class Hub:
    """A page that links to so many of the best results."""

    page: PageName
    links: int


@dataclass(frozen=True, slots=True)
class Fall:
    """How many of the best results fall into a branch of the tree."""

    branch: Branch
    count: int


@dataclass(frozen=True, slots=True)
class Falls:
    """Into which branches pages fall, most first; all these hang below `under`, which holds nearly all of them."""

    under: Branch
    branches: tuple[Fall, ...]


@dataclass(frozen=True, slots=True)
class Around:
    """Hubs, branches and communities around the best results; `looked_at` of them were looked at for hubs."""

    hubs: tuple[Hub, ...]
    falls: Falls | None
    named: tuple[tuple[int, str, int], ...]
    looked_at: int


def around(library: Library, best: Sequence[int], words: str = "") -> Around:
    """What surrounds the best results; `named` are the communities that are about all of `words`."""
    nodes = np.asarray(best, dtype=np.int64)
    found, about = library.memberships, []
    if found is not None and words:
        groups = ((number, found.base[number]) for number in found.communities_about(words, every=True)[:MOST_NAMED])
        about = [(number, group.name, group.facts["size"]) for number, group in groups]
    hubs = hubs_of(library, nodes[:ROOTS])
    return Around(hubs, branches_of(library, best), tuple(about), min(len(nodes), ROOTS))


def hubs_of(library: Library, nodes: AnyArray) -> tuple[Hub, ...]:
    """The best hubs for these pages; of one page alone there is none."""
    graph = library.graph
    sites = np.asarray(graph.urls.site_ids())
    several = len(graph.urls.sites()) > 1
    lists = [_linking(graph.predecessors(int(node)), int(node), sites if several else None) for node in nodes]
    pages, counts = np.unique(np.concatenate([*lists, np.zeros(0, np.uint32)]), return_counts=True)
    pages, counts = pages[counts >= LEAST_LINKS], counts[counts >= LEAST_LINKS]
    worth = counts - graph.out_degrees[pages] * (len(nodes) / max(graph.nodes, 1))
    order = np.lexsort((pages, -worth))
    chosen: dict[int, tuple[int, int]] = {}
    for at in order.tolist():
        page = int(pages[at])
        if page not in library.searcher.hidden and len(chosen) < MOST_HUBS:
            chosen.setdefault(int(sites[page]) if several else page, (page, int(counts[at])))
    shown = named(library, [page for page, _ in chosen.values()])
    return tuple(Hub(page, links) for page, (_, links) in zip(shown, chosen.values(), strict=True))


def _linking(sources: Ids, node: int, sites: AnyArray | None) -> Ids:
    """Who links to a page: other pages, of other sites where sites are given."""
    if len(sources) > MOST_IN_LINKS:
        return sources[:0]
    return sources[sources != node] if sites is None else sources[sites[sources] != sites[node]]


def branches_of(library: Library, pages: Sequence[int]) -> Falls | None:
    """The branches of the tree that some pages fall into; None before it was grown."""
    found = library.memberships
    return None if found is None else falls_of(found.tree, np.asarray(pages, dtype=np.int64))


def falls_of(tree: Tree, nodes: AnyArray) -> Falls:
    """The branches that pages fall into, below the node that holds nearly all of them."""
    leaves = tree.labels[nodes]
    at, falls = 0, _below(tree, 0, leaves)
    while len(falls) and falls[0].count >= _TOGETHER * len(nodes) and tree.children[falls[0].branch.number]:
        at = falls[0].branch.number
        falls = _below(tree, at, leaves)
    return Falls(Branch(at, tree.name(at), int(tree.node_sizes[at])), tuple(falls[:MOST_BRANCHES]))


def _below(tree: Tree, node: int, leaves: AnyArray) -> list[Fall]:
    children = tree.children[node]
    if not children:
        return []
    places = np.searchsorted(children, leaves, side="right") - 1
    inside = (leaves > node) & (leaves < node + tree.below(node))
    counts = np.bincount(places[inside], minlength=len(children)).tolist()
    found = [
        Fall(Branch(child, tree.name(child), int(tree.node_sizes[child])), count)
        for child, count in zip(children, counts, strict=True)
        if count
    ]
    return sorted(found, key=lambda fall: (-fall.count, fall.branch.number))
