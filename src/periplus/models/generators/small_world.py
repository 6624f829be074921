"""Small worlds (Deo and Gupta, §3.2): a ring lattice, and a few links that lead far away.

The ring lattice joins each of n pages to its d nearest, d/2 on either side.

- `watts_strogatz`: each of the nd/2 links is reassigned with probability p, in round-robin fashion: all pages in turn
  for their nearest neighbour clockwise, then all pages for the second nearest, and so on. The near end stays, the far
  end moves to a page drawn uniformly; a move that would make a self-link or a repeat is drawn again, and where a page
  is linked to all others the link stays (Watts & Strogatz 1998).
- `edge_addition`: the lattice is kept, and for each of its nd/2 links, with probability p, a link between two random
  pages is added, pdn/2 on average (Newman & Watts 1999).

Both are undirected: the graph has both directions of every link. O(nd) time and memory. The links that are drawn are
found first (`rewiring` for the round robin), then every row is written once, in order: what the lattice left there, and
what was drawn, merged.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.kernels.both_ways import symmetric
from periplus.models.kernels.rewiring import Moved, Rows, rewired
from periplus.models.kernels.rows import run_all, signed, undirected
from periplus.models.table import MODELS
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.random import below_at, stream_key, uniform_at

_LINKS_A_PIECE = 1 << 18


@checked(MODELS["watts-strogatz"])
def watts_strogatz(n: int, *, d: int = 10, p: float = 0.1, seed: int = 0) -> Graph:
    """Rewire a ring lattice of `n` pages and degree `d` with probability `p`."""
    check_lattice(n, d)
    return _ring_with(n, d // 2, *rewired(n, d // 2, p, seed))


@checked(MODELS["edge-addition"])
def edge_addition(n: int, *, d: int = 10, p: float = 0.1, seed: int = 0) -> Graph:
    """Add random links to a ring lattice of `n` pages and degree `d`."""
    check_lattice(n, d)
    drawn = undirected(*_shortcuts(n, d // 2, p, seed), n)
    nothing = np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.uint16), np.zeros(n + 1, dtype=np.int64)
    return _ring_with(n, d // 2, nothing, (drawn.out_offsets, drawn.out_targets))


def check_lattice(n: int, d: int) -> None:
    """A ring lattice needs an even degree below the number of pages."""
    if d % 2:
        raise ParameterError("d", d, "even: d/2 neighbours on either side")
    if d >= n:
        raise ParameterError("d", d, f"less than n = {n}")


def _ring_with(n: int, half: int, moved: Moved, drawn: Rows) -> Graph:
    """The ring lattice less the links that moved, and with rows of those drawn, both ways and sorted."""
    offsets = np.empty(n + 1, dtype=np.int64)
    _count_rows(half, moved, drawn[0], offsets)
    columns = np.empty(int(offsets[-1]), dtype=np.uint32)
    rows = max(_LINKS_A_PIECE // half, 1024)

    def piece(begin: int) -> None:
        first, last = max(begin, half), min(begin + rows, n - half) - 1
        if first < last:
            _write_rows(half, first, last, moved, drawn, offsets[first], columns)
        if first <= last:
            _write_carefully(half, last, last + 1, moved, drawn, offsets, columns)

    run_all(piece, range(0, n, rows))
    _write_carefully(half, 0, half, moved, drawn, offsets, columns)
    _write_carefully(half, max(half, n - half), n, moved, drawn, offsets, columns)
    return symmetric(offsets, columns)


@njit(cache=True, nogil=True)
def _count_rows(half: int, moved: Moved, drawn_ends: Offsets, offsets: Offsets) -> None:
    """Where every row begins: d links, fewer by those that moved, which both ends lose, and more by those drawn."""
    n = len(offsets) - 1
    near, steps, _ = moved
    offsets[:] = 0
    for link in range(len(near)):
        page, end = signed(near[link]), signed(near[link]) + steps[link]
        offsets[page + 1] -= 1
        offsets[(end if end < n else end - n) + 1] -= 1
    lost = 0
    for page in range(1, n + 1):
        lost += offsets[page]
        offsets[page] = 2 * half * page + drawn_ends[page] + lost


@njit(cache=True, nogil=True)
def _write_rows(half: int, begin: int, end: int, moved: Moved, drawn: Rows, into: int, columns: Ids) -> None:
    """The rows of pages begin … end − 1, none of them at the seam of the ring, from place `into` on.

    Every neighbour of the lattice is written, and its place taken only where the link stays, so that there is nothing
    for the processor to guess. The place after the last row is written to as well, and is to be written after. Indices
    are unsigned: a signed one could be negative, which would be looked at every time.
    """
    stays = _stay(half, begin, end, moved)
    ends, far = drawn
    at, one, width = np.uint64(into), np.uint64(1), np.uint64(half)
    link = np.uint64(ends[begin])
    for page in range(begin, end):
        row_begin, last, close = at, np.uint64(ends[page + 1]), False
        while link < last and far[link] < page:
            close |= far[link] + half >= page
            columns[at] = far[link]
            at, link = at + one, link + one
        stay = np.uint64(page - begin) * width + width - one
        for step in range(half, 0, -1):
            columns[at] = page - step
            at += np.uint64(stays[stay])
            stay += width - one
        stay += one
        for step in range(1, half + 1):
            columns[at] = page + step
            at += np.uint64(stays[stay])
            stay += one
        while link < last:
            close |= far[link] <= page + half
            columns[at] = far[link]
            at, link = at + one, link + one
        if close:  # a link drawn to a neighbour whose own link had moved away
            columns[row_begin:at].sort()


@njit(cache=True, nogil=True)
def _stay(half: int, begin: int, end: int, moved: Moved) -> AnyArray:
    """1 for each link of the lattice that stays, 0 for those that moved: of the pages begin − d/2 … end − 1."""
    near, steps, starts = moved
    stays = np.ones((half + end - begin) * half, dtype=np.uint8)
    for link in range(starts[begin - half], starts[end]):
        stays[(near[link] - begin + half) * half + steps[link] - 1] = 0
    return stays


@njit(cache=True, nogil=True)
def _write_carefully(
    half: int, begin: int, end: int, moved: Moved, drawn: Rows, offsets: Offsets, columns: Ids
) -> None:
    """The rows of a few pages, at the seam of the ring or not, with no write beside them."""
    n = len(offsets) - 1
    for page in range(begin, end):
        row = columns[offsets[page] : offsets[page + 1]]
        left = 0
        for step in range(1, half + 1):
            if _stays((page - step) % n, step, moved):
                row[left] = (page - step) % n
                left += 1
            if _stays(page, step, moved):
                row[left] = (page + step) % n
                left += 1
        row[left:] = drawn[1][drawn[0][page] : drawn[0][page + 1]]
        row.sort()


@njit(cache=True, nogil=True)
def _stays(page: int, step: int, moved: Moved) -> bool:
    """Whether the link of a page to its `step`-th neighbour is not among those that moved."""
    mine = moved[1][moved[2][page] : moved[2][page + 1]]
    at = np.searchsorted(mine, step)
    return at == len(mine) or mine[at] != step


@njit(cache=True, nogil=True)
def _shortcuts(n: int, half: int, p: float, seed: int) -> tuple[Ids, Ids]:
    """A pair of different random pages for every trial that succeeds; one that is linked already stays one link."""
    coin, first, second = stream_key(seed, 0), stream_key(seed, 1), stream_key(seed, 2)
    trials = 0
    for i in range(n * half):
        trials += uniform_at(coin, i) < p
    sources, targets = np.empty(trials, dtype=np.uint32), np.empty(trials, dtype=np.uint32)
    kept = 0
    for i in range(trials):
        a = below_at(first, i, n)
        b = below_at(second, i, n - 1)
        b += b >= a
        sources[kept], targets[kept] = a, b
        kept += half < abs(b - a) < n - half
    return sources[:kept], targets[:kept]
