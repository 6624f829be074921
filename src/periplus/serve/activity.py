"""`/activity`: what is being crawled or built now; for the owner's own machine."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from periplus.library.activity import activity
from periplus.serve.api import PROBLEMS
from periplus.serve.render import render
from periplus.serve.state import library_of

router = APIRouter()


@router.get("/activity", include_in_schema=False)
def show(request: Request) -> Response:
    """What is being crawled or built now: pages, rates, errors by kind, hosts, what waits, disk, the last visits."""
    return render(request, "activity.html", now=activity(library_of(request).collection))


@router.get("/api/activity", responses=PROBLEMS, tags=["collection"])
def told(request: Request) -> dict[str, Any]:
    """The same as JSON, as `periplus activity --json` prints it."""
    return activity(library_of(request).collection).to_dict()
