"""Epidemics on any graph (Deo and Gupta, §3.2): who falls ill when a page does, and whom to protect first.

A disease passes along links, both ways unless `directed`.

- `spread`: SIR in discrete time. In each step a sick page infects each susceptible neighbour with probability
  `infection`, then recovers with probability `recovery` (0: SI, it never recovers). Each run is one outbreak from one
  page.
- `percolation`: Moore & Newman's question. A share f of the pages is susceptible, at random, and whoever is exposed
  falls ill; an outbreak is then the cluster of susceptible pages that holds the first one. P(j) is the share of
  susceptible pages whose cluster has j pages. The threshold f_c, above which the mean outbreak diverges with n, is
  found as the f at which the second largest cluster is largest (`percolation_curve`, `threshold`).
- `protect`: remove the first pages of an order and see what is left to infect; `protection` has the orders.

Draws are functions of (seed, run, page or link), so runs do not depend on threads. O(n + m) per run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.catalog import SEED, checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.numeric.random import below_at, stream_key, uniform_at
from periplus.numeric.unionfind import root
from periplus.record import Findings


@dataclass(frozen=True, slots=True)
class Outbreaks(Findings):
    """Outbreaks from random pages: final sizes, and the mean number of sick pages after each step."""

    method: str
    sizes: Offsets
    mean_size: float
    curve: Floats
    runs: int


@dataclass(frozen=True, slots=True)
class Percolation(Findings):
    """Clusters of susceptible pages at one share f."""

    susceptible: float
    cluster_sizes: Offsets
    mean_outbreak: float
    largest: int
    second: int

    def shares(self) -> tuple[Offsets, Floats]:
        """(j, P(j)): the share of susceptible pages in clusters of each size."""
        sizes, counts = np.unique(self.cluster_sizes, return_counts=True)
        pages = sizes * counts
        return sizes, pages / max(1, pages.sum())


@dataclass(frozen=True, slots=True)
class PercolationCurve(Findings):
    """Clusters by the share of susceptible pages, means over some runs, and the threshold that they show."""

    shares: Floats
    largest: Floats
    second: Floats
    mean_outbreak: Floats
    threshold: float
    runs: int

    @property
    def clear(self) -> bool:
        """Whether one share divides outbreaks from epidemics: there the two largest clusters are of one order.

        Where the first is many times the second already, parts of the graph join it late, one by one; where the second
        is largest at the end of the shares tried, the threshold may lie beyond.
        """
        at = int(np.argmax(self.second))
        return 0 < at < len(self.second) - 1 and bool(self.largest[at] <= 5.0 * self.second[at])


@checked
def spread(
    graph: Graph,
    *,
    infection: float,
    recovery: float = 1.0,
    runs: int = 100,
    steps: int = 10_000,
    directed: bool = False,
    seed: int = 0,
) -> Outbreaks:
    """SIR outbreaks from random pages, of `steps` steps at most; SI, with `recovery=0`, ends when all are reached."""
    _check_share("infection", infection)
    _check_share("recovery", recovery)
    if runs < 1 or graph.nodes == 0:
        raise ParameterError("runs", runs, "at least 1, on a graph with pages")
    if steps < 0:
        raise ParameterError("steps", steps, "at least 0")
    SEED.check(seed)
    contacts = graph if directed else graph.symmetrised()
    sizes = np.zeros(runs, dtype=np.int64)
    lasts = np.zeros(runs, dtype=np.int64)
    curve = np.zeros(steps + 1)
    _outbreaks(contacts.out_offsets, contacts.out_targets, (infection, recovery), seed, sizes, lasts, curve)
    curve = curve[: lasts.max() + 1]
    if recovery == 0.0:  # who never recovers is still sick when others' outbreaks go on
        for last, size in zip(lasts, sizes, strict=True):
            curve[last + 1 :] += size
    return Outbreaks("SIR" if recovery else "SI", sizes, float(sizes.mean()), curve / runs, runs)


@checked
def percolation(graph: Graph, *, f: float, seed: int = 0) -> Percolation:
    """Make a share f of the pages susceptible and find their clusters (weak ones, of a directed graph)."""
    _check_share("f", f)
    SEED.check(seed)
    alive = np.empty(graph.nodes, dtype=np.bool_)
    _draw_alive(alive, f, seed)
    sizes = _cluster_sizes(graph, alive)
    ordered = np.sort(sizes)[::-1]
    mean = float((sizes.astype(np.float64) ** 2).sum() / sizes.sum()) if len(sizes) else 0.0
    return Percolation(
        f, sizes, mean, int(ordered[0]) if len(ordered) else 0, int(ordered[1]) if len(ordered) > 1 else 0
    )


@checked
def percolation_curve(graph: Graph, *, shares: AnyArray, runs: int = 10, seed: int = 0) -> PercolationCurve:
    """Percolation at several shares, lowest first. O(shares · runs · m).

    The threshold is the share at which the mean second largest cluster is largest, refined by a parabola.
    """
    shares = np.sort(np.asarray(shares, dtype=np.float64))
    if len(shares) < 3:
        raise ParameterError("shares", len(shares), "at least three shares to compare")
    if runs < 1:
        raise ParameterError("runs", runs, "at least 1")
    found = np.empty((3, len(shares)))
    for at, f in enumerate(shares):
        each = [percolation(graph, f=float(f), seed=seed + run) for run in range(runs)]
        found[:, at] = np.mean([(one.largest, one.second, one.mean_outbreak) for one in each], axis=0)
    return PercolationCurve(shares, found[0], found[1], found[2], _peak(shares, found[1]), runs)


@checked
def threshold(graph: Graph, *, shares: AnyArray, runs: int = 10, seed: int = 0) -> float:
    """f_c by simulation, see `percolation_curve`."""
    return percolation_curve(graph, shares=shares, runs=runs, seed=seed).threshold


def _peak(shares: Floats, seconds: Floats) -> float:
    best = int(np.clip(np.argmax(seconds), 1, len(shares) - 2))
    around = slice(best - 1, best + 2)
    a, b, _ = np.polyfit(shares[around], seconds[around], 2)
    peak = -b / (2.0 * a) if a < 0.0 else shares[best]
    return float(np.clip(peak, shares[best - 1], shares[best + 1]))


@checked
def protect(graph: Graph, order: AnyArray, *, counts: AnyArray) -> Offsets:
    """The largest cluster left to infect after protecting the first so many pages of an order."""
    order = np.asarray(order, dtype=np.int64)
    if len(np.unique(order)) != len(order) or (len(order) and not 0 <= order.min() <= order.max() < graph.nodes):
        raise ParameterError("order", len(order), "different pages of the graph")
    if any(int(count) < 0 for count in counts):
        raise ParameterError("counts", min(counts), "numbers of pages, at least 0")
    left = np.empty(len(counts), dtype=np.int64)
    for at, count in enumerate(counts):
        alive = np.ones(graph.nodes, dtype=np.bool_)
        alive[order[: int(count)]] = False
        left[at] = _cluster_sizes(graph, alive).max(initial=0)
    return left


@checked
def betweenness_sample(graph: Graph, *, sources: int = 64, directed: bool = False, seed: int = 0) -> Floats:
    """Brandes' betweenness from random sources, scaled to all: which pages lie between others. O(sources · m)."""
    if sources < 1:
        raise ParameterError("sources", sources, "at least 1")
    SEED.check(seed)
    contacts = graph if directed else graph.symmetrised()
    picked = np.random.Generator(np.random.Philox(seed)).permutation(graph.nodes)[:sources].astype(np.uint32)
    scores = np.zeros(graph.nodes)
    _betweenness(contacts.out_offsets, contacts.out_targets, picked, scores)
    return scores * (graph.nodes / max(1, len(picked)))


def _check_share(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise ParameterError(name, value, f"0 ≤ {name} ≤ 1")


def _cluster_sizes(graph: Graph, alive: Bools) -> Offsets:
    parents = np.arange(graph.nodes, dtype=np.uint32)
    _unite(graph.out_offsets, graph.out_targets, alive, parents)
    sizes = np.bincount(parents[alive], minlength=graph.nodes)
    return sizes[sizes > 0]


@njit(cache=True, nogil=True)
def _draw_alive(alive: Bools, f: float, seed: int) -> None:
    key = stream_key(seed, 0)
    for page in range(len(alive)):
        alive[page] = uniform_at(key, page) < f


@njit(cache=True, nogil=True)
def _unite(offsets: Offsets, targets: Ids, alive: Bools, parents: Ids) -> None:
    """Union–find over the links between living pages; at the end every page names its root."""
    for page in range(len(alive)):
        if alive[page]:
            for link in range(offsets[page], offsets[page + 1]):
                if alive[targets[link]]:
                    a, b = root(parents, page), root(parents, targets[link])
                    parents[max(a, b)] = min(a, b)
    for page in range(len(alive)):
        parents[page] = root(parents, page)


@njit(cache=True, nogil=True)
def _outbreaks(
    offsets: Offsets,
    targets: Ids,
    chances: tuple[float, float],
    seed: int,
    sizes: Offsets,
    lasts: Offsets,
    curve: Floats,
) -> None:
    """Run after run: `state[page]` is the run in which the page fell ill, `curve[t]` counts who is sick after t steps.

    A run ends when no page is sick, or when no sick page has a susceptible neighbour and none recovers.
    """
    infection, recovery = chances
    pages = len(offsets) - 1
    state = np.full(pages, -1, dtype=np.int64)
    sick = np.empty(pages, dtype=np.uint32)
    for run in range(len(sizes)):
        key = stream_key(seed, run)
        drawn = 1
        sick[0] = below_at(key, 0, pages)
        state[sick[0]] = run
        ill, total, step = 1, 1, 0
        curve[0] += 1
        while step < len(curve) - 1:
            before, met = ill, 0
            for at in range(before):
                for link in range(offsets[sick[at]], offsets[sick[at] + 1]):
                    other = targets[link]
                    if state[other] != run:
                        met += 1
                        drawn += 1
                        if uniform_at(key, drawn) < infection:
                            state[other] = run
                            sick[ill] = other
                            ill += 1
                            total += 1
            kept = 0
            for at in range(ill):
                stays = at >= before
                if not stays:
                    drawn += 1
                    stays = uniform_at(key, drawn) >= recovery
                if stays:
                    sick[kept] = sick[at]
                    kept += 1
            ill = kept
            if ill == 0 or (recovery == 0.0 and (met == 0 or infection == 0.0)):
                break
            step += 1
            curve[step] += ill
        lasts[run] = step
        sizes[run] = total


@njit(cache=True, nogil=True)
def _betweenness(offsets: Offsets, targets: Ids, sources: Ids, scores: Floats) -> None:
    """Brandes 2001: shortest paths counted forwards, dependencies gathered backwards."""
    pages = len(scores)
    depth = np.full(pages, -1, dtype=np.int64)
    paths, owed = np.zeros(pages), np.zeros(pages)
    queue = np.empty(pages, dtype=np.uint32)
    for source in sources:
        queue[0], depth[source], paths[source] = source, 0, 1.0
        head, tail = 0, 1
        while head < tail:
            page = queue[head]
            head += 1
            for link in range(offsets[page], offsets[page + 1]):
                other = targets[link]
                if depth[other] < 0:
                    depth[other] = depth[page] + 1
                    queue[tail] = other
                    tail += 1
                if depth[other] == depth[page] + 1:
                    paths[other] += paths[page]
        for at in range(tail - 1, -1, -1):
            page = queue[at]
            for link in range(offsets[page], offsets[page + 1]):
                other = targets[link]
                if depth[other] == depth[page] + 1:
                    owed[page] += paths[page] / paths[other] * (1.0 + owed[other])
            if page != source:
                scores[page] += owed[page]
        for at in range(tail):
            page = queue[at]
            depth[page], paths[page], owed[page] = -1, 0.0, 0.0
