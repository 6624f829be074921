"""Why a page is there: sentences made from what was found in it, never from the score alone.

`why` is one short sentence for every result. `explain` is the whole sum in words: each query word with the score of
each field it was found in, the name bonus, the place by links, and the multiplication that gives the score.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.index.schema import TEXT_FIELDS, Call, url_words, whole_name, words_of
from periplus.search.plan import TIE, Planner
from periplus.search.query import Term
from periplus.search.rankers import LINK, NAME, TEXT_ONLY, share_in_words

if TYPE_CHECKING:
    import tantivy

WELL_LINKED = 0.25
FIELD_NAMES = {
    "title": "title",
    "headings": "headings",
    "body": "text",
    "url": "address",
    "anchor": "texts of links to it",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of one hit when its sentences are written."""

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
    pages: int
    ranker: str
    label: str
    value: float | None = None
    error_bound: float = math.nan


def why(found: Found, words: frozenset[str]) -> str:
    """One sentence from the evidence: title, what others call it, its text, its place by links."""
    clauses = [*_title_clause(found, words), *_calls_clause(found.calls, words)]
    if len(clauses) < 2:
        clauses += _text_clause(found)
    if not clauses and (said := words & set(words_of(url_words(found.url)))):
        clauses.append(f"its address says {_listed(sorted(said))}")
    if found.ranker != TEXT_ONLY and found.share <= WELL_LINKED:
        clauses.append(_link_clause(found))
    sentence = "; ".join(clauses) or "a page of the site you named"
    return sentence[0].upper() + sentence[1:]


def _title_clause(found: Found, words: frozenset[str]) -> list[str]:
    if found.named:
        whole = whole_name(found.title) == found.name
        return ["your words are its title" if whole else "your words name it in title, heading or address"]
    titled = [word for word in dict.fromkeys(words_of(found.title)) if word in words]
    if not titled:
        return []
    verb = "stands" if len(titled) == 1 else "stand"
    return [f"{_listed(titled)} {verb} in the title"]


def _calls_clause(calls: tuple[Call, ...], words: frozenset[str]) -> list[str]:
    """The text that says most of the query's words, and how many say it."""
    best, best_value = None, (0, 0.0, 0)
    for call in calls:
        said = words_of(call.text)
        hits = len(words & set(said))
        value = (hits, hits / max(len(said), 1), call.links)
        if hits and value > best_value:
            best, best_value = call, value
    if best is None:
        return []
    text = best.text if len(best.text) <= 60 else best.text[:59].rstrip() + "…"
    return [f"{_callers(best)} it “{text}”"]


def _callers(call: Call) -> str:
    """Who says it, as exactly as is known."""
    if not call.sites:  # an entry a site
        return "1 site calls" if call.links == 1 else f"{call.links:,} sites call"
    links = "1 link" if call.links == 1 else f"{call.links:,} links"
    if call.sites > 1:
        return f"{links} from {call.sites:,} sites call"
    return f"{links} {'calls' if call.links == 1 else 'call'}"


def _text_clause(found: Found) -> list[str]:
    if not found.matches:
        return []
    words = [word for word, _ in Counter(found.matches).most_common(3)]
    places = "once" if len(found.matches) == 1 else f"in {len(found.matches):,} places"
    return [f"its text has {_listed(words)} {places}"]


def _link_clause(found: Found) -> str:
    if found.share * found.pages <= 1:
        return f"first of all {found.pages:,} pages by {found.label}"
    return f"among the best {share_in_words(found.share, found.pages)} of pages by {found.label}"


def _listed(words: list[str]) -> str:
    quoted = [f"“{word}”" for word in words[:4]]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1]


def explain(
    found: Found, terms: tuple[Term, ...], planner: Planner, searcher: tantivy.Searcher, address: tantivy.DocAddress
) -> tuple[str, ...]:
    """The whole sum, a line a step."""
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
    factors = [f"{found.text:.2f}"]
    if found.named:
        names = "title, a part of it, first heading or end of the address"
        lines.append(f"The query is exactly a name of the page ({names}): times {1 + NAME:g}.")
        factors.append(f"{1 + NAME:g}")
    if found.ranker != TEXT_ONLY:
        lines.append(_place_in_words(found))
        factors.append(f"{1 + LINK * found.link:.3f}")
    return (*lines, f"Score: {' × '.join(factors)} = {found.score:.2f}.")


def _place_in_words(found: Found) -> str:
    value = "unknown" if found.value is None else f"{found.value:.3g}"
    if math.isfinite(found.error_bound):
        value += f", certified to {found.error_bound:.2g} in all"
    at_least = max(1, round(found.share * found.pages))
    return (
        f"By {found.label} ({value}) it is among the best {at_least:,} of {found.pages:,} pages: "
        f"link part {abs(found.link):.3f}, times {1 + LINK * found.link:.3f}."
    )


def _field_scores(
    term: Term, planner: Planner, searcher: tantivy.Searcher, address: tantivy.DocAddress
) -> dict[str, float]:
    scores = {}
    for field in (term.field,) if term.field else TEXT_FIELDS:
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
