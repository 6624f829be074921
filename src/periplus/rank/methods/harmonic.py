"""Harmonic centrality: H(x) = Σ_{y ≠ x} 1 / d(y, x), d the number of links on a shortest path from y to x.

Boldi and Vigna (2014): the one classical distance measure that grows whenever a page gains per link and that needs no
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
from periplus.numeric.bits import ones
from periplus.rank.table import RANKERS
from periplus.record import Scores
from periplus.structure.paths.searches import begin, new_bits, step

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
    for group in prange(len(cuts) - 1):
        bits = new_bits(len(offsets) - 1)
        for word in range(cuts[group], cuts[group + 1]):
            _add_from(offsets, targets, sources[word * 64 : min(word * 64 + 64, len(sources))], bits, sums[group])


@njit(cache=True, nogil=True)
def _add_from(offsets, targets, starts, bits, sums):  # type: ignore[no-untyped-def]
    """sums[x] += Σ 1/d(y, x) over up to 64 starts y."""
    bits.seen[:] = 0
    filled, distance = begin(bits, starts), 0
    while filled > 0:
        distance += 1
        filled = step(offsets, targets, bits, filled)[0]
        for page in bits.queue[:filled]:
            sums[page] += ones(bits.now[page]) / distance
