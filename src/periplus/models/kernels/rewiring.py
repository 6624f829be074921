"""Which links of a ring lattice the round robin of Watts & Strogatz moves, and where to.

Link (i, j) joins page i to its j-th neighbour clockwise, j = 1 … h = d/2; its number is i·h + j − 1. It moves when its
coin falls below p, to the first of a list of random pages that is neither i nor linked to i at that moment. Coins and
lists are functions of (seed, number). The moments are in round-robin order: (i, j) comes before (i′, j′) when j < j′,
and when j = j′ and i < i′.

`_in_turn` does just that. In a sparse graph nearly every link takes the first page of its list. Links can then be drawn
in any order, on all threads:

- whether a link of the *lattice* is still there at some moment is known from its own coin and moment;
- two *moved* links that fall on one pair of pages are found once all are drawn, as a repeat in a sorted row. The later
  one takes the next page of its list. This is repeated until no two fall together.

The result does not depend on the order in which links give way: every link gets the first page of its list that no
earlier link holds (deferred acceptance, in which all pairs prefer the earlier link; Gale & Shapley 1962). A test
compares both ways. About (pd/2)² links fall together in the whole graph.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from periplus.models.kernels.both_ways import mirrored
from periplus.models.kernels.rows import signed
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.pairs import SHORT, sort_row
from periplus.numeric.parallel import ordered_map
from periplus.numeric.random import below_at, coin_limit, falls_at, stream_key, uniform_at

# Links that moved, in the order of their numbers: their pages i, their steps j, and for each page where its own begin.
Moved: TypeAlias = tuple[Ids, AnyArray, Offsets]
# Of each page, in order, the pages that moved links join it to, of either end: where its row begins, and all rows.
Rows: TypeAlias = tuple[Offsets, Ids]

_LINKS_A_PIECE, _ROWS_A_PIECE = 1 << 18, 1 << 16
_SPARSE = 64  # with so many times more pages than neighbours on a side, lists are short


def rewired(n: int, half: int, p: float, seed: int) -> tuple[Moved, Rows]:
    """The links that move in a ring lattice of `n` pages with `half` neighbours on either side, and where they lead."""
    if n < _SPARSE * half:
        moved, far = _one_by_one(n, half, p, seed)
        rows = mirrored(moved[2], far)
        _repeats(half, moved, far, rows)
        return moved, rows
    moved, far = _drawn(n, half, p, seed)
    tries = np.zeros(len(far), dtype=np.int32)
    rows = mirrored(moved[2], far)
    while len(losers := _repeats(half, moved, far, rows)):
        _give_way(n, half, p, seed, losers, moved, far, tries)
        rows = mirrored(moved[2], far)
    return moved, rows


def _one_by_one(n: int, half: int, p: float, seed: int) -> tuple[Moved, Ids]:
    """The links that move, and their far ends, by the round robin itself."""
    ends = _in_turn(n, half, p, seed)
    near, steps = np.nonzero(ends != (np.arange(n)[:, None] + np.arange(1, half + 1)) % n)
    starts = np.searchsorted(near, np.arange(n + 1))
    return (near.astype(np.uint32), (steps + 1).astype(np.uint16), starts), ends[near, steps].astype(np.uint32)


def _drawn(n: int, half: int, p: float, seed: int) -> tuple[Moved, Ids]:
    """The links that move, and their far ends, as if no two fell together."""
    starts = np.zeros(n + 1, dtype=np.int64)
    rows = max(1, _LINKS_A_PIECE // half)

    def piece(begin: int) -> tuple[Ids, AnyArray, Ids]:
        return _draw(n, half, begin, p, seed, starts[begin + 1 : min(begin + rows, n) + 1])

    near, steps, far = zip(*ordered_map(piece, range(0, n, rows)), strict=True)
    np.cumsum(starts, out=starts)
    return (np.concatenate(near), np.concatenate(steps), starts), np.concatenate(far)


def _repeats(half: int, moved: Moved, far: Ids, rows: Rows) -> Offsets:
    """Links that hold a pair of pages that an earlier link holds too; sorts the rows on the way."""
    nodes = len(rows[0]) - 1
    found = ordered_map(
        lambda begin: _find_repeats(half, begin, min(begin + _ROWS_A_PIECE, nodes), moved, far, rows),
        range(0, nodes, _ROWS_A_PIECE),
    )
    return np.unique(np.concatenate(list(found)))


@njit(cache=True, nogil=True)
def _in_turn(n: int, half: int, p: float, seed: int) -> AnyArray:
    """The round robin as printed: `ends[i, j - 1]` is where link (i, j) leads in the end."""
    ends = np.empty((n, half), dtype=np.int64)
    for i in range(n):
        for j in range(half):
            ends[i, j] = (i + j + 1) % n
    coin = stream_key(seed, 0)
    for j in range(half):
        for i in range(n):
            number = i * half + j
            if uniform_at(coin, number) < p:
                key = stream_key(seed, 1 + number)
                for attempt in range(16 * n):  # a page that is linked to all others keeps its link
                    far = below_at(key, attempt, n)
                    if far != i and not (ends[i] == far).any() and not (ends[far] == i).any():
                        ends[i, j] = far
                        break
    return ends


@njit(cache=True, nogil=True)
def _draw(n: int, half: int, begin: int, p: float, seed: int, counts: Offsets) -> tuple[Ids, AnyArray, Ids]:
    """The links that move of pages begin, begin + 1, …, one page for each of `counts`."""
    coin, limit, first = stream_key(seed, 0), coin_limit(p), begin * half
    numbers = np.empty(len(counts) * half + 1, dtype=np.uint32)
    total = np.uint64(0)
    for number in range(len(counts) * half):
        numbers[total] = number
        total += np.uint64(falls_at(coin, first + number, limit))
    near, far = np.empty(total, dtype=np.uint32), np.empty(total, dtype=np.uint32)
    steps = np.empty(total, dtype=np.uint16)
    for at in range(total):
        row = numbers[at] // np.uint32(half)
        page, step = begin + signed(row), signed(numbers[at] - row * np.uint32(half)) + 1
        near[at], steps[at] = page, step
        far[at] = _next(page, step, 0, (n, half, p, seed))[1]
        counts[row] += 1
    return near, steps, far


@njit(cache=True, nogil=True)
def _next(page: int, step: int, attempt: int, model: tuple[int, int, float, int]) -> tuple[int, int]:
    """The first page of a link's list, from place `attempt` on, that its page has no link of the lattice to then."""
    n, half, p, seed = model
    key = stream_key(seed, page * half + step)
    while True:
        far = below_at(key, attempt, n)
        clockwise = far - page if far >= page else far - page + n
        if half < clockwise < n - half:
            return attempt, far
        if far != page:
            near, other = (page, clockwise) if clockwise <= half else (far, n - clockwise)
            gone = uniform_at(stream_key(seed, 0), near * half + other - 1) < p
            if gone and _sooner(near, other, page, step):
                return attempt, far
        attempt += 1


@njit(cache=True, nogil=True)
def _sooner(i: int, j: int, other_i: int, other_j: int) -> bool:
    """Whether the round robin comes to link (i, j) before another."""
    return j < other_j or (j == other_j and i < other_i)


@njit(cache=True, nogil=True)
def _find_repeats(half: int, begin: int, end: int, moved: Moved, far: Ids, rows: Rows) -> Offsets:
    """Sort the rows begin … end − 1; of the links that stand twice in one, all but the one that moved first."""
    ends, columns = rows
    ranks, values = np.empty(SHORT, dtype=np.uint32), np.empty(SHORT, dtype=np.uint32)
    losers = [0 for _ in range(0)]
    for page in range(begin, end):
        if ends[page + 1] - ends[page] > 1:
            sort_row(columns, ends[page], ends[page + 1], ranks, values)
            for at in range(ends[page] + 1, ends[page + 1]):
                if columns[at] == columns[at - 1]:
                    _add_losers(page, signed(columns[at]), moved, far, losers)
    return np.array(losers, dtype=np.int64)


@njit(cache=True, nogil=True)
def _add_losers(page: int, other: int, moved: Moved, far: Ids, losers: list[int]) -> None:
    """Of the moved links between two pages, all but the one that moved first."""
    near, steps, starts = moved
    first = -1
    for a, b in ((page, other), (other, page)):
        for link in range(starts[a], starts[a + 1]):
            if far[link] != b:
                continue
            if first < 0:
                first = link
            elif _sooner(near[first], steps[first], near[link], steps[link]):
                losers.append(link)
            else:
                losers.append(first)
                first = link


@njit(cache=True, nogil=True)
def _give_way(n: int, half: int, p: float, seed: int, losers: Offsets, moved: Moved, far: Ids, tries: AnyArray) -> None:
    """Every loser goes on to the next page of its list."""
    for link in losers:
        page, step = signed(moved[0][link]), signed(moved[1][link])
        held = _next(page, step, tries[link], (n, half, p, seed))[0]
        tries[link], far[link] = _next(page, step, held + 1, (n, half, p, seed))
