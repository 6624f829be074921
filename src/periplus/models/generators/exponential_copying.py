"""Exponential-growth copying (Kumar et al. 2000; Deo and Gupta, §3.5): a new page is noticed only after some time.

At step t + 1 there come B(N_t, g) new pages, each with χ self-links. For every link into a page u that existed at time
t, with probability κg/(κ+χ), a new link into u is made; its tail is, with probability 1 − χ′, one of the new pages
drawn uniformly, and with probability χ′ an old page drawn in proportion to its out-degree. So N_t grows as (1+g)^t and
there are (κ+χ)N_t links on average. (Deo and Gupta print (κ+χ)·g·N_t at t + 1, which is what is *added*.)

The in-degree exponent follows from one page's growth: in a step its in-degree is multiplied by 1 + κg/(κ+χ) while the
number of pages is multiplied by 1 + g, so the exponent is 1 + ln(1+g)/ln(1 + κg/(κ+χ)).

Self-links count χ-fold for degrees while growing and are one link of the graph. O(m) time and memory.
"""

from __future__ import annotations

import math

import numpy as np

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.models.table import MODELS
from periplus.numeric.arrays import Ids


@checked(MODELS["exponential-copying"])
def exponential_copying(
    n: int, *, g: float = 0.1, chi: int = 2, chi_tail: float = 0.5, kappa: float = 5.0, seed: int = 0
) -> Graph:
    """Grow until there are `n` pages; the last step is cut so that there are exactly as many."""
    rng = np.random.Generator(np.random.Philox(seed))
    tails = np.zeros(chi, dtype=np.uint32)
    heads = np.zeros(chi, dtype=np.uint32)
    pages = 1
    while pages < n:
        # While pages are few, a step may bring none; then time simply passes.
        whole = int(rng.binomial(pages, g))
        new = min(whole, n - pages)
        part = new / whole if new < whole else 1.0  # of a step that is cut, as many links as pages
        copied = heads[rng.random(len(heads)) < part * kappa * g / (kappa + chi)]
        old = rng.random(len(copied)) < chi_tail if new else np.ones(len(copied), dtype=np.bool_)
        from_new = rng.integers(pages, pages + max(new, 1), len(copied), dtype=np.uint32)
        from_old = tails[rng.integers(0, len(tails), len(copied))]
        loops = np.repeat(np.arange(pages, pages + new, dtype=np.uint32), chi)
        tails = _joined(tails, np.where(old, from_old, from_new), loops)
        heads = _joined(heads, copied, loops)
        pages += new
    return Graph.from_edges(tails, heads, nodes=n)


def _joined(*parts: Ids) -> Ids:
    return np.concatenate(parts).astype(np.uint32, copy=False)


def in_degree_exponent(g: float, chi: int, kappa: float) -> float:
    """1 + ln(1+g)/ln(1 + κg/(κ+χ)), the exponent of the in-degree's power law."""
    return 1.0 + math.log1p(g) / math.log1p(kappa * g / (kappa + chi))
