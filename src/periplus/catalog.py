"""The catalogue: what every algorithm is to the command line, the JSON API, the docs and the contract tests.

`Parameter` is one keyword argument with its range; it checks what it is given. `Algorithm` is one row of a table: a
name, where the function lives, what it measures, its parameters, what it needs and returns, the paper. A `Catalogue` is
such a table. `CATALOGUES` names them all; nothing is imported until somebody asks for a table or for a function.

`@checked` holds the callers of a function to its signature, and to the ranges of its row where it has one.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import math
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

import numpy as np

from periplus.errors import ParameterError, UnknownParameterError
from periplus.numeric.given import is_a, is_flag, is_number, pythons_own
from periplus.numeric.stop import Stop

Kind = Literal["float", "int", "flag", "choice", "text", "vector", "pages", "stop"]
MAX_NODES = 2**32 - 1
_UNBOUNDED = {
    "float": "a number",
    "int": "a whole number",
    "text": "a text",
    "vector": "one number per page",
    "pages": "one page or more",
    "stop": Stop.NOUN,
}
# Only the function knows what may be in these: it has the graph.
_LEFT_TO_THE_FUNCTION = ("text", "vector", "pages")
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One keyword argument. Both ends belong to the range unless `open_low` or `open_high` says not.

    `form` states in words what `low` and `high` cannot. A default of None means that None is allowed, unless the
    parameter is required. Numbers are finite. Texts, vectors and lists of pages are checked by the function itself,
    which knows the graph. `also` are names that other libraries have for it: who uses one is told ours.
    """

    name: str
    kind: Kind
    default: Any
    help: str
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    choices: tuple[str, ...] = ()
    form: str = ""
    required: bool = False
    also: tuple[str, ...] = ()

    @property
    def optional(self) -> bool:
        """Whether None is allowed."""
        return self.default is None and not self.required

    @property
    def allowed(self) -> str:
        """What may be given, in mathematical notation (`0 < rho ≤ 1`) or in words."""
        if self.form:
            return self.form
        if self.choices:
            return ", ".join(self.choices)
        if self.kind == "flag":
            return "True or False"
        below = "" if self.low == -math.inf else f"{_short(self.low)} {'<' if self.open_low else '≤'} "
        above = "" if self.high == math.inf else f" {'<' if self.open_high else '≤'} {_short(self.high)}"
        return f"{below}{self.name}{above}" if below or above else _UNBOUNDED[self.kind]

    def check(self, value: Any) -> Any:
        """Return the value in Python's own type; `ParameterError` names the parameter and its range."""
        if value is None and self.optional:
            return None
        if self.kind in ("float", "int"):
            return self._number(value)
        if value is None and self.kind in _LEFT_TO_THE_FUNCTION:
            raise ParameterError(self.name, value, self.allowed)
        if self.kind == "choice" and (not isinstance(value, str) or value not in self.choices):
            raise ParameterError(self.name, value, f"one of {self.allowed}{_meant(value, self.choices)}")
        if self.kind == "flag":
            if not is_flag(value):
                raise ParameterError(self.name, value, self.allowed)
            return bool(value)
        if self.kind == "stop" and not isinstance(value, Stop):
            raise _refusal(self.name, value, (Stop,))
        return value

    def read(self, text: str) -> Any:
        """Return the value that a text from a command line or a form stands for.

        `1e6` is a whole number, `yes` is True; where None is allowed, no text and `none` stand for it.
        """
        word = text.strip().lower()
        if self.optional and word in ("", "none"):
            return None
        if self.kind == "flag":
            if word not in (*_YES, *_NO):
                raise ParameterError(self.name, text, self.allowed)
            return word in _YES
        if self.kind not in ("float", "int"):
            return self.check(text)
        try:
            number = int(word) if self.kind == "int" and word.lstrip("+-").isdecimal() else float(word)
        except ValueError as error:
            raise ParameterError(self.name, text, self._noun()) from error
        return self.check(number)

    def to_dict(self) -> dict[str, Any]:
        """The parameter as plain data."""
        default = None if isinstance(self.default, Stop) else self.default
        described = {"name": self.name, "kind": self.kind, "default": default, "allowed": self.allowed}
        return {**described, "help": self.help, "choices": list(self.choices), "required": self.required}

    def _number(self, value: Any) -> int | float:
        if not is_number(value) or is_flag(value):
            raise ParameterError(self.name, value, self._noun())
        number = pythons_own(value)
        if isinstance(number, float) and not math.isfinite(number):
            raise ParameterError(self.name, value, self._noun("finite"))
        if self.kind == "int" and number != int(number):
            raise ParameterError(self.name, value, self._noun())
        too_low = number < self.low or (self.open_low and number == self.low)
        too_high = number > self.high or (self.open_high and number == self.high)
        if too_low or too_high:
            raise ParameterError(self.name, value, self.allowed)
        try:
            return int(number) if self.kind == "int" else float(number)
        except OverflowError as error:
            raise ParameterError(self.name, value, self._noun("float64")) from error

    def _noun(self, which: str = "") -> str:
        """What kind of number it takes, and in which range."""
        noun = "a whole number" if self.kind == "int" else f"a {which} number" if which else "a number"
        return noun if self.allowed in _UNBOUNDED.values() else f"{noun}, {self.allowed}"


def _short(bound: float) -> str:
    """Whole numbers in full, others and what a float cannot hold exactly short."""
    return str(int(bound)) if isinstance(bound, int) or (bound.is_integer() and bound < 1e16) else f"{bound:g}"


def nodes_parameter(low: int = 1, default: int = 1000) -> Parameter:
    """The number of pages of a graph to be grown."""
    return Parameter("n", "int", default, "pages", low=low, high=MAX_NODES, also=("nodes", "pages", "size", "vertices"))


SEED = Parameter(
    "seed",
    "int",
    0,
    "the same seed gives the same answer, whatever the threads",
    low=0,
    high=2**63 - 1,
    also=("random_state", "rng"),
)


# -- tables --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One row of a catalogue; `function()` imports what it names.

    `help` says what it does, `when` what it is good for. `label` is what it measures, for the sentence "among the best
    2 % of pages by …"; its name where nothing else is said. `returns` names what its record holds ("scores", "hubs",
    "labels", "positions", "graph"); `needs` names what a graph must have ("links", "urls", "words", …).
    """

    name: str
    home: str
    help: str
    family: str = ""
    label: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    paper: str = ""
    when: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name)

    def function(self) -> Callable[..., Any]:
        """The function itself, imported now."""
        return cast("Callable[..., Any]", load(self.home))

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def missing(self, given: Collection[str] = ()) -> list[str]:
        """The parameters that it cannot do without and that are not among those `given`."""
        return [parameter.name for parameter in self.parameters if parameter.required and parameter.name not in given]

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter by name, defaults filled in; unknown names and bad values are refused."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise _unknown(self.name, name, given[name], list(known), self.parameters)
        return {name: parameter.check(given.get(name, parameter.default)) for name, parameter in known.items()}

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "name": self.name,
            "help": self.help,
            "family": self.family,
            "label": self.label,
            "when": self.when,
            "returns": list(self.returns),
            "needs": [*self.needs, *self.missing()],
            "paper": self.paper,
            "parameters": [parameter.to_dict() for parameter in self.parameters],
        }


A = TypeVar("A", bound=Algorithm)


class Catalogue(Mapping[str, A], Generic[A]):
    """A table of algorithms by name, in the order given."""

    def __init__(self, noun: str, rows: Iterable[A]) -> None:
        self.noun = noun
        self._rows: dict[str, A] = {}
        for row in rows:
            if self._rows.setdefault(row.name, row) is not row:
                raise ValueError(f"two rows of the table are named {row.name}")

    def __repr__(self) -> str:
        return f"Catalogue({self.noun}: {', '.join(self)})"

    def __getitem__(self, name: str) -> A:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, name: object) -> A:
        """The row of that name; the error lists those there are."""
        if not isinstance(name, str) or name not in self._rows:
            raise ParameterError(self.noun, name, f"one of {', '.join(self)}{_meant(name, self)}")
        return self._rows[name]


# Every table, by the name it has in `/api/algorithms` and in the docs. To add one: a line here.
CATALOGUES = {
    "rankers": "periplus.rank.table:RANKERS",
    "query-rankers": "periplus.focus.table:QUERY_RANKERS",
    "solvers": "periplus.rank.table:SOLVERS",
    "models": "periplus.models.table:MODELS",
    "similar": "periplus.similar.table:SIMILAR",
    "communities": "periplus.communities.table:COMMUNITIES",
    "layouts": "periplus.gravity.table:LAYOUTS",
}


def catalogues() -> dict[str, Catalogue[Algorithm]]:
    """Every catalogue, imported now."""
    return {name: load(home) for name, home in CATALOGUES.items()}


def load(home: str) -> Any:
    """What "module:name" stands for, imported now."""
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)


# -- what callers give ---------------------------------------------------------------------------------------

F = TypeVar("F", bound=Callable[..., Any])
_WORDS: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    str: "a text",
    Path: "a path",
    types.NoneType: "None",
}


@typing.overload
def checked(function: F, /) -> F: ...
@typing.overload
def checked(*rules: Algorithm | Parameter) -> Callable[[F], F]: ...
def checked(*rules: Any) -> Any:
    """Refuse arguments of the wrong kind or out of range, with an error that names the argument.

    `@checked` goes by the types of the signature; those that are neither plain Python types nor classes of ours are
    left to the function. `@checked(RANKERS["pagerank"])`, or parameters one by one, adds their ranges. Numbers of numpy
    become Python's: with float32 1 − α would be off by 1e-8, and no certificate would know.
    """
    if len(rules) == 1 and inspect.isfunction(rules[0]):
        return _checked(rules[0], {})
    ranges: dict[str, Parameter] = {}
    for rule in rules:
        ranges |= {one.name: one for one in (rule.parameters if isinstance(rule, Algorithm) else (rule,))}
    linked = next((rule.name for rule in rules if isinstance(rule, Algorithm) and "links" in rule.needs), "")
    return lambda function: _checked(function, ranges, linked)


def _checked(function: F, ranges: Mapping[str, Parameter], linked: str = "") -> F:
    signature = inspect.signature(function).parameters
    names = tuple(signature)
    takes_any = any(one.kind is one.VAR_KEYWORD for one in signature.values())

    @functools.cache
    def kinds() -> dict[str, tuple[type, ...]]:
        hints = typing.get_type_hints(function)
        return {name: found for name in names if (found := _types(hints.get(name)))}

    def passed(name: str, value: Any) -> Any:
        if name in ranges and ranges[name].kind not in _LEFT_TO_THE_FUNCTION:
            return ranges[name].check(value)
        if name in kinds():
            value = _taken(name, value, kinds()[name])
        elif name not in names and not takes_any:
            raise _unknown(function.__name__, name, value, names, ranges.values())
        if linked and name == "graph" and not value.links:
            raise ParameterError(name, value, f"at least one link ({linked} without links is undefined)")
        return pythons_own(value)

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        given = [passed(name, value) for name, value in zip(names, arguments, strict=False)]
        given += arguments[len(names) :]
        return function(*given, **{name: passed(name, value) for name, value in named.items()})

    return cast("F", call)


def _types(hint: Any) -> tuple[type, ...]:
    """The types that a hint names, when all of them can be checked; none otherwise."""
    union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    alternatives = typing.get_args(hint) if union else (hint,)
    return alternatives if all(one in _WORDS or _is_ours(one) for one in alternatives) else ()


def _is_ours(kind: object) -> bool:
    return isinstance(kind, type) and kind.__module__.startswith("periplus.")


def _taken(name: str, value: Any, kinds: tuple[type, ...]) -> Any:
    """The value as one of these types; 1e6 is a whole number too. `ParameterError` where it is none of them."""
    if any(is_a(value, kind) for kind in kinds):
        return value
    if int in kinds and isinstance(value, float | np.floating) and float(value).is_integer():
        return int(value)
    raise _refusal(name, value, kinds)


def _refusal(name: str, value: object, kinds: tuple[type, ...]) -> ParameterError:
    """The error for a value of the wrong kind.

    A class may call itself something (`NOUN`), and its `refuse(value)` may say how to show the value and what to do.
    """
    words = [_WORDS.get(kind) or getattr(kind, "NOUN", f"a {kind.__module__}.{kind.__qualname__}") for kind in kinds]
    allowed, shown = " or ".join(words), value
    for kind in kinds:
        if hasattr(kind, "refuse"):
            shown, remedy = kind.refuse(value)
            allowed += remedy
    return ParameterError(name, shown, allowed)


def _unknown(
    function: str, name: str, value: object, names: Sequence[str], rules: Iterable[Parameter]
) -> UnknownParameterError:
    """The error for a name that a function does not have; it says which one was meant."""
    taken = {rule.name: rule for rule in rules if rule.name in names}
    given = [one for one in names if one != "graph" or name.startswith("g")]  # it stands first: alpha is not it
    near = [rule.name for rule in taken.values() if name in rule.also] or difflib.get_close_matches(name, given, n=1)
    if not near:
        return UnknownParameterError(function, name, value, f"it has {', '.join(given) or 'none'}")
    stop = near[0] in taken and taken[near[0]].kind == "stop"
    more = f" It takes {Stop.NOUN}" if stop else ""
    return UnknownParameterError(function, name, value, f"did you mean {near[0]}?{more}")


def _meant(name: object, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1) if isinstance(name, str) else []
    return f" (did you mean {near[0]}?)" if near else ""
