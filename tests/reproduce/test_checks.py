"""Verdicts follow from numbers and intervals by the rules stated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from periplus.reproduce.checks import (
    Estimate,
    bound,
    exact,
    give_or_take,
    holds,
    mean_of,
    number,
    order,
    share_of,
    stands_for,
    worst,
)


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [
        ("2.1", 2.05, 2.15),
        ("24 %", 23.5, 24.5),
        ("≈ 2", 1.5, 2.5),
        ("11,655 bytes", 11_654.5, 11_655.5),
        ("50–100", 50, 100),
        ("[1.647, 1.853]", 1.647, 1.853),
    ],
)
def test_a_printed_number_stands_for_what_rounds_to_it(printed: str, low: float, high: float) -> None:
    assert stands_for(printed) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("ours", "another", "verdict"),
    [
        (exact(2.1), False, "reproduced"),
        (exact(2.149), False, "reproduced"),
        (exact(2.16), False, "differs"),
        (give_or_take(2.2, 0.1), False, "reproduced"),
        (give_or_take(2.2, 0.3), False, "consistent"),
        (exact(2.1), True, "consistent"),
        (exact(2.3), True, "differs"),
        (exact(math.nan), False, "differs"),
    ],
)
def test_number(ours: Estimate, another: bool, verdict: str) -> None:
    assert number("exponent", "2.1", ours, another=another).verdict == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(28, 30, "reproduced"), (27, 30, "consistent"), (20, 27, "differs")]
)
def test_bound(low: float, high: float, verdict: str) -> None:
    assert bound("diameter", "at least 28", Estimate((low + high) / 2, low, high), least=28).verdict == verdict


def test_order_allows_half_a_decade_either_way() -> None:
    assert order("pages", "1,000", exact(501), 1000).verdict == "reproduced"
    assert order("pages", "1,000", exact(300), 1000).verdict == "differs"


def test_statements_and_the_worst_of_all() -> None:
    good, other, bad = holds("a", "", "", True), holds("b", "", "", True, another=True), holds("c", "", "", False)
    assert worst([good, other]) == "consistent"
    assert worst([good, bad, other]) == "differs"


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    means = [mean_of(rng.normal(3.0, 2.0, 8)) for _ in range(1000)]
    shares = [share_of(int(rng.binomial(60, 0.2)), 60) for _ in range(1000)]
    assert 0.93 < np.mean([one.low <= 3.0 <= one.high for one in means]) < 0.97
    assert 0.92 < np.mean([one.low <= 0.2 <= one.high for one in shares]) < 0.98


def test_numbers_are_told_to_the_digits_that_mean_something() -> None:
    assert give_or_take(2.4623, 0.1086).told() == "2.46 (2.35 to 2.57)"
    assert exact(8000).told("links") == "8,000 links"
    assert exact(math.nan).told() == "nan (no interval)"
