"""Which pages to visit again: change rates from the archive, a policy, and a budget of visits.

The visits of each URL are in the index of the archive, with what they found (`pages.history`). `dynamics.mixture` tells
from them what to believe of each page's rate, and how often to fetch it, f times a day. A run takes the pages with the
largest f · days since the last visit, and before all others those that a sitemap says have changed (`lastmod`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from periplus.dynamics.mixture import GRID, believed, best_frequencies, current_share, mean_freshness
from periplus.dynamics.revisits import POLICIES, Rates, Visits, rates_of, refresh_frequencies
from periplus.errors import ParameterError
from periplus.numeric.arrays import Floats
from periplus.pages.history import SECONDS_A_DAY, histories, is_page
from periplus.pages.store import PageStore

GRACES = {"now": 0.0, "within a day": 1.0, "within a week": 7.0}
_BUDGET = re.compile(r"(\d[\d,]*)\s*(?:/|per)\s*(hour|day|week|month)s?")
_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0}


@dataclass(frozen=True, slots=True)
class Budget:
    """So many visits in so many days."""

    visits: int
    days: float

    @classmethod
    def parse(cls, text: str) -> Budget:
        """`1000/day`, `50 per hour`."""
        found = _BUDGET.fullmatch(text.strip().lower())
        if found is None or not int(found[1].replace(",", "")):
            raise ParameterError("budget", text, "visits per time, as 1000/day, 50/hour, 5000/week or 10000/month")
        return cls(int(found[1].replace(",", "")), _DAYS[found[2]])

    @property
    def a_day(self) -> float:
        return self.visits / self.days


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of an archive with their visits; `spent`: the visits again within the time of the budget."""

    urls: tuple[str, ...]
    ages: Floats  # days since the last visit
    visits: Visits
    spent: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to visit now, longest due first, and how fresh the collection is and would stay.

    `currency`: X of (X, Y)-currency for some Y. `kept_fresh`: the share of pages that this budget keeps fresh.
    """

    policy: str
    urls: tuple[str, ...]
    pages: int
    spent: int
    rates: Rates
    currency: Mapping[str, float]
    kept_fresh: float
    median_lifetime: float | None


def pages_of(store: PageStore, budget: Budget, *, now: datetime | None = None) -> Pages:
    """The pages of an archive and what their visits found; failed visits tell nothing."""
    moment = now or datetime.now(UTC)
    urls: list[str] = []
    ages: list[float] = []
    page: list[int] = []
    gap: list[float] = []
    changed: list[bool] = []
    spent = 0
    for url, seen in histories(store):
        told = [visit for visit in seen if visit.found != "failed"]
        if not any(is_page(visit.entry) for visit in told) or told[-1].found == "moved":
            continue
        days = [(moment - visit.at).total_seconds() / SECONDS_A_DAY for visit in told]
        spent += sum(age < budget.days for age in days[1:])
        for (before, after), visit in zip(pairwise(days), told[1:], strict=True):
            page.append(len(urls))
            gap.append(max(before - after, 1.0 / SECONDS_A_DAY))
            changed.append(visit.found != "unchanged")
        urls.append(url)
        ages.append(max(days[-1], 0.0))
    columns = np.array(page, np.int64), np.array(gap, np.float64), np.array(changed, bool)
    return Pages(tuple(urls), np.array(ages), Visits(*columns, len(urls)), spent)


def plan(
    pages: Pages,
    budget: Budget,
    *,
    policy: str = "optimal",
    estimator: str = "likelihood",
    modified: Mapping[str, float] | None = None,
) -> Plan:
    """What to visit within the budget; `modified` has, for some URLs, the days since their `lastmod`."""
    if policy not in POLICIES:
        raise ParameterError("policy", policy, f"one of {', '.join(POLICIES)}")
    rates, weights = rates_of(pages.visits, estimator), believed(pages.visits)
    often = _frequencies(weights, budget.a_day, policy)
    due = often * pages.ages
    hinted = [at for at, url in enumerate(pages.urls) if modified and modified.get(url, np.inf) < pages.ages[at]]
    due[hinted] += _SAID_TO_HAVE_CHANGED
    order = np.argsort(-due, kind="stable")[: max(budget.visits - pages.spent, 0)]
    told = rates.rate[rates.rate > 0]
    return Plan(
        policy=policy,
        urls=tuple(pages.urls[at] for at in order.tolist() if due[at] > 0.0),
        pages=len(pages.urls),
        spent=pages.spent,
        rates=rates,
        currency={name: current_share(weights, pages.ages, grace) for name, grace in GRACES.items()},
        kept_fresh=mean_freshness(weights, often),
        median_lifetime=float(1.0 / np.median(told)) if len(told) else None,
    )


_SAID_TO_HAVE_CHANGED = 1e6


def _frequencies(weights: Floats, a_day: float, policy: str) -> Floats:
    if not len(weights) or policy == "uniform":
        return np.full(len(weights), a_day / max(len(weights), 1))
    return (
        best_frequencies(weights, a_day)
        if policy == "optimal"
        else refresh_frequencies(weights @ GRID, a_day, policy=policy)
    )
