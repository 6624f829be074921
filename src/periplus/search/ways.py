"""Ways out of an empty answer: queries near the one that was asked, each of which finds something.

Tried in this order, at most `WAYS` of them: the words without site and exclusions; a word in any field instead of one;
each word by itself; the longest beginning of a word that is nowhere. Cost: a count in the index for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from periplus.search.query import MIN_PREFIX, ParsedQuery, Term, parse_query

if TYPE_CHECKING:
    from periplus.search.searcher import Searcher

WAYS = 3


@dataclass(frozen=True, slots=True)
class Way:
    """A query that finds `total` pages, and how it differs from what was asked."""

    query: str
    says: str
    total: int


def ways_out(searcher: Searcher, query: str) -> tuple[Way, ...]:
    """Queries near this one that find something."""
    parsed = parse_query(query)
    found: dict[str, Way] = {}
    for near, says in _near(searcher, parsed):
        if near.lower() != parsed.text.lower() and near not in found and len(found) < WAYS:
            total = searcher.search(near, size=1).total
            if total:
                found[near] = Way(near, says, total)
    return tuple(found.values())


def _near(searcher: Searcher, parsed: ParsedQuery) -> Iterator[tuple[str, str]]:
    terms = parsed.terms
    if terms:
        yield " ".join(_spelt(term) for term in terms), "wherever the words stand"
    for term in terms:
        if term.field is not None:
            yield _spelt(replace(term, field=None)), "anywhere in the page"
    if len(terms) > 1:
        for term in terms:
            yield _spelt(term), "by itself"
    for term in terms:
        if term.plain and not searcher.pages_with(term):
            yield from _beginnings(searcher, term)


def _beginnings(searcher: Searcher, term: Term) -> Iterator[tuple[str, str]]:
    """The longest beginning of a word that some word of the index has."""
    word = term.words[0]
    for length in range(len(word) - 1, max(MIN_PREFIX, (len(word) + 1) // 2) - 1, -1):
        begins = word[:length] + "*"
        if searcher.pages_with(Term(begins, (word[:length],), prefix=True)):
            yield begins, "words that begin so"
            return


def _spelt(term: Term) -> str:
    """The term as it is typed."""
    names = {"headings": "heading", "body": "text"}
    field = f"{names.get(term.field, term.field)}:" if term.field else ""
    return f'{field}"{term.text}"' if term.quoted else f"{field}{term.text}"
