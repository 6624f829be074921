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
from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.catalog import Parameter, checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids
from periplus.numeric.given import page_ids
from periplus.numeric.stop import Tol
from periplus.rank.linear.passes import UNIT_ROUNDOFF
from periplus.rank.table import DAMPING

FIRST_THRESHOLD = 1e-4
FALL = 0.1
ELSEWHERE, TOUCHED, QUEUED = range(3)


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
    ball = new_ball(graph.nodes)
    reached = place_residue(ball, seeds, np.full(len(seeds), 1.0 / len(seeds)))
    pushes, read, threshold, stored = 0, 0, FIRST_THRESHOLD, 1.0
    while True:
        rows = graph.out_offsets, graph.out_targets
        reached, more, links, sums = push_above(rows, seeds, damping, (threshold, True), ball, reached)
        pushes, read, stored = pushes + more, read + links, stored + sums
        near = ball.touched[:reached]
        left, rounding = float(ball.residue[near].sum()), 2 * UNIT_ROUNDOFF * stored
        pages, lower, upper, certain = _ordered(near, ball, (left, rounding), damping, count, graph.nodes)
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
    near: Ids, ball: Ball, error: tuple[float, float], damping: float, count: int, nodes: int
) -> tuple[Ids, Floats, Floats, Bools]:
    """The best pages by lower bound, their bounds, and which places are certain; `error` is (‖r‖₁, rounding)."""
    (left, rounding), rank, residue = error, ball.rank, ball.residue
    lower = rank[near] + (1 - damping) * residue[near] - rounding
    upper = rank[near] + residue[near] + damping * (left - residue[near]) + rounding
    order = np.lexsort((near, -lower))
    # The highest upper end below each place; a page not yet touched has rank 0 and may still get α R.
    beyond = damping * left + rounding if len(near) < nodes else -np.inf
    best_below = np.maximum.accumulate(np.append(upper[order], beyond)[::-1])[::-1][1:]
    chosen = order[:count]
    certain = lower[chosen] > best_below[: len(chosen)]
    return near[chosen], np.maximum(lower[chosen], 0.0), upper[chosen], certain


class Ball(NamedTuple):
    """What is known around the seeds: rank and residue of each page, and the `touched` pages in the order of meeting.

    `queue` is a ring of the pages to push; `state` tells which are in it, and which are touched.
    """

    rank: Floats
    residue: Floats
    queue: AnyArray
    touched: AnyArray
    state: AnyArray


def new_ball(pages: int) -> Ball:
    """Nothing known yet, of so many pages."""
    ids = np.empty((2, pages), np.uint32)
    return Ball(np.zeros(pages), np.zeros(pages), ids[0], ids[1], np.zeros(pages, np.uint8))


def place_residue(ball: Ball, seeds: AnyArray, amounts: Floats) -> int:
    """Put residue on distinct seeds of a ball without any; returns how many pages are touched."""
    ball.residue[seeds] = amounts
    ball.touched[: len(seeds)] = seeds
    ball.state[seeds] = TOUCHED
    return len(seeds)


@njit(cache=True, nogil=True)
def push_above(rows, seeds, damping, most, ball, reached):  # type: ignore[no-untyped-def]
    """Push until no page has residue above a threshold, `most` = (threshold, whether times max(1, d⁺)).

    A threshold per link reads fewest links for a list of pages; one per page settles the whole vector soonest, by a
    fifth. From a dangling page the walk goes to the `seeds`; without seeds it ends there.
    Returns (pages touched, pushes, links read, the sum of all that was stored on the way).
    """
    (offsets, targets), (threshold, per_link), nodes = rows, most, len(ball.rank)
    head, pushes, read, stored = 0, 0, 0, 0.0
    waiting = enqueue_above(offsets, most, ball, reached)
    while waiting > 0:
        page = ball.queue[head]
        head = head + 1 if head + 1 < nodes else 0
        waiting -= 1
        ball.state[page] = TOUCHED
        amount = ball.residue[page]
        ball.residue[page] = 0.0
        ball.rank[page] += (1.0 - damping) * amount
        stored += ball.rank[page] + 3.0 * amount
        first, last = offsets[page], offsets[page + 1]
        dangling = first == last
        parts = len(seeds) if dangling else last - first
        share = damping * amount / max(parts, 1)
        pushes += 1
        read += parts
        for k in range(parts):
            target = seeds[k] if dangling else targets[first + k]
            held = ball.residue[target] + share
            ball.residue[target] = held
            stored += held
            state = ball.state[target]
            if state == ELSEWHERE:
                state = ball.state[target] = TOUCHED
                ball.touched[reached] = target
                reached += 1
            # Most stay below the threshold of a page with one link: their degree need not be read.
            if state != TOUCHED or held <= threshold:
                continue
            if not per_link or held > threshold * (offsets[target + 1] - offsets[target]):
                ball.queue[head + waiting - nodes if head + waiting >= nodes else head + waiting] = target
                ball.state[target] = QUEUED
                waiting += 1
    return reached, pushes, read, stored


@njit(cache=True, nogil=True)
def enqueue_above(offsets, most, ball, reached):  # type: ignore[no-untyped-def]
    """Begin the queue with all touched pages whose residue is above the threshold; returns how many."""
    (threshold, per_link), waiting = most, 0
    for k in range(reached):
        page = ball.touched[k]
        degree = offsets[page + 1] - offsets[page] if per_link else 1
        if ball.residue[page] > threshold * max(1, degree):
            ball.queue[waiting] = page
            ball.state[page] = QUEUED
            waiting += 1
    return waiting
