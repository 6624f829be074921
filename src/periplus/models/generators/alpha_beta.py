"""The α–β model (Aiello, Chung, Lu 2000; Deo and Gupta, §3.6): a random graph with a prescribed power law of degrees.

There are ⌊e^α / d^β⌋ pages of degree d, for d = 1 … ⌊e^{α/β}⌋: α is the logarithm of the number of pages of degree one,
β the slope in log–log scale. Each page has as many stubs as its degree, and the stubs are joined by a random perfect
matching (one stub of degree one is added when their number is odd). Stubs of one page that meet make a self-link, two
pages that meet twice are linked once: the *erased* matching, in which the largest degrees fall a little short.

For β > 1 there are about ζ(β)e^α pages, so `n` pages are reached with α ≈ ln(n/ζ(β)). Undirected. O(m).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from scipy.special import zeta

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.kernels.both_ways import united
from periplus.models.table import MODELS
from periplus.numeric.arrays import Ids, Offsets
from periplus.numeric.random import below_at, stream_key

_LARGEST_DEGREE, _MOST_STUBS = 10**7, 2**33


@checked(MODELS["alpha-beta"])
def alpha_beta(n: int, *, beta: float = 2.5, alpha: float = 0.0, seed: int = 0) -> Graph:
    """Draw an α–β graph of about `n` pages, or of the given `alpha` when it is not 0."""
    degrees = degree_sequence(alpha or alpha_of(n, beta), beta)
    owners = np.repeat(np.arange(len(degrees), dtype=np.uint32), degrees)
    ends = np.concatenate(([0], np.cumsum(degrees)))
    return united(ends, _matched(owners, seed))


@njit(cache=True, nogil=True)
def _matched(owners: Ids, seed: int) -> Ids:
    """For every stub the page of the stub that it meets: neighbours in a random order (Fisher & Yates) are joined."""
    key = stream_key(seed, 0)
    order = np.arange(len(owners))
    for last in range(len(owners) - 1, 0, -1):
        other = below_at(key, last, last + 1)
        order[last], order[other] = order[other], order[last]
    met = np.empty(len(owners), dtype=np.uint32)
    for at in range(0, len(owners) - 1, 2):
        a, b = order[at], order[at + 1]
        met[a], met[b] = owners[b], owners[a]
    return met


def degree_sequence(alpha: float, beta: float) -> Offsets:
    """The degrees of all pages, largest first; their sum is even."""
    if alpha > beta * math.log(_LARGEST_DEGREE):
        most = beta * math.log(_LARGEST_DEGREE)
        raise ParameterError("alpha", alpha, f"at most {most:.4g} with beta = {beta:g}: degrees reach e^(alpha/beta)")
    largest = math.floor(math.exp(alpha / beta) + 1e-9)
    degrees = np.arange(largest, 0, -1, dtype=np.int64)
    counts = np.floor(np.exp(alpha) / degrees.astype(np.float64) ** beta + 1e-9).astype(np.int64)
    if (stubs := int(degrees @ counts)) > _MOST_STUBS:
        raise ParameterError("alpha", f"{alpha:.4g}", f"smaller with beta = {beta:g}: that makes {stubs // 2:,} links")
    sequence = np.repeat(degrees, counts)
    return np.append(sequence, 1) if sequence.sum() % 2 else sequence


def alpha_of(n: int, beta: float) -> float:
    """The α with which the model has about `n` pages: the number of pages grows with α, so by bisection."""
    if n < 1:
        raise ParameterError("n", n, "at least 1")
    low, high = 0.0, math.log(n) + 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2.0
        low, high = (middle, high) if _pages(middle, beta) < n else (low, middle)
    return high


def _pages(alpha: float, beta: float) -> int:
    largest = math.floor(math.exp(alpha / beta) + 1e-9)
    degrees = np.arange(1, largest + 1, dtype=np.float64)
    return int(np.floor(np.exp(alpha) / degrees**beta + 1e-9).sum())


def expected_pages(alpha: float, beta: float) -> float:
    """ζ(β)e^α, the number of pages for β > 1."""
    return float(zeta(beta) * math.exp(alpha))
