"""Read a page without building its tree, for the few pages whose tree would be too expensive.

A parser that follows the standard takes quadratic time in the depth of nesting and in the attributes of one tag. It is
worse with unclosed formatting elements: each is built again in every following block (`<p><b 1><p><b 2>…`: 4,000 of
them, 60 kB, cost lexbor ten seconds and gigabytes). `costly` bounds this work by counting, before parsing. `read_flat`
then reads the tags in one linear pass. On well-formed pages it finds the same title, headings, links and words; it
ignores only what needs a tree (which element an end tag closes, foreign content).

Costs measured on lexbor: 2 ns · depth per tag, 3 ns · attributes² per tag, 0.3 µs per formatting element built again.
No bound relies on what the page calls a comment, a script or a quoted text. Only `_depth_sum` relies on end tags;
`MAX_TAGS` limits the cost of a page with false end tags to about two seconds.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import islice

from periplus.web.blocks import BREAK, LINK, LINK_END, REGION, REGION_END
from periplus.web.harvest import MAX_ANCHOR, PARTS, Harvest, fold
from periplus.web.tags import ATTRIBUTE, BLOCKS, TOKEN, TOKEN_BYTES

MAX_TAGS = 30_000
MAX_DEPTH_SUM = 20_000_000
MAX_REBUILT = 1_000_000
MAX_ATTRIBUTES = 4_000

_SURE_TAGS = 1_000
_SURE_LENGTH = 64_000
_READ_ATTRIBUTES = 256
_LONG_TAG = 4_096

_FORMATTING = re.compile(rb"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\t\n\x0c\r /]", re.IGNORECASE)
# Names and values are cut, so a long one counts as several attributes and the match stays short.
_TAG_OF_MANY = re.compile(
    rb"<[a-zA-Z][^\t\n\x0c\r />]{0,64}+(?:[\t\n\x0c\r /]*+[^\t\n\x0c\r />][^\t\n\x0c\r />=]{0,64}+"
    rb"(?:[\t\n\x0c\r ]*+=[\t\n\x0c\r ]*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\x0c\r >]{0,64}+))?+){%d}" % MAX_ATTRIBUTES
)
_TAG_NAME = re.compile(rb"<(/?)([a-z][a-z0-9]*)")
# Void elements, and elements whose end tag is optional: they never nest in themselves, and what is between is counted.
_FLAT_BY_RULE = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body".split()
)


def costly(page: bytes) -> bool:
    """Whether building the tree of a page (in UTF-8) could take seconds; decided by counting, which is cheap."""
    tags = page.count(b"<")
    if tags > _SURE_TAGS:
        tags -= page.count(b"</")
    if tags > MAX_TAGS or (len(page) > _SURE_LENGTH and _many_attributes(page)):
        return True
    if tags <= _SURE_TAGS:
        return False
    return _rebuilt(page, tags) > MAX_REBUILT or (tags * tags > MAX_DEPTH_SUM and _depth_sum(page) > MAX_DEPTH_SUM)


def _many_attributes(page: bytes) -> bool:
    """Whether any tag may have more than `MAX_ATTRIBUTES`.

    First count what could separate attributes on the whole page. Then match at every `<`, wherever it is: a hostile
    page could mislead a reader that skips comments, scripts or quoted texts.
    """
    if len(page) - len(page.translate(None, b" \n\t\r\f/\"'")) <= 4 * MAX_ATTRIBUTES:
        return False
    return _TAG_OF_MANY.search(page) is not None


def _rebuilt(page: bytes, tags: int) -> int:
    """A bound on formatting elements built again: distinct ones (equal ones are kept at most 3 times) times tags."""
    places = [match.start() for match in _FORMATTING.finditer(page)]
    if len(places) * tags <= MAX_REBUILT:
        return 0
    distinct = set()
    for place in places:
        tag = TOKEN_BYTES.match(page, place, place + _LONG_TAG)
        distinct.add(tag[0] if tag and tag[4] else place)
    return len(distinct) * tags


def _depth_sum(page: bytes) -> int:
    """The sum of the depths of all tags; an end tag counts if an element of its name is open."""
    is_open: dict[bytes, int] = {}
    depth = total = 0
    for slash, name in _TAG_NAME.findall(page.lower()):
        if name not in _FLAT_BY_RULE:
            if not slash:
                is_open[name] = is_open.get(name, 0) + 1
                depth += 1
            elif is_open.get(name, 0):
                is_open[name] -= 1
                depth -= 1
        total += depth
    return total


_RAW = frozenset(
    ["script", "style", "xmp", "iframe", "noembed", "noframes", "template", "textarea", "title", "plaintext"]
)
_END_OF_RAW = {name: re.compile(rf"</{name}(?=[\t\n\x0c\r />])", re.IGNORECASE) for name in _RAW}
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def read_flat(page: bytes, harvest: Harvest) -> Harvest:
    """Fill a harvest from the tags of a page (in UTF-8), in document order."""
    return _FlatReader(page.decode("utf-8", "replace"), harvest).read()


class _FlatReader:
    def __init__(self, text: str, harvest: Harvest) -> None:
        self.text = text
        self.harvest = harvest
        self.words: list[str] = []
        self.heading: list[str] | None = None
        self.anchor: tuple[str, str | None, list[str]] | None = None
        self.in_noscript = False

    def read(self) -> Harvest:
        position, end = 0, len(self.text)
        while position < end:
            match = TOKEN.search(self.text, position)
            if match is None:
                self._add_words(self.text[position:])
                break
            self._add_words(self.text[position : match.start()])
            position = match.end()
            if match[2] is not None and match[4]:
                position = self._tag(match[2].lower(), bool(match[1]), match[3], position)
        self._close_anchor()
        self._close_heading()
        self.harvest.add_text("".join(self.words))
        return self.harvest

    def _add_words(self, piece: str) -> None:
        if not piece:
            return
        piece = unescape(piece)
        if not self.in_noscript:
            self.words.append(piece)
        if self.anchor is not None and len(self.anchor[2]) < MAX_ANCHOR:
            self.anchor[2].append(piece)
        if self.heading is not None:
            self.heading.append(piece)

    def _tag(self, name: str, closes: bool, attributes: str, position: int) -> int:
        """Process one tag; returns the position to continue from, which is after the content of raw elements."""
        if name in BLOCKS:
            self._add_words(" " if name == "br" else BREAK)
        if name == "nav":
            self.words.append(REGION_END if closes else REGION)
        if name == "a":
            self._close_anchor()
        elif name in _HEADINGS:
            self._close_heading()
        elif name == "noscript":
            self.in_noscript = not closes
        if closes:
            return position
        if name in PARTS and self.harvest.secure:
            self.harvest.add_part(name, _attributes(attributes))
        if name in _RAW:
            return self._raw(name, position)
        if name in _HEADINGS:
            self.heading = []
        elif name in ("a", "area", "base", "meta", "link", "html", "img"):
            self._element(name, _attributes(attributes))
        return position

    def _raw(self, name: str, position: int) -> int:
        match = _END_OF_RAW[name].search(self.text, position)
        end = match.start() if match else len(self.text)
        content = self.text[position:end]
        if name == "title":
            self.harvest.add_title(unescape(content))
        elif name == "textarea":
            self._add_words(content)
        return end

    def _element(self, name: str, attributes: dict[str, str]) -> None:
        href, harvest = attributes.get("href"), self.harvest
        if name == "a" and href is not None:
            self.anchor = (href, attributes.get("rel"), [])
            self.words.append(LINK)
        elif name == "area" and href is not None:
            harvest.anchors.append((href, attributes.get("alt", ""), attributes.get("rel")))
        elif name == "base" and href is not None:
            harvest.add_base(href)
        elif name == "link" and href is not None:
            harvest.add_link_element(attributes.get("rel", ""), href, attributes.get("type", ""))
        elif name == "meta" and attributes.get("http-equiv", "").strip().lower() == "refresh" and not self.in_noscript:
            harvest.add_refresh(attributes.get("content", ""))
        elif name == "meta":
            harvest.add_meta(attributes.get("name", ""), attributes.get("content", ""))
        elif name == "html" and harvest.language is None:
            harvest.language = attributes.get("lang")
        elif name == "img" and self.anchor is not None and not fold("".join(self.anchor[2])):
            self.anchor[2].append(attributes.get("alt", "") + " ")

    def _close_anchor(self) -> None:
        if self.anchor is not None:
            href, rel, pieces = self.anchor
            self.harvest.anchors.append((href, "".join(pieces), rel))
            self.words.append(LINK_END)
            self.anchor = None

    def _close_heading(self) -> None:
        if self.heading is not None:
            self.harvest.add_heading("".join(self.heading))
            self.heading = None


def _attributes(text: str) -> dict[str, str]:
    """The attributes of one tag; of two with the same name, the first counts."""
    found: dict[str, str] = {}
    for match in islice(ATTRIBUTE.finditer(text), _READ_ATTRIBUTES):
        found.setdefault(match[1].lower(), unescape(match[2] or match[3] or match[4] or ""))
    return found
