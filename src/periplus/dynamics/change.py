"""How pages change and how fresh an index is (Brewington & Cybenko 2000; Deo and Gupta, §5.5).

Changes of a page are a Poisson process of rate λ, so its lifetime (the time between changes) is exponential with mean
1/λ. An index visits each page every T days. A page is *current to within Y* ("Y-current") at a random moment when it
has not changed between its last visit and Y before that moment. The moment is uniform in the T days after the visit, so

    P(λ, T, Y) = 1                                         for T ≤ Y,
                 Y/T + (1 − e^{−λ(T−Y)})/(λT)              otherwise,

and an index is (X, Y)-current when the mean of P over its pages is at least X. The web's rates are mixed: Brewington &
Cybenko found the mean lifetimes 1/λ of pages to follow a Weibull distribution of shape 1.4 and scale 152.2 days (median
117 days). For 800 million pages they concluded that a (0.95, 1 week)-current index must re-fetch each page every 18
days, 45 million per day, and a (0.95, 1 day)-current one every 8.5 days, 94 million per day; `refetch` returns both.

- `survival`: the share of pages that live longer than an age without a change, the mean of e^{−λa} over their rates;
  `draw_lifetimes` draws one lifetime for each.
- `change_rate`: the rate of a page from its visits, corrected for changes that one visit hides (Cho & Garcia-Molina
  2003): λ̂ = −ln((n − x + ½)/(n + ½))/T, x of n visits at distance T having found a change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from periplus.catalog import SEED, checked
from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats
from periplus.record import Findings

BREWINGTON_SHAPE, BREWINGTON_SCALE_DAYS = 1.4, 152.2
BREWINGTON_PAGES = 800_000_000


@dataclass(frozen=True, slots=True)
class Freshness(Findings):
    """How often to re-fetch so that an index is (X, Y)-current."""

    currency: float
    grace_days: float
    period_days: float
    pages: int

    @property
    def fetches_a_day(self) -> float:
        """How many pages must be fetched each day."""
        return self.pages / self.period_days

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, and the fetches per day."""
        return Findings.to_dict(self) | {"fetches_a_day": self.fetches_a_day}


@checked
def change_times(rate: float, days: float, *, seed: int = 0) -> Floats:
    """The moments at which one page changes within so many days."""
    _checked_rates(rate, "rate")
    if not 0.0 <= days < math.inf:
        raise ParameterError("days", days, "at least 0 days")
    SEED.check(seed)
    rng = np.random.Generator(np.random.Philox(seed))
    return np.sort(rng.random(rng.poisson(rate * days))) * days


@checked
def lifetime_survival(rate: float, age: AnyArray) -> Floats:
    """e^{−λa}: the probability that a page lives longer than this without a change."""
    _checked_rates(rate, "rate")
    return np.exp(-rate * np.asarray(age, dtype=np.float64))


@checked
def survival(rates: AnyArray, ages: AnyArray) -> Floats:
    """The share of pages of these rates that live longer than each age, in days, without a change."""
    known = _checked_rates(rates)
    return np.array([float(np.exp(-known * age).mean()) for age in np.atleast_1d(ages)])


@checked
def draw_lifetimes(rates: AnyArray, *, seed: int = 0) -> Floats:
    """One lifetime, in days, of a page of each rate; infinite where the rate is 0."""
    known = _checked_rates(rates)
    SEED.check(seed)
    drawn = np.random.Generator(np.random.Philox(seed)).standard_exponential(len(known))
    return np.divide(drawn, known, out=np.full(len(known), math.inf), where=known > 0.0)


def _checked_rates(rates: float | AnyArray, name: str = "rates") -> Floats:
    """Rates of change as an array; a negative, infinite or missing one is refused by name."""
    known = np.atleast_1d(np.asarray(rates, dtype=np.float64))
    if len(known) == 0:
        raise ParameterError(name, "none", "the rate of at least one page")
    bad = ~(np.isfinite(known) & (known >= 0.0))
    if bad.any():
        raise ParameterError(name, float(known[bad][0]), "at least 0 changes per day")
    return known


@checked
def change_rate(visits: int, changed: int, interval: float) -> float:
    """Changes per day, estimated from `changed` of `visits` visits, `interval` days apart, that found a change."""
    if not 0 <= changed <= visits or visits < 1:
        raise ParameterError("changed", changed, f"between 0 and visits = {visits}, at least one visit")
    if not 0.0 < interval < math.inf:
        raise ParameterError("interval", interval, "more than 0 days")
    return -math.log((visits - changed + 0.5) / (visits + 0.5)) / interval


@checked
def currency(rates: AnyArray, period: float, grace: float) -> float:
    """The mean probability that a page is current to within `grace` days when each is visited every `period` days."""
    rates = _checked_rates(rates)
    if not period > 0.0:
        raise ParameterError("period", period, "more than 0 days")
    if not grace >= 0.0:
        raise ParameterError("grace", grace, "at least 0 days")
    if period <= grace:
        return 1.0
    stale = rates * (period - grace)
    share = np.where(stale > 1e-12, -np.expm1(-stale) / np.maximum(rates * period, 1e-300), (period - grace) / period)
    return float(np.mean(grace / period + share))


@checked
def refetch(rates: AnyArray, *, pages: int, currency_wanted: float = 0.95, grace_days: float = 7.0) -> Freshness:
    """The longest common period with which an index of so many pages is (X, Y)-current."""
    if not 0.0 < currency_wanted < 1.0:
        raise ParameterError("currency_wanted", currency_wanted, "0 < X < 1")
    if not 0.0 <= grace_days < math.inf:
        raise ParameterError("grace_days", grace_days, "at least 0 days")
    if pages < 0:
        raise ParameterError("pages", pages, "at least 0")
    rates = _checked_rates(rates)
    high = max(1.0, 2.0 * grace_days)
    while currency(rates, high, grace_days) > currency_wanted:
        high *= 2.0
        if high > 1e9:  # pages that never change need no re-fetching
            return Freshness(currency_wanted, grace_days, math.inf, pages)
    low = max(grace_days, 1e-9)
    period = float(brentq(lambda days: currency(rates, days, grace_days) - currency_wanted, low, high))
    return Freshness(currency_wanted, grace_days, period, pages)


@checked
def brewington_rates(count: int = 100_000) -> Floats:
    """Change rates of the web as Brewington & Cybenko saw it: evenly spaced quantiles of their Weibull mixture."""
    if count < 1:
        raise ParameterError("count", count, "at least 1")
    quantiles = (np.arange(count) + 0.5) / count
    lifetimes = BREWINGTON_SCALE_DAYS * (-np.log1p(-quantiles)) ** (1.0 / BREWINGTON_SHAPE)
    return 1.0 / lifetimes
