"""`Harvest`: what a reader gathers from the elements of a page, and the `Document` made of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from periplus.web.blocks import read_blocks
from periplus.web.link import Link
from periplus.web.page import Document
from periplus.web.parts import parts_of
from periplus.web.url import Resolver, canonical, same_site

MAX_TITLE = 256
MAX_ANCHOR = 256
MAX_HEADINGS = 200
MAX_DESCRIPTION = 1000
MAX_INSECURE = 20

# What a page loads to be shown, and the attribute that names it; of <link>, only style sheets count.
PARTS = {
    **dict.fromkeys(("img", "script", "iframe", "audio", "video", "source", "track", "embed"), "src"),
    "object": "data",
    "link": "href",
}

_FEEDS = {"application/rss+xml", "application/atom+xml", "application/rdf+xml"}
MAX_FEEDS = 10
MAX_REFRESH = 1.0  # seconds; after longer waits people have read the page
_REFRESH = re.compile(r"\s*(\d*\.?\d*)[\d.]*\s*[;,]?\s*url\s*=\s*(?:\"([^\"]*)|'([^']*)|(\S[^\n]*))", re.IGNORECASE)
_NO_REL: frozenset[str] = frozenset()
_VALUED_DIRECTIVES = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}


def fold(text: str, limit: int | None = None) -> str:
    """Fold every run of white space into one space, and cut at `limit` characters."""
    folded = " ".join(text.split())
    return folded if limit is None or len(folded) <= limit else folded[:limit].rstrip()


def robots_directives(text: str) -> set[str]:
    """Read `noindex, nofollow` from a robots meta or X-Robots-Tag (several headers: one per line).

    A user agent may precede the directives (`otherbot: noindex`); only `*` and `periplus` concern this crawler.
    """
    directives = set()
    for line in text.lower().splitlines():
        for_us = True
        for token in line.split(","):
            name, colon, rest = token.partition(":")
            if colon and name.strip() not in _VALUED_DIRECTIVES:
                for_us = name.strip() in ("*", "periplus")
                token = rest
            if for_us:
                directives.add(token.strip())
    return directives


class Harvest:
    """Gathers elements in document order; they are passed as plain texts, so any reader can fill it."""

    def __init__(self, url: str, max_links: int, x_robots_tag: str | None = None) -> None:
        self.url = url
        self.max_links = max_links
        self.title: str | None = None
        self.language: str | None = None
        self.description: str | None = None
        self.secure = url.startswith("https:")
        self.parts: list[str] = []
        self.headings: list[str] = []
        self.text = ""
        self.kinds = ""
        self.inner = ""
        self.anchors: list[tuple[str, str, str | None]] = []
        self.feeds: list[str] = []
        self._refresh: str | None = None
        self._base: str | None = None
        self._canonical: str | None = None
        self._directives = robots_directives(x_robots_tag) if x_robots_tag else set()

    def add_base(self, href: str) -> None:
        """Use the first `<base href>`; if it is not an http(s) URL, use the URL of the page, as browsers do."""
        if self._base is None:
            self._base = canonical(href, self.url) or self.url

    def add_meta(self, name: str, content: str) -> None:
        """Add the directives of a robots meta; use the first description."""
        meant = name.strip().lower()
        if meant in ("robots", "periplus"):
            self._directives |= robots_directives(content)
        elif meant == "description" and self.description is None:
            self.description = fold(content, MAX_DESCRIPTION)

    def add_refresh(self, content: str) -> None:
        """Use the first `<meta http-equiv=refresh>` that leads elsewhere at once."""
        found = _REFRESH.match(content)
        if found and self._refresh is None and float("0" + found[1]) <= MAX_REFRESH:
            target = canonical((found[2] or found[3] or found[4] or "").strip(), self._base or self.url)
            self._refresh = target if target != canonical(self.url) else None

    def add_part(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Add what a tag of an https page loads."""
        address = attributes.get(PARTS.get(tag, ""))
        if address and (tag != "link" or "stylesheet" in (attributes.get("rel") or "").lower().split()):
            self.parts.append(address)

    def _insecure(self) -> tuple[str, ...]:
        """The parts that come over plain http, each once."""
        if not self.parts:
            return ()
        resolve = Resolver(self._base or self.url)
        found = (resolve(part) for part in self.parts)
        return tuple(dict.fromkeys(url for url in found if url and url.startswith("http:")))[:MAX_INSECURE]

    def add_link_element(self, rel: str, href: str, kind: str = "") -> None:
        """Use the first `<link rel=canonical>`, if it is on the same site: no page may speak for another site."""
        words = rel.lower().split()
        if "alternate" in words and kind.strip().lower() in _FEEDS and len(self.feeds) < MAX_FEEDS:
            self.feeds.append(href)
        if self._canonical is None and "canonical" in words:
            own, target = canonical(self.url), canonical(href, self._base or self.url)
            self._canonical = target if own and target and same_site(target, own) else None

    def add_title(self, text: str) -> None:
        """Use the first title."""
        if self.title is None:
            self.title = fold(text, MAX_TITLE)

    def add_heading(self, text: str) -> None:
        """Add a heading that is not empty."""
        if len(self.headings) < MAX_HEADINGS and (folded := fold(text, MAX_TITLE)):
            self.headings.append(folded)

    def add_text(self, marked: str) -> None:
        """Use this text, marked as `blocks` says."""
        self.text, self.kinds = read_blocks(marked)
        self.inner = parts_of(self.title or "", self.text)

    def _links(self) -> tuple[list[Link], bool]:
        """Resolve the anchors; returns the links, and whether there were more than are kept."""
        source, resolve = self.url, Resolver(self._base or self.url)
        links: list[Link] = []
        for href, text, rel in self.anchors:
            target = resolve(href)
            # A fragment alone points into the same page and says nothing about another.
            if target is None or (target == source and href.lstrip()[:1] == "#"):
                continue
            if len(links) == self.max_links:
                return links, True
            links.append(
                Link(source, target, fold(text, MAX_ANCHOR), frozenset(rel.lower().split()) if rel else _NO_REL)
            )
        return links, False

    def document(self, charset: str, *, flattened: bool = False) -> Document:
        """The document made of everything gathered."""
        links, truncated = self._links()
        return Document(
            url=self.url,
            title=self.title or "",
            headings=tuple(self.headings),
            text=self.text,
            kinds=self.kinds,
            parts=self.inner,
            links=tuple(links),
            canonical=self._canonical,
            language=(self.language or "").strip().lower() or None,
            description=self.description or "",
            insecure=self._insecure(),
            charset=charset,
            noindex=not self._directives.isdisjoint(("noindex", "none")),
            nofollow=not self._directives.isdisjoint(("nofollow", "none")),
            links_truncated=truncated,
            flattened=flattened,
            refresh=self._refresh,
            feeds=tuple(dict.fromkeys(filter(None, (canonical(href, self._base or self.url) for href in self.feeds)))),
        )
