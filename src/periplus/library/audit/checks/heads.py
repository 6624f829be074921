"""What the heads of pages say, or do not: titles and descriptions, of pages that are meant to be found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding, Place
from periplus.library.told import Told
from periplus.web.url import site_of

_SHOWN = 120


def missing_titles(evidence: Evidence) -> Iterator[Finding]:
    """Pages without a title."""
    return _missing(evidence, lambda told: told.title, "has no title")


def repeated_titles(evidence: Evidence) -> Iterator[Finding]:
    """Pages of one site with one title."""
    return _repeated(evidence, lambda told: told.title, "title")


def missing_descriptions(evidence: Evidence) -> Iterator[Finding]:
    """Pages without a description; of what an earlier version stored nothing is known."""
    return _missing(evidence, lambda told: told.description, "has no description")


def repeated_descriptions(evidence: Evidence) -> Iterator[Finding]:
    """Pages of one site with one description."""
    return _repeated(evidence, lambda told: told.description, "description")


def _missing(evidence: Evidence, part: Callable[[Told], str | None], says: str) -> Iterator[Finding]:
    for page in evidence.order:
        if part(evidence.told[page]) == "":
            yield Finding(evidence.url(page), says)


def _repeated(evidence: Evidence, part: Callable[[Told], str | None], noun: str) -> Iterator[Finding]:
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for page in evidence.order:
        if said := part(evidence.told[page]):
            groups[site_of(evidence.url(page)), said].append(page)
    for (_, said), (first, *others) in groups.items():
        if others:
            shown = said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"
            places = tuple(Place(evidence.url(page)) for page in others)
            count = "another page" if len(others) == 1 else f"{len(others):,} other pages"
            yield Finding(evidence.url(first), f"shares its {noun} with {count}: “{shown}”", places)
