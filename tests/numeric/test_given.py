"""Numbers that are none, and ids that are none, are named; what numpy would turn into numbers is refused too."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.numeric.given import is_a, is_flag, is_number, is_whole, page_ids, pythons_own, real_numbers


def test_numbers_of_python_and_numpy_are_numbers() -> None:
    assert all(map(is_number, (1, 0.5, np.float32(1), np.int8(3), True)))
    assert not is_number(Fraction(1, 3))
    assert not any(map(is_number, ("1", None, [1], 1j, np.array(["1"]))))
    assert all(map(is_whole, (1, np.uint32(7))))
    assert not any(map(is_whole, (1.0, "1", None, np.float64(2), True)))
    assert all(map(is_flag, (True, np.bool_(False))))
    assert not any(map(is_flag, (1, 0.0, "yes", None)))


@pytest.mark.parametrize("values", [[1, 2], (0.5,), np.array([True, False]), np.arange(3, dtype=np.uint8), []])
def test_vectors_of_numbers_come_as_float64(values) -> None:  # type: ignore[no-untyped-def]
    found = real_numbers(values, "weights")
    assert found.dtype == np.float64
    assert found.tolist() == list(values)


@pytest.mark.parametrize(
    "values",
    ["abc", {"a": 1}, [[1, 2], [3]], np.array(["2020-01-01"], "datetime64[D]"), np.array([1 + 2j]), [None], ["1"]],
)
def test_what_is_no_real_number_is_refused(values) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match="real numbers") as caught:
        real_numbers(values, "weights")
    assert caught.value.name == "weights"


def test_ids_keep_their_order_and_a_set_will_do() -> None:
    assert page_ids([2, 0, 2], 3, "seeds").tolist() == [2, 0, 2]
    assert page_ids({2, 1}, 3, "seeds").tolist() == [1, 2]
    assert page_ids(np.array([1], np.uint32), 3, "seeds").dtype == np.int64
    assert page_ids([], 3, "seeds").tolist() == []


@pytest.mark.parametrize(
    "ids", [3, [1.5], [3], [-1], ["1"], [[1]], [10**20], [True], "12", None, list(range(20)), [[1], [2, 0]], {1, "a"}]
)
def test_what_is_no_id_is_refused(ids) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match="whole numbers from 0 to 2") as caught:
        page_ids(ids, 3, "seeds")
    assert caught.value.name == "seeds"


def test_the_type_of_a_value_is_that_of_python_whichever_library_made_it() -> None:
    assert is_a(np.int8(3), int)
    assert is_a(3, float)
    assert not is_a(3.0, int)
    assert not is_a(True, int)
    assert is_a(np.bool_(True), bool)
    assert is_a("a", str)
    assert [type(pythons_own(value)) for value in (np.float32(0.5), np.longdouble(1), np.uint8(2), np.bool_(True))] == [
        float,
        float,
        int,
        bool,
    ]
    assert pythons_own("a") == "a"
