"""Why a page is there: sentences made from what was found in it, never from the score alone.

`why` is one short sentence per result. `explain` is the whole sum in words: for each query word the score of each field
it was found in, the name bonus, the place by links, and the product of them all.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.index.schema import AROUND_FIELD, UNSPACED, Call, url_words, whole_name
from periplus.search.plan import FORMS_FIELD, TIE, Planner, fields_of
from periplus.search.query import Term
from periplus.search.rankers import LINK, NAME, WITHOUT_LINKS, share_in_words
from periplus.search.snippet import find_words
from periplus.wording import agree, counted, counted_verb, listed, sentence

if TYPE_CHECKING:
    import tantivy

WELL_LINKED = 0.25
_GAPS = re.compile(rf"(?<=[^\x00-\u0e00]) (?={UNSPACED.pattern})")
FIELD_NAMES = {
    "title": "title",
    "headings": "headings",
    "body": "text",
    "url": "address",
    "anchor": "texts of links to it",
    AROUND_FIELD: "navigation",
    FORMS_FIELD: "other forms and parts of words",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of one hit when its sentences are written.

    Of a page ranked by the links around the query, `around` says who links to it there, `placed` explains its place.
    """

    title: str
    url: str
    calls: tuple[Call, ...]
    matches: tuple[str, ...]
    named: bool
    name: str
    text: float
    link: float
    score: float
    share: float
    within: str
    pages: int
    ranker: str
    label: str
    value: float | None = None
    error_bound: float = math.nan
    around: str = ""
    placed: str = ""


def why(found: Found, forms: frozenset[str], fields: Callable[[], Iterable[tuple[str, str]]]) -> str:
    """One sentence from the evidence: title, what others call it, its text, its place by links.

    `forms` are the words and phrases that the page may be found by. `fields` says which term the index found in which
    field; it is called only where nothing else can be said.
    """
    clauses = [*_title_clause(found, forms), *_calls_clause(found.calls, forms)]
    if len(clauses) < 2:
        clauses += _text_clause(found)
    if not clauses and (said := _said(url_words(found.url), forms)):
        clauses.append(f"its address says {_listed(said)}")
    if not clauses:
        clauses += [f"“{term}” stands in its {FIELD_NAMES[field]}" for term, field in fields()][:1]
    if not clauses and found.within:
        clauses.append(f"a page of the {found.within} you named")
    if found.ranker not in WITHOUT_LINKS and found.share <= WELL_LINKED:
        clauses.append(_link_clause(found))
    if found.around:
        clauses.append(found.around)
    return sentence("; ".join(clauses) or "it is what your query asks for")


def _said(text: str, forms: frozenset[str]) -> list[str]:
    """The words and phrases that stand in a text, once each, in its order."""
    return list(dict.fromkeys(form for _, _, form in find_words(text, forms)))


def _title_clause(found: Found, forms: frozenset[str]) -> list[str]:
    if found.named:
        whole = whole_name(found.title) == found.name
        return ["your words are its title" if whole else "your words name it in title, heading or address"]
    titled = _said(found.title, forms)
    if not titled:
        return []
    return [f"{_listed(titled)} {agree(len(titled), 'stands')} in the title"]


def _calls_clause(calls: tuple[Call, ...], forms: frozenset[str]) -> list[str]:
    """The text that says most of the query's words, and how many say it."""
    best, best_value = None, (0, 0.0, 0)
    for call in calls:
        said = " ".join(_said(call.text, forms))
        hits = len(said.split())
        value = (hits, hits / max(len(call.text.split()), 1), call.links)
        if hits and value > best_value:
            best, best_value = call, value
    if best is None:
        return []
    text = best.text if len(best.text) <= 60 else best.text[:59].rstrip() + "…"
    return [f"{_callers(best)} it “{text}”"]


def _callers(call: Call) -> str:
    """Who says it, as exactly as is known."""
    if not call.sites:  # one entry per site
        return counted_verb(call.links, "site", "calls")
    if call.sites > 1:
        return f"{counted(call.links, 'link')} from {counted(call.sites, 'site')} call"
    return counted_verb(call.links, "link", "calls")


def _text_clause(found: Found) -> list[str]:
    if not found.matches:
        return []
    words = [word for word, _ in Counter(found.matches).most_common(3)]
    places = "once" if len(found.matches) == 1 else f"in {len(found.matches):,} places"
    return [f"its text has {_listed(words)} {places}"]


def _link_clause(found: Found) -> str:
    if found.share * found.pages <= 1:
        return f"first of all {counted(found.pages, 'page')} by {found.label}"
    return f"among the best {share_in_words(found.share, found.pages)} of pages by {found.label}"


def _listed(words: list[str]) -> str:
    """Quoted; without the spaces that the index puts between characters of scripts that have none."""
    return listed([f"“{_GAPS.sub('', word)}”" for word in words[:4]])


def explain(
    found: Found, terms: tuple[Term, ...], planner: Planner, searcher: tantivy.Searcher, address: tantivy.DocAddress
) -> tuple[str, ...]:
    """The whole sum, one line per step."""
    lines = []
    for term in terms:
        parts = _field_scores(term, planner, searcher, address)
        if parts:
            best = max(parts.values())
            value = best + TIE * (sum(parts.values()) - best)
            where = ", ".join(f"{FIELD_NAMES[field]} {score:.2f}" for field, score in parts.items())
            rule = f" (the best field, and a quarter of the others: {where})" if len(parts) > 1 else f" ({where})"
            lines.append(f"“{term.text}” gives {value:.2f}{rule}.")
        else:
            lines.append(f"“{term.text}” is not on this page.")
    lines.append(f"With the bonus for words side by side the text score is {found.text:.2f}.")
    if found.placed:
        return (*lines, found.placed)
    factors = [f"{found.text:.2f}"]
    if found.named:
        names = "title, a part of it, first heading or end of the address"
        lines.append(f"The query is exactly a name of the page ({names}): times {1 + NAME:g}.")
        factors.append(f"{1 + NAME:g}")
    if found.ranker not in WITHOUT_LINKS:
        lines.append(_place_in_words(found))
        factors.append(f"{1 + LINK * found.link:.3f}")
    return (*lines, f"Score: {' × '.join(factors)} = {found.score:.2f}.")


def _place_in_words(found: Found) -> str:
    value = "unknown" if found.value is None else f"{found.value:.3g}"
    if math.isfinite(found.error_bound):
        value += f", certified to {found.error_bound:.2g} in all"
    at_least = max(1, round(found.share * found.pages))
    return (
        f"By {found.label} ({value}) it is among the best {at_least:,} of {counted(found.pages, 'page')}: "
        f"link part {abs(found.link):.3f}, times {1 + LINK * found.link:.3f}."
    )


def found_fields(
    terms: tuple[Term, ...], planner: Planner, searcher: tantivy.Searcher, address: tantivy.DocAddress
) -> Iterator[tuple[str, str]]:
    """The terms that the index found on a page, each with the field where it counts most."""
    for term in terms:
        scores = _field_scores(term, planner, searcher, address)
        if scores:
            yield term.text, max(scores, key=lambda field: scores[field])


def _field_scores(
    term: Term, planner: Planner, searcher: tantivy.Searcher, address: tantivy.DocAddress
) -> dict[str, float]:
    scores = {}
    for field in fields_of(term):
        query = planner.term_in_field(term, field)
        if query is None:
            continue
        try:
            value = float(json.loads(query.explain(searcher, address).to_json())["value"])
        except ValueError:  # tantivy's way of saying that the page does not match
            continue
        if value > 0:
            scores[field] = value
    return scores
