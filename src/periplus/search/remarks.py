"""What an answer says of its query: words left out, words that no page has, words that only some pages have."""

from __future__ import annotations

from periplus.search.opened import Opened
from periplus.search.query import Filter, Only, ParsedQuery, Within
from periplus.search.ranking import FILLED, Ranked
from periplus.wording import counted_verb, listed


def remarks_on(opened: Opened, parsed: ParsedQuery, found: Ranked) -> tuple[str, ...]:
    """The notes of an answer, each part of a sentence."""
    notes = list(parsed.notes)
    if parsed.ignored:
        notes.append(f"left out as too common: {', '.join(parsed.ignored)} (quote them to require them)")
    filled = found.full < FILLED and found.total > found.full
    if filled and found.full:
        notes.append(f"{counted_verb(found.full, 'page', 'has')} all the words: the others are without some")
    elif filled:
        missing = nowhere(opened, parsed)
        notes.append(
            f"no page has {missing}: these have other words of yours"
            if missing
            else "no page has all the words: these have some of them"
        )
    if not found.total:
        notes += _why_nothing(opened, parsed)
    return tuple(notes)


def nowhere(opened: Opened, parsed: ParsedQuery) -> str:
    """The words that no page has, for a sentence."""
    return listed([f"“{term.text}”" for term in parsed.terms if not opened.pages_with(term)], joint="or")


def _why_nothing(opened: Opened, parsed: ParsedQuery) -> list[str]:
    """What is known of each word of a query that finds nothing."""
    missing = nowhere(opened, parsed)
    somewhere = [(term.text, count) for term in parsed.terms if (count := opened.pages_with(term))]
    notes = [f"no page has {missing}"] if missing else []
    notes += [_outside(one) for one in parsed.filters if not opened.pages_with(one)]
    return notes + [
        f"{counted_verb(count, 'page', 'has')} “{text}”, {'not' if count == 1 else 'none of them'} where you asked"
        for text, count in somewhere
    ]


def _outside(one: Filter) -> str:
    """That no page of the collection passes a filter."""
    if isinstance(one, Within):
        return f"no page is of “{one.host}”"
    if isinstance(one, Only):
        day = f"{one.value:08}" if isinstance(one.value, int) else ""
        value = f"{day[:4]}-{day[4:6]}-{day[6:]}" if day else one.value
        return f"no page passes “{one.name}:{value}”"
    return f"no page is in the region “{one.text}”" if one.kind == "region" else f"no community is about “{one.text}”"
