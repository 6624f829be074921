"""`/communities`: the knowledge base as a list, searched by words. `/communities/<number>`: one community."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from periplus.library.branches import nodes_about, top_branches
from periplus.library.communities import (
    SHOWN,
    communities_about,
    communities_table,
    community_facts,
    community_rows,
    community_view,
    memberships_of,
)
from periplus.library.drawn import graph_of_pages
from periplus.library.page_links import check_offset
from periplus.library.tables import pages_table
from periplus.search.query import MAX_LENGTH
from periplus.serve.api import PROBLEMS
from periplus.serve.render import pager, render
from periplus.serve.state import library_of
from periplus.serve.tables import csv_answer, gexf_answer

router = APIRouter()
Number = Annotated[int, Path(ge=0, description="The number of a community, from 0 on.")]
Words = Annotated[str, Query(max_length=MAX_LENGTH, description="What the communities should be about.")]


class CommunityAnswer(BaseModel):
    """One community of the knowledge base; `periplus kb --json` prints the same."""

    id: int
    name: str
    size: int = Field(description="All its pages; the lists hold the best and the core.")
    authorities: list[str]
    hubs: list[str]
    fans: list[str]
    centres: list[str]
    sources: dict[str, list[str]] = Field(description="For each word of the name the pages that it came from.")


class CommunitiesAnswer(BaseModel):
    """Communities about some words, or all of them."""

    query: str
    total: int
    communities: list[CommunityAnswer]


@router.get("/communities", include_in_schema=False)
def communities(request: Request, q: Words = "", offset: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The communities of the knowledge base, those about `q` if given, and the subjects of the tree."""
    library = library_of(request)
    query = " ".join(q.split())
    numbers = communities_about(library, query)
    check_offset(offset, len(numbers))
    base = memberships_of(library).base
    return render(
        request,
        "communities.html",
        asked=query,
        total=len(numbers),
        all=len(base),
        cores=base.extra["cores"],
        rows=community_rows(library, numbers[offset : offset + SHOWN], best=2),
        nodes=nodes_about(library, query) if query else (),
        subjects=top_branches(library),
        pages=library.graph.nodes,
        parts=pager("/communities", offset, SHOWN, len(numbers), q=query),
    )


@router.get("/communities.csv", include_in_schema=False)
def communities_csv(request: Request) -> Response:
    """The communities of the knowledge base as CSV."""
    return csv_answer("communities", communities_table(library_of(request)))


@router.get("/communities/{number}.csv", include_in_schema=False)
def community_csv(request: Request, number: Number) -> Response:
    """All pages of one community as CSV."""
    library = library_of(request)
    return csv_answer(f"community-{number}", pages_table(library, memberships_of(library).members(number)))


@router.get("/communities/{number}.gexf", include_in_schema=False)
def community_gexf(request: Request, number: Number) -> Response:
    """The pages of one community and the links among them, with their communities, for Gephi."""
    library = library_of(request)
    return gexf_answer(f"community-{number}", graph_of_pages(library, memberships_of(library).members(number)))


@router.get("/communities/{number}", include_in_schema=False)
def community(request: Request, number: Number) -> Response:
    """One community: its authorities and hubs, the core it was grown from, and what its name came from."""
    library = library_of(request)
    return render(request, "community.html", view=community_view(library, number), pages=library.graph.nodes)


@router.get("/api/communities", response_model=CommunitiesAnswer, responses=PROBLEMS, tags=["communities"])
def api_communities(
    request: Request,
    q: Words = "",
    size: Annotated[int, Query(ge=1, le=100)] = 10,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> dict[str, Any]:
    """The communities about some words, or the largest cores first."""
    library = library_of(request)
    found, numbers = memberships_of(library), communities_about(library, q)
    told = [community_facts(found.base, one, library.searcher.hidden) for one in numbers[offset : offset + size]]
    return {"query": q, "total": len(numbers), "communities": told}


@router.get("/api/communities/{number}", response_model=CommunityAnswer, responses=PROBLEMS, tags=["communities"])
def api_community(request: Request, number: Number) -> dict[str, Any]:
    """One community of the knowledge base."""
    library = library_of(request)
    found = memberships_of(library)
    found.community(number)
    return community_facts(found.base, number, library.searcher.hidden)
