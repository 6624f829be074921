"""Kleinberg's grid (2000; Deo and Gupta, §7.5): a k-dimensional grid with local contacts and a few long-range ones.

Each page of the grid {0 … s−1}^k has links to all pages within lattice distance l, and Θ long-range links to pages at
distance L drawn with probability ∝ L^{−r}. (Two draws may coincide or fall on a local contact; then the page has one
link fewer.) Greedy decentralised routing finds paths of O(log² n) hops exactly when r = k. (Deo and Gupta say
"proportional to log n"; Kleinberg proved log² n.)

A long-range contact is drawn by rejection: a distance L with probability ∝ |sphere(L)|·L^{−r}, a uniform point of that
sphere in Zᵏ, again when it falls off the grid. A sphere has Σ_j 2^j C(k,j) C(L−1,j−1) points, j of whose coordinates
are not 0; such a point is a choice of j axes, a composition of L into j parts, and j signs. O(n(Θ + lᵏ)).
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.table import MODELS
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.random import stream_key, uniform_at


@checked(MODELS["kleinberg"])
def kleinberg(
    n: int, *, dimensions: int = 2, reach: int = 1, long_range: int = 1, r: float = 2.0, seed: int = 0
) -> Graph:
    """Draw a grid of side ⌊n^(1/k)⌋ (so of at most `n` pages)."""
    side = side_of(n, dimensions)
    pages = side**dimensions
    if side < 2 and long_range:
        raise ParameterError(
            "n", n, f"at least 2^{dimensions} = {2**dimensions}: long-range contacts need somewhere to go"
        )
    sources, targets = local_contacts(side, dimensions, reach)
    if long_range:
        far = np.empty(pages * long_range, dtype=np.uint32)
        weights, kinds = _spheres(side, dimensions, r)
        _draw_contacts(side, dimensions, long_range, weights, kinds, seed, far)
        near = np.repeat(np.arange(pages, dtype=np.uint32), long_range)
        sources, targets = np.concatenate((sources, near)), np.concatenate((targets, far))
    return Graph.from_edges(sources, targets, nodes=pages)


def side_of(n: int, dimensions: int) -> int:
    """The largest s with sᵏ ≤ n."""
    side = round(n ** (1.0 / dimensions))
    return side if side**dimensions <= n else side - 1


def positions(pages: int, dimensions: int) -> AnyArray:
    """Grid coordinates of every page, one row per page."""
    side = side_of(pages, dimensions)
    return np.stack(np.unravel_index(np.arange(pages), (side,) * dimensions), axis=1).astype(np.int64)


def local_contacts(side: int, dimensions: int, reach: int) -> tuple[Ids, Ids]:
    """Links between all pages within lattice distance `reach`."""
    shape = (side,) * dimensions
    numbers = np.arange(side**dimensions, dtype=np.uint32).reshape(shape)
    sources, targets = [np.zeros(0, dtype=np.uint32)], [np.zeros(0, dtype=np.uint32)]
    farthest = min(reach, side - 1)
    for step in product(range(-farthest, farthest + 1), repeat=dimensions):
        if 0 < sum(abs(move) for move in step) <= reach:
            here = tuple(slice(max(0, -move), side - max(0, move)) for move in step)
            there = tuple(slice(max(0, move), side - max(0, -move)) for move in step)
            sources.append(numbers[here].ravel())
            targets.append(numbers[there].ravel())
    return np.concatenate(sources), np.concatenate(targets)


def _spheres(side: int, dimensions: int, r: float) -> tuple[Floats, Floats]:
    """Cumulated weights of the distances, and for each distance of the number of non-zero coordinates."""
    distances = np.arange(1, dimensions * (side - 1) + 1)
    sizes, compositions = np.zeros((len(distances), dimensions)), np.ones(len(distances))
    for j in range(1, dimensions + 1):
        sizes[:, j - 1] = 2.0**j * math.comb(dimensions, j) * compositions
        compositions = compositions * np.maximum(distances - j, 0) / j  # C(L−1, j) from C(L−1, j−1)
    weights = np.cumsum(sizes.sum(axis=1) * distances.astype(np.float64) ** -r)
    return weights / weights[-1], np.cumsum(sizes, axis=1) / sizes.sum(axis=1, keepdims=True)


@njit(cache=True, nogil=True)
def _draw_contacts(side: int, k: int, theta: int, weights: Floats, kinds: Floats, seed: int, far: Ids) -> None:
    """Θ long-range contacts of every page; page v draws from its own stream."""
    place, step = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    for page in range(len(far) // theta):
        key = stream_key(seed, page)
        rest = page
        for axis in range(k - 1, -1, -1):
            place[axis] = rest % side
            rest //= side
        drawn = 0
        for i in range(theta):
            inside = False
            while not inside:
                distance = int(np.searchsorted(weights, uniform_at(key, drawn), side="right")) + 1
                drawn = _draw_step(distance, kinds[distance - 1], key, drawn + 1, step)
                inside = True
                number = 0
                for axis in range(k):
                    at = place[axis] + step[axis]
                    inside = inside and 0 <= at < side
                    number = number * side + at
            far[page * theta + i] = number


@njit(cache=True, nogil=True)
def _draw_step(distance: int, kinds: Floats, key: np.uint64, drawn: int, step: Offsets) -> int:
    """A uniform point of the sphere of this radius; returns the next free place of the stream."""
    k = len(step)
    parts = np.searchsorted(kinds, uniform_at(key, drawn), side="right") + 1
    drawn += 1
    # A composition of `distance` into `parts`: choose parts − 1 of the distance − 1 gaps, as a sequential sample.
    gaps, wanted, last, axes_left, parts_left = distance - 1, parts - 1, 0, k, parts
    at = 0
    for axis in range(k):
        step[axis] = 0
        if uniform_at(key, drawn) * axes_left < parts_left:
            drawn += 1
            if parts_left == 1:
                cut = distance
            else:
                at += 1
                while uniform_at(key, drawn) * gaps >= wanted:
                    drawn += 1
                    gaps -= 1
                    at += 1
                drawn += 1
                gaps -= 1
                wanted -= 1
                cut = at
            size = cut - last
            last = cut
            step[axis] = size if uniform_at(key, drawn) < 0.5 else -size
            drawn += 1
            parts_left -= 1
        else:
            drawn += 1
        axes_left -= 1
    return drawn
