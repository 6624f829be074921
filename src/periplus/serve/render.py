"""Templates → answers. Autoescape is on for everything; only `Snippet.html`, which escapes itself, passes as markup."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from periplus import __version__, wording
from periplus.draw.page import PHONE, WIDE, Figure
from periplus.search.snippet import Snippet
from periplus.serve.assets import asset_url

_WEB = re.compile(r"https?://[^\s<>\"'\\]+\Z", re.IGNORECASE)


def render(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """Fill a template; `nav`, `here` and the collection's name are always there."""
    state = request.app.state
    text = (
        environment()
        .get_template(template)
        .render(
            nav=state.nav,
            here=request.url.path,
            name=state.name,
            version=__version__,
            **context,
        )
    )
    return HTMLResponse(text.encode("utf-8", "replace"), status_code=status, headers={"cache-control": "no-cache"})


def both_widths(figure: Figure) -> tuple[Figure, Markup, Markup]:
    """A picture drawn for the width of a screen and for that of a phone; the stylesheet shows the one that fits."""
    return figure, Markup(figure.draw(WIDE)), Markup(figure.draw(PHONE))


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The template environment with our filters."""
    made = Environment(
        loader=PackageLoader("periplus.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "figure": figure,
        "counted": wording.counted,
        "agree": wording.agree,
        "sentence": wording.sentence,
        "duration": wording.duration,
        "ordinal": wording.ordinal,
        "glued": wording.glued,
        "day": day,
        "iso_day": iso_day,
        "moment": moment,
        "crumbs": crumbs,
        "web": web_address,
        "page_link": page_link,
        "site_link": site_link,
        "percent": wording.percent,
        "marked": lambda snippet: Markup(snippet.html) if isinstance(snippet, Snippet) else snippet,
    }
    made.globals |= {"asset": asset_url, "query_link": query_link}
    return made


def figure(number: float | None) -> str:
    """A whole number with thousands apart; a dash where it is not known."""
    return "–" if number is None else f"{number:,.0f}"


def day(stamp: str) -> str:
    """`2026-11-16T05:52:58Z` and `20261116055258` → `16 Nov 2026`; anything else is left out."""
    date = _date(stamp)
    return f"{date.day} {date:%b %Y}" if date else ""


def moment(stamp: str) -> str:
    """`20261116055258` → `16 Nov 2026, 05:52:58`; anything else is left out."""
    date = _date(stamp)
    if date and stamp.isdecimal() and len(stamp) == 14:
        return f"{date.day} {date:%b %Y}, {stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}"
    return day(stamp)


def iso_day(stamp: str) -> str:
    """The same for machines: `2026-11-16`."""
    date = _date(stamp)
    return f"{date:%Y-%m-%d}" if date else ""


def _date(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp[:8] if stamp.isdecimal() else stamp)
    except (TypeError, ValueError):
        return None


def crumbs(url: str) -> list[str]:
    """A URL as the pieces of a path: host first, readable where percent-encoding hides plain letters."""
    rest = re.sub(r"^https?://", "", url, flags=re.IGNORECASE)
    pieces = [piece for piece in rest.split("/") if piece]
    return [_readable(piece) for piece in pieces[:8]] + (["…"] if len(pieces) > 8 else [])


def _readable(piece: str) -> str:
    plain = unquote(piece, errors="strict") if "%" in piece and _decodes(piece) else piece
    shown = plain if plain.isprintable() else piece
    return shown if len(shown) <= 60 else shown[:59] + "…"


def _decodes(piece: str) -> bool:
    try:
        unquote(piece, errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def web_address(url: str) -> str | None:
    """The URL if it may stand in a link (http or https and nothing odd in it), otherwise None."""
    return url if _WEB.match(url) else None


def page_link(url: str) -> str:
    """The address of a page's portrait."""
    return "/page?" + urlencode({"url": url}, errors="replace")


def site_link(host: str) -> str:
    """The address of a site's view."""
    return "/site/" + quote(host, safe="", errors="replace")


def query_link(path: str, **parameters: Any) -> str:
    """A path with the parameters that are not empty."""
    said = {name: value for name, value in parameters.items() if value not in ("", None, 0)}
    return path + ("?" + urlencode(said, errors="replace") if said else "")


def pager(path: str, offset: int, size: int, total: int, **parameters: Any) -> dict[str, Any]:
    """What stands under a part of a long list: which part it is, and the addresses of the parts before and after."""
    last_part = (total - 1) // size * size if total else 0
    before = query_link(path, **parameters, offset=max(0, min(offset - size, last_part))) if offset > 0 else ""
    after = query_link(path, **parameters, offset=offset + size) if offset + size < total else ""
    return {"first": offset + 1, "last": min(offset + size, total), "total": total, "before": before, "after": after}
