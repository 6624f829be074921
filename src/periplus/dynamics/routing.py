"""Greedy routing (Kleinberg 2000; Deo and Gupta, §7.5): pass the message to the contact nearest to the target.

A page knows the positions of its own contacts and of the target, nothing else. The message goes to the out-neighbour
nearest to the target (ties by smaller id) as long as that is nearer than where it is; otherwise it is stuck. On
Kleinberg's grid it is never stuck. Distances are lattice (ℓ1) distances of the given integer or real positions, so that
any graph whose pages have positions can be routed on. Trips are independent and seeded: O(trips · hops · degree).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.catalog import SEED, checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.random import below_at, stream_key
from periplus.record import Findings


@dataclass(frozen=True, slots=True)
class Routing(Findings):
    """Hops of each trip (−1 where the message got stuck), and their mean over the trips that arrived."""

    method: str
    hops: Offsets
    arrived: float
    mean_hops: float
    standard_error: float


@checked
def greedy_routing(graph: Graph, positions: AnyArray, *, trips: int = 1000, seed: int = 0) -> Routing:
    """Send `trips` messages between random pairs of pages."""
    places = np.ascontiguousarray(positions, dtype=np.float64)
    if places.ndim != 2 or len(places) != graph.nodes:
        raise ParameterError("positions", places.shape, f"one row for each of the {graph.nodes:,} pages")
    if not np.isfinite(places).all():
        raise ParameterError("positions", "not finite", "finite numbers")
    if graph.nodes < 2 or trips < 1:
        raise ParameterError("trips", trips, "at least 1, on a graph of at least 2 pages")
    SEED.check(seed)
    hops = np.empty(trips, dtype=np.int64)
    _route(graph.out_offsets, graph.out_targets, places, seed, hops)
    done = hops[hops >= 0]
    mean = float(done.mean()) if len(done) else float("nan")
    error = float(done.std(ddof=1) / np.sqrt(len(done))) if len(done) > 1 else float("nan")
    return Routing("greedy", hops, len(done) / trips, mean, error)


@njit(cache=True, nogil=True)
def _route(offsets: Offsets, targets: Ids, places: Floats, seed: int, hops: Offsets) -> None:
    """One trip after another: to the nearest contact while it is nearer."""
    key = stream_key(seed, 0)
    pages = len(places)
    for trip in range(len(hops)):
        at = below_at(key, 2 * trip, pages)
        goal = below_at(key, 2 * trip + 1, pages - 1)
        goal += goal >= at
        hops[trip] = 0
        left = _distance(places, at, goal)
        while at != goal:
            best, best_left = at, left
            for link in range(offsets[at], offsets[at + 1]):
                there = int(targets[link])
                distance = 0.0 if there == goal else _distance(places, there, goal)
                if distance < best_left:
                    best, best_left = there, distance
            if best == at:
                hops[trip] = -1
                break
            at, left = best, best_left
            hops[trip] += 1


@njit(cache=True, nogil=True, inline="always")
def _distance(places: Floats, a: int, b: int) -> float:
    total = 0.0
    for axis in range(places.shape[1]):
        total += abs(places[a, axis] - places[b, axis])
    return total
