"""`/structure`: the shape of the collection's web. The bow-tie beside that of 1999, laws, distances, robustness.

The first request starts the study in the background; it is then kept in the collection. Until it is ready the page says
so and reloads. Every picture's data is one click away as CSV, the whole study as JSON.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from periplus.library.regions import REGIONS, RegionRow, region_pages, region_rows, region_words
from periplus.library.study import study_of
from periplus.record import Table
from periplus.serve.render import both_widths, page_link, query_link, render
from periplus.serve.state import Background, library_of, once
from periplus.serve.tables import csv_answer
from periplus.structure.studies.words import region_title
from periplus.wording import counted, sentence

router = APIRouter(include_in_schema=False)
_PATIENCE = 1.0  # seconds before a first visitor sees the page that says to wait
_AGAIN = "3"
SHOWN = 50


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
    leads_to = {name: f"/structure/region/{name}" for name in REGIONS}
    pictures = [both_widths(one) for one in figures(found, leads_to=leads_to)]
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


@router.get("/structure/region/{name}.csv")
def region_csv(request: Request, name: str) -> Response:
    """All pages of one region of the bow-tie as CSV."""
    library = library_of(request)
    return csv_answer(name, Table.of_rows(RegionRow._fields, region_rows(library, region_pages(library, name))))


@router.get("/structure/region/{name}")
def region(request: Request, name: str, offset: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The pages of one region of the bow-tie, the best ranked first."""
    library = library_of(request)
    nodes = region_pages(library, name)
    rankers = library.searcher.rankers
    shown = region_rows(library, nodes[offset : offset + SHOWN])
    address = f"/structure/region/{name}"
    ends = f" Shown are {offset + 1:,} to {offset + len(shown):,}." if len(nodes) > len(shown) > 0 else ""
    return render(
        request,
        "table.html",
        title=f"{sentence(region_title(name))}: {counted(len(nodes), 'page')}",
        lead=f"{region_words(name)}. The best by {rankers.title(rankers.default)} stand first.{ends}",
        columns=("Page", "Place of all", "In-links"),
        rows=[((row.title or row.url, page_link(row.url)), row.place, row.in_links) for row in shown],
        before=query_link(address, offset=max(0, offset - SHOWN)) if offset else "",
        after=query_link(address, offset=offset + SHOWN) if offset + SHOWN < len(nodes) else "",
        csv=f"{address}.csv",
    )


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
