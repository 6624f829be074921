"""`/related?url=…`: the pages most like one, by any method, and why; `/api/related` and a table: the same as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from periplus.library.library import Library
from periplus.library.neighbours import title_of
from periplus.library.related import RelatedPages
from periplus.pipeline.similar import as_data
from periplus.record import Table
from periplus.serve.api import PROBLEMS
from periplus.serve.render import query_link, render
from periplus.serve.state import library_of, once
from periplus.serve.tables import csv_answer
from periplus.similar.record import Related
from periplus.similar.table import SIMILAR

router = APIRouter()
FIRST, MOST = "companion", 50


@dataclass(frozen=True, slots=True)
class Alike:
    """A related page as it is shown: its title, where it is, how alike, why."""

    url: str
    title: str
    score: float
    why: str


class RelatedPage(BaseModel):
    """One page found."""

    id: int
    url: str
    score: float = Field(description="Comparable within one answer only: a cosine, an authority, a number of pages.")
    why: str


class RelatedTo(BaseModel):
    """A page asked about."""

    id: int
    url: str


class RelatedAnswer(BaseModel):
    """The pages most like one, best first; `periplus related --json` prints the same."""

    method: str
    of: list[RelatedTo]
    results: list[RelatedPage]
    notes: list[str]


def related_of(request: Request) -> RelatedPages:
    """The methods over the collection that is served."""
    return once(request, "related", RelatedPages)


def alike(library: Library, found: Related) -> list[Alike]:
    """The results with their titles."""
    return [Alike(str(one.url), title_of(library, one.id), one.score, one.why) for one in found]


@router.get("/related", include_in_schema=False)
def related(request: Request, url: str = "", method: str = FIRST) -> Response:
    """The pages like `url` by `method`, with the reason of each."""
    pages, library = related_of(request), library_of(request)
    found = pages.nearest(url, method[:40], 20)
    rows = [(name, query_link("/related", url=url, method=name), name == method) for name in pages.methods()]
    return render(
        request,
        "related.html",
        url=url,
        title=title_of(library, found.of[0]) if found.of else url,
        found=found,
        shown=alike(library, found),
        methods=rows,
        help=SIMILAR[method].help,
    )


@router.get("/related.csv", include_in_schema=False)
def related_csv(request: Request, url: str = "", method: str = FIRST) -> Response:
    """The same as a table."""
    found = related_of(request).nearest(url, method[:40], MOST)
    columns = {name: [getattr(one, name) for one in found] for name in ("url", "score", "why")}
    return csv_answer("related", Table.of(columns))


@router.get("/api/related", response_model=RelatedAnswer, responses=PROBLEMS, tags=["graph"])
def api_related(
    request: Request,
    url: Annotated[str, Query(description="A URL; one that is not here is chopped up by companion and cocitation.")],
    method: Annotated[str, Query(description="One of the rows of `similar` in /api/algorithms.")] = FIRST,
    size: Annotated[int, Query(ge=1, le=MOST)] = 10,
) -> dict[str, Any]:
    """The pages most like one, and why."""
    return as_data(related_of(request).nearest(url, method[:40], size), library_of(request).graph.urls)
