"""Clustering: how often two neighbours of a page are neighbours too, and what a random web would show.

On the undirected graph without self-links, with k(v) neighbours and T(v) triangles through v:

    local      C(v) = T(v) / (k(v)(k(v)−1)/2), 0 where k(v) < 2;  C = mean over all pages   (Watts & Strogatz)
    global     3·triangles / Σ k(v)(k(v)−1)/2, the share of paths of two edges that close    (transitivity)

Exact counting orients each edge from the smaller to the larger degree and intersects sorted rows: O(m^1.5).
Sampling draws random pages (local) or random paths of two edges (global) and checks one pair by bisection; the
error is that of a share or mean of independent draws.

`small_world` sets C and the characteristic path length L beside a random graph G(n, m) and a Watts–Strogatz ring of
the same size and mean degree, rewired with the probability p that would give the same C, C(p) ≈ C(0)(1−p)³,
C(0) = 3(k−2)/(4(k−1)). Both are built and measured, not only computed from formulas. A web is a small world when
L is near the random graph's and C far above it. Watts & Strogatz, Nature 393 (1998); Deo & Gupta 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import Floats, Ids, Offsets
from periplus.numeric.random import below_at, stream_key, uniform_at
from periplus.record import Findings
from periplus.structure.paths.distances import distances
from periplus.structure.paths.undirected import undirected

EXACT_EDGES = 5_000_000


@dataclass(frozen=True, slots=True)
class Clustering(Findings):
    """Clustering coefficients; the `…_error` fields are standard errors, 0 where exact."""

    method: str
    local: float
    local_error: float
    overall: float = field(metadata={"json": "global"})
    overall_error: float = field(metadata={"json": "global_error"})
    triangles: int | None
    mean_degree: float


@dataclass(frozen=True, slots=True)
class SmallWorld:
    """Clustering and path length of a graph and of its two comparisons."""

    clustering: Clustering
    path_length: float
    random_clustering: float
    random_path_length: float
    rewiring: float
    watts_strogatz_clustering: float
    watts_strogatz_path_length: float

    def to_dict(self) -> dict[str, Any]:
        """The three graphs side by side."""
        return {
            "clustering": self.clustering.to_dict(),
            "path_length": self.path_length,
            "random": {"clustering": self.random_clustering, "path_length": self.random_path_length},
            "watts_strogatz": {
                "rewiring": self.rewiring,
                "clustering": self.watts_strogatz_clustering,
                "path_length": self.watts_strogatz_path_length,
            },
        }


@checked
def clustering(graph: Graph, *, method: str = "auto", samples: int = 20_000, seed: int = 0) -> Clustering:
    """Local and global clustering, exact or from `samples` random pages and as many random paths of two edges."""
    if method not in ("auto", "exact", "sampled"):
        raise ParameterError("method", method, "auto, exact or sampled")
    if samples < 2:
        raise ParameterError("samples", samples, "at least 2")
    offsets, neighbours = undirected(graph)
    return clustering_of(offsets, neighbours, method=method, samples=samples, seed=seed)


def clustering_of(offsets: Offsets, neighbours: Ids, *, method: str, samples: int, seed: int) -> Clustering:
    """As `clustering`, of a graph that is undirected already."""
    nodes = len(offsets) - 1
    k = np.diff(offsets)
    mean_degree = len(neighbours) / nodes if nodes else 0.0
    paths = k * (k - 1) // 2
    if method == "auto":
        method = "exact" if len(neighbours) <= 2 * EXACT_EDGES else "sampled"
    if not paths.sum():
        return Clustering(method, 0.0, 0.0, 0.0, 0.0, 0, mean_degree)
    if method == "exact":
        through = _triangles(offsets, neighbours)
        local = float(np.divide(through, paths, out=np.zeros(nodes), where=paths > 0).mean())
        triangles = int(through.sum()) // 3
        return Clustering(method, local, 0.0, 3 * triangles / float(paths.sum()), 0.0, triangles, mean_degree)
    local, local_error = _local_sample(offsets, neighbours, samples, seed)
    rng = np.random.default_rng(seed)
    middles = np.searchsorted(np.cumsum(paths), rng.integers(0, int(paths.sum()), samples), side="right")
    closed = _closed_paths(offsets, neighbours, middles, seed) / samples
    error = float(np.sqrt(closed * (1.0 - closed) / samples))
    return Clustering(method, local, local_error, float(closed), error, None, mean_degree)


@checked
def small_world(graph: Graph, *, path_length: float | None = None, sources: int = 40, seed: int = 0) -> SmallWorld:
    """The graph beside G(n, m) and Watts–Strogatz of its size; `path_length` where it is known already."""
    own = clustering(graph, seed=seed)
    length = path_length if path_length is not None else _path_length(graph, sources, seed)
    rng = np.random.default_rng(seed)
    random = _random_graph(graph.nodes, round(own.mean_degree * graph.nodes / 2), rng)
    random_own = clustering(random, samples=5000, seed=seed)
    half = max(1, round(own.mean_degree / 2))
    k = 2 * half
    lattice = 3 * (k - 2) / (4 * (k - 1)) if k > 2 else 0.0
    rewiring = 1.0 - min(1.0, own.local / lattice) ** (1 / 3) if lattice else 1.0
    ring = _watts_strogatz(graph.nodes, half, rewiring, rng)
    return SmallWorld(
        clustering=own,
        path_length=length,
        random_clustering=random_own.overall,
        random_path_length=_path_length(random, sources, seed),
        rewiring=rewiring,
        watts_strogatz_clustering=clustering(ring, samples=5000, seed=seed).local,
        watts_strogatz_path_length=_path_length(ring, sources, seed),
    )


def _path_length(graph: Graph, sources: int, seed: int) -> float:
    return distances(graph, directed=False, method="sampled", sources=sources, seed=seed).mean


def _random_graph(nodes: int, edges: int, rng: np.random.Generator) -> Graph:
    if nodes < 2:
        return Graph.from_edges(np.empty(0, np.uint32), np.empty(0, np.uint32), nodes)
    return Graph.from_edges(rng.integers(0, nodes, edges), rng.integers(0, nodes, edges), nodes)


def _watts_strogatz(nodes: int, half: int, rewiring: float, rng: np.random.Generator) -> Graph:
    """Each page linked to the next `half` of a ring, each link's far end moved with probability `rewiring`."""
    half = min(half, max(nodes - 1, 0))
    sources = np.repeat(np.arange(nodes), half)
    targets = (sources + np.tile(np.arange(1, half + 1), nodes)) % max(nodes, 1)
    moved = rng.random(len(targets)) < rewiring
    targets[moved] = rng.integers(0, max(nodes, 1), int(moved.sum()))
    return Graph.from_edges(sources, targets, nodes)


@njit(cache=True, nogil=True)
def _triangles(offsets, neighbours):  # type: ignore[no-untyped-def]
    """Triangles through each page, each found once from its corner of smallest (degree, id)."""
    nodes = len(offsets) - 1
    through = np.zeros(nodes, np.int64)
    up_offsets = np.zeros(nodes + 1, np.int64)
    up = np.empty(len(neighbours) // 2, np.uint32)
    filled = 0
    for v in range(nodes):
        mine = offsets[v + 1] - offsets[v]
        for at in range(offsets[v], offsets[v + 1]):
            w = neighbours[at]
            theirs = offsets[w + 1] - offsets[w]
            if theirs > mine or (theirs == mine and w > v):
                up[filled] = w
                filled += 1
        up_offsets[v + 1] = filled
    marked = np.full(nodes, -1, np.int64)
    for v in range(nodes):
        for at in range(up_offsets[v], up_offsets[v + 1]):
            marked[up[at]] = v
        for at in range(up_offsets[v], up_offsets[v + 1]):
            w = up[at]
            for b in range(up_offsets[w], up_offsets[w + 1]):
                x = up[b]
                if marked[x] == v:
                    through[v] += 1
                    through[w] += 1
                    through[x] += 1
    return through


@njit(cache=True, nogil=True)
def _joined(offsets, neighbours, v, w):  # type: ignore[no-untyped-def]
    """Whether v and w are neighbours, by bisection in the shorter row."""
    if offsets[v + 1] - offsets[v] > offsets[w + 1] - offsets[w]:
        v, w = w, v
    low, high = offsets[v], offsets[v + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < w:
            low = middle + 1
        else:
            high = middle
    return low < offsets[v + 1] and neighbours[low] == w


@njit(cache=True, nogil=True)
def _closed_paths(offsets, neighbours, middles, seed):  # type: ignore[no-untyped-def]
    """Of one random pair of neighbours of each given page, how many are joined."""
    closed = 0
    for draw in range(len(middles)):
        v = middles[draw]
        start, k = offsets[v], offsets[v + 1] - offsets[v]
        key = stream_key(seed, draw)
        a = below_at(key, 0, k)
        b = below_at(key, 1, k - 1)
        b += b >= a
        closed += _joined(offsets, neighbours, np.int64(neighbours[start + a]), np.int64(neighbours[start + b]))
    return closed


def _local_sample(offsets: Offsets, neighbours: Ids, samples: int, seed: int) -> tuple[float, float]:
    """The mean of C(v) over random pages: one random pair of neighbours of each is an unbiased look at C(v)."""
    draws = _local_draws(offsets, neighbours, samples, seed)
    return float(draws.mean()), float(draws.std(ddof=1) / np.sqrt(samples))


@njit(cache=True, nogil=True)
def _local_draws(offsets, neighbours, samples, seed):  # type: ignore[no-untyped-def]
    nodes = len(offsets) - 1
    found = np.zeros(samples)
    for draw in range(samples):
        key = stream_key(seed + 1, draw)
        v = np.int64(uniform_at(key, 0) * nodes)
        start, k = offsets[v], offsets[v + 1] - offsets[v]
        if k < 2:
            continue
        a = below_at(key, 1, k)
        b = below_at(key, 2, k - 1)
        b += b >= a
        found[draw] = _joined(offsets, neighbours, np.int64(neighbours[start + a]), np.int64(neighbours[start + b]))
    return found


@checked
def local_clustering(graph: Graph) -> Floats:
    """C(v) of every page, exactly."""
    offsets, neighbours = undirected(graph)
    k = np.diff(offsets)
    paths = k * (k - 1) // 2
    return np.divide(_triangles(offsets, neighbours), paths, out=np.zeros(len(k)), where=paths > 0)
