"""What is believed of change rates after few visits, and the fetches that follow from it."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.dynamics.mixture import GRID, believed, best_frequencies, current_share, mean_freshness
from periplus.dynamics.revisits import Visits, freshness, refresh_frequencies


def drawn(rates, count, seed=1):
    rng = np.random.default_rng(seed)
    page = np.repeat(np.arange(len(rates)), count)
    gap = rng.uniform(0.5, 4.0, len(page))
    return Visits(page, gap, rng.random(len(page)) < -np.expm1(-rates[page] * gap), len(rates))


def test_the_prior_is_that_of_all_pages_together() -> None:
    rates = np.repeat([0.03, 0.8], 150)
    weights = believed(drawn(rates, 30))
    assert weights.sum(axis=1) == pytest.approx(1.0)
    mean = np.exp(weights @ np.log(GRID))
    assert np.exp(np.log(mean[:150]).mean()) == pytest.approx(0.03, rel=0.3)
    assert np.exp(np.log(mean[150:]).mean()) == pytest.approx(0.8, rel=0.3)


def test_a_page_seen_once_has_the_rates_of_the_others() -> None:
    seen = drawn(np.full(50, 0.1), 30)
    with_one_more = Visits(seen.page, seen.gap, seen.changed, 51)
    weights = believed(with_one_more)
    assert np.exp(weights[50] @ np.log(GRID)) == pytest.approx(0.1, rel=0.4)


def test_where_rates_are_known_the_fetches_are_those_of_theory() -> None:
    at = np.array([8, 16, 24, 30])
    weights = np.eye(len(GRID))[at]
    for budget in (0.5, 2.0, 30.0):
        often, exact = best_frequencies(weights, budget), refresh_frequencies(GRID[at], budget)
        assert often.sum() == pytest.approx(budget)
        best = freshness(GRID[at], exact).mean()
        assert mean_freshness(weights, often) == pytest.approx(best, abs=2e-3)


def test_nothing_and_extremes() -> None:
    empty = Visits(np.zeros(0, int), np.zeros(0), np.zeros(0, bool), 0)
    assert believed(empty).shape == (0, len(GRID))
    assert mean_freshness(np.zeros((0, len(GRID))), np.zeros(0)) == 1.0
    weights = np.full((3, len(GRID)), 1.0 / len(GRID))
    for budget in (1e-9, 1e9):
        assert best_frequencies(weights, budget).sum() == pytest.approx(budget)
    assert current_share(weights, np.zeros(3)) == pytest.approx(1.0)
    assert current_share(weights, np.full(3, 9.0), 2.0) == current_share(weights, np.full(3, 7.0))
