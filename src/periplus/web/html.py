"""HTML: bytes to title, headings, visible text, links and what the page asks of robots.

The tree is built by lexbor, a parser by the HTML standard, so links in comments, scripts or `<template>`s are none and
broken markup means what it means in browsers. Decisions that the standard leaves to us:

- Hyperlinks are `<a href>` and `<area href>`, one `Link` per occurrence, in order, duplicates kept. Frames, images and
  style sheets are parts of a page, not recommendations of another.
- `href="#place"` points into the page itself and is dropped: it organises one page. `href=""` and a written-out link of
  a page to itself are self-links and kept. The fragment of any other link is dropped with its canonical form.
- The first `<base href>` counts, as in browsers; where it is no http(s) URL the page's own URL does.
- Visible text leaves out `<script>`, `<style>`, `<noscript>` and `<template>`; blocks are kept apart by a space.
- `<link rel=canonical>` counts in the head and on the same site only: another site may not be spoken for.

Every function here takes any bytes without raising.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from periplus.web.encoding import decode, sniff
from periplus.web.link import Link
from periplus.web.page import Document
from periplus.web.url import canonical, same_site

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_TITLE = 256
MAX_ANCHOR = 256
MAX_HEADINGS = 200

_OF_INTEREST = "a[href],area[href],base[href],meta[name],link[rel][href],title"
_HEADINGS = "h1,h2,h3,h4,h5,h6"
_BLOCKS = (
    "address,article,aside,blockquote,br,caption,dd,details,dialog,div,dl,dt,fieldset,figcaption,figure,footer,form,"
    "h1,h2,h3,h4,h5,h6,header,hr,legend,li,main,nav,ol,option,p,pre,section,select,summary,table,td,textarea,th,title,"
    "tr,ul"
)
_NO_REL: frozenset[str] = frozenset()


def parse_html(
    body: bytes,
    url: str,
    content_type: str | None = None,
    *,
    x_robots_tag: str | None = None,
    max_links: int = 5000,
) -> Document:
    """Read everything out of a page."""
    text, charset = _text_of(body, content_type)
    tree = _parse(text)
    # Scripts and styles hold raw text and so no links; dropping them first keeps them out of every text below.
    tree.strip_tags(["script", "style"])
    for block in tree.css(_BLOCKS):
        block.insert_before(" ")
        block.insert_after(" ")
    found = _Finds(url, max_links, x_robots_tag).read(tree)
    headings = tuple(filter(None, (fold(node.text())[:MAX_TITLE] for node in tree.css(_HEADINGS)[:MAX_HEADINGS])))
    # Only now: its links count for a reader without scripts, its words are not what others see.
    tree.strip_tags(["noscript"])
    visible = tree.body or tree.root
    return found.document(tree, charset, headings, fold(visible.text()) if visible else "")


def extract_links(
    body: bytes,
    url: str,
    content_type: str | None = None,
    *,
    x_robots_tag: str | None = None,
    max_links: int = 5000,
) -> Document:
    """Read only title, links and robots directives, all that a crawler needs; text and headings stay empty."""
    text, charset = _text_of(body, content_type)
    tree = _parse(text)
    return _Finds(url, max_links, x_robots_tag).read(tree).document(tree, charset, (), "")


def fold(text: str) -> str:
    """Fold every run of white space into one space."""
    return " ".join(text.split())


def _text_of(body: bytes, content_type: str | None) -> tuple[str, str]:
    charset, mark = sniff(body, content_type)
    return decode(body[mark:] if mark else body, charset), charset


def _parse(text: str) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(text)


class _Finds:
    """What one walk over the elements of interest gathers."""

    def __init__(self, url: str, max_links: int, x_robots_tag: str | None) -> None:
        self.url = url
        self.max_links = max_links
        self.base: str | None = None
        self.title: str | None = None
        self.canonical: str | None = None
        self.directives = set(robots_directives(x_robots_tag)) if x_robots_tag else set()
        self.anchors: list[LexborNode] = []

    def read(self, tree: LexborHTMLParser) -> _Finds:
        for node in tree.css(_OF_INTEREST):
            tag = node.tag
            if tag == "a" or tag == "area":
                self.anchors.append(node)
            elif tag == "meta":
                self._meta(node)
            elif tag == "link":
                self._link(node)
            elif tag == "base":
                if self.base is None:
                    self.base = canonical(node.attributes.get("href") or "", self.url) or self.url
            elif self.title is None and not _inside_svg(node):
                self.title = fold(node.text())[:MAX_TITLE].rstrip()
        return self

    def _meta(self, node: LexborNode) -> None:
        attributes = node.attributes
        if (attributes.get("name") or "").strip().lower() in ("robots", "periplus"):
            self.directives |= set(robots_directives(attributes.get("content") or ""))

    def _link(self, node: LexborNode) -> None:
        attributes = node.attributes
        if self.canonical is None and "canonical" in (attributes.get("rel") or "").lower().split():
            parent = node.parent
            if parent is not None and parent.tag == "head":
                target = canonical(attributes.get("href") or "", self.base or self.url)
                self.canonical = target if target and same_site(target, self.url) else None

    def links(self) -> Iterable[Link]:
        source, base = self.url, self.base or self.url
        for node in self.anchors:
            attributes = node.attributes
            href = attributes["href"] or ""
            target = canonical(href, base)
            if target is None or (target == source and href.lstrip()[:1] == "#"):
                continue
            rel = attributes.get("rel")
            yield Link(
                source,
                target,
                fold(node.text())[:MAX_ANCHOR] or _image_text(node),
                frozenset(rel.lower().split()) if rel else _NO_REL,
            )

    def document(self, tree: LexborHTMLParser, charset: str, headings: tuple[str, ...], text: str) -> Document:
        links = tuple(_first(self.links(), self.max_links + 1))
        root = tree.root
        return Document(
            url=self.url,
            title=self.title or "",
            headings=headings,
            text=text,
            links=links[: self.max_links],
            canonical=self.canonical,
            language=((root.attributes.get("lang") or "").strip().lower() or None) if root else None,
            charset=charset,
            noindex=not self.directives.isdisjoint(("noindex", "none")),
            nofollow=not self.directives.isdisjoint(("nofollow", "none")),
            links_truncated=len(links) > self.max_links,
        )


def _first(links: Iterable[Link], count: int) -> Iterable[Link]:
    from itertools import islice

    return islice(links, count)


def _inside_svg(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag == "svg":
            return True
        parent = parent.parent
    return False


def _image_text(node: LexborNode) -> str:
    """What an image link is called: the alternative texts of its images, or of the area itself."""
    if node.tag == "area":
        return fold(node.attributes.get("alt") or "")[:MAX_ANCHOR]
    return fold(" ".join(image.attributes.get("alt") or "" for image in node.css("img[alt]")))[:MAX_ANCHOR]


_VALUED_DIRECTIVES = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}


def robots_directives(text: str) -> set[str]:
    """Read `noindex, nofollow` from a robots meta or X-Robots-Tag (several headers: one a line).

    A user agent may stand before the directives (`otherbot: noindex`); only `*` and `periplus` are meant for us.
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


_MAGIC = (
    b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"PK\x05\x06", b"%PDF", b"\x7fELF", b"\x1f\x8b", b"BZh",
    b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"RIFF", b"OggS", b"ID3", b"MZ\x90", b"\xd0\xcf\x11\xe0", b"\x00\x00\x01\x00",
    b"\x28\xb5\x2f\xfd", b"\x1aE\xdf\xa3", b"wOFF", b"wOF2", b"\x00asm", b"SQLite format 3", b"\xca\xfe\xba\xbe",
)  # fmt: skip
_HTML_TYPES = {"text/html", "application/xhtml+xml"}
_UNSURE_TYPES = {"", "unknown/unknown", "application/unknown", "*/*"}
_HTML_OPENING = re.compile(
    rb"[\t\n\x0c\r ]*+(?:<!--|<\?xml|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br"
    rb"|p|meta)[\t\n\x0c\r />])",
    re.IGNORECASE,
)


def is_html(content_type: str | None, body: bytes) -> bool:
    """Tell whether a response is HTML: labelled so and not plainly something else, or unlabelled and looking like it."""
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if body.startswith(_MAGIC):
        return False
    if media_type in _HTML_TYPES:
        return True
    return media_type in _UNSURE_TYPES and _HTML_OPENING.match(body.removeprefix(b"\xef\xbb\xbf")) is not None
