"""`/compare?q=…&a=…&b=…&c=…`: two or three rankings of one query side by side; `/api/compare` and a table: as data."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from periplus.draw.strands import strands
from periplus.focus.table import QUERY_RANKERS
from periplus.library.compare import QueryComparison, compare_query
from periplus.record import Table
from periplus.serve.api import PROBLEMS
from periplus.serve.render import query_link, render
from periplus.serve.state import library_of
from periplus.serve.tables import csv_answer

router = APIRouter()
A, B, SHOWN = "blended", "hits", 10


@router.get("/compare", include_in_schema=False)
def compare(request: Request, q: str = "", a: str = A, b: str = B, c: str = "") -> Response:
    """Rankings `a`, `b` and `c` of `q` as columns with lines between, how far they agree, how firm they are."""
    if not q.strip():
        return RedirectResponse("/", status_code=303)
    library = library_of(request)
    found = compare_query(library, q, _chosen(a, b, c), top=SHOWN)
    return render(
        request,
        "compare.html",
        query=q,
        found=found,
        gaps=gaps_of(found),
        picks=[(name, value) for name, value in zip("abc", (*_chosen(a, b, c), ""), strict=False)],
        rows=[QUERY_RANKERS[name] for name in library.searcher.ranks],
        csv=query_link("/compare.csv", q=q, a=a, b=b, c=c),
    )


@router.get("/compare.csv", include_in_schema=False)
def compare_csv(request: Request, q: str = "", a: str = A, b: str = B, c: str = "") -> Response:
    """The same as a table: a row per ranking and place."""
    found = compare_query(library_of(request), q, _chosen(a, b, c), top=100)
    rows = [
        (column.rank, place, cell.page.url, cell.page.title)
        for column in found.columns
        for place, cell in enumerate(column.cells, 1)
    ]
    return csv_answer("compare", Table.of_rows(("rank", "place", "url", "title"), rows))


@router.get("/api/compare", responses=PROBLEMS, tags=["search"])
def api_compare(
    request: Request,
    q: Annotated[str, Query(description="A query, as of /api/search.")],
    a: Annotated[str, Query(description="One of the `ranks` that /api/info names.")] = A,
    b: str = B,
    c: str = "",
    size: Annotated[int, Query(ge=1, le=100)] = SHOWN,
) -> dict[str, Any]:
    """Two or three rankings of a query: their pages, rank-biased overlap, and how firm the first ones are."""
    return compare_query(library_of(request), q, _chosen(a, b, c), top=size).to_dict()


def gaps_of(found: QueryComparison) -> list[str]:
    """For each two columns side by side the lines between the same pages, as SVG."""
    names: dict[Hashable, str] = {cell.page.node: cell.page.title for column in found.columns for cell in column.cells}
    lists = [column.pages for column in found.columns]
    return [strands(one, other, SHOWN, names=names) for one, other in pairwise(lists)]


def _chosen(*names: str) -> list[str]:
    """The rankings named, each once; a name that is none is refused with those there are."""
    return [QUERY_RANKERS.find(name).name for name in dict.fromkeys(names) if name]
