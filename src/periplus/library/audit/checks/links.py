"""Links that lead nowhere, or not straight: what their targets answered."""

from __future__ import annotations

from collections.abc import Iterator

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding
from periplus.library.audit.ways import Kind


def broken(evidence: Evidence) -> Iterator[Finding]:
    """Link targets that are gone, or that redirect to one that is gone."""
    return _of_kind(evidence, "broken")


def failing(evidence: Evidence) -> Iterator[Finding]:
    """Link targets that could not be had when they were asked for."""
    return _of_kind(evidence, "failing")


def loops(evidence: Evidence) -> Iterator[Finding]:
    """Link targets whose redirects never end."""
    return _of_kind(evidence, "loop")


def blocked(evidence: Evidence) -> Iterator[Finding]:
    """Link targets that robots.txt forbids."""
    return _of_kind(evidence, "blocked")


def chains(evidence: Evidence) -> Iterator[Finding]:
    """Link targets that reach a page by two redirects or more."""
    for url in evidence.holders:
        way = evidence.ways.of(url)
        if way.kind in ("page", "file") and len(way.hops) >= 2:
            yield Finding(url, f"redirects {len(way.hops)} times: {' → '.join((url, *way.hops))}", evidence.places(url))


def absent(evidence: Evidence) -> Iterator[Finding]:
    """Link targets on hosts of the collection that it does not hold; of a crawl, which knows what it left out, none."""
    for url in () if evidence.crawled else evidence.holders:
        way = evidence.ways.of(url)
        if way.kind == "unknown":
            on_the_way = f"redirects to {way.hops[-1]}, which " if way.hops else ""
            yield Finding(url, f"{on_the_way}is not in the collection", evidence.places(url))


def _of_kind(evidence: Evidence, kind: Kind) -> Iterator[Finding]:
    for url in evidence.holders:
        way = evidence.ways.of(url)
        if way.kind == kind:
            yield Finding(url, way.says, evidence.places(url))
