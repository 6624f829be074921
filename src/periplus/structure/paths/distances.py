"""Distances: which pairs of pages are joined by a path of links, and by how long a one.

With N(t) the number of ordered pairs (u, v), u ≠ v, where v is at most t links from u:

    connected share     N(∞) / n(n−1)
    mean distance       Σ t·(N(t) − N(t−1)) / N(∞)
    effective diameter  the least t, interpolated between whole links, with N(t) ≥ 0.9·N(∞)
    diameter            the largest t with N(t) > N(t−1): the longest of all shortest paths

Three methods give N: `exact` (breadth-first search from every page, 64 at a time, see `searches`),
`hyperball` (counters, see that module; the stated error comes from several independent runs) and `sampled`
(breadth-first search from random pages; the stated error is the jackknife's over them). `auto` is exact while
n(n + m) ≤ 4·10⁹, sampled beyond 20 million pages, and HyperBall between. Errors are scaled by Student's t, so that two
standard errors cover 95 % also for few runs; the tests count that they do.

The diameter itself has no cheap estimate; `diameter_lower` is the longest shortest path met by alternating sweeps:
forward from a well linked page, backward from the farthest page found, forward from the farthest of that, and so on
(double sweep; Crescenzi et al. 2010). For comparison: Albert, Jeong and Barabási's ⟨d⟩ = 0.35 + 2.06 log₁₀ n (1999).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import Floats, Ids, Offsets
from periplus.numeric.parallel import ordered_map
from periplus.record import Findings
from periplus.structure.connectivity.sweeps import bits_of, levels
from periplus.structure.paths.hyperball import pairs_within
from periplus.structure.paths.searches import search_64
from periplus.structure.paths.undirected import undirected

EXACT_WORK = 4e9  # pages times pages and links up to which every page is searched from: under a second in most webs
HYPERBALL_PAGES = 20_000_000
_DEEPEST = 1 << 16
METHODS = ("auto", "exact", "hyperball", "sampled")


@dataclass(frozen=True, slots=True)
class Distances(Findings):
    """`histogram[t]` is the (estimated) number of ordered pairs at distance t ≥ 1; `…_error` are standard errors."""

    method: str
    directed: bool
    connected_share: float
    connected_share_error: float
    mean: float
    mean_error: float
    effective_diameter: float
    effective_diameter_error: float
    diameter_lower: int
    diameter_exact: bool
    albert: float = field(metadata={"json": "albert_1999"})
    histogram: Floats


@checked
def distances(
    graph: Graph,
    *,
    directed: bool = True,
    method: str = "auto",
    registers: int = 64,
    runs: int = 8,
    sources: int = 200,
    seed: int = 0,
) -> Distances:
    """The distribution of distances; `registers` and `runs` are HyperBall's, `sources` the sample's."""
    if method not in METHODS:
        raise ParameterError("method", method, ", ".join(METHODS))
    if sources < 2:
        raise ParameterError("sources", sources, "at least 2: their spread gives the error")
    offsets, ends = (graph.out_offsets, graph.out_targets) if directed else undirected(graph)
    nodes = graph.nodes
    if method == "auto":
        small = nodes * (nodes + len(ends)) <= EXACT_WORK
        method = "exact" if small else "hyperball" if nodes <= HYPERBALL_PAGES else "sampled"
    if method == "exact":
        replicas = [_exact(offsets, ends)]
    elif method == "hyperball":
        within = pairs_within(offsets, ends, registers=registers, runs=runs, seed=seed)
        replicas = [np.diff(run, prepend=0.0) for run in within]
    else:
        replicas = _sampled(offsets, ends, min(sources, max(nodes, 1)), seed)
    table = _as_table(replicas)
    # A sampled search is one page's share of the sum over all pages; the others estimate the sum itself.
    histogram = table.mean(axis=0) * (nodes if method == "sampled" else 1)
    share, mean, effective = _figures(histogram, nodes)
    errors = _errors(table, nodes, method)
    lower = int(np.flatnonzero(histogram > 0).max(initial=0)) if method != "hyperball" else 0
    if method != "exact":
        rounds = 4 if nodes <= HYPERBALL_PAGES else 1
        lower = max(lower, _alternating_sweeps(graph, offsets, ends, directed, seed, rounds))
    albert = expected_distance(nodes) if nodes else 0.0
    return Distances(
        method, directed, share, errors[0], mean, errors[1], effective, errors[2], lower, method == "exact", albert,
        histogram,
    )  # fmt: skip


@checked
def expected_distance(pages: float) -> float:
    """Albert, Jeong and Barabási's line 0.35 + 2.06 log₁₀ n: the mean distance expected in a web of that many pages."""
    if not pages >= 1:
        raise ParameterError("pages", pages, "at least 1")
    return 0.35 + 2.06 * math.log10(pages)


def _as_table(replicas: list[Floats]) -> Floats:
    """Histograms as rows of one length, without the pairs of a page with itself."""
    deepest = max(len(one) for one in replicas)
    table = np.array([np.pad(one, (0, deepest - len(one))) for one in replicas])
    table[:, 0] = 0.0
    return table


def _figures(histogram: Floats, nodes: int) -> tuple[float, float, float]:
    """Connected share, mean distance and effective diameter of a histogram of pairs by distance."""
    pairs = float(histogram.sum())
    if pairs <= 0.0 or nodes < 2:
        return 0.0, 0.0, 0.0
    within = np.cumsum(histogram)
    mean = float((np.arange(len(histogram)) * histogram).sum() / pairs)
    at = int(np.searchsorted(within, 0.9 * pairs))
    before = float(within[at - 1]) if at else 0.0
    effective = at - 1 + (0.9 * pairs - before) / max(float(histogram[at]), 1e-300)
    return pairs / (nodes * (nodes - 1.0)), mean, float(effective)


def _errors(table: Floats, nodes: int, method: str) -> tuple[float, float, float]:
    """Standard errors over the replicas, scaled so that ±2 covers 95 % for as few as there are.

    The jackknife: figures without each replica in turn. It is too hopeful where a quantile sits on a corner of N(t);
    runs of HyperBall are estimates in themselves, so there the spread of their own figures holds where it is larger.
    A run's figures are ratios and quantiles of few counters, skewed and moving with their own spread; measured over
    thousands of runs, Student's t covers 95 % with one degree of freedom less, and never more than six.
    """
    count = len(table)
    if method == "exact" or count < 2:
        return 0.0, 0.0, 0.0
    total = table.sum(axis=0)
    scale = (nodes if method == "sampled" else 1) / (count - 1)
    without = np.array([_figures((total - row) * scale, nodes) for row in table])
    spread = np.sqrt(count - 1) * without.std(axis=0)
    if method == "hyperball":
        single = np.array([_figures(row, nodes) for row in table])
        spread = np.maximum(spread, single.std(axis=0, ddof=1) / math.sqrt(count))
    degrees = count - 1 if method == "sampled" else min(max(count - 2, 1), 6)
    factor = float(special.stdtrit(degrees, 0.975)) / 2.0
    share, mean, effective = (float(value) * max(factor, 0.98) for value in spread)
    return share, mean, effective


# -- the searches --------------------------------------------------------------------------------------------


def _sampled(offsets: Offsets, ends: Ids, sources: int, seed: int) -> list[Floats]:
    """Histograms of distance from distinct random pages."""
    nodes = len(offsets) - 1
    if nodes == 0:
        return [np.zeros(1)]
    starts = np.random.default_rng(seed).choice(nodes, sources, replace=False)
    return list(ordered_map(lambda start: _histogram_from(offsets, ends, int(start)), starts))


def _histogram_from(offsets: Offsets, ends: Ids, start: int) -> Floats:
    nodes = len(offsets) - 1
    counts = np.zeros(min(_DEEPEST, nodes + 1), np.int64)
    _, depth = levels(offsets, ends, start, bits_of(nodes), np.empty(nodes, np.uint32), counts)
    return counts[: depth + 1].astype(np.float64)


def _alternating_sweeps(graph: Graph, offsets: Offsets, ends: Ids, directed: bool, seed: int, rounds: int) -> int:
    """The longest shortest path met by sweeps forward and backward in turn from several starts."""
    if graph.nodes == 0 or len(ends) == 0:
        return 0
    backward = (graph.in_offsets, graph.in_sources) if directed else (offsets, ends)
    rng = np.random.default_rng(seed)
    starts = [int(np.argmax(np.diff(offsets))), int(np.argmax(np.diff(backward[0]))), int(rng.integers(graph.nodes))]
    longest = 0
    for page in starts:
        for turn in range(2 * rounds):
            side = (offsets, ends) if turn % 2 == 0 else backward
            queue, counts = np.empty(graph.nodes, np.uint32), np.zeros(1, np.int64)
            reached, depth = levels(side[0], side[1], page, bits_of(graph.nodes), queue, counts)
            longest = max(longest, int(depth))
            page = int(queue[reached - 1])
    return longest


def _exact(offsets: Offsets, ends: Ids) -> Floats:
    """Pairs at each distance, by searches from all pages, 64 at a time on every core."""
    nodes = len(offsets) - 1
    words = (np.arange(first, min(first + 64, nodes)) for first in range(0, nodes, 64))
    parts = list(ordered_map(lambda starts: search_64(offsets, ends, starts)[0], words))
    deepest = max((len(part) for part in parts), default=1)
    total = np.zeros(deepest)
    for part in parts:
        total[: len(part)] += part
    return total
