"""HyperBall: how many pairs of pages lie within each distance, by counters that cost a few bytes per page.

Ball B(v, t) holds the pages that v reaches in at most t links: B(v, 0) = {v}, B(v, t+1) = ∪ B(w, t) over links v → w,
and itself. A HyperLogLog counter stands for each ball; the union of balls is the register-wise maximum. The sum of
all counters estimates N(t), the number of ordered pairs within distance t. Only counters with a successor that
changed in the last round are touched, so the long tail of rounds costs little.
Boldi, Rosa, Vigna, "HyperANF" (WWW 2011); Boldi, Vigna, "In-core computation of geometric centralities" (2013).

A counter of m registers has a relative standard error of about 1.04/√m, and because all pages share one hash the
errors of overlapping balls move together: averaging over pages does not help. So the run is repeated with
independent hashes, and the spread of the runs *is* the stated error. N(0) = n and N(1) = n + links are exact.
Registers are bytes, eight to a word, and the maximum is taken a word at a time.
The estimator is Ertl's improved raw estimator ("New cardinality estimation algorithms", 2017), which needs no
table of corrections for small balls.
Cost: `runs` × rounds × links × m bytes at most; 2m + 10 bytes per page for each run under way.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.errors import ParameterError
from periplus.numeric.arrays import Floats, Ids, Offsets
from periplus.numeric.parallel import ordered_map
from periplus.numeric.random import bits_at, stream_key

_MOST_ROUNDS = 20_000


def pairs_within(offsets: Offsets, ends: Ids, *, registers: int = 64, runs: int = 8, seed: int = 0) -> list[Floats]:
    """For each run, the estimates of N(0), N(1), … up to where nothing changes any more."""
    if registers not in (16, 32, 64, 128, 256, 512, 1024):
        raise ParameterError("registers", registers, "16, 32, 64, … 1024")
    if runs < 2:
        raise ParameterError("runs", runs, "at least 2: their spread gives the error")
    estimates = ordered_map(lambda run: _run(offsets, ends, seed, run, registers, _MOST_ROUNDS), range(runs), ahead=2)
    exact = [float(len(offsets) - 1), float(len(offsets) - 1 + _links_to_others(offsets, ends))]
    return [_with_exact_start(estimate, exact) for estimate in estimates]


def _with_exact_start(estimate: Floats, exact: list[float]) -> Floats:
    known = exact[: len(estimate)]
    return np.maximum.accumulate(np.concatenate([known, estimate[len(known) :]]))


@njit(cache=True, nogil=True)
def _links_to_others(offsets, ends):  # type: ignore[no-untyped-def]
    count = 0
    for v in range(len(offsets) - 1):
        for at in range(offsets[v], offsets[v + 1]):
            if ends[at] != v:
                count += 1
    return count


@njit(cache=True, nogil=True, inline="always")
def _largest(a, b):  # type: ignore[no-untyped-def]
    """The larger of each of 8 bytes, all below 128: the top bit of (a + 128) − b says where a ≥ b."""
    top = np.uint64(0x8080808080808080)
    at_least = ((a | top) - b) & top
    mask = at_least | (at_least - (at_least >> np.uint64(7)))
    return (a & mask) | (b & ~mask)


@njit(cache=True, nogil=True)
def _estimate(counter, powers):  # type: ignore[no-untyped-def]
    """Ertl's estimator, m² / (2 ln 2 · (Σ 2^−r over full registers + m σ(share of empty ones))), less its bias.

    His constant is that of many registers. With m of them the estimate is too large by 1.08/m of itself (as the
    constants of Flajolet et al. have it for large sets), and by about half of that while most registers are empty.
    """
    registers = 8 * len(counter)
    total, empty = 0.0, 0
    for word in counter:
        for _ in range(8):
            register = word & np.uint64(0xFF)
            total += powers[register]
            empty += register == np.uint64(0)
            word >>= np.uint64(8)
    total -= empty
    bias = 1.0 + (1.08 - 0.6 * empty / registers) / registers
    if empty:
        share = empty / registers
        if empty == registers:
            return 0.0
        sigma, weight, before = share, 1.0, -1.0
        while sigma != before:
            share *= share
            before = sigma
            sigma += share * weight
            weight *= 2.0
        total += registers * sigma
    return registers * registers / (2.0 * np.log(2.0) * total * bias)


@njit(cache=True, nogil=True)
def _first_balls(nodes, registers, key):  # type: ignore[no-untyped-def]
    """Counters of one page each: the low bits of its hash choose the register, the first 1 of the others the rank."""
    counters = np.zeros((nodes, registers // 8), np.uint64)
    mask = np.uint64(registers - 1)
    for v in range(nodes):
        bits = bits_at(key, v)
        rank, rest = 1, bits >> np.uint64(10)
        while rest & np.uint64(1) == 0 and rank < 54:
            rest >>= np.uint64(1)
            rank += 1
        register = bits & mask
        counters[v, register >> np.uint64(3)] = np.uint64(rank) << (np.uint64(8) * (register & np.uint64(7)))
    return counters


@njit(cache=True, nogil=True)
def _run(offsets, ends, seed, run, registers, most_rounds):  # type: ignore[no-untyped-def]
    """N(t) for t = 0, 1, … until no counter changes."""
    nodes = len(offsets) - 1
    powers = 2.0 ** -np.arange(70).astype(np.float64)
    now = _first_balls(nodes, registers, stream_key(seed, run))
    then = now.copy()
    size = np.empty(nodes, np.float64)
    changed, changes = np.ones(nodes, np.uint8), np.zeros(nodes, np.uint8)
    total = 0.0
    for v in range(nodes):
        size[v] = _estimate(now[v], powers)
        total += size[v]
    sums = [total]
    for _ in range(most_rounds):
        grown = _round(offsets, ends, (now, then), (changed, changes), size, powers)
        if np.isnan(grown):
            break
        total += grown
        sums.append(total)
        now, then = then, now
        changed, changes = changes, changed
    return np.array(sums)


@njit(cache=True, nogil=True)
def _round(offsets, ends, counters, flags, size, powers):  # type: ignore[no-untyped-def]
    """Every counter takes in those that changed among its neighbours'; returns what the sizes grew by, NaN: none."""
    (now, then), (changed, changes) = counters, flags
    words, grown, still = now.shape[1], 0.0, True
    for v in range(len(size)):
        if changed[v]:  # bring the other copy up to date
            for k in range(words):
                then[v, k] = now[v, k]
        met = False
        for at in range(offsets[v], offsets[v + 1]):
            w = ends[at]
            if changed[w] == 0:
                continue
            for k in range(words):
                then[v, k] = _largest(then[v, k], now[w, k])
            met = True
        changes[v] = 0
        if met and _differs(then[v], now[v]):
            fresh = _estimate(then[v], powers)
            grown += fresh - size[v]
            size[v] = fresh
            changes[v] = 1
            still = False
    return np.nan if still else grown


@njit(cache=True, nogil=True)
def _differs(one, other):  # type: ignore[no-untyped-def]
    bits = np.uint64(0)
    for k in range(len(one)):
        bits |= one[k] ^ other[k]
    return bits != np.uint64(0)
