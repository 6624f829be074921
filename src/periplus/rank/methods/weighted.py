"""Weighted HITS by host, and topic distillation (Bharat and Henzinger 1998; Deo and Gupta 7.6).

Many pages of one host that link to the same page are one voice, not many; and a page that links to many pages of one
host recommends that host once. With m₁ the links from the pages of host(v) to u, and m₂ the links from v to the pages
of host(u), a link v → u weighs

    a(u) = Σ_{v→u} h(v) / m₁,      h(v) = Σ_{v→u} a(u) / m₂,      both divided by their 2-norm

Links inside a host are navigation and weigh nothing (`same_host="keep"` counts them like the others). Pages left
without a link take no part: their scores are zero.

*Topic distillation* multiplies what a page gives, as hub and as authority, by its relevance to the topic, and leaves
out the pages whose relevance is below a threshold: a number, the "median" of all, or a "tenth" of the largest.

a is the Perron vector of M = W_aᵀ R W_h R. M[u, u'] > 0 exactly when some page links to both, so M splits into
irreducible blocks that do not touch each other, each with positive diagonal: from a positive start the iteration
converges. M is not symmetric: there is no certified bound, `error_bound` is NaN and `extra["error_estimate"]` the
geometric extrapolation ‖Δ‖₁·q/(1−q) of the last steps, which is what the tolerance is compared with.

Cost: O(n + m) per pass, and 16 bytes per link for the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import njit, prange

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.collapse import labels_of
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.given import real_numbers
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.operator import SMALL
from periplus.rank.linear.passes import chunk_bounds
from periplus.rank.table import RANKERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-9) | MaxIter(10_000)


@checked(RANKERS["weighted-hits"])
def weighted_hits(
    graph: Graph, *, hosts: AnyArray | None = None, same_host: str = "drop", stop: Stop = DEFAULT_STOP
) -> Scores:
    """Authorities and hubs (`extra["hubs"]`) where each host has one voice; `hosts` defaults to those of the URLs."""
    relevance = np.ones(graph.nodes)
    return _solve(graph, relevance, hosts, stop, "weighted-hits", {"same_host": same_host})


@checked(RANKERS["distillation"])
def topic_distillation(
    graph: Graph,
    *,
    relevance: AnyArray,
    threshold: float | str = "median",
    hosts: AnyArray | None = None,
    same_host: str = "drop",
    stop: Stop = DEFAULT_STOP,
) -> Scores:
    """Weighted HITS over the pages relevant to a topic; `relevance` is one non-negative number per page."""
    weights = _checked(relevance, graph.nodes)
    least = _threshold(weights, threshold)
    kept = np.where(weights >= least, weights, 0.0)
    if not kept.any():
        raise ParameterError("threshold", threshold, f"at most {weights.max():g}, the largest relevance")
    parameters = {"threshold": least, "same_host": same_host}
    return _solve(graph, kept / kept.max(), hosts, stop, "distillation", parameters)


def _checked(relevance: AnyArray, nodes: int) -> Floats:
    weights = real_numbers(relevance, "relevance")
    if weights.shape != (nodes,):
        raise ParameterError("relevance", weights.shape, f"one number per page: shape ({nodes},)")
    if not np.all(np.isfinite(weights)) or weights.min() < 0 or not weights.any():
        raise ParameterError(
            "relevance", "a vector with NaN, infinite or negative entries or nothing but zeros", "numbers ≥ 0"
        )
    return weights


def _threshold(relevance: Floats, threshold: float | str) -> float:
    if threshold == "median":
        return float(np.median(relevance))
    if threshold == "tenth":
        return float(relevance.max() / 10)
    try:
        least = float(threshold)
    except ValueError:
        least = float("nan")
    if not 0 <= least < np.inf:
        raise ParameterError("threshold", threshold, "a number ≥ 0, median or tenth")
    return least


def host_labels(graph: Graph) -> Ids:
    """One number per host for every page, from the URL table."""
    if graph.urls is None:
        raise ParameterError("hosts", None, "one label per page, since this graph has no URLs to read hosts from")
    return labels_of(graph, "host")[0]


def _labels(graph: Graph, hosts: AnyArray | None) -> Ids:
    if hosts is None:
        return host_labels(graph)
    if np.shape(hosts) != (graph.nodes,):
        raise ParameterError("hosts", np.shape(hosts), f"one label per page: shape ({graph.nodes},)")
    return np.unique(hosts, return_inverse=True)[1].astype(np.uint32)


def _solve(
    graph: Graph,
    relevance: Floats,
    hosts: AnyArray | None,
    stop: Stop,
    method: str,
    parameters: Mapping[str, Any],
) -> Scores:
    labels = _labels(graph, hosts)
    drop = parameters["same_host"] == "drop"
    into = _Side(graph.in_offsets, graph.in_sources, labels, drop, relevance)
    out = _Side(graph.out_offsets, graph.out_targets, labels, drop, relevance)
    authorities, hubs, passes, change, error = _perron(into, out, relevance, stop)
    return Scores(
        method=method,
        values=authorities,
        parameters={**parameters, "tolerance": stop.tolerance},
        iterations=passes,
        residual=change,
        error_bound=float("nan"),
        converged=error <= stop.tolerance or stop.tolerance == 0,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"hubs": hubs, "error_estimate": error},
    ).or_raise(spent=passes >= stop.max_iterations)


class _Side:
    """One direction of the weighted links: row i sums weight · given over its neighbours."""

    def __init__(self, offsets: Offsets, neighbours: Ids, hosts: Ids, drop: bool, relevance: Floats) -> None:
        self.offsets, self.neighbours, self.bounds = offsets, neighbours, chunk_bounds(offsets)
        self.weights: Floats = _one_voice_a_host(offsets, neighbours, hosts, drop, relevance > 0)

    def sums(self, given: Floats) -> Floats:
        result = np.empty(len(self.offsets) - 1)
        if len(self.neighbours) < SMALL:
            _weigh_rows(self.offsets, self.neighbours, self.weights, 0, len(result), given, result)
        else:
            _weigh_chunks(self.offsets, self.neighbours, self.weights, self.bounds, given, result)
        return result


def _perron(into: _Side, out: _Side, relevance: Floats, stop: Stop) -> tuple[Floats, Floats, int, float, float]:
    """Power iteration from all ones; the geometric tail of the steps estimates the error that is left."""
    authorities = hubs = np.ones(len(relevance))
    passes, change, error = 0, np.inf, np.inf
    noise = 2.0**-50 * np.sqrt(len(relevance))
    while passes < stop.max_iterations and error > max(stop.tolerance, noise):
        hubs = _unit(out.sums(authorities * relevance))
        following = _unit(into.sums(hubs * relevance))
        before, change = change, float(np.abs(following - authorities).sum())
        authorities, passes = following, passes + 1
        ratio = change / before if before > 0 else 0.0
        error = change * ratio / (1 - ratio) if ratio < 1 and passes > 2 else np.inf
        if change <= noise:
            error = change
    return authorities, hubs, passes, change, error


def _unit(vector: Floats) -> Floats:
    norm = np.linalg.norm(vector)
    if norm == 0:
        raise ParameterError("graph", "no link between pages that count", "links between different hosts")
    unit: Floats = vector / norm
    return unit


@njit(cache=True, nogil=True)
def _one_voice_a_host(offsets, neighbours, hosts, drop, relevant):  # type: ignore[no-untyped-def]
    """1/m for each link of a row, m the links of that row whose other end is on the same host; 0 for those dropped."""
    weights = np.zeros(len(neighbours))
    seen = np.zeros(len(hosts) + 1, dtype=np.int64)
    for row in range(len(offsets) - 1):
        for pass_ in range(3):  # count, weigh, clear
            for link in range(offsets[row], offsets[row + 1]):
                host = hosts[neighbours[link]]
                if pass_ == 2:
                    seen[host] = 0
                elif relevant[row] and relevant[neighbours[link]] and not (drop and host == hosts[row]):
                    if pass_ == 0:
                        seen[host] += 1
                    else:
                        weights[link] = 1.0 / seen[host]
    return weights


@njit(cache=True, nogil=True)
def _weigh_rows(offsets, neighbours, weights, first, last, given, result):  # type: ignore[no-untyped-def]
    """result_i = Σ_{j in row i} weight_ij · given_j for first ≤ i < last."""
    for row in range(first, last):
        total = 0.0
        for link in range(offsets[row], offsets[row + 1]):
            total += weights[link] * given[neighbours[link]]
        result[row] = total


@njit(cache=True, nogil=True, parallel=True)
def _weigh_chunks(offsets, neighbours, weights, bounds, given, result):  # type: ignore[no-untyped-def]
    for chunk in prange(len(bounds) - 1):
        _weigh_rows(offsets, neighbours, weights, bounds[chunk], bounds[chunk + 1], given, result)
