"""The vicinity graph of Dean and Henzinger (1999, 2.1.1; Deo and Gupta 7.6): which pages stand around a page u.

    u, up to B of the pages that link to u (a random choice where there are more),
    from each of these up to BF pages that it links to: the BF/2 links just before the link to u and the BF/2 just
    after it, or all where it has no more than BF + 1,
    up to F pages that u links to, in the order of its links,
    and for each of these up to FB pages that link to it, those with the most in-links first.

Pages of the stoplist are left out, unless u is one of them. The order of links is `Anchors.positions`; where a graph
has none, that of the ids.

Cost: the rows of the pages named, O(B · (degree · BF)) at worst, once a query.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Ids

_NONE = np.zeros(0, np.uint32)


class Reach(NamedTuple):
    """How far the vicinity goes: B, BF, F and FB of the paper, and the seed of the random choice."""

    back: int
    back_forward: int
    forward: int
    forward_back: int
    seed: int


class Links(NamedTuple):
    """A graph with the place of each link in its page (empty where it is not known), and the pages to leave out."""

    graph: Graph
    positions: AnyArray
    stop: Bools

    @classmethod
    def of(cls, graph: Graph, positions: AnyArray | None, stop: Bools) -> Links:
        return cls(graph, _NONE if positions is None else np.asarray(positions), stop)


def vicinity(links: Links, starts: list[int], reach: Reach) -> Ids:
    """The pages of the vicinity of one page or several, in the order of their ids."""
    allowed = _allowed(links.stop, starts)
    found = [np.array(starts, np.uint32)]
    for start in starts:
        parents = parents_of(links, start, allowed, reach)
        children = _first_children(links, start, allowed, reach.forward)
        found += [parents, siblings(links, start, parents, allowed, reach.back_forward), children]
        found += [_best_parents(links.graph, int(child), start, allowed, reach.forward_back) for child in children]
    return np.unique(np.concatenate(found)).astype(np.uint32)


def parents_of(links: Links, start: int, allowed: Bools, reach: Reach) -> Ids:
    """Up to B pages that link to u, chosen at random where there are more."""
    parents = links.graph.predecessors(start)
    parents = parents[allowed[parents] & (parents != start)]
    if len(parents) <= reach.back:
        return parents
    chosen = np.random.default_rng(reach.seed).choice(parents, reach.back, replace=False)
    return np.sort(chosen)


def siblings(links: Links, start: int, parents: Ids, allowed: Bools, most: int) -> Ids:
    """The pages that stand around u on the pages that link to it, once for each parent that names them."""
    graph = links.graph
    return _around(graph.out_offsets, graph.out_targets, links.positions, parents, start, allowed, most)


def allowed_pages(links: Links, starts: list[int]) -> Bools:
    """True for the pages that may stand in the vicinity of these."""
    return _allowed(links.stop, starts)


def _allowed(stop: Bools, starts: list[int]) -> Bools:
    return np.ones(len(stop), np.bool_) if bool(stop[starts].any()) else ~stop


def _first_children(links: Links, start: int, allowed: Bools, most: int) -> Ids:
    graph = links.graph
    row = slice(int(graph.out_offsets[start]), int(graph.out_offsets[start + 1]))
    children = graph.out_targets[row]
    if len(links.positions):
        children = children[np.argsort(links.positions[row], kind="stable")]
    return children[allowed[children] & (children != start)][:most]


def _best_parents(graph: Graph, child: int, start: int, allowed: Bools, most: int) -> Ids:
    parents = graph.predecessors(child)
    parents = parents[allowed[parents] & (parents != start)]
    if len(parents) <= most:
        return parents
    degrees = graph.in_offsets[parents.astype(np.int64) + 1] - graph.in_offsets[parents]
    return parents[np.argsort(-degrees, kind="stable")[:most]]


@njit(cache=True, nogil=True)
def _around(offsets, targets, positions, parents, start, allowed, most):  # type: ignore[no-untyped-def]
    """For each parent its allowed targets nearest to its link to `start`: most/2 before it, most/2 after."""
    found = np.empty(len(parents) * (most + 1), np.uint32)
    count, half = 0, most // 2
    before, after = np.empty(half, np.int64), np.empty(half, np.int64)
    near_before, near_after = np.empty(half, np.int64), np.empty(half, np.int64)
    for parent in parents:
        begin, end = offsets[parent], offsets[parent + 1]
        here, children = begin, 0
        for link in range(begin, end):
            if targets[link] == start:
                here = link
            elif allowed[targets[link]]:
                children += 1
        if children <= most:
            for link in range(begin, end):
                if targets[link] != start and allowed[targets[link]]:
                    found[count] = targets[link]
                    count += 1
            continue
        place = _place(positions, here)
        befores, afters = 0, 0
        for link in range(begin, end):
            if targets[link] == start or not allowed[targets[link]]:
                continue
            other = _place(positions, link)
            if other < place:
                befores = _keep(near_before, before, befores, -other, link)
            else:
                afters = _keep(near_after, after, afters, other, link)
        for at in range(befores):
            found[count + at] = targets[before[at]]
        for at in range(afters):
            found[count + befores + at] = targets[after[at]]
        count += befores + afters
    return found[:count]


@njit(cache=True, nogil=True)
def _place(positions, link):  # type: ignore[no-untyped-def]
    return int(positions[link]) if len(positions) else link


@njit(cache=True, nogil=True)
def _keep(keys, links, count, key, link):  # type: ignore[no-untyped-def]
    """Keep the links of the smallest keys, as many as there is room for, smallest first; returns how many are kept."""
    if count == len(keys):
        if count == 0 or key >= keys[count - 1]:
            return count
        at = count - 1
    else:
        at = count
        count += 1
    while at > 0 and keys[at - 1] > key:
        keys[at], links[at] = keys[at - 1], links[at - 1]
        at -= 1
    keys[at], links[at] = key, link
    return count
