"""What threads can do at the same time in a triangular solve: orders whose runs do not depend on each other.

*Between components.* On the web one strongly connected component has nearly half of the work, and the others, without
it, fall apart into groups without a link between them. `in_parts` puts the components up to the one with the most work
first, and shares the groups of the rest out among `PARTS` runs.

*Within that component.* Without the unknowns eliminated last, through which its sites hang together, the factors fall
apart too (the subtrees of the elimination tree). `in_sides` shares these groups out on two sides, with the rest, the
top, after both: any order in which what an entry leads to comes later than where it starts is as good as the first.

Groups go, the largest first, where there is least work (Graham 1969). Cost: O(m α(m)) a try.
"""

from __future__ import annotations

import heapq

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.structure.connectivity.components import weak_components

# Runs of components for the threads.
PARTS = 4
# The top is tried with these shares of the unknowns, as powers of one half.
TOPS = (3, 4, 5)

Lines = tuple[AnyArray, Ids, Floats]


def in_parts(work: AnyArray, heads: AnyArray, tails: AnyArray) -> tuple[AnyArray, Offsets]:
    """New numbers for components, still topological: up to the one with the most work, then `PARTS` runs; their bounds.

    Components come numbered in topological order, with links heads → tails.
    """
    first = int(np.argmax(work)) + 1 if len(work) else 0
    later = heads >= first
    groups = weak_components(Graph.from_edges(heads[later] - first, tails[later] - first, len(work) - first)).labels
    part = shared_out(np.bincount(groups, work[first:]), PARTS)[groups]
    order = np.append(np.arange(first), first + np.argsort(part, kind="stable"))
    places = np.empty(len(work), np.int64)
    places[order] = np.arange(len(work))
    return places, np.cumsum([0, first, *np.bincount(part, minlength=PARTS)])


def in_sides(work: AnyArray, lines: AnyArray, local: AnyArray, lower: Lines, upper: Lines) -> AnyArray:
    """The side, 0 or 1, of each unknown of a component, 2 for those of the top.

    `lines` are its lines in the factors, in the order of elimination, and local[end] tells which of them belongs to an
    end. All are 2, which is no division, where no top leaves less than two thirds of the work to one thread.
    """
    best, least = np.full(len(lines), 2), 2 / 3 * float(work.sum())
    for halvings in TOPS:
        top = len(lines) - (len(lines) >> halvings)
        groups = np.unique(united(lines, local, lower[:2], upper[:2], top), return_inverse=True)[1]
        side = shared_out(np.bincount(groups, work[:top]), 2)[groups]
        alone = float(np.bincount(side, work[:top]).max(initial=0.0) + work[top:].sum())
        if alone < least:
            best, least = np.append(side, np.full(len(lines) - top, 2)), alone
    return best


def shared_out(loads: AnyArray, parts: int) -> AnyArray:
    """The part of each group, so that the parts have about equal loads."""
    part, least = np.zeros(len(loads), np.int64), [(0.0, place) for place in range(parts)]
    for group in np.argsort(-loads, kind="stable").tolist():
        load, part[group] = least[0]
        heapq.heapreplace(least, (load + float(loads[group]), int(part[group])))
    return part


@njit(cache=True, nogil=True)
def united(lines, local, lower, upper, top):  # type: ignore[no-untyped-def]
    """For each unknown before `top`, one that stands for all that entries before `top` join it with."""
    root = np.arange(top)
    for place in range(top):
        for side in (lower, upper):
            for link in range(side[0][lines[place]], side[0][lines[place] + 1]):
                other = local[side[1][link]]
                if other < top:
                    here, there = find(root, place), find(root, other)
                    root[max(here, there)] = min(here, there)
    for place in range(top):
        root[place] = find(root, place)
    return root


@njit(cache=True, nogil=True)
def find(root, place):  # type: ignore[no-untyped-def]
    """The root above a place; the way there is halved."""
    while root[place] != place:
        root[place] = root[root[place]]
        place = root[place]
    return place
