"""Local push: the pages nearest to a seed in personalised PageRank, without reading the whole graph.

Rank starts as residue at the seed. A push at page i keeps (1−α) of its residue r_i as rank p_i and sends the rest in
equal parts along the links; from a dangling page it returns to the seed, as in `pagerank`. At any time

    π = p + Σ_i r_i π^(i)                    (Jeh and Widom 2003; Berkhin 2006; Andersen, Chung and Lang 2006)

with π^(i) the vector that a walk from page i would have. Each π^(i) has sum one, so ‖π − p‖₁ = ‖r‖₁ *exactly*: the
certificate costs nothing. Pages with r_i > ε · max(1, d⁺(i)) are pushed first come, first served; ε falls until the
wanted list is certain or ‖r‖₁ meets the tolerance. Rounding adds to it: every sum that is stored is off by at most
2⁻⁵³ of itself, what is lost or gained of rank or residue moves π by no more than that in ℓ1, and the sum of all these,
counted on the way, widens every bound.

**The guarantee.** A walk that starts elsewhere comes to page j with probability at most α, so with R = ‖r‖₁

    p_j + (1−α) r_j  ≤  π_j  ≤  p_j + r_j + α (R − r_j).

Place k of the list is *certain* when the lower end of its page is above the upper end of every page below.
Cost: at most 1/((1−α) ε) link reads for each ε, whatever the size of the graph; memory two vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.catalog import Parameter, checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Bools, Floats, Ids
from periplus.numeric.given import page_ids
from periplus.numeric.stop import Tol
from periplus.rank.linear.passes import UNIT_ROUNDOFF
from periplus.rank.table import DAMPING

FIRST_THRESHOLD = 1e-4
FALL = 0.1


@dataclass(frozen=True, slots=True)
class Nearest:
    """The best `pages` for a seed, best first; `certain[k]` says that the first k + 1 are the k + 1 best of all pages.

    `lower` ≤ exact rank ≤ `upper` for each page; `error_bound` is the ℓ1 distance of the whole pushed vector, exactly
    but for rounding, which is counted in.
    """

    method: str
    seeds: tuple[int, ...]
    damping: float
    pages: Ids
    lower: Floats
    upper: Floats
    certain: Bools
    error_bound: float
    pushes: int
    links_read: int
    pages_touched: int


@checked(DAMPING, Parameter("count", "int", 20, "How many pages.", 1))
def push(
    graph: Graph, seed: int | Sequence[int], *, count: int = 20, damping: float = 0.85, tolerance: float = 1e-9
) -> Nearest:
    """The `count` pages of highest personalised PageRank for `seed` (a page, or pages taken with equal weight).

    Ends when every place of the list is certain, or when ‖r‖₁ ≤ `tolerance` (pages that tie are never certain).
    """
    Tol(tolerance)
    seeds = _seeds(seed, graph.nodes)
    rank, residue = np.zeros(graph.nodes), np.zeros(graph.nodes)
    residue[seeds] = 1.0 / len(seeds)
    queue, queued = np.empty(graph.nodes, np.uint32), np.zeros(graph.nodes, np.bool_)
    touched = np.empty(graph.nodes, np.uint32)
    touched[: len(seeds)] = seeds
    known = np.zeros(graph.nodes, np.bool_)
    known[seeds] = True
    reached, pushes, read, threshold, stored = len(seeds), 0, 0, FIRST_THRESHOLD, 1.0
    while True:
        reached, more, links, sums = push_above(
            graph.out_offsets, graph.out_targets, seeds, damping, threshold,
            rank, residue, queue, queued, touched, known, reached,
        )  # fmt: skip
        pushes, read, stored = pushes + more, read + links, stored + sums
        near = touched[:reached]
        left, rounding = float(residue[near].sum()), 2 * UNIT_ROUNDOFF * stored
        pages, lower, upper, certain = _ordered(near, rank, residue, (left, rounding), damping, count, graph.nodes)
        if left <= tolerance or (len(pages) == min(count, graph.nodes) and bool(certain.all())):
            break
        threshold *= FALL
    return Nearest(
        "push", tuple(seeds.tolist()), damping, pages, lower, upper, certain, left + rounding, pushes, read, reached
    )


def _seeds(seed: int | Sequence[int], nodes: int) -> Ids:
    seeds = np.unique(page_ids(np.atleast_1d(seed), nodes, "seed"))
    if len(seeds) == 0:
        raise ParameterError("seed", seed, f"one or more ids from 0 to {nodes - 1}")
    return seeds.astype(np.uint32)


def _ordered(
    near: Ids, rank: Floats, residue: Floats, error: tuple[float, float], damping: float, count: int, nodes: int
) -> tuple[Ids, Floats, Floats, Bools]:
    """The best pages by lower bound, their bounds, and which places are certain; `error` is (‖r‖₁, rounding)."""
    left, rounding = error
    lower = rank[near] + (1 - damping) * residue[near] - rounding
    upper = rank[near] + residue[near] + damping * (left - residue[near]) + rounding
    order = np.lexsort((near, -lower))
    # The highest upper end below each place; a page not yet touched has rank 0 and may still get α R.
    beyond = damping * left + rounding if len(near) < nodes else -np.inf
    best_below = np.maximum.accumulate(np.append(upper[order], beyond)[::-1])[::-1][1:]
    chosen = order[:count]
    certain = lower[chosen] > best_below[: len(chosen)]
    return near[chosen], np.maximum(lower[chosen], 0.0), upper[chosen], certain


@njit(cache=True, nogil=True)
def push_above(  # type: ignore[no-untyped-def]
    offsets, targets, seeds, damping, threshold, rank, residue, queue, queued, touched, known, reached
):
    """Push until no page has residue above threshold · max(1, d⁺).

    Gives (pages touched, pushes, links read, the sum of all that was stored on the way).
    """
    nodes = len(rank)
    head, waiting, pushes, read, stored = 0, 0, 0, 0, 0.0
    for k in range(reached):
        page = touched[k]
        degree = offsets[page + 1] - offsets[page]
        if residue[page] > threshold * max(1, degree):
            queue[waiting] = page
            queued[page] = True
            waiting += 1
    while waiting > 0:
        page = queue[head]
        head = head + 1 if head + 1 < nodes else 0
        waiting -= 1
        queued[page] = False
        amount = residue[page]
        residue[page] = 0.0
        rank[page] += (1.0 - damping) * amount
        stored += rank[page] + 3.0 * amount
        first, last = offsets[page], offsets[page + 1]
        dangling = first == last
        parts = len(seeds) if dangling else last - first
        share = damping * amount / parts
        pushes += 1
        read += parts
        for k in range(parts):
            target = seeds[k] if dangling else targets[first + k]
            residue[target] += share
            stored += residue[target]
            if not known[target]:
                known[target] = True
                touched[reached] = target
                reached += 1
            degree = offsets[target + 1] - offsets[target]
            if not queued[target] and residue[target] > threshold * max(1, degree):
                queue[head + waiting - nodes if head + waiting >= nodes else head + waiting] = target
                queued[target] = True
                waiting += 1
    return reached, pushes, read, stored
