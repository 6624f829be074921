"""Pushing a residual along the links, in an order in which most links point ahead.

A page with residual r_i takes y_i ← y_i + r_i and hands α r_i/d⁺(i) along each of its links (Gauss–Southwell;
McSherry 2005; D-iteration: Hong 2012). Taken in any order that is Gauss–Seidel on the residual, and it never ends
sooner than the longest way; taken in *topological* order, a page without cycles above it has received all it will ever
get before its turn comes: one round settles an acyclic graph, and reads only the links of what lies below a change.

`forward` finds such an order once: components in topological order, pages without in-links before all others (they
receive nothing, so what is written lies together), and numbers the pages so that links point *down*; the graph is
kept in that numbering, so that a round reads memory from end to end. The order needs no perfection: links that point
up, in a cycle or added since, leave a residual for the next round. Memory: a copy of the out side and 4 bytes a page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids
from periplus.rank.eigen.basis import l1
from periplus.rank.updating.edits import Edits
from periplus.structure.connectivity.components import strong_components

# A residual that is not settled after so many passes' worth of links goes round in cycles.
GIVE_UP_AFTER = 1.0


@dataclass(frozen=True, slots=True)
class Settled:
    """The ℓ1 residual that is left; the rounds and the links read on the way."""

    left: float
    rounds: int
    links_read: int


@dataclass(frozen=True, slots=True)
class Forward:
    """A graph whose pages are numbered so that links point down; `place[page]` is the number of a page.

    `place` is None where the ids themselves are that order: then nothing is kept.
    """

    graph: Graph
    place: Ids | None

    def settle(
        self, after: Graph, changes: Edits, values: Floats, residual: Floats | None, damping: float, allowed: float
    ) -> Settled:
        """Correct `values` in place: push their `residual`, which is used up, over `after`, as `changes` made it.

        Without a residual it is what the changes cause.
        """
        nodes, changed = after.nodes, changes.pages
        if residual is None:
            residual = np.zeros(nodes)
            changes.spread(values[changed], residual)
        if self.place is None:
            rows, place, fresh, waiting, taken = after, changed[:0], changed[:0], residual, values
        else:
            rows, place = self.graph, np.append(self.place, np.arange(len(self.place), nodes, dtype=np.uint32))
            fresh, waiting, taken = np.full(nodes, nodes, np.uint32), np.empty(nodes), np.zeros(nodes)
            fresh[place[changed]] = changed
            waiting[place] = residual
        left, read, rounds, most_links = l1(waiting), 0, 0, int(GIVE_UP_AFTER * after.links)
        while left > allowed and read < most_links:
            read += push_down(
                rows.out_offsets, rows.out_targets, after.out_offsets, after.out_targets, fresh, place,
                damping, 0.5 * allowed / nodes, waiting, taken,
            )  # fmt: skip
            left, rounds = l1(waiting), rounds + 1
        if self.place is not None:
            values += taken[place]
        return Settled(left, rounds, read)


def forward(graph: Graph) -> Forward:
    """The pages numbered against the links: components in topological order, pages without in-links last of all."""
    if points_down(graph.out_offsets, graph.out_targets):
        return Forward(graph, None)
    labels = strong_components(graph).labels.astype(np.int64)
    labels[graph.in_degrees == 0] -= graph.nodes
    order = np.argsort(labels, kind="stable")[::-1].astype(np.uint32)
    place = np.empty(graph.nodes, np.uint32)
    place[order] = np.arange(graph.nodes, dtype=np.uint32)
    return Forward(graph.reordered(place), place)


@njit(cache=True, nogil=True)
def points_down(offsets, targets):  # type: ignore[no-untyped-def]
    """Whether every link leads to a smaller id."""
    for row in range(len(offsets) - 1):
        if offsets[row + 1] > offsets[row] and targets[offsets[row + 1] - 1] >= row:
            return False
    return True


@njit(cache=True, nogil=True)
def push_down(  # type: ignore[no-untyped-def]
    offsets, targets, new_offsets, new_targets, fresh, place, damping, threshold, waiting, taken
):
    """One round from the highest number down; `fresh[k]` is the page whose new row takes the place of row k, if any."""
    nodes, read = len(waiting), 0
    for number in range(nodes - 1, -1, -1):
        amount = waiting[number]
        if not abs(amount) > threshold:
            continue
        taken[number] += amount
        waiting[number] = 0.0
        page = fresh[number] if len(fresh) > 0 else nodes
        if page < nodes:
            first, last = new_offsets[page], new_offsets[page + 1]
            for link in range(first, last):
                waiting[place[new_targets[link]]] += amount * damping / (last - first)
        else:
            first, last = offsets[number], offsets[number + 1]
            share = amount * damping / max(last - first, 1)
            for link in range(first, last):
                waiting[targets[link]] += share
        read += last - first
    return read
