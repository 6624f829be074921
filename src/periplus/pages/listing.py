"""Lists of URLs that sites publish: sitemaps, indexes of sitemaps, RSS and Atom feeds, and plain lists.

    <urlset><url><loc>            a sitemap; also a text of one URL per line
    <sitemapindex><sitemap><loc>  an index: its URLs are sitemaps
    <rss>, <rdf:RDF>: <item><link>;  <feed>: <entry><link href>

`read_listing` takes what came before an error and says what the error was: a list that is cut keeps its whole URLs.
Limits are those of sitemaps.org: 50,000 URLs and 52,428,800 bytes; 1,000 sitemaps of an index. Elements of other
namespaces (`image:loc`) do not count. No function here raises, whatever the bytes are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from periplus.pages.encoding import decode
from periplus.web.url import Resolver
from periplus.web.xml import XmlError, XmlParser

MAX_BYTES = 52_428_800
MAX_URLS = 50_000
MAX_SITEMAPS = 1_000
_MAX_TEXT = 4096

_KINDS = {"urlset": "sitemap", "sitemapindex": "index", "rss": "feed", "RDF": "feed", "feed": "feed"}
_TYPES = {"application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "application/rdf+xml"}
_PACKED_TYPES = {"application/gzip", "application/x-gzip", "application/octet-stream", "binary/octet-stream"}
_GZIP = b"\x1f\x8b"
_ITEMS = {"url", "sitemap", "item", "entry"}
_LINE = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list names: (URL, when it changed last in the words of the list); `problem` is empty if it is whole."""

    kind: str  # "sitemap", "index" or "feed"
    urls: tuple[tuple[str, str], ...] = ()
    problem: str = ""


def may_be_listing(media_type: str, url: str) -> bool:
    """Whether a response of this type and URL may be a list, before its body is read."""
    path = url.partition("?")[0]
    return media_type in _TYPES or (media_type in _PACKED_TYPES and path.endswith(".xml.gz"))


def read_listing(body: bytes, url: str, media_type: str = "") -> Listing | None:
    """The list that a body is, or None if it is none; URLs are resolved against `url`."""
    problem = ""
    if body.startswith(_GZIP):
        decoded = decode(body, "gzip", MAX_BYTES)
        body, problem = decoded.body, "its compression is broken" if decoded.problem == "decode" else ""
    if len(body) >= MAX_BYTES:
        body, problem = body[:MAX_BYTES], f"longer than {MAX_BYTES:,} bytes"
    reader = _Reader(url)
    if media_type == "text/plain":
        return _plain(body, reader, url)
    try:
        reader.feed(body.lstrip())
    except _EnoughError as end:
        problem = str(end)
    except XmlError as error:
        problem = problem or str(error)
        reader.kind = reader.kind or "sitemap"  # broken before its first element: no list, and an error all the same
    return Listing(reader.kind, tuple(reader.urls.items()), problem) if reader.kind else None


def _plain(body: bytes, reader: _Reader, url: str) -> Listing | None:
    """A text with nothing but URLs, whose own name says that it is a sitemap."""
    lines = body.decode("utf-8-sig", "replace").split()
    if "sitemap" not in url.rpartition("/")[2] or not lines or not all(map(_LINE.fullmatch, lines[:100])):
        return None
    try:
        for line in lines:
            reader.add(line, "")
    except _EnoughError as end:
        return Listing("sitemap", tuple(reader.urls.items()), str(end))
    return Listing("sitemap", tuple(reader.urls.items()))


class _EnoughError(Exception):
    """The rest need not be read; says why, empty if the document is no list."""


class _Reader:
    """Gathers the URLs of a list, element by element."""

    def __init__(self, url: str) -> None:
        self.kind = ""
        self.urls: dict[str, str] = {}
        self._resolve = Resolver(url)
        self._prefix = ""  # of the elements that count: that of the root, or in RDF none
        self._parser = XmlParser(self._start, self._end, self._text)
        self._inside = False
        self._texts: dict[str, str] = {}
        self._open = ""

    def feed(self, body: bytes) -> None:
        """Read everything at once: piece by piece, expat would scan a comment of 50 MB again for every piece."""
        self._parser.feed(body, last=True)

    def add(self, target: str, changed: str) -> None:
        """Keep a URL, once; at most as many as the kind of list may have."""
        resolved = self._resolve(target.strip())
        if resolved is None or resolved in self.urls:
            return
        most = MAX_SITEMAPS if self.kind == "index" else MAX_URLS
        if len(self.urls) >= most:
            raise _EnoughError(f"more than {most:,} URLs")
        self.urls[resolved] = changed.strip()[:40]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        if not self.kind:
            self.kind = _KINDS.get(local, "")
            if not self.kind:
                raise _EnoughError
            self._prefix = "" if local == "RDF" else prefix
        if prefix != self._prefix:
            self._open = ""
        elif local in _ITEMS:
            self._inside, self._texts = True, {}
        elif self._inside:
            self._open = local
            if local == "link" and "href" in attributes and attributes.get("rel", "alternate") == "alternate":
                self._texts.setdefault("link", attributes["href"])

    def _end(self, name: str) -> None:
        prefix, _, local = name.rpartition(":")
        self._open = ""
        if prefix == self._prefix and local in _ITEMS and self._inside:
            self._inside = False
            changed = self._texts.get("lastmod") or self._texts.get("updated") or self._texts.get("pubDate") or ""
            target = self._texts.get("loc") or self._texts.get("link")
            if target:
                self.add(target, changed)

    def _text(self, data: str) -> None:
        if self._open:
            self._texts[self._open] = (self._texts.get(self._open, "") + data)[:_MAX_TEXT]
