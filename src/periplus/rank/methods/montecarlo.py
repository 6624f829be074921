"""PageRank by random walks (Avrachenkov, Litvak, Nemirovsky and Osipova 2007; Litvak [2]).

A walk starts at a page, at each page goes on with probability α along a random link, and otherwise stops. With `walks`
walks from every page (N in all) and v the preference, three estimates by name:

    "end-point"       π_j ≈ (walks that end at j) / N
    "complete-path"   π_j ≈ (visits to j) / (visits in all)
    "dangling-stop"   the same, the walks stopping also at dangling pages

In the first two a walk that would go on from a dangling page goes to a page drawn from v, so all three estimate the
strongly preferential PageRank of `pagerank`. One walk a page already orders the top pages (their point, and the
tests').

Walk k of a run draws from its own stream, a hash of (seed, k, step): the counts are the same whatever the number of
threads. A crawler adds walks later by asking for the next numbers (`first`), and averages the vectors. Starts are
spread over v as evenly as its values allow (systematic sampling): with the uniform preference exactly `walks` from
each page.

`extra["half_width"]` is the half-width of each page's confidence interval, from the measured variance between walks;
`error_bound` is the certified ℓ1 bound of the sampled vector itself. Cost: N/(1−α) steps and one pass.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numba import get_num_threads, get_thread_id, njit, prange  # type: ignore[attr-defined]

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.rank.methods.pagerank import certify, distribution
from periplus.rank.table import RANKERS
from periplus.record import Scores

ESTIMATES = ("end-point", "complete-path", "dangling-stop")
BATCH = 4096
FIRST_ROOM = 1024


@checked(RANKERS["monte-carlo"])
def monte_carlo(
    graph: Graph,
    *,
    walks: int = 1,
    estimate: str = "complete-path",
    damping: float = 0.85,
    preference: AnyArray | None = None,
    seed: int = 0,
    first: int = 0,
    confidence: float = 0.95,
) -> Scores:
    """PageRank estimated by `walks` random walks a page; see the module docstring for the three estimates."""
    v = distribution(preference, graph.nodes, "preference")
    total = walks * graph.nodes
    _check_numbers(walks, graph.nodes, first)
    if total:
        surfer = Surfer(
            graph.out_offsets, graph.out_targets, _running_sums(v), np.uint64(seed), damping, ESTIMATES.index(estimate)
        )
        tallies = walk_all(surfer, first, total, get_num_threads()).sum(axis=0)
        values, half_width = _estimates(tallies, total, estimate, confidence)
    else:
        values = half_width = np.zeros(0)
    residual, rounding = certify(graph, damping, v, "preference", values)
    return Scores(
        method="monte-carlo",
        values=values,
        parameters={
            "damping": damping,
            "walks": walks,
            "estimate": estimate,
            "seed": seed,
            "first": first,
            "confidence": confidence,
            "preference": "uniform" if preference is None else "given",
        },
        iterations=walks,
        residual=residual,
        error_bound=(residual + rounding) / (1 - damping),
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"half_width": half_width},
    )


def _check_numbers(walks: int, pages: int, first: int) -> None:
    """Refuse walks that cannot be counted, or whose numbers cannot be held."""
    if walks * pages >= 2**62:
        raise ParameterError("walks", walks, f"walks from {pages:,} pages that can be counted: below 2⁶² in all")
    if not 0 <= first < 2**63 - walks * pages:
        raise ParameterError("first", first, "≥ 0, the number of the first walk: that of the last is below 2⁶³")


def _running_sums(v: Floats) -> Floats:
    """Where each page's part of the jumps ends; rounding leaves nothing for pages after the last that has a part."""
    cumulative = np.minimum(np.cumsum(v) / v.sum(), 1.0)
    cumulative[np.flatnonzero(v)[-1] :] = 1.0
    return cumulative


class Surfer(NamedTuple):
    """The walks that a run draws: links, where jumps land (running sums), seed, damping, place in `ESTIMATES`."""

    offsets: Offsets
    targets: Ids
    cumulative: Floats
    seed: np.uint64
    damping: float
    kind: int


def _estimates(tallies: AnyArray, total: int, estimate: str, confidence: float) -> tuple[Floats, Floats]:
    """The values and their half-widths from visits, Σ visits² and Σ visits·length over the walks."""
    visits, squares, crosses = tallies[:, :-1].astype(np.float64)
    length, length_squared = float(tallies[0, -1]), float(tallies[1, -1])
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    mean = visits / total
    if estimate == "end-point":
        unit, values = 1.0, mean
        variance = squares / total - mean**2
    else:
        unit, values = total / length, visits / length
        # A ratio of two means: its variance is that of (visits − value · length) / mean length.
        variance = (squares - 2 * values * crosses + values**2 * length_squared) / total * unit**2
    # The last term keeps a page that no walk met from claiming certainty (as in Wilson's interval).
    half_width = z * np.sqrt(np.maximum(variance, 0.0) / total) + unit * z * z / total
    return values, half_width


@njit(cache=True, nogil=True)
def _draw(state):  # type: ignore[no-untyped-def]
    """One splitmix64 step: (next state, uniform in [0, 1))."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    mixed = state
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return state, np.float64(mixed >> np.uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True)
def _stream(seed, walk):  # type: ignore[no-untyped-def]
    """The first state of a walk's own stream."""
    mixed = seed * np.uint64(0xD1342543DE82EF95) + (np.uint64(walk) + np.uint64(1)) * np.uint64(0xA0761D6478BD642F)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xE7037ED1A0B428DB)
    return mixed ^ (mixed >> np.uint64(29))


@njit(cache=True, nogil=True, parallel=True)
def walk_all(surfer, first, total, threads):  # type: ignore[no-untyped-def]
    """Tallies per thread of `total` walks, numbered from `first`: rows (visits, Σ visits², Σ visits·length), last
    column (Σ length, Σ length²).

    Sums of integers do not depend on their order, so the threads may share the batches as they like.
    """
    nodes = len(surfer.offsets) - 1
    tallies = np.zeros((threads, 3, nodes + 1), np.int64)
    visits = np.zeros((threads, nodes if surfer.kind > 0 else 0), np.int64)
    for batch in prange((total + BATCH - 1) // BATCH):
        thread = get_thread_id()
        walk_batch(surfer, first, total, batch, tallies[thread], visits[thread])
    return tallies


@njit(cache=True, nogil=True)
def walk_batch(surfer, first, total, batch, tally, visits):  # type: ignore[no-untyped-def]
    """The walks of one batch."""
    offsets, targets, cumulative, seed, damping, kind = surfer
    nodes = len(offsets) - 1
    path = np.empty(FIRST_ROOM, np.uint32)
    for walk in range(batch * BATCH, min((batch + 1) * BATCH, total)):
        state, chance = _draw(_stream(seed, first + walk))
        page = min(np.searchsorted(cumulative, (walk + chance) / total, side="right"), nodes - 1)
        length = 0
        while True:
            if length == len(path):
                path = np.append(path, np.empty(length, np.uint32))
            path[length] = page
            length += 1
            state, chance = _draw(state)
            begin, degree = offsets[page], offsets[page + 1] - offsets[page]
            if chance >= damping or (kind == 2 and degree == 0):
                break
            state, chance = _draw(state)
            if degree > 0:
                page = np.int64(targets[begin + np.int64(chance * degree)])
            else:
                page = min(np.searchsorted(cumulative, chance, side="right"), nodes - 1)
        if kind == 0:
            tally[0, page] += 1
            tally[1, page] += 1
        else:
            _tally(tally, path[:length], visits)


@njit(cache=True, nogil=True)
def _tally(tally, path, visits):  # type: ignore[no-untyped-def]
    """Add all visits of one walk; `visits`, a counter for each page, is zero before and after."""
    length = len(path)
    for page in path:
        visits[page] += 1
    for page in path:
        count = visits[page]
        visits[page] = 0
        tally[0, page] += count
        tally[1, page] += count * count
        tally[2, page] += count * length
    tally[0, -1] += length
    tally[1, -1] += length * length
