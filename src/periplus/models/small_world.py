"""Small worlds (D 3.2): a ring lattice, and a few links that lead far away.

The ring lattice joins each of n pages to its d nearest, d/2 on either side.

- `watts_strogatz`: each of the nd/2 links is reassigned with probability p, in round-robin fashion: all pages in turn
  for their nearest neighbour clockwise, then all pages for the second nearest, and so on. The near end stays, the far
  end moves to a page drawn uniformly; a move that would make a self-link or a repeat is drawn again, and where a page
  is linked to all others the link stays (Watts & Strogatz 1998).
- `edge_addition`: the lattice is kept, and for each of its nd/2 links, with probability p, a link between two random
  pages is added, pdn/2 on average (Newman & Watts 1999).

Both are undirected: the graph has both directions of every link. O(nd) time and memory.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.base import checked
from periplus.models.both_ways import both_ways
from periplus.models.rows import undirected
from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.random import below_at, stream_key, uniform_at


@checked("watts-strogatz")
def watts_strogatz(n: int, *, d: int = 10, p: float = 0.1, seed: int = 0) -> Graph:
    """Rewire a ring lattice of `n` pages and degree `d` with probability `p`."""
    check_lattice(n, d)
    ends = _lattice(n, d)
    if p > 0.0:
        _rewire(ends, p, seed)
    return both_ways(np.arange(n + 1) * (d // 2), ends.ravel(), near=True)


@checked("edge-addition")
def edge_addition(n: int, *, d: int = 10, p: float = 0.1, seed: int = 0) -> Graph:
    """Add random links to a ring lattice of `n` pages and degree `d`."""
    check_lattice(n, d)
    sources, targets = _shortcuts(n, n * (d // 2), p, seed)
    near = np.repeat(np.arange(n, dtype=np.uint32), d // 2)
    both = np.concatenate((near, sources)), np.concatenate((_lattice(n, d).ravel(), targets))
    return undirected(*both, n)


def check_lattice(n: int, d: int) -> None:
    """A ring lattice needs an even degree below the number of pages."""
    if d % 2:
        raise ParameterError("d", d, "even: d/2 neighbours on either side")
    if d >= n:
        raise ParameterError("d", d, f"less than n = {n}")


def _lattice(n: int, d: int) -> AnyArray:
    """`ends[i, j]` is page i's (j + 1)-th neighbour clockwise."""
    steps = np.arange(1, d // 2 + 1)
    ends: AnyArray = np.add.outer(np.arange(n, dtype=np.uint32), steps.astype(np.uint32))
    ends[n - d // 2 :] = np.add.outer(np.arange(n - d // 2, n), steps) % n
    return ends


@njit(cache=True, nogil=True)
def _rewire(ends: AnyArray, p: float, seed: int) -> None:
    """Move links in round-robin order; the next one to move is a geometric number of links away."""
    n, half = ends.shape
    gaps, target = stream_key(seed, 0), stream_key(seed, 1)
    scale = 1.0 / math.log1p(-p) if p < 1.0 else -0.0
    at, moved, drawn = np.int64(-1), 0, 0
    while True:
        jump = math.log(1.0 - uniform_at(gaps, moved)) * scale
        if not jump < n * half - at - 1:
            return
        at += 1 + np.int64(jump)
        moved += 1
        i, j = at % n, at // n
        for _ in range(16 * n):
            far = below_at(target, drawn, n)
            drawn += 1
            if far != i and not _linked(ends, i, far):
                ends[i, j] = far
                break


@njit(cache=True, nogil=True, inline="always")
def _linked(ends: AnyArray, a: int, b: int) -> bool:
    """Whether a link joins a and b: each link stands in the row of its near end."""
    for j in range(ends.shape[1]):
        if ends[a, j] == b or ends[b, j] == a:
            return True
    return False


@njit(cache=True, nogil=True)
def _shortcuts(n: int, trials: int, p: float, seed: int) -> tuple[Ids, Ids]:
    """One pair of different random pages for every trial that succeeds."""
    coin, first, second = stream_key(seed, 0), stream_key(seed, 1), stream_key(seed, 2)
    count = 0
    for i in range(trials):
        count += uniform_at(coin, i) < p
    sources, targets = np.empty(count, dtype=np.uint32), np.empty(count, dtype=np.uint32)
    for i in range(count):
        a = below_at(first, i, n)
        b = below_at(second, i, n - 1)
        sources[i], targets[i] = a, b + (b >= a)
    return sources, targets
