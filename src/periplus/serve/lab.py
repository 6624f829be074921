"""`/lab`: grow a small graph by any model, and see its degree law, its bow-tie and its picture.

Everything is in the address, so a graph one likes can be sent to somebody. What a visitor may ask for is bounded: at
most `MAX_PAGES` pages and about `MAX_LINKS` links, a second or two of work.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from periplus.errors import ParameterError
from periplus.library.tables import links_table
from periplus.models.table import MODELS, Model
from periplus.serve.render import render
from periplus.serve.tables import csv_answer

router = APIRouter(include_in_schema=False)
MAX_PAGES = 20_000
MAX_LINKS = 200_000
FIRST = "web"
_START_PAGES = 2000
_LONGEST = 40


@router.get("/lab")
def lab(request: Request, model: str = FIRST) -> Response:
    """The laboratory: choose a model and its parameters, and see the graph it grows."""
    chosen = MODELS.find(model[:_LONGEST])
    given = {name: value for name, value in request.query_params.items() if name != "model"}
    parameters = bounded(chosen, given)
    graph = chosen.function()(**parameters)
    from periplus.models.pictures.report import figures

    shown = [(one, Markup(one.svg)) for one in figures(chosen, parameters, graph)]
    return render(
        request,
        "lab.html",
        models=list(MODELS.values()),
        model=chosen,
        parameters=parameters,
        graph=graph,
        shown=shown,
        query="",
        asked=request.url.query,
    )


@router.get("/lab.csv")
def lab_csv(request: Request, model: str = FIRST) -> Response:
    """The links of that graph as CSV."""
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
