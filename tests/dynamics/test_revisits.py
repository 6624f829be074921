"""Change rates from irregular visits, and policies: against simulated pages, closed forms and scipy's optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from periplus.dynamics.change import change_rate
from periplus.dynamics.revisits import POLICIES, currency_now, freshness, rates_of_visits, refresh_frequencies
from periplus.errors import ParameterError


def visits(rates, count, seed):
    """Simulated visits at irregular gaps: (page, gap, changed)."""
    rng = np.random.default_rng(seed)
    page = np.repeat(np.arange(len(rates)), count)
    gap = rng.gamma(2.0, 1.5, len(page)) + 0.05
    return page, gap, rng.random(len(page)) < -np.expm1(-rates[page] * gap)


def test_intervals_hold_the_true_rate_nineteen_times_in_twenty() -> None:
    rates = np.repeat([0.02, 0.1, 0.3, 1.0], 500)
    page, gap, changed = visits(rates, 40, seed=3)
    found = rates_of_visits(page, gap, changed, pages=len(rates))
    inside = (found.low <= rates) & (rates <= found.high)
    assert 0.935 <= inside.mean() <= 0.985, [float(inside[at : at + 500].mean()) for at in range(0, 2000, 500)]
    assert (found.low <= found.rate).all()
    assert (found.rate <= found.high).all()


def test_naive_misses_what_one_visit_hides_and_the_others_do_not() -> None:
    rates = np.full(400, 0.6)
    told = {m: rates_of_visits(*visits(rates, 60, seed=5), pages=400, method=m).rate.mean()
            for m in ("naive", "bias-reduced", "likelihood")}  # fmt: skip
    assert told["naive"] < 0.35
    assert abs(told["likelihood"] - 0.6) < 0.02
    assert abs(told["likelihood"] - 0.6) < abs(told["bias-reduced"] - 0.6) < abs(told["naive"] - 0.6)


def test_regular_visits_agree_with_the_formula_for_them() -> None:
    changed = np.array([True, False, False, True, True])
    found = rates_of_visits(np.zeros(5), np.full(5, 2.0), changed, pages=1, method="bias-reduced")
    assert found.rate[0] == pytest.approx(change_rate(5, 3, 2.0))
    exact = rates_of_visits(np.zeros(5), np.full(5, 2.0), changed, pages=1)
    assert exact.rate[0] == pytest.approx(-np.log(2 / 5) / 2.0)


def test_the_likelihood_is_greatest_at_the_estimate() -> None:
    gap, changed = np.array([0.5, 3.0, 1.0, 8.0, 0.2]), np.array([True, False, True, True, False])

    def lost(rate):
        return -np.sum(np.where(changed, np.log(-np.expm1(-rate * gap)), -rate * gap))

    best = minimize_scalar(lost, bounds=(1e-6, 50), method="bounded", options={"xatol": 1e-10})
    assert rates_of_visits(np.zeros(5), gap, changed, pages=1).rate[0] == pytest.approx(best.x, rel=1e-6)


def test_pages_that_never_or_always_changed_or_were_seen_once() -> None:
    page, gap = np.array([0, 0, 1, 1]), np.array([1.0, 3.0, 1.0, 3.0])
    found = rates_of_visits(page, gap, np.array([False, False, True, True]), pages=3)
    assert found.rate[0] == 0.0
    assert found.high[0] == pytest.approx(np.log(20) / 4.0, rel=1e-5)
    assert found.low[1] > 0.0
    assert np.isinf(found.high[1])
    assert found.rate[1] == pytest.approx(np.log(5) / 2.0)
    assert (found.rate[2], found.low[2], found.high[2]) == (0.0, 0.0, np.inf)


@pytest.mark.parametrize("budget", [0.5, 3.0, 40.0])
def test_optimal_is_what_an_optimiser_finds(budget: float) -> None:
    rates = np.array([0.05, 0.2, 1.0, 5.0, 20.0])
    often = refresh_frequencies(rates, budget)
    assert often.sum() == pytest.approx(budget)
    answer = minimize(
        lambda share: -freshness(rates, np.maximum(share, 1e-12)).mean(), np.full(5, budget / 5),
        bounds=[(1e-12, budget)] * 5, constraints={"type": "eq", "fun": lambda share: share.sum() - budget},
        method="SLSQP", options={"ftol": 1e-12, "maxiter": 500},
    )  # fmt: skip
    assert freshness(rates, often).mean() >= -answer.fun - 1e-6


def test_optimal_beats_uniform_on_mixed_rates_and_proportional_loses() -> None:
    rates = np.repeat([0.01, 0.1, 1.0, 10.0], 250)
    fresh = {p: freshness(rates, refresh_frequencies(rates, 300.0, policy=p)).mean() for p in POLICIES}
    assert fresh["optimal"] >= fresh["uniform"] + 0.05
    assert fresh["proportional"] < fresh["uniform"]


def test_pages_that_never_change_are_not_fetched() -> None:
    assert refresh_frequencies(np.array([0.0, 1.0]), 2.0).tolist() == [0.0, 2.0]
    assert refresh_frequencies(np.zeros(2), 2.0).tolist() == [1.0, 1.0]
    assert len(refresh_frequencies(np.zeros(0), 2.0)) == 0


def test_currency_is_the_chance_of_no_change_since() -> None:
    assert currency_now(np.array([0.1, 0.0]), np.array([10.0, 99.0])) == pytest.approx((np.exp(-1) + 1) / 2)
    assert currency_now(np.array([0.1]), np.array([10.0]), grace=7.0) == pytest.approx(np.exp(-0.3))
    assert currency_now(np.zeros(0), np.zeros(0)) == 1.0


def test_unknown_names_and_budgets_are_refused() -> None:
    for wrong in ({"policy": "best"}, {"budget": 0.0}):
        with pytest.raises(ParameterError):
            refresh_frequencies(np.ones(2), **{"budget": 1.0, **wrong})
    with pytest.raises(ParameterError, match="estimator"):
        rates_of_visits([0], [1.0], [True], pages=1, method="guess")
