"""The files that the pages load: read once at start, kept in memory, found by exact name.

A request never becomes a path on disk, so there is none to escape from; no ranges, no symbolic links. A name is served
with the digest of its content in the address (`/static/style.css?v=…`), so browsers may keep it for ever.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from periplus.draw.style import CHART_CSS

router = APIRouter(include_in_schema=False)
# A script names others as `"./name.js"`: their digests go into it, so that these too may be kept for ever.
_NAMED = re.compile(rb'"\./([\w-]+\.js)"')
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
    paths = files("periplus.serve").joinpath("static").iterdir()
    read = {path.name: path.read_bytes() for path in paths if path.name.rpartition(".")[2] in _KINDS}
    read["style.css"] = CHART_CSS.encode() + read["style.css"]
    found: dict[str, Asset] = {}

    def add(name: str) -> Asset:
        if name not in found:
            content = read[name]
            if name.endswith(".js"):
                content = _NAMED.sub(
                    lambda hit: b'"./%b?v=%b"' % (hit[1], add(hit[1].decode()).digest.encode()), content
                )
            kind = _KINDS[name.rpartition(".")[2]]
            found[name] = Asset(content, kind, hashlib.sha256(content).hexdigest()[:12])
        return found[name]

    for name in read:
        add(name)
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
