"""The archive for other programs: a CDX server, Memento (RFC 7089), and the stored page in a frame without any rights.

Stored bytes come from strangers. They are answered under a policy of their own (`SANDBOX`): no script, no origin, no
request, not even for pictures, and only our own page may frame them. That page lets its frame go nowhere else, so a
link or a refresh in a stored page leads nowhere. Only the owner's own machine has these addresses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from itertools import islice
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse

from periplus.errors import ParameterError, UnknownPageError
from periplus.pages import cdx
from periplus.pages.cdx import Entry
from periplus.pages.export import public_fields, surt
from periplus.pages.store import PageStore
from periplus.serve.render import render
from periplus.serve.state import library_of
from periplus.web.url import canonical

router = APIRouter(include_in_schema=False)
SANDBOX = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
MAX_LINES = 100_000
_HOP = {"content-type", "content-language", "etag", "last-modified"}


@router.get("/cdx")
def cdx_lines(
    request: Request,
    url: str = "",
    match: Annotated[Literal["exact", "prefix"], Query(alias="matchType")] = "exact",
    since: Annotated[str, Query(alias="from", pattern=r"^\d{0,14}$")] = "",
    until: Annotated[str, Query(alias="to", pattern=r"^\d{0,14}$")] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_LINES)] = MAX_LINES,
    output: Literal["cdxj", "json"] = "cdxj",
) -> Response:
    """The captures of `url`, or of all URLs that begin so (`matchType=prefix`), as pywb's CDX server lists them."""
    lines = _lines(library_of(request).pages, _href(url), match, (since, until), output)
    return StreamingResponse(
        islice(lines, limit), media_type="text/x-cdxj" if output == "cdxj" else "application/x-ndjson"
    )


def _lines(store: PageStore, href: str, match: str, span: tuple[str, str], output: str) -> Iterator[bytes]:
    found = store.find_all(href) if match == "exact" else _under(store, href)
    for entry in sorted(found, key=lambda one: (one.url, one.timestamp)):
        if not span[0] <= entry.timestamp <= (span[1] or "9"):
            continue
        if output == "json":
            told = {"urlkey": surt(entry.url), "timestamp": entry.timestamp, **public_fields(entry)}
            yield json.dumps(told).encode() + b"\n"
        else:
            yield f"{surt(entry.url)} {entry.timestamp} {json.dumps(public_fields(entry))}\n".encode()


def _under(store: PageStore, prefix: str) -> list[Entry]:
    with cdx.merged_lines([store.cdx_path] if store.cdx_path.exists() else []) as lines:
        entries = (entry for line in lines if (entry := cdx.parse_line(line)) is not None)
        return list(islice((entry for entry in entries if entry.url.startswith(prefix)), MAX_LINES))


@router.get("/timemap")
def timemap(request: Request, url: str = "") -> Response:
    """Every capture of `url` as a Memento timemap (link format)."""
    href, base = _href(url), _base(request)
    captures = _captures(request, href)
    rows = [f'<{href}>; rel="original"', f'<{base}/timegate?url={quote(href, safe="")}>; rel="timegate"',
            f'<{base}/timemap?url={quote(href, safe="")}>; rel="self"; type="application/link-format"']  # fmt: skip
    for entry in captures:
        rows.append(f'<{base}{_address(entry)}>; rel="memento"; datetime="{_http_date(entry)}"')
    return PlainTextResponse(",\n".join(rows) + "\n", media_type="application/link-format")


@router.get("/timegate")
def timegate(request: Request, url: str = "") -> Response:
    """The capture of `url` nearest to the `Accept-Datetime` of the request; without one the newest."""
    href = _href(url)
    captures = _captures(request, href)
    wanted = request.headers.get("accept-datetime")
    chosen = captures[-1] if wanted is None else min(captures, key=lambda entry: abs(entry.fetched - _moment(wanted)))
    headers = {"vary": "accept-datetime", "link": _links(request, href)}
    return RedirectResponse(_address(chosen), status_code=302, headers=headers)


@router.get("/memento")
def memento(request: Request, url: str = "", at: str = "") -> Response:
    """The capture of `url` from the time `at`, its body as it was, with Memento headers and without any rights."""
    href = _href(url)
    if request.headers.get("sec-fetch-dest") == "document":  # a person: only inside the frame nothing leaves
        return RedirectResponse(f"/replay?url={quote(href, safe='')}&at={quote(at, safe='')}")
    entry = next((one for one in _captures(request, href) if one.timestamp == at), None)
    if entry is None:
        raise UnknownPageError(f"there is no capture of {href} from {at or 'no time'}: /timemap lists them")
    page = library_of(request).pages.read(entry)
    kept = {name.lower(): value for name, value in page.headers.items() if name.lower() in _HOP}
    own = {"memento-datetime": _http_date(entry), "link": _links(request, href), "content-security-policy": SANDBOX,
           "x-dns-prefetch-control": "off"}  # fmt: skip
    redirect = {"x-archive-orig-location": entry.redirect} if entry.redirect else {}
    headers = {name: value.encode("ascii", "replace").decode() for name, value in {**kept, **redirect, **own}.items()}
    return Response(page.body, status_code=200, headers=headers)


@router.get("/replay")
def replay(request: Request, url: str = "", at: str = "") -> Response:
    """The stored page as it was at `at`, or the newest, in a frame from which nothing leaves."""
    href = _href(url)
    captures = _captures(request, href)
    entry = next((one for one in captures if one.timestamp == at), captures[-1])
    return render(request, "replay.html", url=href, entry=entry, address=_address(entry), captures=len(captures))


def _href(url: str) -> str:
    href = canonical(url)
    if href is None:
        raise ParameterError("url", url[:200], "an http(s) URL")
    return href


def _captures(request: Request, href: str) -> list[Entry]:
    """The captures of a URL that can be shown, oldest first."""
    found = sorted(library_of(request).pages.find_all(href), key=lambda entry: entry.timestamp)
    if not found:
        raise UnknownPageError(f"{href} was never captured")
    return found


def _address(entry: Entry) -> str:
    return f"/memento?url={quote(entry.url, safe='')}&at={entry.timestamp}"


def _links(request: Request, href: str) -> str:
    base, name = _base(request), quote(href, safe="")
    return (
        f'<{href}>; rel="original", <{base}/timegate?url={name}>; rel="timegate", '
        f'<{base}/timemap?url={name}>; rel="timemap"; type="application/link-format"'
    )


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _http_date(entry: Entry) -> str:
    return format_datetime(entry.fetched, usegmt=True)


def _moment(text: str) -> datetime:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        raise ParameterError("accept-datetime", text[:100], "a date as in HTTP headers") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
