"""What a model is to the command line, the API and the docs: a name, a generator, its parameters with their ranges."""

from __future__ import annotations

import functools
import importlib
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec

from periplus.errors import ParameterError
from periplus.graph.graph import Graph

MAX_NODES = 2**32 - 1
MIXTURE_FORM = "rate:share,rate:share,…"
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a model: its kind, default and range; both ends belong to the range unless `open_*` says not."""

    name: str
    kind: type
    default: Any
    help: str
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    choices: tuple[str, ...] = ()
    form: str = ""

    @property
    def range(self) -> str:
        """The range in mathematical notation, `0 < rho ≤ 1`; of a text its choices, or the form that it has."""
        if self.form:
            return self.form
        if self.choices:
            return " | ".join(self.choices)
        if self.kind is bool:
            return "yes or no"
        below = "" if self.low == -math.inf else f"{_said(self.low)} {'<' if self.open_low else '≤'} "
        above = "" if self.high == math.inf else f" {'<' if self.open_high else '≤'} {_said(self.high)}"
        return f"{below}{self.name}{above}"

    def check(self, value: Any) -> Any:
        """The value in its own type, or `ParameterError` that names the parameter and its range."""
        if self.kind is str:
            if self.choices and value not in self.choices:
                raise ParameterError(self.name, value, self.range)
            return value
        if self.kind is bool:
            if not isinstance(value, bool):
                raise ParameterError(self.name, value, self.range)
            return value
        try:
            number = float(value)
        except (TypeError, ValueError) as error:
            raise ParameterError(self.name, value, f"a number, {self.range}") from error
        too_low = number < self.low or (self.open_low and number == self.low)
        too_high = number > self.high or (self.open_high and number == self.high)
        if math.isnan(number) or too_low or too_high:
            raise ParameterError(self.name, value, self.range)
        if self.kind is int:
            if not number.is_integer():
                raise ParameterError(self.name, value, f"a whole number, {self.range}")
            return int(value) if isinstance(value, int) else int(number)
        return number


def _said(bound: float) -> str:
    """Whole numbers in full, others short."""
    return str(int(bound)) if float(bound).is_integer() else f"{bound:g}"


def nodes_parameter(low: int = 1, default: int = 1000) -> Parameter:
    """The number of pages, which nearly every model has."""
    return Parameter("n", int, default, "pages", low=low, high=MAX_NODES)


SEED = Parameter("seed", int, 0, "the same seed gives the same graph, whatever the threads", low=0, high=2**63 - 1)


@dataclass(frozen=True, slots=True)
class Model:
    """One row of the table of models.

    `sizes` says why a graph may have other than n pages; `drawn` gives the expected number of links drawn, for models
    in which many repeat others and are merged with them.
    """

    name: str
    home: str
    help: str
    paper: str
    parameters: tuple[Parameter, ...]
    directed: bool = True
    sizes: str = ""
    drawn: Callable[[Mapping[str, Any]], float] | None = None

    def function(self) -> Callable[..., Graph]:
        """The generator, imported when first asked for."""
        module, attribute = self.home.split(":")
        generator: Callable[..., Graph] = getattr(importlib.import_module(module), attribute)
        return generator

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter by name, defaults filled in; unknown names and bad values are refused."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise ParameterError(name, given[name], f"{self.name} has the parameters {', '.join(known)}")
        return {name: parameter.check(given.get(name, parameter.default)) for name, parameter in known.items()}

    def generate(self, **given: Any) -> Graph:
        """Grow a graph."""
        return self.function()(**self.checked(given))


def checked(name: str) -> Callable[[Callable[Arguments, Graph]], Callable[Arguments, Graph]]:
    """A generator that checks its arguments by its row of the table, however it is called."""

    def wrap(function: Callable[Arguments, Graph]) -> Callable[Arguments, Graph]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def generate(*args: Arguments.args, **given: Arguments.kwargs) -> Graph:
            from periplus.models import MODELS

            arguments: dict[str, Any] = MODELS[name].checked(signature.bind(*args, **given).arguments)
            return function(**arguments)  # type: ignore[call-arg]

        return generate

    return wrap
