"""`/`: the box, and what is charted here. `/search`: the answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from periplus.focus.table import PLAIN, QUERY_RANKERS
from periplus.library.around import around
from periplus.library.branches import subjects_of
from periplus.library.library import Library
from periplus.library.sites import best_of_sites
from periplus.search.facets import FacetValue
from periplus.search.query import parse_query
from periplus.search.rankers import DATE, TEXT_ONLY
from periplus.search.result import Result, Results
from periplus.search.searcher import MAX_WINDOW
from periplus.search.ways import ways_out
from periplus.serve.map import thumbnail
from periplus.serve.render import query_link, render
from periplus.serve.state import library_of, once

router = APIRouter(include_in_schema=False)
PAGE = 10
BESIDE = "hits"  # what the default is compared with
_RING, _TICK = 11.0, 5.0
_HEADINGS = {"site": "Sites", "language": "Languages", "year": "Fetched in", "type": "Types of file"}
_AREA, _WING = 1600.0, 18


@dataclass(frozen=True, slots=True)
class Shape:
    """A thumbnail of the bow-tie: the part of the pages in its core, and the areas of core and wings to scale."""

    core: float
    radius: str
    left: str
    right: str


@router.get("/")
def home(request: Request) -> Response:
    """The search box, what is charted here, and three subjects, or else three pages, to begin with."""
    library = library_of(request)
    subjects = once(request, "subjects", subjects_of)
    return render(
        request,
        "home.html",
        counts=library.counts,
        subjects=subjects,
        ports=() if subjects else once(request, "ports", best_of_sites),
        shape=shape_of(library),
        sky=thumbnail(request),
    )


@router.get("/search")
def search(
    request: Request,
    q: str = "",
    offset: Annotated[int, Query(ge=0)] = 0,
    rank: str = PLAIN,
    ranker: str = "",
    explain: bool = False,
    every: Annotated[bool, Query(alias="all")] = False,
) -> Response:
    """Results of `q`: title, passage, why, facts; `rank=` names a ranking, `ranker=` what words are joined with."""
    if not q.strip():
        return RedirectResponse("/", status_code=303)
    library = library_of(request)
    terms = parse_query(q).terms
    found = library.searcher.search(
        q,
        size=PAGE,
        offset=offset,
        rank=rank or PLAIN,
        ranker=ranker or None,
        explain=explain,
        facts=True,
        all_pages=every,
    )
    menu = Menu(library, found, q, explain="true" if explain else "", all="true" if every else "")
    return render(
        request,
        "search.html",
        query=q,
        found=found,
        ring=ring,
        explain=explain,
        asks_words=bool(terms),
        near=around(library, found.best, " ".join(word for term in terms for word in term.words)),
        menu=menu,
        facets=facets_of(found),
        ranker_title=library.searcher.rankers.title(found.ranker),
        pages_of_all=library.graph.nodes,
        ways=() if found.total else ways_out(library.searcher, q),
        pages=_pager(found, menu.asked),
        documents=library.searcher.documents,
    )


def ring(result: Result) -> str:
    """Where the words stand in the page, as ticks round a circle: the text begins at the top and runs clockwise.

    One SVG path: one tick per place, from the circle outwards.
    """
    ticks = []
    for place in result.places:
        x, y = math.sin(2 * math.pi * place), -math.cos(2 * math.pi * place)
        outer = _RING + _TICK
        ticks.append(f"M{18 + x * _RING:.1f} {18 + y * _RING:.1f}L{18 + x * outer:.1f} {18 + y * outer:.1f}")
    return "".join(ticks)


def facets_of(found: Results) -> dict[str, tuple[FacetValue, ...]]:
    """What the results divide by, as headings: only that of which there are several."""
    return {_HEADINGS[name]: values for name, values in found.facets.items() if len(values) > 1}


def shape_of(library: Library) -> Shape | None:
    """Core, IN and OUT of the bow-tie as areas, drawn round (80, 32); None before the structure stage has run."""
    if library.regions is None or not len(library.regions):
        return None
    from periplus.structure.connectivity.bowtie import IN, OUT, SCC

    shares = np.bincount(library.regions, minlength=8) / len(library.regions)
    radius = math.sqrt(_AREA * shares[SCC] / math.pi)
    half = max(radius * 0.3, 2.0)
    wings = []
    for side, region in ((-1, IN), (1, OUT)):
        near = 80 + side * radius * 0.9
        far = near + side * _AREA * shares[region] / (half + _WING)
        wings.append(f"M{near:.1f} {32 - half:.1f}L{far:.1f} {32 - _WING}V{32 + _WING}L{near:.1f} {32 + half:.1f}Z")
    return Shape(float(shares[SCC]), f"{radius:.1f}", *wings)


class Choice(NamedTuple):
    """A word of a menu: what it means, where it leads, whether it is chosen."""

    word: str
    says: str
    address: str
    current: bool


class Menu:
    """The rankings that the same query can be asked for, and the parameters that keep the one chosen."""

    def __init__(self, library: Library, found: Results, query: str, **shown: str) -> None:
        self._library, self._found = library, found
        self.query = query
        self.rank = found.rank
        self.row = QUERY_RANKERS[found.rank]
        self.kept = {"rank": "" if found.rank == PLAIN else found.rank, "ranker": self._ranker(), "all": shown["all"]}
        self._shown = shown
        self.asked = {"q": query, **self._shown, **self.kept}

    def _ranker(self) -> str:
        chosen = self._found.ranker
        return chosen if self.rank == PLAIN and chosen != self._library.searcher.rankers.default else ""

    @property
    def rankings(self) -> list[Choice]:
        """Every ranking of a query's pages."""
        rows = [QUERY_RANKERS[name] for name in self._library.searcher.ranks]
        rankers, by_date = self._library.searcher.rankers, self._found.ranker == DATE
        choices = [
            Choice(row.title, row.help, self._to(row.name), row.name == self.rank and not by_date) for row in rows
        ]
        return [*choices, Choice(rankers.title(DATE), rankers.explained(DATE), self._to("", DATE), by_date)]

    @property
    def says(self) -> str:
        """What the chosen ranking measures."""
        return next(choice.says for choice in self.rankings if choice.current)

    @property
    def joined(self) -> list[Choice]:
        """The stored rankings that words can be joined with."""
        if self.rank != PLAIN or self._found.ranker == DATE:
            return []
        rankers = self._library.searcher.rankers
        return [
            Choice(rankers.title(name), rankers.explained(name), self._to("", name), name == self._found.ranker)
            for name in rankers.names
            if name != TEXT_ONLY
        ]

    @property
    def folded(self) -> str:
        """Where every page stands by itself; nothing where this list leaves none out."""
        whole = self._found.listed >= min(self._found.total, MAX_WINDOW)
        return "" if whole else query_link("/search", **self.asked | {"all": "true"})

    @property
    def compare(self) -> str:
        """Where this ranking stands beside another."""
        return query_link("/compare", q=self.query, a=PLAIN, b=BESIDE if self.rank == PLAIN else self.rank)

    def _to(self, rank: str, ranker: str = "") -> str:
        return query_link("/search", q=self.query, **self._shown, rank="" if rank == PLAIN else rank, ranker=ranker)


def _pager(found: Results, asked: Mapping[str, str]) -> dict[str, str]:
    """Addresses of the page before and the page after, where there are any."""
    pages = {}
    if found.offset > 0 and found.total:
        last = max(found.listed - 1, 0) // PAGE * PAGE  # where a page beyond the end leads back to
        pages["before"] = query_link("/search", **asked, offset=max(0, min(found.offset - PAGE, last)))
    after = found.offset + PAGE
    if after < found.listed and after + PAGE <= MAX_WINDOW:
        pages["after"] = query_link("/search", **asked, offset=after)
    return pages
