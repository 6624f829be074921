"""`/lab`: grow a small graph by any model, and see its degree law, its bow-tie and its picture.

The address holds everything, so a graph can be shared as a link. A visitor may ask for at most `MAX_PAGES` pages and
about `MAX_LINKS` links: a second or two of work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from periplus.errors import ParameterError
from periplus.library.tables import links_table
from periplus.models.table import MODELS, Model
from periplus.serve.render import both_widths, render
from periplus.serve.tables import csv_answer

router = APIRouter(include_in_schema=False)
MAX_PAGES = 20_000
MAX_LINKS = 200_000
FIRST = "web"
_START_PAGES = 2000
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form: the value as it was typed, and whether that is what is wrong."""

    name: str
    words: str
    value: str
    allowed: str
    choices: tuple[str, ...] = ()
    text: bool = False
    wrong: bool = False


@router.get("/lab")
def lab(request: Request, model: str = FIRST) -> Response:
    """The form of the chosen model, and what its answers give; a wrong answer stays in the form."""
    chosen = MODELS.find(model[:_LONGEST])
    given = {name: value for name, value in request.query_params.items() if name != "model"}
    shown: dict[str, Any] = {"models": list(MODELS.values()), "model": chosen, "query": "", "asked": request.url.query}
    try:
        parameters = bounded(chosen, given)
        graph = chosen.function()(**parameters)
    except ParameterError as error:
        fields = _fields(chosen, given, wrong=error.name)
        return render(request, "lab.html", status=400, **shown, fields=fields, problem=str(error), graph=None)
    from periplus.models.pictures.report import figures

    pictures = [both_widths(one) for one in figures(chosen, parameters, graph)]
    fields = _fields(chosen, given)
    return render(request, "lab.html", **shown, fields=fields, problem="", graph=graph, shown=pictures)


def _fields(model: Model, given: dict[str, str], *, wrong: str = "") -> list[Field]:
    """The fields of a model's form: what was typed, else its defaults."""
    fields = []
    for parameter in model.parameters:
        flag = parameter.kind == "flag"
        default = _START_PAGES if parameter.name == "n" else parameter.default
        usual = ("no", "yes")[bool(default)] if flag else str(default)
        value = given.get(parameter.name, "")[:_LONGEST] or usual
        choices = ("yes", "no") if flag else parameter.choices
        isnt = parameter.name == wrong
        free = parameter.kind == "text"
        fields.append(Field(parameter.name, parameter.help, value, parameter.allowed, choices, free, isnt))
    return fields


@router.get("/lab.csv")
def lab_csv(request: Request, model: str = FIRST) -> Response:
    """The links of the same graph."""
    chosen = MODELS.find(model[:_LONGEST])
    given = {name: value for name, value in request.query_params.items() if name != "model"}
    return csv_answer("links", links_table(chosen.function()(**bounded(chosen, given))))


def bounded(model: Model, given: dict[str, str]) -> dict[str, Any]:
    """The parameters asked for, defaults filled in; more than a visitor may ask for is refused."""
    read: dict[str, Any] = {"n": _START_PAGES}
    for parameter in model.parameters:
        if text := given.get(parameter.name, ""):
            read[parameter.name] = parameter.read(text[:_LONGEST])
    parameters = model.checked(read)
    if parameters["n"] > MAX_PAGES:
        raise ParameterError("n", parameters["n"], f"at most {MAX_PAGES:,} here; `periplus model` grows any size")
    links = model.links(parameters)
    if links > MAX_LINKS:
        raise ParameterError(
            "n", parameters["n"], f"fewer: this would make about {links:,.0f} links, {MAX_LINKS:,} are allowed"
        )
    return parameters
