"""Places and ties: who comes first, with and without a sort of all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.record.samples import GRAPHS

from periplus.errors import ParameterError
from periplus.rank import hits, indegree
from periplus.record import (
    Ranked,
    Scores,
    best_first,
    rounded,
)
from periplus.record.plain import same


def test_the_best_come_with_place_url_and_score() -> None:
    scores = indegree(GRAPHS["with URLs"])
    url = "https://example.org/"
    assert scores.top(3) == [
        Ranked(1, 0, f"{url}0", 2.0),
        Ranked(2, 1, f"{url}1", 1.0),
        Ranked(2, 2, f"{url}2", 1.0),
    ]
    assert [one.url for one in indegree(GRAPHS["without URLs"]).top(2)] == [None, None]
    assert scores.top(0) == scores.top(-3) == []
    assert len(scores.top(100)) == 7
    assert scores.best(2).tolist() == [0, 1]
    assert scores.best(2).dtype == np.uint32
    assert scores.places.tolist() == [1, 2, 2, 2, 6, 2, 6]
    assert scores.tied_with.tolist() == [0, 3, 3, 3, 1, 3, 1]


def test_rounding_of_a_solver_is_no_difference() -> None:
    scores = Scores("mine", np.array([0.1 + 0.2, 0.3, 0.3 * (1 + 1e-9)]))
    assert scores.places.tolist() == [2, 2, 1]
    assert [one.page for one in scores.top()] == [2, 0, 1]


@given(arrays.arrays(np.float64, st.integers(0, 30), elements=st.sampled_from([0.0, -1.0, 0.5, 2.0, np.nan, np.inf])))
@settings(max_examples=200, derandomize=True)
def test_places_are_counted_and_the_short_list_is_the_beginning_of_the_long_one(values: np.ndarray) -> None:
    scores = Scores("mine", values)
    for page, value in enumerate(values):
        better = sum(1 for other in values if other > value or (math.isnan(value) and not math.isnan(other)))
        assert scores.places[page] == better + 1
        assert scores.tied_with[page] == sum(same(float(other), float(value)) for other in values) - 1
    whole = best_first(values).tolist()
    falling = -rounded(values)
    assert whole == sorted(range(len(values)), key=lambda page: (math.isnan(values[page]), falling[page], page))
    for count in range(len(values) + 2):
        assert scores.best(count).tolist() == whole[:count]
        assert [one.page for one in scores.top(count)] == whole[:count]
        assert [one.place for one in scores.top(count)] == scores.places[whole[:count]].tolist()


def test_hubs_are_scores_too() -> None:
    scores = hits(GRAPHS["with URLs"])
    hubs = scores.of_hubs()
    assert hubs.values is scores.extra["hubs"]
    assert hubs.error_bound == scores.extra["hubs_error_bound"]
    assert hubs["https://example.org/0"] == scores.extra["hubs"][0]
    with pytest.raises(ParameterError, match="a ranking with hubs"):
        indegree(GRAPHS["with URLs"]).of_hubs()
