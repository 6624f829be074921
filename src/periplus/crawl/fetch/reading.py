"""`Reading`: the content of a response, read in a sandboxed process: decode, parse, digest, compress.

`read_response` is the task of the sandbox. It takes a plain tuple (from `jobs_of`) and returns one (for
`Reading.from_plain`), because a process that reads the hostile web may send nothing else.
"""

from __future__ import annotations

from base64 import b32decode
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha1
from typing import Any

from periplus.crawl.fetch.marks import marks_of
from periplus.pages.cdx import Entry
from periplus.pages.listing import MAX_BYTES, may_be_listing, read_listing
from periplus.pages.warc import Capture, Refers, pack
from periplus.web.html import extract_links, is_html
from periplus.web.page import Document

TASK = f"{__name__}:read_response"


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of one response, and its records, ready to append to a WARC file."""

    records: bytes
    entry: Entry  # its index entry; the writer fills in the place
    content: bytes = b""  # SHA-1 of the decoded body: two pages with one content are duplicates
    parsed: bool = False
    problem: str | None = None  # "length" or "decode"
    html: bool = False
    targets: tuple[str, ...] = ()  # distinct URLs to follow, in order
    links: int = 0
    links_truncated: bool = False
    listed: str = ""  # "sitemap", "index" or "feed", where the body is such a list; `targets` are its URLs then
    flaw: str = ""  # why the list is not whole
    marks: bytes = b""  # of what the page says, see `marks.py`
    exact: bytes = b""
    saying: int = 0
    refresh: str = ""  # where a stub of HTML sends its readers at once

    @classmethod
    def from_plain(cls, values: tuple[Any, ...]) -> Reading:
        """The reading that `read_response` returned."""
        records, entry, *rest = values
        return cls(records, Entry(*entry), *rest)


def jobs_of(capture: Capture, *, parse: bool, max_decoded: int, max_links: int) -> tuple[Any, Any]:
    """A response as `read_response` takes it, and its gentler form: without `parse` it is only compressed."""
    fetched, limits = capture.fetched.timestamp(), (max_decoded, max_links)
    exchange = (
        capture.url,
        fetched,
        capture.head,
        capture.payload,
        capture.truncated,
        capture.address,
        capture.request,
    )
    return (parse, limits, exchange), (False, limits, exchange)


def read_response(job: tuple[Any, ...]) -> tuple[Any, ...]:
    """Decode, parse, digest and compress one response."""
    parse, (max_decoded, max_links), (url, fetched, *exchange) = job
    capture = Capture(url, datetime.fromtimestamp(fetched, UTC), *exchange)
    media = capture.media_type or ""
    lists = may_be_listing(media, url)
    body, problem = _decoded(capture, MAX_BYTES if lists else max_decoded) if parse else (b"", None)
    page = _page(capture, body, max_links) if parse else None
    if problem == "length":
        capture = replace(capture, truncated="length")
    packed = pack(capture)
    content = b""
    if parse:
        # Most bodies have no content encoding. Their content is what was sent, and its digest is known.
        unchanged = body is capture.payload
        content = b32decode(packed.digest) if unchanged else sha1(body, usedforsecurity=False).digest()
    entry = Entry.of_capture(capture, packed.digest, packed.length).to_plain()
    if page is None:
        listing = read_listing(body, url, media) if parse and (lists or media == "text/plain") else None
        if listing is None:
            return packed.data, entry, content, parse, problem
        listed = tuple(found for found, _ in listing.urls)
        return packed.data, entry, content, parse, problem, False, listed, 0, False, listing.kind, listing.problem
    said = marks_of(page.title, page.text)
    followed = () if page.nofollow else (link.target for link in page.links if "nofollow" not in link.rel)
    targets = tuple(dict.fromkeys((*followed, *page.feeds)))
    counts = (len(page.links), page.links_truncated)
    return packed.data, entry, content, parse, problem, True, targets, *counts, "", "", *said, page.refresh or ""


def is_unchanged(capture: Capture, known: Entry) -> bool:
    """Whether a response says, or shows, that its URL has what an earlier capture has."""
    if capture.status == 304:
        return True
    if capture.truncated or known.truncated or (capture.status, capture.redirect) != (known.status, known.redirect):
        return False
    return capture.digest() == known.digest


def revisit_of(capture: Capture, known: Entry) -> Reading:
    """The record of a visit that found nothing new: the head of the response, and the capture that it refers to."""
    refers = Refers(known.fetched, known.digest)
    short = replace(capture, payload=b"", kind="revisit", refers=refers, request=None, _parsed=[])
    packed = pack(short)
    return Reading(packed.data, Entry.of_capture(short, packed.digest, packed.length))


def _decoded(capture: Capture, max_decoded: int) -> tuple[bytes, str | None]:
    decoded = capture.decoded(max_decoded)
    # A body that was cut cannot be decoded to its end. That is not the fault of its encoding.
    cut = capture.truncated and decoded.problem == "decode"
    return decoded.body, None if cut else decoded.problem


def _page(capture: Capture, body: bytes, max_links: int) -> Document | None:
    kind = capture.header("content-type")
    if not is_html(kind, body):
        return None
    tags = [value for name, value in capture.headers if name.lower() == "x-robots-tag"]
    return extract_links(
        body, capture.url, kind, x_robots_tag=", ".join(tags) or None, max_links=max_links, blocks=True
    )
