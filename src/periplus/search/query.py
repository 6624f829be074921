"""The query language and its parser.

    wind farm            pages that have both words, in any field, in any order
    "wind farm"          the words side by side
    wind OR solar farm   OR joins its two neighbours first: (wind OR solar) farm; `(…)` groups
    -coal  -"coal mine"  without; also NOT
    title:wind  anchor:"here"  url:map  heading:  text:      in that field only
    site:example.org     that site (registered domain) or host
    lang:de              in that language
    after:2024-05  before:2025   fetched from that day on; before that day
    filetype:php         whose address ends so
    community:tides      the communities about a word (`community:3`: the one of that number)
    tree:42              below that node of the tree
    region:core          that region of the bow-tie: core, in, out, tendrils, tubes, disconnected
    turb*                words that begin so; at least three letters
    os.path.join         every part (os, path, join); pages that have the parts side by side come first

Words are compared as the index has them (case and accents do not count). An unquoted English article, preposition or
auxiliary ("the", "of", "is") beside other words is left out. A plain word also finds its other forms (`farm`, `farms`,
`farming`), by the language of each page: see `periplus.index.language`.

Nothing is refused but a query without a letter or digit. What cannot be an operator is read as words: `std::vector`,
`-DNAME` where no word is wanted, NOT and AND without a word on both sides, NOT in a query of capitals only
(`IS NOT NULL`), an unknown `name:`, a star at the wrong place, parentheses beyond `MAX_DEPTH`. Beyond `MAX_LENGTH`
characters and `MAX_CLAUSES` words the rest is left unread, and `notes` say so. The raw text never reaches tantivy's
parser, which crashes on deep nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from periplus.errors import QueryError
from periplus.index.schema import COMMON_WORDS, UNSPACED, normalised, url_words, words_of

MAX_LENGTH = 512
MAX_DEPTH = 16
MAX_CLAUSES = 32
MIN_PREFIX = 3
FIELDS = {
    "title": "title",
    "heading": "headings",
    "text": "body",
    "url": "url",
    "anchor": "anchor",
}
FILTERS = ("site", "lang", "after", "before", "filetype", "community", "tree", "region")
REGIONS = ("core", "in", "out", "tendrils", "tubes", "disconnected")
_TOKEN = re.compile(
    r"""(?P<open>\()|(?P<close>\))|(?P<not>-)(?=\()
      | (?P<minus>-(?=[\w"]))?  (?:(?P<field>[A-Za-z]+):(?=[^\s:/()]))?
        (?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s()"]+))""",
    re.VERBOSE,
)
_OPERATORS = re.compile(r"[()\"]")
_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase: its words as the index has them, the one field it is bound to (None: any)."""

    text: str
    words: tuple[str, ...]
    field: str | None = None
    quoted: bool = False
    prefix: bool = False

    @property
    def plain(self) -> bool:
        """One word as typed, which its other forms may stand for."""
        return len(self.words) == 1 and not self.quoted and not self.prefix

    @property
    def joined(self) -> bool:
        """Several words typed as one (`os.path`, `web-graph`, 東京): a page needs them all, not side by side."""
        return len(self.words) > 1 and not self.quoted

    @property
    def parts(self) -> tuple[Term, ...]:
        """The words of a joined term, each by itself; the term itself where it is not joined.

        In scripts without spaces a word is two neighbours, in their order, since one character says little.
        """
        if not self.joined:
            return (self,)
        made = (replace(self, text="".join(pair), words=pair, quoted=len(pair) > 1) for pair in _pairs(self.words))
        return tuple(dict.fromkeys(made))


@dataclass(frozen=True, slots=True)
class Within:
    """`site:`: only pages of this site or host."""

    host: str


@dataclass(frozen=True, slots=True)
class Only:
    """`lang:`, `filetype:`, `after:`, `before:`: only such pages; a day is a number, 20240501."""

    name: str
    value: str | int


@dataclass(frozen=True, slots=True)
class Among:
    """`community:`, `tree:`, `region:`: only pages of these communities, below this node of their tree, or there."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Not:
    """Pages that match `node` are left out."""

    node: Node


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part must match."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part must match."""

    parts: tuple[Node, ...]


Filter = Within | Among | Only
Node = Term | Filter | Not | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query understood: what must hold, the words left out as too common, and all its words as one name.

    `side_by_side` are the words that gain where they follow each other; `notes` say what was left unread, and what was
    read as words though it looks like an operator.
    """

    text: str
    root: AllOf
    ignored: tuple[str, ...]
    name: str
    side_by_side: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def within(self) -> str:
        """What was named that pages may be of: "site", "community", "region", "" for nothing."""
        named = next((one for one in self.filters if not isinstance(one, Only)), None)
        if isinstance(named, Among):
            return "region" if named.kind == "region" else "community"
        return "site" if named else ""

    @property
    def filters(self) -> tuple[Filter, ...]:
        """Where pages may be, in the order typed."""
        return tuple(_filters(self.root))

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every positive term, once each, in the order typed."""
        return tuple(dict.fromkeys(_positive_terms(self.root)))

    @property
    def parts(self) -> tuple[Term, ...]:
        """The same, with every part of what was typed as one word by itself."""
        return tuple(dict.fromkeys(part for term in self.terms for part in term.parts))


def parse_query(text: str) -> ParsedQuery:
    """Read a query; `QueryError` where it has no word at all."""
    read, notes = text[:MAX_LENGTH], []
    if len(text) > MAX_LENGTH:
        notes.append(f"only the first {MAX_LENGTH} characters were read")
    parser = _Parser(normalised(read))
    root = parser.all_of()
    if not _wants_something(root):
        parser = _Parser(_OPERATORS.sub(" ", normalised(read)), literally=True)
        root = parser.all_of()
        notes += ["read as words: write also what a page should have, beside what it should not"] * bool(root.parts)
    if not root.parts:
        raise QueryError("nothing to look for: write at least one word that a page should have")
    if parser.full:
        notes.append(f"only the first {MAX_CLAUSES} words were read")
    name = " ".join(word for term in _positive_terms(root) if term.field is None for word in term.words)
    typed = (part for part in root.parts if isinstance(part, Term) and not (part.field or part.quoted or part.prefix))
    beside = tuple(word for term in typed for word in term.words)
    kept, ignored = _without_common(root)
    return ParsedQuery(" ".join(read.split()), kept, ignored, name, beside, tuple(notes))


class _Parser:
    """Recursive descent over the tokens, the depth bounded by `MAX_DEPTH`; `literally` knows no operators."""

    def __init__(self, text: str, *, literally: bool = False) -> None:
        self._tokens = list(_TOKEN.finditer(text))
        self._literally = literally
        self._capitals = not any(letter.islower() for letter in text)
        self._at = 0
        self._depth = 0
        self._clauses = 0

    @property
    def full(self) -> bool:
        """Whether there was more to read than `MAX_CLAUSES`."""
        return self._clauses > MAX_CLAUSES

    def all_of(self) -> AllOf:
        """clause*, up to a closing parenthesis or the end; a stray closing one is punctuation."""
        parts: list[Node] = []
        joins_next = False
        while (token := self._next()) is not None:
            if token["close"]:
                if self._depth:
                    break
                continue
            if token["word"] in ("OR", "|") and self._joins(token, parts):
                joins_next = True
                continue
            node = self._clause(token, parts)
            if node is None:
                continue
            if joins_next:
                node = _either(parts.pop(), node)
            parts.append(node)
            joins_next = False
        return AllOf(tuple(parts))

    def _joins(self, token: re.Match[str], parts: list[Node]) -> bool:
        """Whether a word that may be an operator stands between two clauses."""
        after = self._tokens[self._at] if self._at < len(self._tokens) else None
        return bool(parts) and after is not None and not (after["close"] or token["field"] or self._literally)

    def _clause(self, token: re.Match[str], parts: list[Node]) -> Node | None:
        if token["word"] == "NOT" and not self._capitals and self._joins(token, parts):
            following = self._next()
            return _without(self._clause(following, parts)) if following is not None else None
        if token["word"] == "AND" and self._joins(token, parts):
            return None
        if token["not"]:
            return _without(self._group()) if self._next() is not None else None
        if token["open"]:
            return self._group()
        return _without(self._term(token)) if token["minus"] and not self._literally else self._term(token)

    def _group(self) -> Node | None:
        if self._depth == MAX_DEPTH:
            return None
        self._depth += 1
        inner = self.all_of()
        self._depth -= 1
        return inner.parts[0] if len(inner.parts) == 1 else inner if inner.parts else None

    def _term(self, token: re.Match[str]) -> Node | None:
        field, text = token["field"], token["phrase"] if token["phrase"] is not None else token["word"]
        quoted = token["phrase"] is not None
        if field is not None and not self._literally and (only := _filter(field.lower(), text)):
            return self._counted(only)
        if field is not None and (self._literally or field.lower() not in FIELDS):
            field, text = None, f"{field}:{text}"
        if _ADDRESS.match(text):
            field, text, quoted = "url", url_words(text), True
        words = tuple(words_of(text))[:MAX_CLAUSES]
        prefix = text.endswith("*") and not quoted and len(words) == 1 and len(words[0]) >= MIN_PREFIX
        if not words:
            return None
        bound = FIELDS[field.lower()] if field else None
        return self._counted(Term(text, words, bound, quoted, prefix and not text.startswith("*")))

    def _counted(self, node: Term | Filter) -> Node | None:
        """The node, while there is room for its words."""
        self._clauses += len(node.words) if isinstance(node, Term) and node.joined else 1
        return node if self._clauses <= MAX_CLAUSES else None

    def _next(self) -> re.Match[str] | None:
        if self._at == len(self._tokens) or self.full:
            return None
        self._at += 1
        return self._tokens[self._at - 1]


def _pairs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Each word; of a run of characters that are words by themselves, every two neighbours."""
    for run, group in groupby(words, key=lambda word: bool(UNSPACED.match(word))):
        letters = list(group)
        if run and len(letters) > 1:
            yield from pairwise(letters)
        else:
            yield from ((word,) for word in letters)


def _without(node: Node | None) -> Node | None:
    return Not(node) if node is not None else None


def _either(left: Node, right: Node) -> AnyOf:
    before = left.parts if isinstance(left, AnyOf) else (left,)
    return AnyOf((*before, right))


def _filter(name: str, text: str) -> Filter | None:
    """What leaves pages out and asks for no word; None where the text is nothing of the kind."""
    if name == "site":
        host = _host(text)
        return Within(host) if host else None
    if name in ("community", "tree", "region"):
        said = " ".join(words_of(text))
        known = {"tree": said.isdecimal(), "region": said in REGIONS}.get(name, bool(said))
        return Among(name, said) if known else None
    if name in ("after", "before"):
        day = _DAY.fullmatch(text)
        return Only(name, int(day[1] + (day[2] or "01") + (day[3] or "01"))) if day else None
    shape = {"lang": r"([a-z]{2,3})([-_].*)?", "filetype": r"\.?(\w{1,8})"}.get(name)
    found = re.fullmatch(shape, text.lower()) if shape else None
    return Only(name, found[1]) if found else None


def _host(text: str) -> str | None:
    """A host as the index has it; None where the text is no host."""
    host = re.sub(r"^[a-z]+:/*", "", text.strip().lower()).partition("/")[0].strip(".")
    with suppress(UnicodeError):
        return (host if host.isascii() else host.encode("idna").decode()) or None
    return None


def _wants_something(root: AllOf) -> bool:
    return any(not isinstance(part, Not) or isinstance(part.node, Filter) for part in root.parts)


def _positive_terms(node: Node) -> Iterator[Term]:
    if isinstance(node, Term):
        yield node
    elif isinstance(node, AllOf | AnyOf):
        for part in node.parts:
            yield from _positive_terms(part)


def _filters(node: Node) -> Iterator[Filter]:
    if isinstance(node, AllOf | AnyOf):
        for part in node.parts:
            yield from _filters(part)
    elif isinstance(node, Filter):
        yield node


def _without_common(root: AllOf) -> tuple[AllOf, tuple[str, ...]]:
    """Leave out the common words that stand alone on the first level, if anything else is wanted."""
    kept = tuple(part for part in root.parts if not _is_common(part))
    if not _wants_something(AllOf(kept)):
        return root, ()
    ignored = tuple(part.text for part in root.parts if isinstance(part, Term) and _is_common(part))
    return replace(root, parts=kept), ignored


def _is_common(node: Node) -> bool:
    return isinstance(node, Term) and node.plain and node.field is None and node.words[0] in COMMON_WORDS
