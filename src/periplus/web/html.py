"""HTML: from bytes to title, headings, visible text, links and robots directives.

The parser is lexbor, which follows the HTML standard: links in comments, scripts or `<template>` do not count, and
broken markup means the same as in browsers. Pages that would be slow to parse are read flat and marked (see `flat`).
What the standard leaves open:

- Hyperlinks are `<a href>` and `<area href>`: one `Link` per occurrence, in order, duplicates kept. Frames, images and
  style sheets are parts of a page; they do not recommend another.
- `href="#place"` points into the same page and is dropped. `href=""` and an explicit link of a page to itself are
  self-links and are kept. Any other link loses its fragment, because canonical URLs have none.
- The first `<base href>` counts, as in browsers; if it is not an http(s) URL, the URL of the page is the base.
- Visible text excludes `<script>`, `<style>`, `<noscript>` and `<template>`; blocks are lines of it (see `blocks`).
  Links inside `<noscript>` count, because this reader runs no scripts.
- `<link rel=canonical>` counts only in the head and on the same site: no page may speak for another site.

No function here raises, whatever the bytes are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from periplus.web.blocks import BREAK, LINK, LINK_END, REGION, REGION_END
from periplus.web.encoding import decode, sniff
from periplus.web.flat import costly, read_flat
from periplus.web.harvest import PARTS, Harvest
from periplus.web.page import Document
from periplus.web.tags import BLOCKS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_OF_INTEREST = "a[href],area[href],base[href],meta[content],link[rel][href],title"
_PARTS = ",".join(f"{tag}[{attribute}]" for tag, attribute in PARTS.items())
_HEADINGS = "h1,h2,h3,h4,h5,h6"
_BLOCKS = ",".join(sorted(BLOCKS))
_REGIONS = "nav,menu,aside,header,footer," + ",".join(
    f"[role={role}]" for role in ("navigation", "banner", "contentinfo", "complementary", "search")
)
_ALSO_INSIDE = frozenset(["aside", "header", "footer"])  # which a piece of the main text may have too


def parse_html(
    body: bytes,
    url: str,
    content_type: str | None = None,
    *,
    x_robots_tag: str | None = None,
    max_links: int = 5000,
) -> Document:
    """Read title, headings, text, links and directives of a page."""
    page, charset = _in_utf8(body, content_type)
    harvest = Harvest(url, max_links, x_robots_tag)
    if costly(page):
        return read_flat(page, harvest).document(charset, flattened=True)
    tree = _parse(page)
    if harvest.secure:
        for part in tree.css(_PARTS):
            harvest.add_part(part.tag or "", part.attributes)
    _set_apart(tree)
    _read_tree(tree, harvest)
    for heading in tree.css(_HEADINGS):
        harvest.add_heading(heading.text())
    _mark(tree)
    harvest.add_text(_visible(tree))
    return harvest.document(charset)


def paragraphs(body: bytes, content_type: str | None = None) -> list[str]:
    """The visible text of a page, block by block; a page that would be slow to parse is one block."""
    text = parse_html(body, "", content_type).text
    return text.split("\n") if text else []


def _set_apart(tree: LexborHTMLParser) -> None:
    """Put white space of our own between blocks, so that their words do not run together.

    Scripts and styles contain raw text and no links. Dropping them first keeps them out of every text.
    """
    tree.strip_tags(["script", "style"])
    for block in tree.css(_BLOCKS):
        mark = " " if block.tag == "br" else BREAK
        block.insert_before(mark)
        block.insert_after(mark)


def _mark(tree: LexborHTMLParser) -> None:
    """Mark links and the regions of navigation, for `read_blocks`."""
    for link in tree.css("a[href]"):
        link.insert_before(LINK)
        link.insert_after(LINK_END)
    for region in tree.css(_REGIONS):
        if region.tag not in _ALSO_INSIDE or not _inside(region, "main", "article"):
            region.insert_before(BREAK + REGION)
            region.insert_after(REGION_END + BREAK)


def _visible(tree: LexborHTMLParser) -> str:
    """What most readers see: not the words of <noscript>, whose links count and are read before."""
    tree.strip_tags(["noscript"])
    visible = tree.body or tree.root
    return visible.text() if visible else ""


def extract_links(
    body: bytes,
    url: str,
    content_type: str | None = None,
    *,
    x_robots_tag: str | None = None,
    max_links: int = 5000,
    blocks: bool = False,
) -> Document:
    """Read only title, links and directives; headings and parts stay empty.

    `blocks`: also the text, as it stands in the source, with a line per piece between two tags; otherwise it is empty.
    """
    page, charset = _in_utf8(body, content_type)
    harvest = Harvest(url, max_links, x_robots_tag)
    if costly(page):
        read_flat(page, harvest)
        harvest.headings, harvest.parts, harvest.kinds, harvest.inner = [], [], "", ""
        harvest.text = harvest.text if blocks else ""
        return harvest.document(charset, flattened=True)
    tree = _parse(page)
    _read_tree(tree, harvest)
    if blocks:
        tree.strip_tags(["script", "style", "noscript"])
        visible = tree.body or tree.root
        harvest.text = visible.text(separator="\n") if visible else ""
    return harvest.document(charset)


def _in_utf8(body: bytes, content_type: str | None) -> tuple[bytes, str]:
    """The page as valid UTF-8, which the parser reads without a copy, and its original charset."""
    charset, mark = sniff(body, content_type)
    body = body[mark:] if mark else body
    if charset == "utf-8" and _is_utf8(body):
        return body, charset
    return decode(body, charset).encode("utf-8", "replace"), charset


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _parse(page: bytes) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(page)


def _read_tree(tree: LexborHTMLParser, harvest: Harvest) -> None:
    root = tree.root
    harvest.language = root.attributes.get("lang") if root else None
    for node in tree.css(_OF_INTEREST):
        tag, attributes = node.tag, node.attributes
        if tag == "a":
            harvest.anchors.append((attributes["href"] or "", _anchor_text(node), attributes.get("rel")))
        elif tag == "area":
            harvest.anchors.append((attributes["href"] or "", attributes.get("alt") or "", attributes.get("rel")))
        elif tag == "meta":
            _add_meta(node, attributes, harvest)
        elif tag == "base":
            harvest.add_base(attributes["href"] or "")
        elif tag == "link":
            if node.parent is not None and node.parent.tag == "head":
                harvest.add_link_element(
                    attributes["rel"] or "", attributes["href"] or "", attributes.get("type") or ""
                )
        elif not _inside(node, "svg"):
            harvest.add_title(node.text())


def _add_meta(node: LexborNode, attributes: dict[str, str | None], harvest: Harvest) -> None:
    """Pass a meta element on; a refresh inside <noscript> is meant for readers without scripts only."""
    content = attributes.get("content") or ""
    if "name" in attributes:
        harvest.add_meta(attributes["name"] or "", content)
    elif (attributes.get("http-equiv") or "").strip().lower() == "refresh" and not _inside(node, "noscript"):
        harvest.add_refresh(content)


def _anchor_text(node: LexborNode) -> str:
    """The text of a link: its words, or else the alternative texts of its images."""
    text = node.text()
    if text and not text.isspace():
        return text
    return " ".join(image.attributes.get("alt") or "" for image in node.css("img[alt]"))


def _inside(node: LexborNode, *tags: str) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in tags:
            return True
        parent = parent.parent
    return False


_MAGIC = (
    b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"PK\x05\x06", b"%PDF", b"\x7fELF", b"\x1f\x8b", b"BZh",
    b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"RIFF", b"OggS", b"ID3", b"MZ\x90", b"\xd0\xcf\x11\xe0", b"\x00\x00\x01\x00",
    b"\x28\xb5\x2f\xfd", b"\x1aE\xdf\xa3", b"wOFF", b"wOF2", b"\x00asm", b"SQLite format 3", b"\xca\xfe\xba\xbe",
)  # fmt: skip
_HTML_TYPES = {"text/html", "application/xhtml+xml"}
_UNSURE_TYPES = {"", "unknown/unknown", "application/unknown", "*/*"}
_HTML_OPENING = re.compile(
    rb"[\t\n\x0c\r ]*+(?:<!--|<\?xml|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body"
    rb"|br|p|meta)[\t\n\x0c\r />])",
    re.IGNORECASE,
)


def is_html(content_type: str | None, body: bytes) -> bool:
    """Whether a response is HTML: labelled so and not plainly something else, or unlabelled and HTML by its start."""
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if body.startswith(_MAGIC):
        return False
    if media_type in _HTML_TYPES:
        return True
    return media_type in _UNSURE_TYPES and _HTML_OPENING.match(body.removeprefix(b"\xef\xbb\xbf")) is not None
