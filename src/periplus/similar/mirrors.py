"""Near-duplicates: pages that each have more than ten links, more than 95 % of them in common.

Two such pages are mirrors, or one page under two addresses, and count as one: a page whose links are the links of both
(Dean and Henzinger 1999, 2.1.2; Deo and Gupta 7.6). With A and B the pages that they link to, that is
|A ∩ B| > 0.95 · max(|A|, |B|). Chains of near-duplicates are one.

Links within a mirror lead to the mirror, so that by this rule alone no mirror with relative links would be found. Where
a collection knows which pages have the same content, these are one from the start, as sources and as targets.

Every pair is found, and few others are looked at: sort each row by how rarely its targets are linked to; two rows with
so much in common share one of the first |A| − ⌊0.95·|A|⌋ entries.

Cost: the rows of the pages named, and the pairs that share one of their rarest targets.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Ids, Offsets

MIN_LINKS = 10
IN_COMMON = 0.95


def merged(graph: Graph, pages: Ids, copies: Ids | None = None) -> Offsets:
    """For each of these pages the place, among them, of the one that stands for it and its near-duplicates.

    The page with the most in-links stands for all; of several the first. `copies[i]` is the page that stands for page i
    among those with the same content.
    """
    stands = _of_same_content(pages, copies)
    degrees = graph.out_offsets[pages.astype(np.int64) + 1] - graph.out_offsets[pages]
    large = np.flatnonzero(degrees > MIN_LINKS)
    rows = [graph.successors(int(page)) for page in pages[large]]
    if copies is not None:
        rows = [np.unique(copies[row]) for row in rows]
    if rows:
        lengths = np.array([len(row) for row in rows])
        owners, entries = np.repeat(np.arange(len(rows)), lengths), np.concatenate(rows)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        rarest = np.lexsort((_in_degrees(graph, entries), owners))
        first = np.arange(len(entries)) - offsets[owners] <= (lengths - (IN_COMMON * lengths).astype(np.int64))[owners]
        _, named = np.unique(entries[rarest[first]], return_inverse=True)
        _join(stands, large, offsets, entries, owners[first], named)
    return _best_of_each(graph, pages, np.array([_root(stands, at) for at in range(len(pages))], np.int64))


def _of_same_content(pages: Ids, copies: Ids | None) -> Offsets:
    if copies is None:
        return np.arange(len(pages))
    _, firsts, groups = np.unique(copies[pages], return_index=True, return_inverse=True)
    return np.asarray(firsts[groups], np.int64)


def _in_degrees(graph: Graph, pages: Ids) -> Offsets:
    degrees: Offsets = graph.in_offsets[pages.astype(np.int64) + 1] - graph.in_offsets[pages]
    return degrees


def _best_of_each(graph: Graph, pages: Ids, roots: Offsets) -> Offsets:
    order = np.lexsort((np.arange(len(pages)), -_in_degrees(graph, pages), roots))
    first = np.ones(len(order), np.bool_)
    first[1:] = roots[order[1:]] != roots[order[:-1]]
    best = np.empty(len(pages), np.int64)
    best[roots[order[first]]] = order[first]
    return best[roots]


@njit(cache=True, nogil=True)
def _root(stands, at):  # type: ignore[no-untyped-def]
    while stands[at] != at:
        stands[at] = stands[stands[at]]
        at = stands[at]
    return at


@njit(cache=True, nogil=True)
def _common(first, second):  # type: ignore[no-untyped-def]
    """How many entries two sorted rows share."""
    count, at, other = 0, 0, 0
    while at < len(first) and other < len(second):
        if first[at] == second[other]:
            count, at, other = count + 1, at + 1, other + 1
        elif first[at] < second[other]:
            at += 1
        else:
            other += 1
    return count


@njit(cache=True, nogil=True)
def near_duplicates(first, second):  # type: ignore[no-untyped-def]
    """Whether two pages with these links are near-duplicates."""
    most = max(len(first), len(second))
    if min(len(first), len(second)) <= max(MIN_LINKS, IN_COMMON * most):
        return False
    return _common(first, second) > IN_COMMON * most


@njit(cache=True, nogil=True)
def _join(stands, large, offsets, entries, owners, named):  # type: ignore[no-untyped-def]
    """Join the near-duplicates among the rows; `named[i]` is the number of a rare target of row `owners[i]`."""
    latest = np.full(len(named), -1, np.int64)  # the last place that names each target, and the one before each place
    before = np.empty(len(named), np.int64)
    looked_at = np.full(len(large), -1, np.int64)
    for place in range(len(named)):
        row = owners[place]
        own = entries[offsets[row] : offsets[row + 1]]
        earlier = latest[named[place]]
        before[place], latest[named[place]] = earlier, place
        while earlier >= 0:
            other = owners[earlier]
            if looked_at[other] != row:
                looked_at[other] = row
                here, there = _root(stands, large[row]), _root(stands, large[other])
                if here != there and near_duplicates(own, entries[offsets[other] : offsets[other + 1]]):
                    stands[here] = there
            earlier = before[earlier]
