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
from periplus.models import MODELS
from periplus.models.base import Model, Parameter
from periplus.serve.render import render
from periplus.serve.tables import csv_answer

router = APIRouter(include_in_schema=False)
MAX_PAGES = 20_000
MAX_LINKS = 200_000
FIRST = "web"
_START_PAGES = 2000
# Parameters that multiply the number of pages into the number of links.
_WIDTHS = ("d", "m0", "out_degree", "degree", "long_range", "mean_degree", "external", "kappa", "chi")


@router.get("/lab")
def lab(request: Request, model: str = FIRST) -> Response:
    """The form, and what its answers give."""
    chosen = _model(model)
    given = {name: value for name, value in request.query_params.items() if name != "model"}
    parameters = bounded(chosen, given)
    graph = chosen.function()(**parameters)
    from periplus.models.report import figures

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
    """The links of the same graph."""
    chosen = _model(model)
    given = {name: value for name, value in request.query_params.items() if name != "model"}
    graph = chosen.function()(**bounded(chosen, given))
    rows = [(page, int(target)) for page in range(graph.nodes) for target in graph.successors(page)]
    return csv_answer("links", ("source", "target"), rows)


def _model(name: str) -> Model:
    if name not in MODELS:
        raise ParameterError("model", name[:40], f"one of {', '.join(MODELS)}")
    return MODELS[name]


def bounded(model: Model, given: dict[str, str]) -> dict[str, Any]:
    """The parameters asked for, defaults filled in; more than a visitor may ask for is refused."""
    known = {parameter.name: parameter for parameter in model.parameters}
    read: dict[str, Any] = {"n": _START_PAGES}
    for name, text in given.items():
        if name in known and text != "":
            read[name] = _read(known[name], text)
    parameters = model.checked(read)
    if parameters["n"] > MAX_PAGES:
        raise ParameterError("n", parameters["n"], f"at most {MAX_PAGES:,} here; `periplus model` grows any size")
    links = _about_links(model, parameters)
    if links > MAX_LINKS:
        raise ParameterError(
            "n", parameters["n"], f"fewer: this would make about {links:,.0f} links, {MAX_LINKS:,} are allowed"
        )
    return parameters


def _read(parameter: Parameter, text: str) -> Any:
    if parameter.kind is bool:
        return text.lower() in ("1", "true", "yes", "on")
    return text[:40]


def _about_links(model: Model, parameters: dict[str, Any]) -> float:
    pages = float(parameters["n"])
    if model.name == "erdos-renyi":
        return pages * pages * float(parameters["p"])
    width = 1.0
    for name in _WIDTHS:
        width += float(parameters.get(name, 0.0))
    if model.name == "kleinberg":
        width += float(2 * parameters["reach"] + 1) ** parameters["dimensions"]
    if model.name == "alpha-beta":
        return 40.0 * max(pages, 2.72 ** float(parameters["alpha"]))
    return pages * width + float(parameters.get("m", 0))
