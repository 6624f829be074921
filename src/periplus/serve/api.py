"""`/api/…`: the same answers as JSON, with a description at `/api/openapi.json`. `/health`: is the server there."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from periplus import __version__
from periplus.catalog import catalogues
from periplus.focus.table import PLAIN
from periplus.library.portrait import page_facts
from periplus.pipeline.stages import STAGES
from periplus.search.searcher import MAX_WINDOW
from periplus.serve.state import library_of
from periplus.serve.structure import study_for


class Problem(BaseModel):
    """Every failure has this shape."""

    error: str = Field(description="A slug for programs: query, parameter, not-found, host, rate, …")
    message: str = Field(description="One line for people: what happened and what to do.")


class Hit(BaseModel):
    """One page found."""

    rank: int
    url: str
    title: str
    score: float
    snippet: str = Field(description="Safe HTML: everything escaped, the words between <mark> and </mark>.")
    why: str
    without: list[str] | None = Field(default=None, description="Words of the query that the page does not have.")
    copies: list[str] | None = Field(default=None, description="All addresses of this content, if several.")
    near_copies: list[str] | None = Field(default=None, description="Pages found that say nearly the same.")
    more_from: str | None = Field(default=None, description="A site that has more pages than the list shows.")
    explanation: list[str] | None = Field(default=None, description="The whole sum in words, when asked for.")


class Share(BaseModel):
    """So many of the pages found have this value; adding `narrows` to the query finds only these."""

    value: str
    count: int
    narrows: str


class Pointer(BaseModel):
    """A page and its title."""

    url: str
    title: str


class Answer(BaseModel):
    """What a search returns; `periplus search --json` prints the same."""

    query: str
    total: int
    ms: float
    rank: str = Field(description="The ranking that made the order: a row of `query-rankers` in /api/algorithms.")
    ranker: str
    notes: list[str]
    suggestion: str | None = Field(default=None, description="What was probably meant.")
    facets: dict[str, list[Share]] | None = Field(default=None, description="By site, language, year and type.")
    results: list[Hit]
    hubs: list[Pointer] | None = Field(default=None, description="The best hubs, of rankings that have hubs.")


class LinkEnd(BaseModel):
    """The other end of a link, and the texts of the link where they are known."""

    url: str
    texts: list[str] = []


class LinkList(BaseModel):
    """Links on one side of a page; at most a thousand, `truncated` says when there are more."""

    total: int
    truncated: bool
    links: list[LinkEnd]


class RankPlace(BaseModel):
    """A page's place by one ranking; `share` is the part of all pages that rank at least as high."""

    ranker: str
    value: float
    place: int
    share: float
    error_bound: float | None = Field(default=None, description="Certified error of the whole vector, in ℓ1.")


class Name(BaseModel):
    """One thing that others call a page."""

    text: str
    links: int
    sites: int


class Step(BaseModel):
    """A node on the way from the root of the tree."""

    id: int
    label: str


class Known(BaseModel):
    """A word that a page is known for: its reputation, how many pages have the word, the certified error."""

    word: str
    reputation: float
    pages: int
    error_bound: float


class CaptureTime(BaseModel):
    """One capture of a page; `changed`: its content is not that of the capture before."""

    timestamp: str
    status: int
    changed: bool


class Belongs(BaseModel):
    """A community of the knowledge base that a page is in; `roles`: authorities, hubs, or neither."""

    id: int
    name: str
    roles: list[str]


class PageAnswer(BaseModel):
    """What is known of one page."""

    url: str
    node: int
    title: str
    fetched: str
    known_as: list[Name]
    known_for: list[Known]
    captures: list[CaptureTime] = Field(description="Oldest first.")
    ranks: list[RankPlace]
    tree: list[Step] = Field(description="From its subject down to its leaf in the tree; empty before `build` grew it.")
    communities: list[Belongs]
    in_links: LinkList
    out_links: LinkList


class Made(BaseModel):
    """What a stage of the build does, and when it last did; None: not yet."""

    does: str
    finished: str | None


class Info(BaseModel):
    """What this server shows."""

    name: str
    version: str
    counts: dict[str, Any]
    documents: int
    ranks: list[str] = Field(description="The rankings of a query's pages: `rank=` of a search.")
    rankers: list[str] = Field(description="The stored rankings that words can be joined with: `ranker=`.")
    stages: dict[str, Made]


PROBLEMS: dict[int | str, dict[str, Any]] = {"4XX": {"model": Problem}}
router = APIRouter(responses=PROBLEMS)


@router.get("/api/search", response_model=Answer, response_model_exclude_none=True, tags=["search"])
def search(
    request: Request,
    q: Annotated[str, Query(description='Words, "phrases", site:, title:, anchor:, community:, tree:, -word, OR.')],
    size: Annotated[int, Query(ge=1, le=100)] = 10,
    offset: Annotated[int, Query(ge=0, le=MAX_WINDOW)] = 0,
    rank: Annotated[str, Query(description="One of the `ranks` that /api/info names.")] = PLAIN,
    ranker: Annotated[str, Query(description="The stored ranking that words are joined with.")] = "",
    explain: bool = False,
    facets: Annotated[bool, Query(description="Also how the pages found divide.")] = False,
    every: Annotated[bool, Query(alias="all", description="Near-copies too, and all pages of a site.")] = False,
) -> dict[str, Any]:
    """The best pages for a query."""
    found = library_of(request).searcher.search(
        q,
        size=size,
        offset=offset,
        rank=rank or PLAIN,
        ranker=ranker or None,
        explain=explain,
        facts=facets,
        all_pages=every,
    )
    return found.as_json()


@router.get("/api/page", response_model=PageAnswer, tags=["graph"])
def page(request: Request, url: Annotated[str, Query(description="A URL of the collection.")]) -> dict[str, Any]:
    """A page's names, ranks and links on both sides."""
    return page_facts(library_of(request), url)


@router.get("/api/info", response_model=Info, tags=["collection"])
def info(request: Request) -> dict[str, Any]:
    """What is charted here, which stages made it, and which rankers a search may use."""
    library = library_of(request)
    made = library.collection.stages()
    return {
        "name": request.app.state.name,
        "version": __version__,
        "counts": dict(library.counts),
        "documents": library.searcher.documents,
        "ranks": list(library.searcher.ranks),
        "rankers": list(library.searcher.rankers.orders),
        "stages": {
            one.name: {"does": one.help, "finished": made[one.name].finished if one.name in made else None}
            for one in STAGES.values()
        },
    }


@router.get("/api/structure", tags=["graph"])
def structure(request: Request) -> dict[str, Any]:
    """The study of the shape of this web, as `periplus structure --json` prints it; made when first asked for."""
    found = study_for(request, patience=600.0)
    if found is None:
        raise HTTPException(503, "The web is still being measured. Ask again in a minute.")
    return found


@router.get("/api/algorithms", tags=["collection"])
def algorithms() -> dict[str, Any]:
    """Every table of algorithms: each row with its parameters, their ranges and the paper."""
    return {name: [row.to_dict() for row in rows.values()] for name, rows in catalogues().items()}


@router.get("/health", include_in_schema=False)
def health() -> dict[str, str]:
    """`{"status": "ok"}`, for whoever watches the server."""
    return {"status": "ok"}
