"""How often to come back to pages: change rates from irregular visits, and policies that share out a budget.

Changes of a page are a Poisson process of rate λ; a visit τ days after the one before finds a change with probability
1 − e^{−λτ}. From n visits, X of which found one (Cho & Garcia-Molina, ACM TOIT 3(3), 2003):

    naive          X / Στ: misses the changes that one visit hides
    bias-reduced   −ln((n − X + ½)/(n + ½)) / mean τ
    likelihood     the λ where Σ_changed τ/(e^{λτ} − 1) = Σ_unchanged τ, for any gaps; bias-reduced where all changed

The interval holds every λ whose log-likelihood is near the best (95 %). A page of rate λ that is fetched f
times a day is fresh F = (1 − e^{−λ/f})/(λ/f) of the time. With Σf = budget (Cho & Garcia-Molina, TODS 28(4), 2003):

    uniform        the same f for every page
    proportional   f ∝ λ: no better than uniform, and worse where rates differ
    optimal        ∂F/∂f = μ for every page that is fetched at all: P(2, λ/f) = μλ, P the incomplete gamma function
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincinv

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats

ESTIMATORS = ("likelihood", "bias-reduced", "naive")
POLICIES = ("optimal", "proportional", "uniform")
_DROP = 1.920729  # half of the 95 % quantile of χ² with one degree of freedom
_DROP_AT_THE_EDGE = 2.995732  # −ln 0.05, where no visit found a change, or every one did: the bound has one side
_SLOWEST, _FASTEST, _HALVINGS = 1e-9, 1e6, 90


@dataclass(frozen=True, slots=True)
class Rates:
    """Changes per day of each page, and the 95 % interval; pages without a second visit have 0 and no bound above."""

    rate: Floats
    low: Floats
    high: Floats


def rates_of_visits(
    page: AnyArray, gap: AnyArray, changed: AnyArray, *, pages: int, method: str = "likelihood"
) -> Rates:
    """The rate of each of so many pages; `gap` days after the visit before, a visit of `page` found it `changed`."""
    if method not in ESTIMATORS:
        raise ParameterError("estimator", method, f"one of {', '.join(ESTIMATORS)}")
    seen = _Visits(np.asarray(page, np.int64), np.asarray(gap, np.float64), np.asarray(changed, bool), pages)
    visits, found, days = seen.total(np.ones(len(seen.gap))), seen.total(seen.changed), seen.total(seen.gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        naive = np.where(visits > 0, found / days, 0.0)
        reduced = np.where(visits > 0, -np.log((visits - found + 0.5) / (visits + 0.5)) * visits / days, 0.0)
    best = seen.solve(seen.score)
    best = np.where(found == 0, 0.0, np.where(found == visits, reduced, best))
    rate = {"naive": naive, "bias-reduced": reduced, "likelihood": best}[method]
    # Where every visit found a change the likelihood grows for ever, and is 1 at its best.
    at_an_edge = (found == 0) | (found == visits)
    least = np.where(at_an_edge, -_DROP_AT_THE_EDGE, seen.likelihood(np.maximum(best, _SLOWEST)) - _DROP)
    above = lambda λ: seen.likelihood(λ) - least  # noqa: E731
    low = np.where(found == 0, 0.0, seen.solve(lambda λ: -above(λ), ceiling=np.where(found == visits, _FASTEST, best)))
    high = np.where((found == visits), np.inf, seen.solve(above, floor=best))
    return Rates(rate, low, high)


@dataclass(frozen=True, slots=True)
class _Visits:
    page: AnyArray
    gap: Floats
    changed: AnyArray
    pages: int

    def total(self, values: AnyArray) -> Floats:
        """The sum of some values over the visits of each page."""
        return np.bincount(self.page, np.asarray(values, np.float64), self.pages)

    def score(self, rate: Floats) -> Floats:
        """The derivative of the log-likelihood; it falls as the rate grows."""
        with np.errstate(over="ignore"):
            gains = self.gap / np.expm1(np.minimum(rate[self.page] * self.gap, 700.0))
        return self.total(np.where(self.changed, gains, -self.gap))

    def likelihood(self, rate: Floats) -> Floats:
        """The logarithm of the probability of what the visits found."""
        hidden = rate[self.page] * self.gap
        return self.total(np.where(self.changed, np.log(-np.expm1(-np.maximum(hidden, 1e-300))), -hidden))

    def solve(
        self, falling: Callable[[Floats], Floats], floor: AnyArray = _SLOWEST, ceiling: AnyArray = _FASTEST
    ) -> Floats:
        """For each page where a falling function is 0, by halving the interval of logarithms."""
        low = np.log(np.maximum(np.broadcast_to(floor, self.pages), _SLOWEST))
        high = np.log(np.broadcast_to(np.maximum(ceiling, _SLOWEST), self.pages))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            more = falling(np.exp(middle)) > 0.0
            low, high = np.where(more, middle, low), np.where(more, high, middle)
        return np.exp((low + high) / 2.0)


def refresh_frequencies(rates: AnyArray, budget: float, *, policy: str = "optimal") -> Floats:
    """How often a day to fetch each page, `budget` fetches a day in all."""
    known = np.asarray(rates, np.float64)
    if policy not in POLICIES:
        raise ParameterError("policy", policy, f"one of {', '.join(POLICIES)}")
    if not 0.0 < budget < np.inf:
        raise ParameterError("budget", budget, "more than 0 fetches a day")
    if not len(known) or not known.any() or policy == "uniform":
        return np.full(len(known), budget / max(len(known), 1))
    if policy == "proportional":
        return known * (budget / known.sum())
    moving = known > 0.0

    def shared(price: float) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = known / gammaincinv(2.0, np.minimum(price * known, 1.0))
        return np.where(moving & (price * known < 1.0), wanted, 0.0)

    most = 1.0 / known[moving].min()
    # The dearer a fetch, the fewer of them; at 1/λ the page of that rate is no longer worth one.
    price = brentq(lambda log: shared(float(np.exp(log))).sum() - budget, np.log(most) - 60.0, np.log(most) + 1e-9)
    wanted = shared(float(np.exp(price)))
    return wanted * (budget / wanted.sum())


def freshness(rates: AnyArray, frequencies: AnyArray) -> Floats:
    """The share of time that each page is fresh when fetched so often a day, at even distances."""
    known, often = np.asarray(rates, np.float64), np.asarray(frequencies, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = known / often
        share = -np.expm1(-changes) / changes
    return np.where(known == 0.0, 1.0, np.where(often == 0.0, 0.0, np.where(changes < 1e-9, 1.0, share)))


def currency_now(rates: AnyArray, ages: AnyArray, grace: float = 0.0) -> float:
    """X of (X, Y)-currency today: the mean probability that no page changed between its last visit and `grace` ago."""
    known, days = np.asarray(rates, np.float64), np.asarray(ages, np.float64)
    return float(np.exp(-known * np.maximum(days - grace, 0.0)).mean()) if len(known) else 1.0
