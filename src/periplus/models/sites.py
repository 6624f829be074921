"""Web-site growth (Huberman & Adamic 1999; D 3.4): sites grow by a random factor, and some were founded earlier.

The number of pages of a site is multiplied in each step: N(t+1) = (1 + g(t+1))·N(t), g(t) = g₀ + ξ(t), ξ normal with
standard deviation σ. So ln N after t steps is about normal: at one age, sizes are log-normal. Sites are founded at an
exponentially growing rate (factor e^λ a step), so that ages are exponential, and the mixture over ages is a power law:
with drift μ = E ln(1+g) and variance s² a step, P(N) ∝ N^−γ for large N with

    γ = 1 − μ/s² + √(μ² + 2λs²)/s²      (μ/s² and λ as above; → 1 + λ/μ as s → 0).

Several growth rates, each with its share of the sites, give a sum of such laws, whose tail is the smallest exponent.
Huberman & Adamic found γ in 1.65 … 1.91; the defaults give about 1.8.

`site_sizes` gives the sizes, `site_growth` the graph: each site a tree (D: "arranged in a hierarchical, tree-like
manner"), every page linked to and from its parent directory page. O(sites + pages).
"""

from __future__ import annotations

import math

import numpy as np

from periplus.graph.graph import Graph
from periplus.models.base import checked
from periplus.models.rows import undirected
from periplus.numeric.arrays import Floats, Offsets

FANOUT = 8


def site_sizes(
    sites: int,
    *,
    growth: float = 0.05,
    deviation: float = 0.2,
    founding: float = 0.035,
    mixture: tuple[tuple[float, float], ...] = (),
    seed: int = 0,
) -> Offsets:
    """Pages of each site, oldest first; `mixture` lists (growth rate, share of the sites) instead of one `growth`."""
    rng = np.random.Generator(np.random.Philox(seed))
    ages = np.sort(rng.exponential(1.0 / founding, sites))[::-1]
    rates = np.full(sites, growth)
    if mixture:
        shares = np.array([share for _, share in mixture])
        rates = rng.choice([rate for rate, _ in mixture], sites, p=shares / shares.sum())
    drift, spread = drift_of(rates, deviation)
    sizes = np.exp(drift * ages + spread * np.sqrt(ages) * rng.standard_normal(sites))
    return np.maximum(1, np.floor(np.minimum(sizes, 2.0**31))).astype(np.int64)


def drift_of(growth: float | Floats, deviation: float) -> tuple[Floats, Floats]:
    """(μ, s): mean and standard deviation of ln(1 + g) a step, to second order in the fluctuation."""
    factor = 1.0 + np.asarray(growth, dtype=np.float64)
    return np.log(factor) - 0.5 * (deviation / factor) ** 2, deviation / factor


def size_exponent(growth: float, deviation: float, founding: float) -> float:
    """γ of the formula above, for one growth rate."""
    drift, spread = drift_of(growth, deviation)
    mu, variance = float(drift), float(spread) ** 2
    if variance == 0.0:
        return 1.0 + founding / mu
    return 1.0 - mu / variance + math.sqrt(mu * mu + 2.0 * founding * variance) / variance


def mixture_exponent(mixture: tuple[tuple[float, float], ...], deviation: float, founding: float) -> float:
    """The smallest exponent in the sum: the tail of the mixture."""
    return min(size_exponent(rate, deviation, founding) for rate, _ in mixture)


@checked("site-growth")
def site_growth(
    n: int, *, growth: float = 0.05, deviation: float = 0.2, founding: float = 0.035, seed: int = 0
) -> Graph:
    """A forest of sites with `n` pages in all; the last site is cut to fit."""
    sites = site_of_pages(sizes_for(n, growth=growth, deviation=deviation, founding=founding, seed=seed))
    starts = np.searchsorted(sites, np.arange(sites[-1] + 1 if n else 0))
    within = np.arange(n) - starts[sites]
    children = np.flatnonzero(within)
    parents = starts[sites[children]] + (within[children] - 1) // FANOUT
    return undirected(parents, children, n)


def sizes_for(n: int, *, growth: float, deviation: float, founding: float, seed: int) -> Offsets:
    """Sizes of as many sites as it takes to hold `n` pages, in random order, the last one cut."""
    sizes = np.zeros(0, dtype=np.int64)
    number, batch = 64, 0
    while sizes.sum() < n:
        more = site_sizes(number, growth=growth, deviation=deviation, founding=founding, seed=seed + (batch << 32))
        order = np.random.Generator(np.random.Philox((seed, batch))).permutation(number)
        sizes, number, batch = np.concatenate((sizes, more[order])), 2 * number, batch + 1
    ends = np.cumsum(sizes)
    last = int(np.searchsorted(ends, n))
    sizes = sizes[: last + 1].copy()
    if len(sizes):
        sizes[-1] -= ends[last] - n
    return sizes


def site_of_pages(sizes: Offsets) -> Offsets:
    """The number of the site of each page, when sites are laid one after another."""
    return np.repeat(np.arange(len(sizes)), sizes)
