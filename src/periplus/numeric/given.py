"""What callers give, checked in one place: numbers, whole numbers, vectors of numbers, ids of pages.

numpy turns much into numbers that was not meant as one: dates become counts, complex numbers lose a part, 1.5 becomes
page 1. Here that is an error which names the argument.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.numeric.arrays import Floats, Offsets


def is_number(value: object) -> bool:
    """Whether this is one real number, of Python or of numpy; kernels know neither fractions nor decimals."""
    return isinstance(value, int | float | np.integer | np.floating)


def is_whole(value: object) -> bool:
    """Whether this is one whole number, of Python or of numpy; 2.0 is none, nor is True."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_flag(value: object) -> bool:
    """Whether this is True or False, of Python or of numpy."""
    return isinstance(value, bool | np.bool_)


def is_a(value: object, kind: type) -> bool:
    """Whether this is a value of that type; numbers of numpy are numbers, True and False are none."""
    if kind in (int, float):
        fits = kind is float or not isinstance(value, float | np.floating)
        return fits and is_number(value) and not is_flag(value)
    return is_flag(value) if kind is bool else isinstance(value, kind)


def pythons_own(value: Any) -> Any:
    """A number of numpy as Python's own; all else unchanged."""
    if isinstance(value, np.floating):
        return float(value)  # `item` leaves a long double unchanged
    return value.item() if isinstance(value, np.integer | np.bool_) else value


def real_numbers(values: Any, name: str) -> Floats:
    """An array of float64, of any shape, from real numbers; texts, dates, complex numbers and the like are refused."""
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise ParameterError(name, kind_of(values), f"real numbers: {error}") from error
    if array.dtype.kind not in "buif":
        found = f"an array of {array.dtype}" if isinstance(values, np.ndarray) else kind_of(values)
        raise ParameterError(name, found, "real numbers")
    return array.astype(np.float64, copy=False)


def page_ids(ids: Any, nodes: int, name: str) -> Offsets:
    """The ids of pages as a vector, in the order given; what is not a whole number from 0 to nodes − 1 is refused."""
    allowed = f"a list of page ids, whole numbers from 0 to {nodes - 1}"
    try:
        array = np.asarray(sorted(ids) if isinstance(ids, set | frozenset) else ids)
    except (ValueError, TypeError) as error:  # rows of different lengths, or a set of ids and other things
        raise ParameterError(name, kind_of(ids), allowed) from error
    whole = array.dtype.kind in "iu" or array.size == 0
    if array.ndim != 1 or not whole or (array.size and not (array.min() >= 0 and array.max() < nodes)):
        shown = array.tolist() if array.size <= 8 else f"{kind_of(ids)}, not all of them ids"
        raise ParameterError(name, shown, allowed)
    return array.astype(np.int64, copy=False)


def kind_of(value: object) -> str:
    """The type of a value in words: "a value of type networkx.classes.graph.Graph"."""
    kind = type(value)
    home = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"a value of type {home}{kind.__qualname__}"
