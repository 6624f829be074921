"""`/structure`: the shape of the collection's web. The bow-tie beside that of 1999, laws, distances, robustness.

The study is made once, in the background, when the view is first asked for, and kept in the collection; until it is
there the page says so and asks again by itself. Every picture's data is one click away as CSV, the whole study as JSON.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from periplus.library.study import study_of
from periplus.serve.render import render
from periplus.serve.state import Background, once

router = APIRouter(include_in_schema=False)
_PATIENCE = 1.0  # seconds that a first visitor waits before being told that it takes longer
_AGAIN = "3"


def study_for(request: Request, patience: float = _PATIENCE) -> dict[str, Any] | None:
    """The study of the served collection, started by the first who asks."""
    return once(request, "study", lambda library: Background("structure", lambda: study_of(library))).result(patience)


@router.get("/structure")
def structure(request: Request) -> Response:
    """The shape of this web, in pictures and figures."""
    from periplus.structure.studies import words
    from periplus.structure.studies.report import figures

    found = study_for(request)
    if found is None:
        answer = render(request, "structure.html", status=202, study=None, rows=(), pictures=(), lead="", query="")
        answer.headers["refresh"] = _AGAIN
        return answer
    pictures = [(one, Markup(one.svg)) for one in figures(found)]
    lead = f"{words.bowtie_finding(found)}; {words.distance_finding(found['distances'])}."
    return render(
        request, "structure.html", study=found, rows=words.table(found), pictures=pictures, lead=lead, query=""
    )


@router.get("/structure.json")
def structure_json(request: Request) -> Response:
    """The whole study as JSON."""
    found = study_for(request, patience=600.0)
    return JSONResponse(found)


@router.get("/structure/charts.css")
def charts_css() -> Response:
    """The style sheet of the pictures."""
    from periplus.draw.style import CHART_RULES

    return Response(CHART_RULES, media_type="text/css", headers={"cache-control": "max-age=3600"})


@router.get("/structure/{name}.csv")
def structure_csv(request: Request, name: str) -> Response:
    """The data of one picture as CSV."""
    from periplus.structure.studies.report import figures

    found = study_for(request, patience=600.0)
    pictures = figures(found) if found is not None else []
    data = next((one.csv for one in pictures if one.name == name), None)
    if data is None:
        raise HTTPException(404, "There is no such picture. The view of the structure shows those that there are.")
    headers = {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-cache"}
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)
