"""The query language and its parser.

    wind farm            pages that have both words, in any field, in any order
    "wind farm"          the words side by side
    wind OR solar farm   OR joins its two neighbours first: (wind OR solar) farm; `(…)` groups
    -coal  -"coal mine"  without; also NOT
    title:wind  anchor:"here"  url:map  heading:  text:      in that field only
    site:example.org     that site (registered domain) or host
    community:tides      the communities about a word (`community:3`: the one of that number)
    tree:42              below that node of the tree
    turb*                words that begin so; at least three letters

Words are compared as the index has them (case and accents do not count). An unquoted English article, preposition or
auxiliary ("the", "of", "is") beside other words is left out. A plain word also finds its plural or singular: the index
has no stemmer, and `variants` proposes the regular English forms, which serve French and Spanish as well.

The raw text never reaches tantivy's parser, which crashes on deep nesting. This parser is bounded before it begins, by
`MAX_LENGTH` characters, `MAX_DEPTH` parentheses and `MAX_CLAUSES` clauses, and refuses with `QueryError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from periplus.errors import QueryError
from periplus.index.schema import COMMON_WORDS, normalised, url_words, words_of

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
FILTERS = ("site", "community", "tree")
_TOKEN = re.compile(
    r"""(?P<open>\()|(?P<close>\))|(?P<not>-)(?=\()
      | (?P<minus>-(?=[\w"]))?  (?:(?P<field>[A-Za-z]+):(?=[^\s:/()]))?
        (?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s()"]+))""",
    re.VERBOSE,
)
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
        """One word as typed, for which plural and singular count as the same."""
        return len(self.words) == 1 and not self.quoted and not self.prefix


@dataclass(frozen=True, slots=True)
class Within:
    """`site:`: only pages of this site or host."""

    host: str


@dataclass(frozen=True, slots=True)
class Among:
    """`community:`, `tree:`: only pages of these communities, or below this node of the tree of communities."""

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


Node = Term | Within | Among | Not | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query understood: what must hold, the words left out as too common, and all its words as one name."""

    text: str
    root: AllOf
    ignored: tuple[str, ...]
    name: str

    @property
    def only_common(self) -> bool:
        """Whether the query has common words only."""
        return bool(self.ignored) and not any(not isinstance(part, Not) for part in self.root.parts)

    @property
    def within(self) -> str:
        """What was named that pages may be of: "site", "community", "" for nothing."""
        named = next(_named(self.root), None)
        return "site" if isinstance(named, Within) else "community" if named else ""

    @property
    def among(self) -> tuple[Among, ...]:
        """The communities named that pages may be of."""
        return tuple(node for node in _named(self.root) if isinstance(node, Among))

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every positive term, once each, in the order typed."""
        return tuple(dict.fromkeys(_positive_terms(self.root)))


def parse_query(text: str) -> ParsedQuery:
    """Read a query; `QueryError` says what is wrong with it in one line."""
    if len(text) > MAX_LENGTH:
        raise QueryError(f"the query has {len(text):,} characters: at most {MAX_LENGTH} are read")
    parser = _Parser(normalised(text))
    root = parser.all_of()
    terms = [term for term in _positive_terms(root) if term.field is None]
    name = " ".join(word for term in terms for word in term.words)
    kept, ignored = _without_common(root)
    parsed = ParsedQuery(" ".join(text.split()), kept, ignored, name)
    if not ignored and not any(isinstance(part, Term | Within | Among | AnyOf | AllOf) for part in kept.parts):
        raise QueryError("nothing to look for: write at least one word that a page should have")
    return parsed


def only_common(parsed: ParsedQuery) -> QueryError:
    """The message for a query of common words only."""
    words = " ".join(parsed.ignored)
    return QueryError(f'"{words}" is made of words that nearly every page has: add another word, or quote it')


def variants(word: str) -> tuple[str, ...]:
    """The regular plural or singular forms that a word may also stand in; some may be no words."""
    if not word.isalpha() or len(word) < 3:
        return ()
    if word.endswith("ies") and len(word) > 4:
        return (word[:-3] + "y", word[:-1])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return (word[:-1], word[:-2]) if word.endswith("es") and len(word) > 4 else (word[:-1],)
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (word + "es",)
    if word.endswith("y"):
        return (word + "s", word[:-1] + "ies")
    return (word + "s",)


class _Parser:
    """Recursive descent over the tokens, the depth bounded by `MAX_DEPTH`."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_TOKEN.finditer(text))
        self._at = 0
        self._depth = 0
        self._clauses = 0

    def all_of(self) -> AllOf:
        """clause*, up to a closing parenthesis or the end; a stray closing one is punctuation."""
        parts: list[Node] = []
        joins_next = False
        while (token := self._next()) is not None:
            if token["close"]:
                if self._depth:
                    break
                continue
            if token["word"] in ("OR", "|") and not token["field"]:
                joins_next = bool(parts)
                continue
            node = self._clause(token)
            if node is None:
                continue
            if joins_next:
                node = _either(parts.pop(), node)
            parts.append(node)
            joins_next = False
        return AllOf(tuple(parts))

    def _clause(self, token: re.Match[str]) -> Node | None:
        if token["word"] == "NOT" and not token["field"]:
            following = self._next()
            node = self._clause(following) if following is not None and not following["close"] else None
            return Not(node) if node is not None else None
        if token["not"]:
            node = self._group() if self._next() is not None else None
        elif token["open"]:
            node = self._group()
        elif token["word"] == "AND":
            node = None
        else:
            node = self._term(token)
        negative = token["minus"] or token["not"]
        return Not(node) if node is not None and negative else node

    def _group(self) -> Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise QueryError(f"the query opens more than {MAX_DEPTH} parentheses inside each other")
        inner = self.all_of()
        self._depth -= 1
        return inner.parts[0] if len(inner.parts) == 1 else inner if inner.parts else None

    def _term(self, token: re.Match[str]) -> Node | None:
        field, text = token["field"], token["phrase"] if token["phrase"] is not None else token["word"]
        if field is not None:
            field = field.lower()
            if field in FILTERS:
                return self._counted(Within(_host(text)) if field == "site" else Among(field, _group(field, text)))
            if field not in FIELDS:
                known = ", ".join(f"{name}:" for name in (*FIELDS, *FILTERS))
                raise QueryError(f"no field is called {field}: use {known}, or put a space after the colon")
        if _ADDRESS.match(text):
            field, text = "url", url_words(text)
        words = tuple(words_of(text))
        quoted = token["phrase"] is not None
        prefix = text.endswith("*") and not quoted
        if not quoted and (text.startswith("*") or (prefix and (len(words) != 1 or len(words[0]) < MIN_PREFIX))):
            raise QueryError(f"{text}: a star stands at the end of a word, after at least {MIN_PREFIX} letters")
        if len(words) > MAX_CLAUSES:
            raise QueryError(f"a phrase has {len(words)} words: at most {MAX_CLAUSES} are read")
        if not words:
            return None
        return self._counted(Term(text, words, FIELDS[field] if field else None, quoted, prefix))

    def _counted(self, node: Node) -> Node:
        self._clauses += 1
        if self._clauses > MAX_CLAUSES:
            raise QueryError(f"the query has more than {MAX_CLAUSES} words and phrases")
        return node

    def _next(self) -> re.Match[str] | None:
        if self._at == len(self._tokens):
            return None
        self._at += 1
        return self._tokens[self._at - 1]


def _either(left: Node, right: Node) -> AnyOf:
    before = left.parts if isinstance(left, AnyOf) else (left,)
    return AnyOf((*before, right))


def _host(text: str) -> str:
    host = re.sub(r"^[a-z]+:/*", "", text.strip().lower()).partition("/")[0].strip(".")
    if not host:
        raise QueryError("site: needs a site or host, as in site:example.org")
    try:
        return host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError as error:
        raise QueryError(f"site:{text} is no host name") from error


def _group(kind: str, text: str) -> str:
    """The words or the number of a community; a node of the tree has a number only."""
    said = " ".join(words_of(text))
    if not said or (kind == "tree" and not said.isdecimal()):
        number = "community: needs a word or a number, as in community:tides"
        raise QueryError(number if kind == "community" else "tree: needs the number of a node, as in tree:42")
    return said


def _positive_terms(node: Node) -> Iterator[Term]:
    if isinstance(node, Term):
        yield node
    elif isinstance(node, AllOf | AnyOf):
        for part in node.parts:
            yield from _positive_terms(part)


def _named(node: Node) -> Iterator[Within | Among]:
    """The sites and communities that pages may be of."""
    if isinstance(node, AllOf | AnyOf):
        for part in node.parts:
            yield from _named(part)
    elif isinstance(node, Within | Among):
        yield node


def _without_common(root: AllOf) -> tuple[AllOf, tuple[str, ...]]:
    """Leave out the common words that stand alone on the first level."""
    kept = tuple(part for part in root.parts if not _is_common(part))
    ignored = tuple(part.text for part in root.parts if isinstance(part, Term) and _is_common(part))
    return replace(root, parts=kept), ignored


def _is_common(node: Node) -> bool:
    return isinstance(node, Term) and node.plain and node.field is None and node.words[0] in COMMON_WORDS
