"""`/lab`: grow a small graph by any model, and see its degree law, its bow-tie and its picture.

The address holds everything, so a graph can be shared as a link. A visitor may ask for at most `MAX_PAGES` pages and
about `MAX_LINKS` links: a second or two of work. Models with curves of their own may need more, so the work is done in
a process that the kernel ends after `SECONDS` of CPU time. Whoever wants more is told the command to run.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from periplus.errors import ParameterError, UsageError
from periplus.models.table import MODELS, Model
from periplus.sandbox.pool import ProcessDiedError
from periplus.serve.lab.workshop import Workshop
from periplus.serve.render import render
from periplus.serve.tables import csv_text

router = APIRouter(include_in_schema=False)
MAX_PAGES = 20_000
MAX_LINKS = 200_000
SECONDS = 20.0
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


class TooMuchError(UsageError):
    """More work than a visitor may ask for."""


@router.get("/lab")
def lab(request: Request, model: str = FIRST) -> Response:
    """The form of the chosen model, and what its answers give; a wrong answer stays in the form."""
    chosen = MODELS.find(model[:_LONGEST])
    given = {name: value for name, value in request.query_params.items() if name != "model"}
    shown: dict[str, Any] = {"models": list(MODELS.values()), "model": chosen, "query": "", "asked": request.url.query}
    try:
        pages, links, drawn = made(chosen, bounded(chosen, given), "pictures")
    except (ParameterError, TooMuchError) as error:
        fields = _fields(chosen, given, wrong=getattr(error, "name", ""))
        return render(request, "lab.html", status=400, **shown, fields=fields, problem=str(error), size=None)
    pictures = [(name, caption, Markup(wide), Markup(narrow)) for name, caption, wide, narrow in drawn]
    fields = _fields(chosen, given)
    return render(request, "lab.html", **shown, fields=fields, problem="", size=(pages, links), pictures=pictures)


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    """The process in which graphs are grown; one for all visitors."""
    return Workshop("periplus.serve.lab.growing:work", cpu_seconds=SECONDS)


def made(model: Model, parameters: dict[str, Any], wanted: str) -> tuple[Any, ...]:
    """What `growing.work` made of it, within the budget of a visitor."""
    limit = f"more than {SECONDS:.0f} seconds of work"
    try:
        kind, *result = workshop().run((model.name, parameters, wanted))
    except ProcessDiedError:
        kind, result = "seconds", []
    if kind == "refused":
        error = ParameterError(result[0], parameters.get(result[0]), "")
        error.args = (result[1],)
        raise error
    if kind in ("seconds", "memory"):
        limit = limit if kind == "seconds" else "more memory than a visitor has here"
        raise TooMuchError(f"this takes {limit}: run `{command(model, parameters)}`")
    return tuple(result)


def command(model: Model, parameters: dict[str, Any]) -> str:
    """The command that makes the same without a limit."""
    words = ["periplus", "model", model.name]
    for parameter in model.parameters:
        if (value := parameters[parameter.name]) != parameter.default:
            flag = "--" + parameter.name.replace("_", "-")
            no = "--no-" + flag.removeprefix("--")
            words += [flag if value else no] if parameter.kind == "flag" else [flag, str(value)]
    return shlex.join([*words, "--report"])


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
    return csv_text("links", made(chosen, bounded(chosen, given), "csv")[0])


def bounded(model: Model, given: dict[str, str]) -> dict[str, Any]:
    """The parameters asked for, defaults filled in; more than a visitor may ask for is refused."""
    read: dict[str, Any] = {"n": _START_PAGES}
    for parameter in model.parameters:
        if text := given.get(parameter.name, ""):
            read[parameter.name] = parameter.read(text[:_LONGEST])
    parameters = model.checked(read)
    more = f"`{command(model, parameters)}` makes it"
    if parameters["n"] > MAX_PAGES:
        raise ParameterError("n", parameters["n"], f"at most {MAX_PAGES:,} here; {more}")
    links = model.links(parameters)
    if not links <= MAX_LINKS:
        allowed = f"fewer: this would make about {links:,.0f} links, {MAX_LINKS:,} are allowed; {more}"
        raise ParameterError("n", parameters["n"], allowed)
    return parameters
