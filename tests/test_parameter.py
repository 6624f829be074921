"""One parameter: what is allowed, read from a text or given as a value, and what a refusal says."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from periplus.catalog import SEED, Parameter
from periplus.errors import ParameterError
from periplus.numeric.stop import MaxIter, Stop, Tol

BOUNDS = st.one_of(st.none(), st.integers(-5, 5), st.floats(-5, 5))


@st.composite
def number_parameters(draw: st.DrawFn) -> Parameter:
    low, high = draw(BOUNDS), draw(BOUNDS)
    return Parameter(
        "x",
        draw(st.sampled_from(["float", "int"])),
        draw(st.sampled_from([None, 0])),
        "a number",
        low=-math.inf if low is None else low,
        high=math.inf if high is None else high,
        open_low=draw(st.booleans()),
        open_high=draw(st.booleans()),
        required=draw(st.booleans()),
    )


NUMBERS = st.one_of(
    st.integers(-6, 6), st.integers(), st.floats(), st.integers(-6, 6).map(float), st.booleans(), st.none()
)


def outcome(act: Callable[[], Any]) -> Any:
    """What comes out, with its type, or "refused"."""
    try:
        found = act()
    except ParameterError as error:
        return "refused" if error.name == "x" else error.name
    return type(found), found


@given(number_parameters(), NUMBERS)
@example(Parameter("x", "int", 0, "unbounded"), math.inf)
@example(Parameter("x", "float", 0, "unbounded"), 10**400)
@example(Parameter("x", "int", 0, "unbounded"), 10**400)
@settings(max_examples=600, derandomize=True)
def test_a_text_is_accepted_where_its_number_is(parameter: Parameter, value: Any) -> None:
    read, taken = (outcome(lambda: parameter.read(str(value))), outcome(lambda: parameter.check(value)))
    assert read == taken
    assert (taken != "refused") == allowed(parameter, value)
    if taken != "refused" and value is not None:
        kind = {"int": int, "float": float}[parameter.kind]
        assert taken == (kind, kind(value))


def allowed(parameter: Parameter, value: Any) -> bool:
    """The rule again, the plain way."""
    if value is None:
        return parameter.default is None and not parameter.required
    if isinstance(value, bool) or value != value or value in (math.inf, -math.inf):
        return False
    if parameter.kind == "int" and value != int(value):
        return False
    if parameter.kind == "float" and abs(value) > sys.float_info.max:
        return False
    above = value > parameter.low or (value == parameter.low and not parameter.open_low)
    return above and (value < parameter.high or (value == parameter.high and not parameter.open_high))


@given(st.integers(-100, 100), st.sampled_from([np.int8, np.uint64, np.float32, np.float64, np.longdouble]))
@settings(max_examples=100, derandomize=True)
def test_numbers_of_numpy_are_taken_as_python_s(value: int, kind: type) -> None:
    if kind is np.uint64:
        value = abs(value)
    for parameter, wanted in ((Parameter("x", "int", 0, ""), int), (Parameter("x", "float", 0, ""), float)):
        found = parameter.check(kind(value))
        assert (type(found), found) == (wanted, value)


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        (Parameter("p", "float", 0.5, "", 0.0, 1.0), "0 ≤ p ≤ 1"),
        (Parameter("p", "float", 0.5, "", 0.0, 1.0, open_low=True, open_high=True), "0 < p < 1"),
        (Parameter("m", "int", 5, "", 1), "1 ≤ m"),
        (Parameter("m", "int", 5, "", high=10_000), "m ≤ 10000"),
        (Parameter("r", "float", 2.5, "", 0.25), "0.25 ≤ r"),
        (Parameter("m", "int", 5, ""), "a whole number"),
        (Parameter("r", "float", 5, ""), "a number"),
        (Parameter("a", "float", None, "", 0.0, form="0 < a < 1/ρ(A)"), "0 < a < 1/ρ(A)"),
        (Parameter("c", "choice", "a", "", choices=("a", "b")), "a, b"),
        (Parameter("f", "flag", True, ""), "True or False"),
        (Parameter("t", "text", "", ""), "a text"),
        (Parameter("v", "vector", None, ""), "one number per page"),
        (Parameter("s", "stop", Tol(1e-9), ""), Stop.NOUN),
    ],
)
def test_what_is_allowed_is_said_in_words(parameter: Parameter, words: str) -> None:
    assert parameter.allowed == words
    assert parameter.to_dict()["allowed"] == words


@pytest.mark.parametrize(
    ("parameter", "value", "words"),
    [
        (Parameter("m", "int", 5, "", 1), 2.5, "m = 2.5 is not allowed: a whole number, 1 ≤ m"),
        (Parameter("m", "int", 5, ""), "x", "m = 'x' is not allowed: a whole number"),
        (Parameter("p", "float", 5, "", 0, 1), None, "p = None is not allowed: a number, 0 ≤ p ≤ 1"),
        (Parameter("p", "float", 5, "", 0, 1), 2, "p = 2 is not allowed: 0 ≤ p ≤ 1"),
        (Parameter("p", "float", 5, "", 0), math.inf, "p = inf is not allowed: a finite number, 0 ≤ p"),
        (Parameter("c", "choice", "ab", "", choices=("abc", "xyz")), "abd", "one of abc, xyz (did you mean abc?)"),
        (Parameter("c", "choice", "ab", "", choices=("abc", "xyz")), 3, "c = 3 is not allowed: one of abc, xyz"),
        (Parameter("c", "choice", "ab", "", choices=("abc", "xyz")), None, "c = None is not allowed: one of abc, xyz"),
        (Parameter("f", "flag", True, ""), 1, "f = 1 is not allowed: True or False"),
        (Parameter("s", "stop", Tol(1e-9), ""), 1e-6, "a stopping rule, such as Tol(1e-9) | MaxIter(1000): perhaps"),
        (Parameter("v", "vector", None, "", required=True), None, "v = None is not allowed: one number per page"),
        (Parameter("t", "text", "a", ""), None, "t = None is not allowed: a text"),
    ],
)
def test_a_refusal_says_what_is_allowed(parameter: Parameter, value: Any, words: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parameter.check(value)
    assert words in str(caught.value)
    assert (caught.value.name, caught.value.value) == (parameter.name, value)


def test_texts_of_flags_and_choices() -> None:
    flag = Parameter("x", "flag", True, "")
    assert [flag.read(text) for text in ("1", "TRUE", " yes ", "on")] == [True] * 4
    assert [flag.read(text) for text in ("0", "false", "No", "off", "")] == [False] * 5
    assert flag.check(np.bool_(False)) is False
    assert [outcome(lambda text=text: flag.read(text)) for text in ("2", "maybe", "None")] == ["refused"] * 3
    choice = Parameter("x", "choice", "a", "", choices=("a", "b"))
    assert choice.read("b") == "b"
    assert outcome(lambda: choice.read("B")) == "refused"
    assert replace(choice, default=None).read("none") is None
    assert Parameter("x", "int", 1, "").read("1e6") == 1_000_000
    assert Parameter("x", "text", "", "").read(" as it is ") == " as it is "
    rule = Tol(1e-9) | MaxIter(5)
    assert Parameter("x", "stop", rule, "").check(rule) is rule
    vector = np.ones(3)
    assert Parameter("x", "vector", None, "").check(vector) is vector


def test_the_ends_of_the_seed_are_whole() -> None:
    assert SEED.check(2**63 - 1) == 2**63 - 1
    with pytest.raises(ParameterError, match="seed"):
        SEED.check(2**63)
