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
from scipy.special import expit, gammainccinv, gammaincinv

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats

ESTIMATORS = ("likelihood", "bias-reduced", "naive")
POLICIES = ("optimal", "proportional", "uniform")
_DROP = 1.920729  # half of the 95 % quantile of χ² with one degree of freedom
_DROP_AT_THE_EDGE = 2.995732  # −ln 0.05, where no visit found a change, or every one did: the bound has one side
_DEAREST = 600.0
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
    seen = Visits(np.asarray(page, np.int64), np.asarray(gap, np.float64), np.asarray(changed, bool), pages)
    return rates_of(seen, method)


def rates_of(seen: Visits, method: str = "likelihood") -> Rates:
    """The same of visits that are columns already."""
    if method not in ESTIMATORS:
        raise ParameterError("estimator", method, f"one of {', '.join(ESTIMATORS)}")
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

    def above(rate: Floats) -> Floats:
        return seen.likelihood(rate) - least

    def below(rate: Floats) -> Floats:
        return least - seen.likelihood(rate)

    low = np.where(found == 0, 0.0, seen.solve(below, ceiling=np.where(found == visits, _FASTEST, best)))
    high = np.where((found == visits), np.inf, seen.solve(above, floor=best))
    return Rates(rate, low, high)


@dataclass(frozen=True, slots=True)
class Visits:
    """Visits as columns: the page, the days since the visit before, and whether a change was found."""

    page: AnyArray
    gap: Floats
    changed: AnyArray
    pages: int

    def total(self, values: AnyArray) -> Floats:
        """The sum of some values over the visits of each page."""
        return np.bincount(self.page, np.asarray(values, np.float64), self.pages).astype(np.float64)

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
        self,
        falling: Callable[[Floats], Floats],
        floor: AnyArray | float = _SLOWEST,
        ceiling: AnyArray | float = _FASTEST,
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
    wanted = _wanted(known, known[known > 0.0].min(), budget)
    return wanted * (budget / wanted.sum())


def _wanted(rates: Floats, slowest: float, budget: float) -> Floats:
    """How often to fetch each page where the price μ of a fetch makes it `budget` fetches in all.

    The search is over the logit of μ times the slowest rate: both ends of (0, 1) are then told apart to the last digit.
    """
    more = np.maximum(rates / slowest - 1.0, 0.0)

    def shared(logit: float) -> Floats:
        share, rest = expit(logit), expit(-logit)  # of the slowest page: P(2, x) and 1 − P(2, x)
        below, above = share * (1.0 + more), rest - share * more
        with np.errstate(divide="ignore", invalid="ignore"):
            changes = np.where(below < 0.5, gammaincinv(2.0, np.minimum(below, 1.0)), gammainccinv(2.0, above))
            return np.where((rates > 0.0) & (above > 0.0), rates / changes, 0.0)

    if shared(_DEAREST).sum() > budget:  # so few fetches that no page is fresh for long
        return shared(_DEAREST)
    return shared(brentq(lambda logit: shared(logit).sum() - budget, -_DEAREST, _DEAREST))


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
