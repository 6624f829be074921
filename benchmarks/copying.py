"""A plain seeded copying model (Kumar et al., FOCS 2000): graphs of any size for the benchmarks.

Page v has `degree` links. It takes a random earlier page as its prototype; its k-th link goes, with probability
`alpha`, to a random earlier page, else where the prototype's k-th link goes. In-degrees follow a power law.
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
def _grow(targets, first, last, degree, alpha, near, state):
    copied = np.uint64(alpha * 2.0**32)
    for page in range(first, last):
        span = np.uint64(min(max(page, 1), near))
        state, draw = _next_random(state)
        prototype = page - 1 - np.int64((draw * span) >> np.uint64(32)) if page else 0
        for k in range(degree):
            state, draw = _next_random(state)
            if draw < copied or page == 0:
                state, draw = _next_random(state)
                targets[page * degree + k] = (draw * np.uint64(max(page, 1))) >> np.uint64(32)
            else:
                targets[page * degree + k] = targets[prototype * degree + k]
    return state


def copying_links(
    nodes: int, degree: int = 10, *, alpha: float = 0.15, near: int = 2**62, seed: int = 1, rows: int = 1 << 18
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of (sources, targets), in the order of the sources; repeats happen, as on the web.

    `near` keeps prototypes among the last `near` pages: a web whose pages resemble their neighbours.
    """
    targets = np.zeros(nodes * degree, np.uint32)
    state = np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64 | 1)
    for first in range(0, nodes, rows):
        last = min(first + rows, nodes)
        state = np.uint64(_grow(targets, first, last, degree, alpha, near, state))
        sources = np.repeat(np.arange(first, last, dtype=np.uint32), degree)
        yield sources, targets[first * degree : last * degree]
