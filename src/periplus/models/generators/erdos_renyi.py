"""Erdős–Rényi random graphs (Deo and Gupta, §3.1): every pair of pages is linked, or not, regardless of all others.

- `erdos_renyi`, G(n, p): each of the n(n−1) ordered pairs (n(n−1)/2 unordered ones when undirected) is a link with
  probability p. The pairs are walked in row order by jumps: the gap to the next link is geometric,
  ⌊ln(1−u)/ln(1−p)⌋, so the cost is O(n + m), not O(n²) (Batagelj & Brandes 2005), and rows come out sorted.
- `erdos_renyi_links`, G(n, m): a uniform choice among all graphs of exactly m links. A G(n, p) with a few links too
  many is drawn and the excess removed at random: given its number of links, G(n, p) is uniform, and so is what is left.

A giant component appears as p passes p_c ≈ 1/n. (Deo and Gupta say that at p_c it contains all nodes "in the asymptotic
limit"; it contains a vanishing share at p_c and the share θ = 1 − e^{−cθ} at p = c/n, see `theory`.) No self-links. An
undirected graph has both directions of every link.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.kernels.both_ways import both_ways
from periplus.models.kernels.rows import joined
from periplus.models.table import MODELS
from periplus.numeric.arrays import Ids, Offsets
from periplus.numeric.parallel import ordered_map
from periplus.numeric.random import stream_key, uniform_at

_LINKS_A_PIECE = 1 << 18


@checked(MODELS["erdos-renyi"])
def erdos_renyi(n: int, *, p: float = 0.01, directed: bool = True, seed: int = 0) -> Graph:
    """Draw G(n, p)."""
    return _graph(*_rows(n, p, directed, seed, 0), directed)


@checked(MODELS["erdos-renyi-links"])
def erdos_renyi_links(n: int, *, m: int = 5000, directed: bool = True, seed: int = 0) -> Graph:
    """Draw G(n, m): exactly m links (m unordered pairs when undirected)."""
    pairs = n * (n - 1) if directed else n * (n - 1) // 2
    if m > pairs:
        raise ParameterError("m", m, f"at most {pairs:,}, the number of pairs of {n:,} pages")
    # Six standard deviations more than wanted: too few come out once in a billion times, and then it is drawn again.
    p = min(1.0, (m + 6.0 * math.sqrt(m) + 16.0) / pairs) if m else 0.0
    lengths, targets = _rows(n, p, directed, seed, 0)
    attempt = 1
    while len(targets) < m:
        lengths, targets = _rows(n, p, directed, seed, attempt)
        attempt += 1
    if len(targets) > m:
        dropped = np.random.default_rng((seed, 1)).choice(len(targets), len(targets) - m, replace=False, shuffle=False)
        rows = np.searchsorted(np.cumsum(lengths[1:]), dropped, side="right")
        np.subtract.at(lengths, rows + 1, 1)
        targets = np.delete(targets, dropped)
    return _graph(lengths, targets, directed)


def _rows(n: int, p: float, directed: bool, seed: int, attempt: int) -> tuple[Offsets, Ids]:
    """Lengths of the rows (after a 0) and all their targets; of an undirected graph the later ends alone."""
    lengths = np.zeros(n + 1, dtype=np.int64)
    # Pieces are cut by expected links, so that their number does not depend on the threads.
    rows = max(1, min(n, int(_LINKS_A_PIECE / max(1.0, p * n))))

    def piece(begin: int) -> Ids:
        end = min(begin + rows, n)
        return _jump(n, begin, end, p, directed, stream_of(seed, attempt, begin), lengths[begin + 1 : end + 1])

    return lengths, joined(list(ordered_map(piece, range(0, n, rows))) if p > 0.0 else [])


def stream_of(seed: int, attempt: int, begin: int) -> np.uint64:
    """The random stream of a piece: its first row, and which attempt it is."""
    return np.uint64(stream_key(seed, begin + (attempt << 32)))


def _graph(lengths: Offsets, targets: Ids, directed: bool) -> Graph:
    offsets = np.cumsum(lengths)
    return Graph(offsets, targets) if directed else both_ways(offsets, targets, "later")


@njit(cache=True, nogil=True)
def _jump(n: int, begin: int, end: int, p: float, directed: bool, key: np.uint64, lengths: Offsets) -> Ids:
    """Links of rows begin … end − 1, walked by geometric jumps."""
    scale = 1.0 / math.log1p(-p) if p < 1.0 else -0.0
    positions = float(end - begin) * (float(n) - 1.0 if directed else n - 0.5 * (begin + end + 1))
    expected = p * positions
    links = np.empty(16 + np.int64(expected + 4.0 * math.sqrt(expected)), dtype=np.uint32)
    count, row, at, drawn = 0, begin, np.int64(-1), 0
    width = n - 1 if directed else n - 1 - row
    while True:
        jump = math.log(1.0 - uniform_at(key, drawn)) * scale
        drawn += 1
        if not jump <= positions:  # past the end, or not a number
            return links[:count]
        at += 1 + np.int64(jump)
        while at >= width:
            at -= width
            row += 1
            if row == end:
                return links[:count]
            width = n - 1 if directed else n - 1 - row
        if count == len(links):
            links = np.concatenate((links, np.empty(16 + len(links) // 2, dtype=np.uint32)))
        # Without the diagonal, position `at` of a directed row stands for page `at` or `at + 1`.
        links[count] = at + (at >= row) if directed else row + 1 + at
        lengths[row - begin] += 1
        count += 1
