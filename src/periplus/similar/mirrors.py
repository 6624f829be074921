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

from collections import defaultdict

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets

MIN_LINKS = 10
IN_COMMON = 0.95


def merged(graph: Graph, pages: Ids, copies: Ids | None = None) -> Offsets:
    """For each of these pages the place, among them, of the one that stands for it and its near-duplicates.

    The page with the most in-links stands for all; of several the first. `copies[i]` is the page that stands for page i
    among those with the same content.
    """
    stands = _of_same_content(pages, copies)
    degrees = graph.out_offsets[pages.astype(np.int64) + 1] - graph.out_offsets[pages]
    large = np.flatnonzero(degrees > MIN_LINKS).tolist()
    rows = {at: graph.successors(int(pages[at])) for at in large}
    if copies is not None:
        rows = {at: np.unique(copies[row]) for at, row in rows.items()}
    sharing: defaultdict[int, list[int]] = defaultdict(list)
    for at in large:
        row = rows[at]
        rare = row[np.argsort(_in_degrees(graph, row), kind="stable")]
        looked_at: set[int] = set()
        for target in rare[: len(row) - int(IN_COMMON * len(row)) + 1].tolist():
            for other in sharing[target]:
                if other not in looked_at:
                    looked_at.add(other)
                    if _root(stands, other) != _root(stands, at) and near_duplicates(row, rows[other]):
                        stands[_root(stands, at)] = _root(stands, other)
            sharing[target].append(at)
    return _best_of_each(graph, pages, np.array([_root(stands, at) for at in range(len(pages))], np.int64))


def _of_same_content(pages: Ids, copies: Ids | None) -> Offsets:
    if copies is None:
        return np.arange(len(pages))
    _, firsts, groups = np.unique(copies[pages], return_index=True, return_inverse=True)
    return np.asarray(firsts[groups], np.int64)


def near_duplicates(first: Ids, second: Ids) -> bool:
    """Whether two pages with these links are near-duplicates."""
    most = max(len(first), len(second))
    if min(len(first), len(second)) <= max(MIN_LINKS, IN_COMMON * most):
        return False
    return bool(_common(first, second) > IN_COMMON * most)


def _in_degrees(graph: Graph, pages: Ids) -> Offsets:
    degrees: Offsets = graph.in_offsets[pages.astype(np.int64) + 1] - graph.in_offsets[pages]
    return degrees


def _root(stands: AnyArray, at: int) -> int:
    while stands[at] != at:
        at = int(stands[at])
    return at


def _best_of_each(graph: Graph, pages: Ids, roots: Offsets) -> Offsets:
    order = np.lexsort((np.arange(len(pages)), -_in_degrees(graph, pages), roots))
    first = np.ones(len(order), np.bool_)
    first[1:] = roots[order[1:]] != roots[order[:-1]]
    best = np.empty(len(pages), np.int64)
    best[roots[order[first]]] = order[first]
    return best[roots]


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
