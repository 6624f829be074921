"""Overlap of two indexes of known size: the intervals hold the truth, and odd indexes are refused or told."""

from __future__ import annotations

import math

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.structure.walks.overlap import overlap

PAGES = np.arange(5000)


def test_intervals_hold_the_known_overlap_as_often_as_they_say() -> None:
    rng, held = np.random.default_rng(1), []
    for seed in range(300):
        first, second = (rng.choice(PAGES, size, replace=False) for size in (2400, 800))
        both = len(np.intersect1d(first, second))
        found = overlap(first, second, samples=400, seed=seed)
        truths = both / 2400, both / 800, 3.0
        shares = found.first_in_second, found.second_in_first, found.ratio
        held.append([share.low <= truth <= share.high for share, truth in zip(shares, truths, strict=True)])
    assert (np.mean(held, axis=0) > 0.91).all()


def test_equal_and_separate_indexes() -> None:
    same = overlap(PAGES, PAGES, samples=50)
    assert (same.first_in_second.value, same.ratio.value) == (1.0, 1.0)
    apart = overlap(PAGES[:100], PAGES[200:], samples=50)
    assert apart.first_in_second.value == 0
    assert math.isnan(apart.ratio.value)


@pytest.mark.parametrize(("first", "samples"), [(PAGES[:0], 10), (PAGES, 0)])
def test_nothing_to_sample_is_refused(first: np.ndarray, samples: int) -> None:
    with pytest.raises(ParameterError):
        overlap(first, PAGES, samples=samples)
