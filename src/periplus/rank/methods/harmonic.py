"""Harmonic centrality: H(x) = Σ_{y ≠ x} 1 / d(y, x), d the number of links on a shortest path from y to x.

Boldi and Vigna (2014): the one classical distance measure that grows whenever a page gains a link and that needs no
component to be strongly connected (1/∞ = 0).

Breadth-first search runs from 64 sources at once, one bit each: a pass over the links of a level serves all 64. Up to
20,000 pages every page is a source and the result exact. Above, `samples` sources (4,096 when not given) are drawn
without replacement and the sum is scaled by n/samples (Eppstein and Wang 2001). Each draw lies in [0, 1], so by
Hoeffding's inequality, which also holds without replacement, all pages at once are within

    extra["half_width"] = n · √(ln(2n/0.05) / (2·samples))                      with probability 95%

of their true value; `error_bound` (the ℓ1 norm, certain) is NaN for a sample. The sources are split into a fixed
number of groups, so the result is the same bit by bit on any number of threads. O(samples/64 · levels · (n + m)).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Offsets
from periplus.rank.table import RANKERS
from periplus.record import Scores

EXACT_UP_TO = 20_000
DEFAULT_SAMPLES = 4_096
_GROUPS = 4
_WORD = 64


@checked(RANKERS["harmonic"])
def harmonic(graph: Graph, *, samples: int | None = None, seed: int = 0) -> Scores:
    """Harmonic centrality of every page, exact or from `samples` random sources; see the module docstring."""
    if samples is not None and samples > graph.nodes:
        raise ParameterError("samples", samples, f"1 ≤ samples ≤ {graph.nodes}, the number of pages")
    if samples is None:
        samples = graph.nodes if graph.nodes <= EXACT_UP_TO else DEFAULT_SAMPLES
    exact = samples == graph.nodes
    sources = np.arange(graph.nodes)
    if not exact:
        sources = np.sort(np.random.default_rng(seed).choice(graph.nodes, size=samples, replace=False))
    values = _sum_of_inverse_distances(graph, sources)
    if not exact:
        values *= graph.nodes / samples
    half_width = 0.0 if exact else graph.nodes * np.sqrt(np.log(2 * graph.nodes / 0.05) / (2 * samples))
    return Scores(
        method="harmonic",
        values=values,
        parameters={"samples": samples, "seed": seed, "exact": exact},
        iterations=samples,
        residual=0.0,
        error_bound=2.0**-52 * float(values.sum()) * 64 if exact else float("nan"),
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"half_width": float(half_width), "confidence": 0.95},
    )


def _sum_of_inverse_distances(graph: Graph, sources: Offsets) -> Floats:
    if graph.nodes == 0:
        return np.empty(0)
    cuts = np.linspace(0, -(-len(sources) // _WORD), _GROUPS + 1).astype(np.int64)
    sums = np.zeros((_GROUPS, graph.nodes))
    _search_from(graph.out_offsets, graph.out_targets, sources, cuts, sums)
    return sums.sum(axis=0)


@njit(cache=True, nogil=True, parallel=True)
def _search_from(offsets, targets, sources, cuts, sums):  # type: ignore[no-untyped-def]
    """sums[g, x] = Σ 1/d(y, x) over the sources y of group g: breadth-first search, 64 sources a word."""
    nodes = len(offsets) - 1
    for group in prange(len(cuts) - 1):
        seen = np.zeros(nodes, np.uint64)
        reached = np.zeros(nodes, np.uint64)
        front = np.zeros(nodes, np.uint64)
        active, touched = np.empty(nodes, np.uint32), np.empty(nodes, np.uint32)
        for word in range(cuts[group], cuts[group + 1]):
            seen[:] = 0
            first = word * 64
            size = min(first + 64, len(sources)) - first
            for at in range(size):
                page = sources[first + at]
                active[at] = page
                front[page] = seen[page] = np.uint64(1) << np.uint64(at)
            distance = 0
            while size > 0:
                distance += 1
                count = spread_front(offsets, targets, active[:size], front, reached, touched)
                size = 0
                for page in touched[:count]:
                    bits = reached[page] & ~seen[page]
                    reached[page] = 0
                    if bits != 0:
                        seen[page] |= bits
                        front[page] = bits
                        active[size] = page
                        size += 1
                        sums[group, page] += ones(bits) / distance


@njit(cache=True, nogil=True)
def spread_front(offsets, targets, active, front, reached, touched):  # type: ignore[no-untyped-def]
    """Hand the bits of the `active` pages on along their links, into `reached`; gives how many pages were `touched`."""
    count = 0
    for page in active:
        bits = front[page]
        for link in range(offsets[page], offsets[page + 1]):
            target = targets[link]
            if reached[target] == 0:
                touched[count] = target
                count += 1
            reached[target] |= bits
    return count


@njit(cache=True, nogil=True)
def ones(bits):  # type: ignore[no-untyped-def]
    """How many bits are set."""
    count = 0
    while bits != 0:
        bits &= bits - np.uint64(1)
        count += 1
    return count
