"""The files that the pages load: read once at start, kept in memory, found by exact name.

A request never becomes a path on disk, so there is none to escape from; no ranges, no symbolic links. A name is served
with the digest of its content in the address (`/static/style.css?v=…`), so browsers may keep it for ever.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from periplus.draw.style import CHART_CSS

router = APIRouter(include_in_schema=False)
_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file."""

    content: bytes
    kind: str
    digest: str


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """Every file of `static/` by name; the charts' own stylesheet goes in front of ours."""
    found = {}
    for path in files("periplus.serve").joinpath("static").iterdir():
        ending = path.name.rpartition(".")[2]
        if ending in _KINDS:
            content = path.read_bytes()
            if path.name == "style.css":
                content = CHART_CSS.encode() + content
            found[path.name] = Asset(content, _KINDS[ending], hashlib.sha256(content).hexdigest()[:12])
    return found


def asset_url(name: str) -> str:
    """The address of a static file, with the digest of its content."""
    return f"/static/{name}?v={assets()[name].digest}"


@router.get("/static/{name}")
def static(name: str) -> Response:
    """A style sheet, script or picture of these pages."""
    asset = assets().get(name)
    if asset is None:
        raise HTTPException(404)
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(asset.content, media_type=asset.kind, headers=headers)


@router.get("/robots.txt")
def robots() -> Response:
    """What robots may read: the front page. What others wrote is found at their own addresses."""
    return Response("User-agent: *\nAllow: /$\nDisallow: /\n", media_type="text/plain")


@router.get("/favicon.ico")
def favicon() -> Response:
    """The icon, for browsers that do not read `<link rel=icon>`."""
    return static("icon.svg")
