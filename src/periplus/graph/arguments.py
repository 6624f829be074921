"""`@checked`: what a public function is given is of the kind that its signature says.

A networkx graph where a `Graph` belongs, "0.85" where a number belongs or 1e-9 where a stopping rule belongs would end
in an error deep inside that names none of them. The annotations tell what belongs where; those that name one of the
kinds below or a class of ours, or several of them (`float | None`), are held to. Numbers of numpy become Python's: with
float32 1 − α would be off by 1e-8, and no certificate would know. It costs a few microseconds a call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.given import is_flag, is_number, is_whole, kind_of
from periplus.numeric.stop import Stop

F = TypeVar("F", bound=Callable[..., Any])


class _Kind(NamedTuple):
    holds: Callable[[object], bool]
    words: str


_KINDS = {
    "Graph": _Kind(lambda value: isinstance(value, Graph), "a periplus.Graph"),
    "Stop": _Kind(lambda value: isinstance(value, Stop), "a stopping rule, such as Tol(1e-9) | MaxIter(1000)"),
    "int": _Kind(is_whole, "a whole number"),
    "float": _Kind(is_number, "a number"),
    "bool": _Kind(is_flag, "True or False"),
    "str": _Kind(lambda value: isinstance(value, str), "a text"),
    "None": _Kind(lambda value: value is None, "None"),
}
# The library that a foreign graph comes from, and what makes a Graph of it.
_CONVERSIONS = {
    "networkx": "periplus.graph.convert.from_networkx",
    "igraph": "periplus.graph.convert.from_igraph",
    "networkit": "periplus.graph.convert.from_networkit",
    "scipy": "periplus.graph.convert.from_scipy",
    "pandas": "periplus.graph.convert.from_table",
    "polars": "periplus.graph.convert.from_table",
    "pyarrow": "periplus.graph.convert.from_table",
    "numpy": "Graph.from_edges(sources, targets)",
}


def checked(function: F) -> F:
    """The function, refusing arguments that are not of the kind which their annotations name."""
    parameters = inspect.signature(function).parameters
    names = tuple(parameters)
    known = function.__globals__
    kinds = {name: kinds for name in names if (kinds := _kinds(parameters[name].annotation, known))}

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        for name, value in (*zip(names, arguments, strict=False), *named.items()):
            if name in kinds and not any(kind.holds(value) for kind in kinds[name]):
                raise _refusal(name, value, kinds[name])
        return function(*map(_plain, arguments), **{name: _plain(value) for name, value in named.items()})

    return cast("F", call)


def _plain(value: Any) -> Any:
    """A number of numpy as Python's own; all else as it is."""
    if isinstance(value, np.floating):
        return float(value)
    return value.item() if isinstance(value, np.integer | np.bool_) else value


def _kinds(annotation: Any, known: Mapping[str, Any]) -> list[_Kind]:
    """The kinds that an annotation names, as it is written; none where it names something else too."""
    names = annotation.split(" | ") if isinstance(annotation, str) else []
    kinds = [_kind(name, known.get(name)) for name in names]
    return [] if None in kinds else cast("list[_Kind]", kinds)


def _kind(name: str, known: object) -> _Kind | None:
    if name in _KINDS:
        return _KINDS[name]
    if isinstance(known, type) and known.__module__.startswith("periplus."):
        return _Kind(lambda value: isinstance(value, known), f"a {known.__module__}.{known.__name__}")
    return None


def _refusal(name: str, value: object, kinds: list[_Kind]) -> ParameterError:
    allowed = " or ".join(kind.words for kind in kinds)
    if _KINDS["Graph"] in kinds:
        return ParameterError(name, kind_of(value), f"{allowed}{_way_to_a_graph(value)}")
    if _KINDS["Stop"] in kinds and is_number(value):
        return ParameterError(name, value, f"{allowed}: perhaps Tol({value})")
    return ParameterError(name, value, allowed)


def _way_to_a_graph(value: object) -> str:
    if isinstance(value, str | PathLike):
        return "; periplus.open_graph(path) reads one"
    library = type(value).__module__.partition(".")[0]
    return f"; {_CONVERSIONS[library]} makes one of it" if library in _CONVERSIONS else ""
