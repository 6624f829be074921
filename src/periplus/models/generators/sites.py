"""Web-site growth (Huberman & Adamic 1999; Deo and Gupta, §3.4): sites grow by random factors from different dates.

The number of pages of a site is multiplied in each step: N(t+1) = (1 + g(t+1))·N(t), g(t) = g₀ + ξ(t), ξ normal with
standard deviation σ. So ln N after t steps is about normal: at one age, sizes are log-normal. Sites are founded at an
exponentially growing rate (factor e^λ per step), so that ages are exponential, and the mixture over ages is a power
law: with drift μ = E ln(1+g) and variance s² per step, P(N) ∝ N^−γ for large N with

    γ = 1 − μ/s² + √(μ² + 2λs²)/s²      (μ/s² and λ as above; → 1 + λ/μ as s → 0).

Several growth rates, each with its share of the sites, give a sum of such laws, whose tail is the smallest exponent.
Huberman & Adamic found γ in 1.65 … 1.91; the defaults give about 1.8.

`site_sizes` returns the sizes of today, `site_histories` those after each step up to today, `site_growth` the graph.
There each site is a tree (Deo and Gupta: "arranged in a hierarchical, tree-like manner"), and every page is linked to
and from its parent directory page. O(sites + pages).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from periplus.catalog import SEED, checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.kernels.rows import undirected
from periplus.models.table import MIXTURE_FORM, MODELS
from periplus.numeric.arrays import AnyArray, Floats, Offsets

FANOUT = 8
Mixture: TypeAlias = tuple[tuple[float, float], ...]  # (growth rate, share of the sites)


@dataclass(frozen=True, slots=True)
class SiteHistories:
    """Sites as they grew: row t of `sizes` has the pages of every site after step `times[t]`, 0 before it was founded.

    `founded` is the step (negative: before the first step listed), `rates` the mean growth of each site.
    """

    times: Offsets
    founded: Floats
    rates: Floats
    sizes: Offsets

    @property
    def sites(self) -> Offsets:
        """How many sites there were."""
        return np.asarray((self.sizes > 0).sum(axis=1))

    @property
    def pages(self) -> Offsets:
        """How many pages they had together."""
        return np.asarray(self.sizes.sum(axis=1))


def site_sizes(
    sites: int,
    *,
    growth: float = 0.05,
    deviation: float = 0.2,
    founding: float = 0.035,
    mixture: Mixture = (),
    seed: int = 0,
) -> Offsets:
    """Pages of each site, oldest first; `mixture` lists (growth rate, share of the sites) instead of one `growth`."""
    _check(sites, growth, deviation, founding, mixture)
    rng = np.random.Generator(np.random.Philox(SEED.check(seed)))
    ages, rates = _founded(rng, sites, growth, founding, mixture)
    drift, spread = drift_of(rates, deviation)
    return _whole(drift * ages + spread * np.sqrt(ages) * rng.standard_normal(sites))


def site_histories(
    sites: int,
    *,
    times: AnyArray,
    growth: float = 0.05,
    deviation: float = 0.2,
    founding: float = 0.035,
    mixture: Mixture = (),
    seed: int = 0,
) -> SiteHistories:
    """Pages of each site after each of the steps `times`; at the last of them there are `sites` sites.

    Between two of the times the logarithm of a size gains a normal amount, as in so many single steps. At the last one
    sizes are distributed as `site_sizes` has them. O(sites · times).
    """
    steps = np.unique(np.asarray(times, dtype=np.int64))
    if not len(steps) or steps[0] < 0:
        raise ParameterError("times", np.asarray(times).tolist(), "one step or more, each at least 0")
    _check(sites, growth, deviation, founding, mixture)
    rng = np.random.Generator(np.random.Philox(SEED.check(seed)))
    ages, rates = _founded(rng, sites, growth, founding, mixture)
    drift, spread = drift_of(rates, deviation)
    founded = steps[-1] - ages
    lived, logarithms = np.zeros(sites), np.zeros(sites)
    sizes = np.zeros((len(steps), sites), dtype=np.int64)
    for row, step in enumerate(steps):
        age = np.maximum(step - founded, 0.0)
        passed, lived = age - lived, age
        logarithms += drift * passed + spread * np.sqrt(passed) * rng.standard_normal(sites)
        sizes[row] = np.where(step >= founded, _whole(logarithms), 0)
    return SiteHistories(steps, founded, rates, sizes)


def _founded(
    rng: np.random.Generator, sites: int, growth: float, founding: float, mixture: Mixture
) -> tuple[Floats, Floats]:
    """Age, oldest first, and growth rate of each site."""
    ages = np.sort(rng.exponential(1.0 / founding, sites))[::-1]
    rates = np.full(sites, growth)
    if mixture:
        shares = np.array([share for _, share in mixture])
        rates = rng.choice([rate for rate, _ in mixture], sites, p=shares / shares.sum())
    return ages, rates


def _whole(logarithms: Floats) -> Offsets:
    """Sizes in pages, at least one."""
    return np.maximum(1, np.floor(np.exp(np.minimum(logarithms, 31.0 * math.log(2.0))))).astype(np.int64)


def _check(sites: int, growth: float, deviation: float, founding: float, mixture: Mixture) -> None:
    if sites < 1:
        raise ParameterError("sites", sites, "at least 1")
    for name, value, least in (("growth", growth, 0.0), ("deviation", deviation, 1e-300), ("founding", founding, 1e-9)):
        if not least <= value <= 10.0:
            raise ParameterError(name, value, f"{'0 ≤' if least == 0.0 else '0 <'} {name} ≤ 10")
    read_mixture(mixture)


def read_mixture(given: str | Mixture) -> Mixture:
    """Growth rates with their shares of the sites, as `0.05:0.7,0.1:0.3` or as pairs; no rate, no mixture."""
    allowed = f"{MIXTURE_FORM}, rates from 0 to 10, shares more than 0"
    try:
        parts = [part.split(":") for part in given.split(",") if part.strip()] if isinstance(given, str) else given
        mixture = tuple((float(rate), float(share)) for rate, share in parts)
    except (TypeError, ValueError) as error:
        raise ParameterError("mixture", given, allowed) from error
    if not all(0.0 <= rate <= 10.0 and 0.0 < share < math.inf for rate, share in mixture):
        raise ParameterError("mixture", given, allowed)
    return mixture


def drift_of(growth: float | Floats, deviation: float) -> tuple[Floats, Floats]:
    """(μ, s): mean and standard deviation of ln(1 + g) a step, to second order in the fluctuation."""
    factor = 1.0 + np.asarray(growth, dtype=np.float64)
    return np.log(factor) - 0.5 * (deviation / factor) ** 2, deviation / factor


def size_exponent(growth: float, deviation: float, founding: float) -> float:
    """γ of the formula above, for one growth rate."""
    drift, spread = drift_of(growth, deviation)
    mu, variance = float(drift), float(spread) ** 2
    root = math.sqrt(mu * mu + 2.0 * founding * variance)
    if mu > 0.0:  # the same without a difference of large numbers
        return 1.0 + 2.0 * founding / (mu + root)
    return 1.0 + (root - mu) / variance if variance else math.inf


def mixture_exponent(mixture: Mixture, deviation: float, founding: float) -> float:
    """The smallest exponent in the sum: the tail of the mixture."""
    return min(size_exponent(rate, deviation, founding) for rate, _ in mixture)


@checked(MODELS["site-growth"])
def site_growth(
    n: int,
    *,
    growth: float = 0.05,
    deviation: float = 0.2,
    founding: float = 0.035,
    mixture: str | Mixture = "",
    seed: int = 0,
) -> Graph:
    """A forest of sites with `n` pages in all; the last site is cut to fit. A `mixture` is read by `read_mixture`."""
    rates = read_mixture(mixture)
    made = sizes_for(n, growth=growth, deviation=deviation, founding=founding, mixture=rates, seed=seed)
    sites = site_of_pages(made)
    starts = np.searchsorted(sites, np.arange(sites[-1] + 1 if n else 0))
    within = np.arange(n) - starts[sites]
    children = np.flatnonzero(within)
    parents = starts[sites[children]] + (within[children] - 1) // FANOUT
    return undirected(parents, children, n)


def sizes_for(n: int, *, growth: float, deviation: float, founding: float, mixture: Mixture = (), seed: int) -> Offsets:
    """Sizes of as many sites as it takes to hold `n` pages, in random order, the last one cut."""
    sizes = np.zeros(0, dtype=np.int64)
    number, batch = 64, 0
    while sizes.sum() < n:
        more = site_sizes(
            number, growth=growth, deviation=deviation, founding=founding, mixture=mixture, seed=seed + (batch << 32)
        )
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
