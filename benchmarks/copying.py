"""Seeded graphs of any size for the benchmarks: a plain copying model, and pages that link near by.

Copying model (Kumar et al., FOCS 2000). Page v has `degree` links and takes a random earlier page as its prototype; its
k-th link goes, with probability `alpha`, to a random earlier page, else where the prototype's k-th link goes.
In-degrees follow a power law.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _next_random(state):
    """xorshift64*: fast, and good enough to choose pages by."""
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    return state, (state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)


@njit(cache=True, nogil=True)
def _grow(targets, first, last, degree, alpha, state):
    copied = np.uint64(alpha * 2.0**32)
    for page in range(first, last):
        state, draw = _next_random(state)
        prototype = np.int64((draw * np.uint64(page)) >> np.uint64(32))
        for k in range(degree):
            state, draw = _next_random(state)
            if draw < copied or page == 0:
                state, draw = _next_random(state)
                targets[page * degree + k] = (draw * np.uint64(max(page, 1))) >> np.uint64(32)
            else:
                targets[page * degree + k] = targets[prototype * degree + k]
    return state


def copying_links(
    nodes: int, degree: int = 10, *, alpha: float = 0.15, seed: int = 1, rows: int = 1 << 18
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of (sources, targets), in the order of the sources; repeats happen, as on the web."""
    targets = np.zeros(nodes * degree, np.uint32)
    state = np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64 | 1)
    for first in range(0, nodes, rows):
        last = min(first + rows, nodes)
        state = np.uint64(_grow(targets, first, last, degree, alpha, state))
        sources = np.repeat(np.arange(first, last, dtype=np.uint32), degree)
        yield sources, targets[first * degree : last * degree]


def nearby_links(
    nodes: int, degree: int = 10, *, reach: float = 20, away: float = 0.1, seed: int = 1, rows: int = 1 << 18
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of links most of which stay within a few dozen ids, as in URL order; a share of `away` goes anywhere."""
    random = np.random.default_rng(seed)
    for first in range(0, nodes, rows):
        sources = np.repeat(np.arange(first, min(first + rows, nodes)), degree)
        targets = (sources + random.laplace(scale=reach, size=len(sources)).astype(np.int64)) % nodes
        anywhere = random.random(len(sources)) < away
        targets[anywhere] = random.integers(0, nodes, int(anywhere.sum()))
        yield sources.astype(np.uint32), targets.astype(np.uint32)
