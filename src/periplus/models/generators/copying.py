"""Linear-growth copying (Kumar et al. 2000; Deo and Gupta, §3.5): pages copy the links of a page they like.

At each step a page u is added with d⁺ links. A prototype v is drawn uniformly from the pages before u. The i-th link
of u goes, with probability ρ, to a page drawn uniformly from those before u; otherwise it copies the i-th link of v.
The first d⁺ pages have no links; a prototype among them has nothing to copy, and the link is drawn uniformly.

The number of pages with in-degree k falls as k^−(2−ρ)/(1−ρ). (Deo and Gupta call ρ the *copy* factor; as printed, and
here, it is the probability of *not* copying: ρ → 1 gives a uniform recursive graph, ρ → 0 the heaviest tail.) A page
that would link twice to one page links once, so out-degrees are at most d⁺.

No table of earlier links is read. The draws are functions of (seed, page, i), so the i-th link of u is found by
following prototypes u → v → v′ … until one of them drew it uniformly: 1/ρ steps on average, no memory touched, rows in
any order on any number of threads. The links of a page share their prototypes, and are followed together. O(m/ρ) time,
4 bytes per link and 8 per page.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.models.kernels.rows import graph_of_rows, signed
from periplus.models.table import MODELS
from periplus.numeric.arrays import Ids
from periplus.numeric.random import below_at, coin_limit, falls_at, stream_key


@checked(MODELS["linear-copying"])
def linear_copying(n: int, *, rho: float = 0.2, out_degree: int = 7, seed: int = 0) -> Graph:
    """Grow a linear-growth copying graph of `n` pages."""
    first = min(out_degree, n)

    def fill(begin: int, end: int, table: Ids) -> None:
        _copied_links(begin, end, first, out_degree, rho, seed, table)

    return graph_of_rows(n, out_degree, fill, empty=first)


@njit(cache=True, nogil=True)
def _copied_links(begin: int, end: int, first: int, width: int, rho: float, seed: int, table: Ids) -> None:
    """The links of pages begin … end − 1: follow prototypes until each link was drawn uniformly by one of them."""
    coin, target, prototype = stream_key(seed, 0), stream_key(seed, 1), stream_key(seed, 2)
    limit, one = coin_limit(rho), np.uint64(1)
    copied, drawn_by = np.empty(width + 1, dtype=np.uint64), np.empty(width, dtype=np.int64)
    for page in range(begin, end):
        for i in range(width):
            copied[i] = i
        at, left = page, np.uint64(width)
        while True:
            still = np.uint64(0)
            for k in range(left):  # every link is written to its next place, which is taken only if it is copied
                i = copied[np.uint64(k)]
                drawn_by[i] = at
                copied[still] = i
                still += one - np.uint64(falls_at(coin, at * width + signed(i), limit))
            left = still
            before = below_at(prototype, at, at)
            if left == 0 or before < first:
                break
            at = before
        row = (page - begin) * width
        for i in range(width):
            table[row + i] = below_at(target, drawn_by[i] * width + i, drawn_by[i])
