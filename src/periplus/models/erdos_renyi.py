"""Erdős–Rényi random graphs (D 3.1): every pair of pages is linked, or not, regardless of all others.

- `erdos_renyi`, G(n, p): each of the n(n−1) ordered pairs (n(n−1)/2 unordered ones when undirected) is a link with
  probability p. The pairs are walked in row order by jumps: the gap to the next link is geometric,
  ⌊ln(1−u)/ln(1−p)⌋, so the cost is O(n + m), not O(n²) (Batagelj & Brandes 2005), and rows come out sorted.
- `erdos_renyi_links`, G(n, m): a uniform choice among all graphs of exactly m links. More pairs than needed are drawn,
  repeats dropped, and the excess taken away at random.

A giant component appears as p passes p_c ≈ 1/n. (D says that at p_c it contains all nodes "in the asymptotic limit";
it contains a vanishing share at p_c and the share θ = 1 − e^{−cθ} at p = c/n, see `theory`.) No self-links. An
undirected graph has both directions of every link.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Ids, Offsets
from periplus.numeric.parallel import ordered_map
from periplus.numeric.random import below_at, stream_key, uniform_at

_POSITIONS_A_PIECE = 1 << 22
_DRAWS_A_PIECE = 1 << 20


def erdos_renyi(n: int, *, p: float = 0.01, directed: bool = True, seed: int = 0) -> Graph:
    """Draw G(n, p)."""
    if p == 0.0:
        return Graph(np.zeros(n + 1, dtype=np.int64), np.zeros(0, dtype=np.uint32))
    # Pieces are cut by expected links, so that their number does not depend on the threads.
    rows = max(1, min(n, int(_POSITIONS_A_PIECE / max(1.0, p * n))))
    lengths = np.zeros(n + 1, dtype=np.int64)

    def piece(begin: int) -> Ids:
        end = min(begin + rows, n)
        return _jump(n, begin, end, p, directed, seed, lengths[begin + 1 : end + 1])

    parts = list(ordered_map(piece, range(0, n, rows)))
    targets = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint32)
    upper = Graph(np.cumsum(lengths), targets)
    return upper if directed else upper.symmetrised()


def erdos_renyi_links(n: int, *, m: int = 5000, directed: bool = True, seed: int = 0) -> Graph:
    """Draw G(n, m): exactly m links (m unordered pairs when undirected)."""
    pairs = n * (n - 1) if directed else n * (n - 1) // 2
    if m > pairs:
        raise ParameterError("m", m, f"at most {pairs:,}, the number of pairs of {n:,} pages")
    if m == 0:
        return Graph(np.zeros(n + 1, dtype=np.int64), np.zeros(0, dtype=np.uint32))
    if 2 * m > pairs:
        chosen = _dense(n, m, pairs, directed, seed)
    else:
        chosen = _sparse(n, m, pairs, directed, seed)
    return chosen if directed else chosen.symmetrised()


@njit(cache=True, nogil=True)
def _jump(n: int, begin: int, end: int, p: float, directed: bool, seed: int, lengths: Offsets) -> Ids:
    """Links of rows begin … end − 1, walked by geometric jumps; the stream is the first row's number."""
    key = stream_key(seed, begin)
    scale = 1.0 / math.log1p(-p) if p < 1.0 else -0.0
    limit = float(n) * float(end - begin)
    links = np.empty(64 + np.int64(p * limit * 1.1), dtype=np.uint32)
    count, row, at, drawn = 0, begin, np.int64(-1), 0
    while True:
        jump = math.log1p(-uniform_at(key, drawn)) * scale
        drawn += 1
        if jump > limit:
            return links[:count]
        at += 1 + np.int64(jump)
        width = n - 1 if directed else n - 1 - row
        while at >= width:
            at -= width
            row += 1
            if row == end:
                return links[:count]
            width = n - 1 if directed else n - 1 - row
        if count == len(links):
            links = np.concatenate((links, np.empty(len(links) // 2, dtype=np.uint32)))
        # Without the diagonal, position `at` of a directed row stands for page `at` or `at + 1`.
        links[count] = at + (at >= row) if directed else row + 1 + at
        lengths[row - begin] += 1
        count += 1


def _sparse(n: int, m: int, pairs: int, directed: bool, seed: int) -> Graph:
    """Draw pairs until there are enough distinct ones, then take the excess away at random."""
    # k draws leave about pairs·(1 − e^{−k/pairs}) distinct ones.
    expected = -pairs * math.log1p(-m / pairs)
    draws = int(expected + 6.0 * math.sqrt(expected) + 16)
    while True:
        sources, targets = np.empty(draws, dtype=np.uint32), np.empty(draws, dtype=np.uint32)

        def piece(begin: int, sources: Ids = sources, targets: Ids = targets) -> None:
            end = begin + _DRAWS_A_PIECE
            _draw_pairs(n, begin, directed, seed, sources[begin:end], targets[begin:end])

        for _ in ordered_map(piece, range(0, draws, _DRAWS_A_PIECE)):
            pass
        graph = Graph.from_edges(sources, targets, nodes=n)
        if graph.links >= m:
            return _thinned(graph, graph.links - m, seed)
        draws += draws // 4


@njit(cache=True, nogil=True)
def _draw_pairs(n: int, begin: int, directed: bool, seed: int, sources: Ids, targets: Ids) -> None:
    """Ordered pairs of different pages; for an undirected graph the smaller end is the source."""
    first, second = stream_key(seed, 0), stream_key(seed, 1)
    for i in range(len(sources)):
        a = below_at(first, begin + i, n)
        b = below_at(second, begin + i, n - 1)
        b += b >= a
        sources[i] = a if directed else min(a, b)
        targets[i] = b if directed else max(a, b)


def _thinned(graph: Graph, excess: int, seed: int) -> Graph:
    if excess == 0:
        return graph
    dropped = np.zeros(graph.links, dtype=np.bool_)
    dropped[np.random.default_rng((seed, 1)).choice(graph.links, excess, replace=False)] = True
    return graph.without(dropped)


def _dense(n: int, m: int, pairs: int, directed: bool, seed: int) -> Graph:
    """More than half of all pairs: there are at most 2m of them, so choose by their numbers."""
    numbers = np.sort(np.random.default_rng(seed).choice(pairs, m, replace=False))
    if directed:
        sources, rest = np.divmod(numbers, max(n - 1, 1))
        targets = rest + (rest >= sources)
    else:
        starts = np.concatenate(([0], np.cumsum(np.arange(n - 1, 0, -1))))
        sources = np.searchsorted(starts, numbers, side="right") - 1
        targets = numbers - starts[sources] + sources + 1
    return Graph.from_edges(sources, targets, nodes=n)
