"""`/audit`: what is wrong with the pages of the collection, or of one site. Made once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from periplus.library.audit import Audit, audit_of
from periplus.library.audit.finding import Section
from periplus.library.audit.page import RULES, Ways, body, listed, report, web_address
from periplus.library.sites import pages_of
from periplus.serve.render import page_link, pager, query_link, render
from periplus.serve.state import Background, library_of, once, was_made
from periplus.serve.tables import csv_answer

router = APIRouter(include_in_schema=False)
_PATIENCE, _LONG = 1.0, 600.0  # seconds that a first visitor of the page waits, and one who saves a table
_AGAIN = "3"
A_PAGE = 50  # findings


def audit_for(request: Request, site: str = "", patience: float = _LONG) -> Audit | None:
    """The audit of the served collection, or what of it concerns a site; None where it is not there in time."""
    library, wanted = library_of(request), site.strip().lower()
    if wanted:
        pages_of(library, wanted)
    whole = once(request, "audit", lambda library: Background("audit", lambda: audit_of(library))).result(patience)
    return whole.of_site(wanted) if whole is not None and wanted else whole


def audit_made(request: Request, site: str) -> Audit | None:
    """What the audit says of a site, where it was made already: looking at a site makes none."""
    return audit_for(request, site, 0.0) if was_made(request, "audit") else None


def _audit(request: Request, site: str) -> Audit:
    found = audit_for(request, site)
    if found is None:
        raise HTTPException(503, "The pages are still being looked at. Ask again in a minute.")
    return found


@router.get("/audit")
def audit(request: Request, site: str = "") -> Response:
    """What is wrong with these pages, most harmful first, with the links that hold it; `site=` for one site."""
    found = audit_for(request, site, _PATIENCE)
    if found is None:
        answer = render(request, "audit.html", status=202, site=site, body=None)
        answer.headers["refresh"] = _AGAIN
        return answer
    ways = Ways(
        table=lambda name: query_link(f"/audit/{name}.csv", site=found.site),
        page=lambda name: query_link(f"/audit/{name}", site=found.site),
    )
    return render(request, "audit.html", site=found.site, body=Markup(body(found, _address(request), ways)))


def _address(request: Request) -> Callable[[str], str | None]:
    """Stored pages lead to their portraits, others to where they are on the web."""
    urls = library_of(request).graph.urls
    return lambda url: page_link(url) if urls.find(url) is not None else web_address(url)


@router.get("/audit.csv")
def audit_csv(request: Request, site: str = "") -> Response:
    """The checks, with the number of findings of each, as CSV."""
    return csv_answer("audit", _audit(request, site).table())


@router.get("/audit.json")
def audit_json(request: Request, site: str = "") -> Response:
    """The whole audit as JSON."""
    return JSONResponse(_audit(request, site).to_dict())


@router.get("/audit/report.html")
def audit_report(request: Request, site: str = "") -> Response:
    """The audit as a page of its own, to save and to print."""
    headers = {"content-disposition": 'attachment; filename="audit.html"', "cache-control": "no-cache"}
    text = report(_audit(request, site)).encode("utf-8", "replace")
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


@router.get("/audit/audit.css")
def audit_css() -> Response:
    """The style sheet of the findings."""
    return Response(RULES, media_type="text/css", headers={"cache-control": "max-age=3600"})


@router.get("/audit/{check}.csv")
def check_csv(request: Request, check: str, site: str = "") -> Response:
    """The findings of one check as CSV, a row a place."""
    return csv_answer(check, _section(_audit(request, site), check).table())


@router.get("/audit/{check}")
def check_page(request: Request, check: str, site: str = "", offset: Annotated[int, Query(ge=0)] = 0) -> Response:
    """All findings of one check, in parts; `site=` for one site."""
    found = _audit(request, site)
    section = _section(found, check)
    return render(
        request,
        "audit_check.html",
        site=found.site,
        section=section,
        listed=Markup(listed(section, _address(request), offset, A_PAGE)),
        table=query_link(f"/audit/{check}.csv", site=found.site),
        parts=pager(f"/audit/{check}", offset, A_PAGE, len(section.findings), site=found.site),
    )


def _section(found: Audit, check: str) -> Section:
    section = found.section(check)
    if section is None:
        raise HTTPException(404, "There is no such check. The audit names those that there are.")
    return section
