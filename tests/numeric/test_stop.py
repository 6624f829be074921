from __future__ import annotations

import pytest

from periplus.errors import ParameterError
from periplus.numeric.stop import MaxIter, Tol


def test_rules_join_to_whichever_comes_first() -> None:
    rule = Tol(1e-9) | MaxIter(50)
    assert (rule.tolerance, rule.max_iterations) == (1e-9, 50)
    assert (rule | Tol(1e-6)).tolerance == 1e-6
    assert (rule | MaxIter(10)).max_iterations == 10


@pytest.mark.parametrize("tolerance", [0.0, -1.0, 1e-16, float("nan")])
def test_tolerances_below_rounding_are_refused(tolerance: float) -> None:
    with pytest.raises(ParameterError):
        Tol(tolerance)


def test_at_least_one_pass() -> None:
    with pytest.raises(ParameterError):
        MaxIter(0)
