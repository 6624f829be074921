"""`/map`: the sky of the collection to fly through; `/api/map…`: what it is made of, for any other program.

The page works without JavaScript and without WebGL: it then shows a still and a table of the heaviest pages.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from periplus.draw.hues import hues, ramp
from periplus.draw.stars import still
from periplus.errors import ParameterError
from periplus.library.sky import (
    COLOURINGS,
    Coloured,
    Place,
    Star,
    Stars,
    coloured,
    figures_of,
    find_stars,
    has_sky,
    links_of_star,
    places_of,
    star_facts,
    stars_of,
)
from periplus.library.sky.colours import NONE, TOP
from periplus.library.sky.stars import STAR
from periplus.record import Table
from periplus.serve.api import PROBLEMS
from periplus.serve.assets import assets
from periplus.serve.render import render
from periplus.serve.state import Opened, library_of, opened_of
from periplus.serve.tables import csv_answer

router = APIRouter(responses=PROBLEMS)
FIRST = 20_000
_PIECE = 1 << 18
_HEAVIEST, _IN_STILL, _IN_THUMBNAIL = 50, 3000, 700
_GREY = ("#7f8797", "#5d6472")
_BINARY = "application/octet-stream"
_BYTES: dict[str, Any] = {
    "tags": ["map"],
    "response_class": Response,
    "responses": {200: {"content": {_BINARY: {"schema": {"type": "string", "format": "binary"}}}}},
}
_NEWEST = {"cache-control": "no-cache"}


class Legend(BaseModel):
    """One line of a legend."""

    colour: int = Field(description="A number from 0 to 255, as the stars have it; also its place in the palette.")
    words: str
    pages: int


class ColouringAnswer(BaseModel):
    """One way to colour the stars; its bytes are at `/api/map/colours/{name}`."""

    name: str
    words: str
    scale: bool = Field(description="Whether the number of a star is more or less of something, or names a group.")
    legend: list[Legend]


class Moment(BaseModel):
    """One moment of the formation; its bytes are at `/api/map/moments/{number}`."""

    step: int
    reach: float = Field(description="Half the side of the box: a coordinate of 32,767 is so far from the middle.")


class Sky(BaseModel):
    """What it takes to read the bytes of the stars."""

    stars: int
    bytes_a_star: int = STAR.itemsize
    first: int = Field(description="So many of the heaviest make a first picture.")
    span: float = Field(description="Half the side of the box of the stars: a coordinate of 32,767 is so far out.")
    filmed: int = Field(description="So many of the heaviest stars are known at every moment.")
    moments: list[Moment]
    colourings: list[str]
    palettes: dict[str, list[str]] = Field(description="256 colours each: groups and scales, for day and night.")


class PlaceInSky(BaseModel):
    """A community in space."""

    name: str
    at: tuple[float, float, float] = Field(description="Its barycentre, in spans: from -1 to 1.")
    radius: float = Field(description="Root of the mean square distance from it, by mass, in spans.")
    pages: int
    depth: int = Field(description="How deep in the tree of communities: 1 is below the root.")
    colour: int


class StarFacts(BaseModel):
    """One star."""

    star: int
    url: str
    title: str
    site: str
    at: tuple[float, float, float]
    mass: float = Field(description="The mean of all stars is 1.")
    place: int = Field(description="1 for the heaviest.")
    in_links: int
    out_links: int
    region: str = Field(description="The region of the bow-tie; empty where it is not known.")
    community: str = Field(description="The community of the tree; empty where it is not known.")


class StarLinks(BaseModel):
    """The stars at the other ends of a star's links, the heaviest first."""

    star: int
    linking: list[int]
    linked: list[int]
    all_linking: int
    all_linked: int


def sky_of(request: Request) -> Stars:
    """The stars that this server shows."""
    return _stars(opened_of(request))


def thumbnail(request: Request) -> Markup:
    """A small still for the first page; nothing where there is no sky."""
    return _thumbnail(opened_of(request)) if has_sky(library_of(request)) else Markup("")


def prepare(opened: Opened) -> None:
    """Make now what the first visitor of the sky would wait for."""
    if has_sky(opened.library):
        _colours(opened, next(iter(COLOURINGS)))
        for make in (_packed, _thumbnail, _picture, _heaviest, _places, _figures):
            make(opened)


@router.get("/map", include_in_schema=False)
def sky(request: Request) -> Response:
    """The sky to fly through; without WebGL or JavaScript a still, and a table of the heaviest pages."""
    library = library_of(request)
    if not has_sky(library):
        path = library.collection.path
        return render(request, "map.html", stars=None, command=f"periplus build {path}", query="")
    opened = opened_of(request)
    return render(
        request,
        "map.html",
        stars=_stars(opened),
        heaviest=_heaviest(opened),
        still=_picture(opened),
        colourings=COLOURINGS.values(),
        scripts=[name for name in assets() if name == "three.js" or (name.startswith("map-") and name.endswith(".js"))],
        counts=library.counts,
        query="",
    )


@router.get("/map.csv", include_in_schema=False)
def sky_csv(request: Request) -> Response:
    """Every star as CSV, the heaviest first: page, mass, place in space."""
    library, stars = library_of(request), sky_of(request)
    urls, places = library.graph.urls, stars.places * stars.span
    rows = (
        (urls[page], float(mass), *map(float, place))
        for page, mass, place in zip(stars.pages.tolist(), stars.masses, places, strict=True)
    )
    return csv_answer("sky", Table.of_rows(("url", "mass", "x", "y", "z"), rows))


@router.get("/api/map", response_model=Sky, tags=["map"])
def description(request: Request) -> dict[str, Any]:
    """What it takes to read the sky: how many stars, the size of the box, the moments, the colours."""
    stars = sky_of(request)
    moments = [{"step": step, "reach": reach} for step, reach in zip(stars.steps, stars.reaches, strict=True)]
    return {
        "stars": len(stars),
        "first": min(FIRST, len(stars)),
        "span": stars.span,
        "filmed": stars.filmed,
        "moments": moments,
        "colourings": list(COLOURINGS),
        "palettes": palettes(),
    }


@router.get("/api/map/stars", **_BYTES)
def star_bytes(request: Request) -> Response:
    """All stars, heaviest first, 8 bytes each: x, y, z (two bytes each, signed, little-endian), mass, community."""
    packed = _packed(opened_of(request))
    pieces = (packed[at : at + _PIECE] for at in range(0, len(packed), _PIECE))
    return StreamingResponse(pieces, media_type=_BINARY, headers=_NEWEST | {"content-length": str(len(packed))})


@router.get("/api/map/colours/{by}", **_BYTES)
def colour_bytes(request: Request, by: str) -> Response:
    """The colour of every star by one of the colourings: one byte each, in the order of the stars."""
    return Response(_colours(opened_of(request), by).numbers.tobytes(), media_type=_BINARY, headers=_NEWEST)


@router.get("/api/map/legend/{by}", response_model=ColouringAnswer, tags=["map"])
def legend(request: Request, by: str) -> dict[str, Any]:
    """What the colours of one of the colourings stand for."""
    found = _colours(opened_of(request), by)
    entries = [asdict(entry) for entry in found.legend]
    return {"name": by, "words": COLOURINGS[by].words, "scale": found.scale, "legend": entries}


@router.get("/api/map/moments/{number}", **_BYTES)
def moment_bytes(request: Request, number: int, stars: Annotated[int, Query(ge=1)] = FIRST) -> Response:
    """Where the heaviest stars were at one moment: 6 bytes each, x, y, z as in the bytes of the stars."""
    return Response(sky_of(request).moment(number, stars), media_type=_BINARY, headers=_NEWEST)


@router.get("/api/map/places", response_model=list[PlaceInSky], tags=["map"])
def places(request: Request) -> list[dict[str, Any]]:
    """The communities of the tree as places in the sky, the largest first."""
    return [asdict(place) for place in _places(opened_of(request))]


@router.get("/api/map/figures", tags=["map"], response_model=list[list[int]])
def figures(request: Request) -> list[tuple[int, int]]:
    """Lines between heavy stars that link to each other and stand close: the constellations."""
    return _figures(opened_of(request))


@router.get("/api/map/facts", response_model=list[StarFacts], tags=["map"])
def facts(
    request: Request, at: Annotated[str, Query(description="Numbers of stars with commas between, at most 100.")]
) -> list[dict[str, Any]]:
    """What is known of some stars."""
    return [asdict(star) for star in star_facts(library_of(request), sky_of(request), _numbers(at))]


@router.get("/api/map/star", response_model=StarFacts, tags=["map"])
def star(request: Request, url: Annotated[str, Query(description="A URL of the collection.")]) -> dict[str, Any]:
    """The star of a page."""
    from periplus.library.neighbours import find_page

    library, stars = library_of(request), sky_of(request)
    return asdict(star_facts(library, stars, [int(stars.place_of[find_page(library, url)])])[0])


@router.get("/api/map/links", response_model=StarLinks, tags=["map"])
def links(request: Request, star: Annotated[int, Query(ge=0)]) -> dict[str, Any]:
    """The stars that one star links to, and those that link to it; at most 300 on a side."""
    return asdict(links_of_star(library_of(request), sky_of(request), star))


@router.get("/api/map/find", response_model=list[StarFacts], tags=["map"])
def find(request: Request, q: Annotated[str, Query(description="As in /api/search.")]) -> list[dict[str, Any]]:
    """The stars of the pages that a search finds first."""
    return [asdict(star) for star in find_stars(library_of(request), sky_of(request), q)] if q.strip() else []


@lru_cache(maxsize=1)
def palettes() -> dict[str, list[str]]:
    """256 colours by number, for groups and for scales, by day and by night; the last two are the rest and none."""
    made = {}
    for theme, lightness, grey in (("night", 0.78, _GREY[0]), ("day", 0.48, _GREY[1])):
        ends = (0.42, 0.9) if theme == "night" else (0.72, 0.3)
        made[f"groups-{theme}"] = [*hues(TOP + 1, lightness=lightness, chroma=0.135), grey, grey]
        made[f"scale-{theme}"] = [*ramp(TOP + 1, low=ends[0], high=ends[1], chroma=0.13), grey, grey]
    assert all(len(one) == NONE + 1 for one in made.values())
    return made


# -- made once per state of the collection ---------------------------------------------------------------------


def _stars(opened: Opened) -> Stars:
    return opened.once("stars", stars_of)


def _packed(opened: Opened) -> bytes:
    stars = _stars(opened)
    return opened.once("packed stars", lambda library: stars.packed)


def _colours(opened: Opened, by: str) -> Coloured:
    stars = _stars(opened)
    key = f"colours of {by}" if by in COLOURINGS else "colours of nothing"
    return opened.once(key, lambda library: coloured(library, by, stars.pages, stars.masses))


def _heaviest(opened: Opened) -> list[Star]:
    stars = _stars(opened)
    return opened.once("heaviest", lambda library: star_facts(library, stars, range(min(_HEAVIEST, len(stars)))))


def _places(opened: Opened) -> list[Place]:
    stars = _stars(opened)
    return opened.once("places", lambda library: places_of(library, stars))


def _figures(opened: Opened) -> list[tuple[int, int]]:
    stars = _stars(opened)
    return opened.once("figures", lambda library: figures_of(library, stars))


def _picture(opened: Opened) -> Markup:
    stars = _stars(opened)
    return opened.once("still", lambda library: _still(stars, _IN_STILL, 1200, 720))


def _thumbnail(opened: Opened) -> Markup:
    stars = _stars(opened)
    return opened.once("thumbnail", lambda library: _still(stars, _IN_THUMBNAIL, 320, 176))


def _still(stars: Stars, count: int, width: int, height: int) -> Markup:
    return Markup(still(stars.places[:count], stars.sizes[:count], stars.colours[:count], width=width, height=height))


def _numbers(text: str) -> list[int]:
    try:
        return [int(one) for one in text.split(",") if one.strip()]
    except ValueError:
        raise ParameterError("at", text[:40], "whole numbers with commas between") from None
