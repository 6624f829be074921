"""Change rates believed of pages after few visits, and the fetches that keep them freshest on average.

A page that changed between any two visits may change daily or hourly; one estimate of its rate would mislead the best
policy. So each page has weights over a grid of rates: prior × likelihood of its visits, where the prior is that of all
pages together, found by the steps of EM (Kiefer & Wolfowitz 1956: the mixture of greatest likelihood). The fetches
then solve Σ_k w_k P(2, λ_k/f)/λ_k = μ for each page, with Σf = budget: the optimum of `revisits`, in expectation.

Cost: pages × grid for a step, of which there are a few dozen.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from periplus.dynamics.revisits import Visits
from periplus.numeric.arrays import Floats

GRID = np.geomspace(1e-4, 1e2, 37)
"""Changes per day: from one in 27 years to one in a quarter of an hour."""

_STEPS = 60
_OFTEN = np.geomspace(1e-4, 1e4, 97)


def believed(visits: Visits) -> Floats:
    """The weight of each rate of the grid for each page; those of a page without a second visit are the prior."""
    likelihood = np.stack([visits.likelihood(np.full(visits.pages, rate)) for rate in GRID], axis=1)
    likelihood = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    seen = visits.total(np.ones(len(visits.gap))) > 0
    prior = np.full(len(GRID), 1.0 / len(GRID))
    for _ in range(_STEPS if seen.any() else 0):
        weights = likelihood[seen] * prior
        weights /= weights.sum(axis=1, keepdims=True)
        prior = (weights.sum(axis=0) + 1.0 / len(GRID)) / (seen.sum() + 1.0)  # one page more, of which nothing is known
    weights = likelihood * prior
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def best_frequencies(weights: Floats, budget: float) -> Floats:
    """How often a day to fetch each page, `budget` fetches a day in all, so that most are fresh on average."""
    changes = GRID[:, None] / _OFTEN
    gains = weights @ (-(np.expm1(-changes) + changes * np.exp(-changes)) / GRID[:, None])  # they fall along a row

    def shared(price: float) -> Floats:
        at = (gains > price).sum(axis=1)
        inside = np.clip(at, 1, len(_OFTEN) - 1)
        rows = np.arange(len(gains))
        high, low = gains[rows, inside - 1], gains[rows, inside]
        part = np.clip((high - price) / np.maximum(high - low, 1e-300), 0.0, 1.0)
        often = np.exp(np.log(_OFTEN[inside - 1]) + part * np.log(_OFTEN[inside] / _OFTEN[inside - 1]))
        return np.where(at == 0, 0.0, often)

    def excess(log: float) -> float:
        return float(shared(float(np.exp(log))).sum() - budget)

    least, most = np.log(gains[gains > 0].min()) - 1.0, np.log(gains.max()) + 1e-9
    wanted = shared(float(np.exp(least if excess(least) < 0 else brentq(excess, least, most))))
    return (
        np.asarray(wanted * (budget / wanted.sum())) if wanted.sum() else np.full(len(weights), budget / len(weights))
    )


def mean_freshness(weights: Floats, frequencies: Floats) -> float:
    """The share of pages that are fresh, on average over what is believed of them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = GRID / frequencies[:, None]
        share = np.where(frequencies[:, None] > 0, -np.expm1(-changes) / changes, 0.0)
    return float((weights * share).sum(axis=1).mean()) if len(weights) else 1.0


def current_share(weights: Floats, ages: Floats, grace: float = 0.0) -> float:
    """X of (X, Y)-currency now: the mean chance that no page changed between its last visit and `grace` days ago."""
    old = np.maximum(ages - grace, 0.0)
    return float((weights * np.exp(-GRID * old[:, None])).sum(axis=1).mean()) if len(weights) else 1.0
