"""The forecast of how many passes an iteration takes."""

from __future__ import annotations

import math

import pytest

from periplus.rank.linear.pace import Pace


def gives_up_after(residuals: list[float], patience: float, target: float = 1e-10) -> int | None:
    pace = Pace(target, patience)
    return next((passes for passes, residual in enumerate(residuals, 1) if pace.too_slow(residual)), None)


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_a_steady_rate_is_foreseen_from_the_third_pass_on(rate: float) -> None:
    needed = math.ceil(math.log(1e-10) / math.log(rate)) + 1
    steady = [rate**passes for passes in range(needed)]
    assert gives_up_after(steady, needed + 1) is None
    assert gives_up_after(steady, needed - 2) == 3


def test_a_rate_that_worsens_is_noticed_when_it_does() -> None:
    residuals, rate = [1.0], 0.3
    for _ in range(12):
        residuals.append(residuals[-1] * rate)
        rate = min(rate * 1.1, 0.85)
    given_up = gives_up_after(residuals, 40)
    assert given_up is not None
    assert 4 <= given_up <= 9


def test_nothing_gained_is_given_up_and_no_limit_never_is() -> None:
    assert gives_up_after([1.0, 1.0, 1.0], 1000) == 3
    assert gives_up_after([1.0, 2.0, 4.0], 1000) == 3
    assert gives_up_after([1.0] * 50, math.inf) is None


def test_a_residual_of_zero_before_is_no_trouble() -> None:
    assert gives_up_after([1e-300, 0.0, 0.0], 10, target=0.0) == 3
