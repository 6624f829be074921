"""`/search.rss`: a query as a feed, for feed readers and other search engines. `/opensearch.xml`: how to ask for it."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import format_datetime
from typing import Annotated
from xml.etree import ElementTree as XML

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from periplus.focus.table import PLAIN
from periplus.search.result import Result
from periplus.search.searcher import MAX_WINDOW
from periplus.serve.render import query_link
from periplus.serve.state import library_of

router = APIRouter(include_in_schema=False)
_OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
XML.register_namespace("opensearch", _OPENSEARCH)


@router.get("/search.rss")
def feed(
    request: Request,
    q: str,
    size: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=MAX_WINDOW)] = 0,
    rank: str = PLAIN,
    ranker: str = "",
) -> Response:
    """Results of `q` as RSS 2.0, up to `size` of them; `ranker=date` for the newest first."""
    searcher = library_of(request).searcher
    found = searcher.search(q, size=size, offset=offset, rank=rank or PLAIN, ranker=ranker or None)
    root = XML.Element("rss", version="2.0")
    channel = XML.SubElement(root, "channel")
    _add(channel, "title", f"{q} · {request.app.state.name}")
    _add(
        channel, "link", _base(request) + query_link("/search", q=q, rank="" if rank == PLAIN else rank, ranker=ranker)
    )
    _add(channel, "description", f"What {request.app.state.name} has for {q}")
    _add(channel, f"{{{_OPENSEARCH}}}totalResults", str(found.total))
    _add(channel, f"{{{_OPENSEARCH}}}startIndex", str(offset + 1))
    _add(channel, f"{{{_OPENSEARCH}}}itemsPerPage", str(size))
    for result in found.results:
        _add_item(channel, result)
    return _xml(root, "application/rss+xml")


@router.get("/opensearch.xml")
def description(request: Request) -> Response:
    """The OpenSearch description, by which browsers and other engines search here."""
    root = XML.Element("OpenSearchDescription", xmlns=_OPENSEARCH)
    name: str = request.app.state.name
    _add(root, "ShortName", name[:16])
    _add(root, "Description", f"Search {name}")
    _add(root, "InputEncoding", "UTF-8")
    asked = "q={searchTerms}&offset={startIndex?}&size={count?}"
    templates = {
        "text/html": "/search?q={searchTerms}",
        "application/rss+xml": f"/search.rss?{asked}",
        "application/x-suggestions+json": "/suggest?q={searchTerms}",
    }
    for kind, template in templates.items():
        XML.SubElement(root, "Url", type=kind, template=_base(request) + template, indexOffset="0")
    return _xml(root, "application/opensearchdescription+xml")


def _add_item(channel: XML.Element, result: Result) -> None:
    item = XML.SubElement(channel, "item")
    _add(item, "title", result.title or result.url)
    _add(item, "link", result.url)
    _add(item, "guid", result.url).set("isPermaLink", "true")
    _add(item, "description", result.snippet.text)
    if result.fetched:
        _add(item, "pubDate", format_datetime(datetime.fromisoformat(result.fetched)))


def _add(parent: XML.Element, tag: str, text: str) -> XML.Element:
    made = XML.SubElement(parent, tag)
    made.text = _NOT_XML.sub("\ufffd", text)
    return made


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")  # the gate has checked the name of the host


def _xml(root: XML.Element, kind: str) -> Response:
    content = XML.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(content, media_type=f"{kind}; charset=utf-8", headers={"cache-control": "no-cache"})
