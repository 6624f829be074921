"""Pushing a residual along the links, page by page, from the last id down.

A page with residual r_i takes y_i ← y_i + r_i and hands α r_i/d⁺(i) along each of its links (Gauss–Southwell;
McSherry 2005; D-iteration: Hong 2012). A graph that grew links back, to smaller ids: there a page has received all that
it will ever get before its turn comes, so one round settles everything and reads only the links of what lies below a
change. Links that point up leave a residual for the next round; where they are many, as in cycles, a push gives up.
`rank.methods.push` pushes first come, first served instead: right for a few seeds, whose neighbourhood it never leaves.
"""

from __future__ import annotations

from dataclasses import dataclass

from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.rank.eigen.basis import l1

# A residual that is not settled after so many passes' worth of links goes round in cycles.
GIVE_UP_AFTER = 1.0


@dataclass(frozen=True, slots=True)
class Settled:
    """The ℓ1 residual that is left; the rounds and the links read on the way."""

    left: float
    rounds: int
    links_read: int


def settle(graph: Graph, values: Floats, residual: Floats, damping: float, allowed: float) -> Settled:
    """Correct `values` in place: push their `residual`, in place too, until its ℓ1 norm is at most `allowed`."""
    left, read, rounds, most_links = l1(residual), 0, 0, int(GIVE_UP_AFTER * graph.links)
    threshold = 0.5 * allowed / max(graph.nodes, 1)
    while left > allowed and read < most_links:
        read += push_down(graph.out_offsets, graph.out_targets, damping, threshold, residual, values)
        left, rounds = l1(residual), rounds + 1
    return Settled(left, rounds, read)


@njit(cache=True, nogil=True)
def push_down(offsets, targets, damping, threshold, residual, values):  # type: ignore[no-untyped-def]
    """One round from the highest id down; returns the number of links read."""
    read = 0
    for page in range(len(residual) - 1, -1, -1):
        amount = residual[page]
        if not abs(amount) > threshold:
            continue
        values[page] += amount
        residual[page] = 0.0
        first, last = offsets[page], offsets[page + 1]
        share = amount * damping / max(last - first, 1)
        for link in range(first, last):
            residual[targets[link]] += share
        read += last - first
    return read
