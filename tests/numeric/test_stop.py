from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.numeric.stop import MaxIter, Stop, Tol


def test_rules_join_to_whichever_comes_first() -> None:
    rule = Tol(1e-9) | MaxIter(50)
    assert (rule.tolerance, rule.max_iterations) == (1e-9, 50)
    assert (rule | Tol(1e-6)).tolerance == 1e-6
    assert (rule | MaxIter(10)).max_iterations == 10


@pytest.mark.parametrize("tolerance", [0.0, -1.0, 1e-16, float("nan"), float("inf"), "1e-9", None])
def test_tolerances_below_rounding_and_what_is_no_number_are_refused(tolerance: float) -> None:
    with pytest.raises(ParameterError):
        Tol(tolerance)


@pytest.mark.parametrize("passes", [0, -5, 1.5, "10", None])
def test_at_least_one_pass(passes: int) -> None:
    for rule in (MaxIter, lambda passes: Stop(1e-9, passes)):
        with pytest.raises(ParameterError, match="max_iterations"):
            rule(passes)


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf"), "1e-9"])
def test_a_rule_put_together_by_hand_is_checked_too(tolerance: float) -> None:
    with pytest.raises(ParameterError, match="tolerance"):
        Stop(tolerance, 10)


def test_small_numbers_of_numpy_do_not_wrap() -> None:
    assert MaxIter(np.uint8(255)).max_iterations + 1 == 256
    assert type(MaxIter(np.int8(3)).max_iterations) is int
    assert type(Tol(np.float32(1e-3)).tolerance) is float
