"""`/papers`: every figure of the five papers beside ours, from the results shipped with the package.

Working them all out takes minutes of a core, so no visitor can ask for it: the page shows what `periplus reproduce all`
found last, and names the command of each claim.
"""

from __future__ import annotations

from functools import lru_cache

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from periplus.serve.render import render

router = APIRouter(include_in_schema=False)


@router.get("/papers")
def papers(request: Request) -> Response:
    """The five papers, and how many of their figures agree."""
    from periplus.reproduce.kept import by_paper, stored
    from periplus.reproduce.report import TITLE, lead, rules_html, tallies_html

    kept = stored()
    body = rules_html() + tallies_html(by_paper(kept.results), "/papers/")
    return render(request, "papers.html", title=TITLE, lead=lead(kept.results), made=kept, body=Markup(body), query="")


@router.get("/papers.json")
def papers_json() -> Response:
    """All results as JSON."""
    from periplus.reproduce.kept import stored

    kept = stored()
    return JSONResponse({"made": kept.made, "results": [one.to_dict() for one in kept.results]})


@router.get("/papers/papers.css")
def papers_css() -> Response:
    """The style sheet of the claims."""
    from periplus.reproduce.report import REPORT_RULES

    return Response(REPORT_RULES, media_type="text/css", headers={"cache-control": "max-age=3600"})


@router.get("/papers/{paper}")
def paper(request: Request, paper: str) -> Response:
    """One paper from top to bottom: each claim, what is printed, ours, the verdict, pictures."""
    from periplus.reproduce.claim import PAPERS
    from periplus.reproduce.kept import stored

    if paper not in PAPERS:
        raise HTTPException(404, f"There is no such paper. Those that there are: {', '.join(PAPERS)}.")
    return render(request, "papers.html", title="", lead="", made=stored(), body=Markup(_body(paper)), query="")


@lru_cache(maxsize=8)
def _body(paper: str) -> str:
    """The claims of a paper; drawn once."""
    from periplus.reproduce.kept import by_paper, stored
    from periplus.reproduce.report import paper_html

    return paper_html(paper, by_paper(stored().results).get(paper, []))
