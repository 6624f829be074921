"""Options made from the catalogue: one per parameter of an algorithm, read and checked by the parameter itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from periplus.catalog import Algorithm, Parameter
    from periplus.numeric.stop import Stop


class Value(click.ParamType[Any]):
    """A value that a parameter reads: 1e6 is a whole number, and errors name the range."""

    name = "value"

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        self.name = parameter.kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.parameter.read(value) if isinstance(value, str) else value


def options_of(algorithm: Algorithm) -> list[click.Parameter]:
    """The options of an algorithm; what is not given comes as None, and the function's own default holds."""
    return [option for parameter in algorithm.parameters for option in _options(parameter)]


def _options(parameter: Parameter) -> list[click.Parameter]:
    if parameter.kind == "stop":
        return _stop_options(parameter.default)
    name = parameter.name.replace("_", "-")
    shown = "" if parameter.default in (None, "") else f"; default {_said(parameter.default)}"
    text = f"{parameter.help.rstrip('.')} [{parameter.allowed}{shown}]."
    if parameter.kind == "flag":
        return [click.Option([f"--{name}/--no-{name}", parameter.name], default=None, help=text)]
    several = parameter.kind == "pages"
    return [click.Option([f"--{name}", parameter.name], type=_type(parameter), multiple=several, help=text)]


def _type(parameter: Parameter) -> click.ParamType[Any]:
    if parameter.kind == "choice":
        return click.Choice(parameter.choices)
    if parameter.kind == "vector":
        return click.Path(dir_okay=False)
    return click.STRING if parameter.kind == "pages" else Value(parameter)


def _stop_options(default: Stop) -> list[click.Parameter]:
    error = f"Error to stop at [default {default.tolerance:g}]."
    passes = f"Passes to stop at, converged or not [default {default.max_iterations}]."
    return [
        click.Option(["--tolerance"], type=float, help=error),
        click.Option(["--max-iterations"], type=int, help=passes),
    ]


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def stop_given(parameter: Parameter, given: dict[str, Any]) -> dict[str, Stop]:
    """The stopping rule that was asked for; what was not given stays as the algorithm has it."""
    from periplus.numeric.stop import MaxIter, Tol

    tolerance, passes, default = given.get("tolerance"), given.get("max_iterations"), parameter.default
    if tolerance is None and passes is None:
        return {}
    least = Tol(default.tolerance if tolerance is None else tolerance)
    return {"stop": least | MaxIter(default.max_iterations if passes is None else passes)}
