"""What pages ask of search engines, where it contradicts itself or the links of the site."""

from __future__ import annotations

from collections.abc import Iterator

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding, Place
from periplus.library.told import Told


def noindex_linked(evidence: Evidence) -> Iterator[Finding]:
    """Pages that ask not to be indexed, and that other pages link to."""
    for page, told in enumerate(evidence.told):
        if told.noindex and evidence.linked[page]:
            yield Finding(evidence.url(page), "asks not to be indexed, but is linked", evidence.links_to(page))


def canonicals(evidence: Evidence) -> Iterator[Finding]:
    """Pages whose canonical address is no page that stands for itself."""
    for page, told in enumerate(evidence.told):
        if told.canonical is not None and told.canonical != evidence.url(page):
            for says in _contradictions(evidence, told, told.canonical):
                yield Finding(evidence.url(page), says, (Place(told.canonical),))


def _contradictions(evidence: Evidence, told: Told, named: str) -> Iterator[str]:
    way = evidence.ways.of(named)
    target = evidence.graph.urls.find(named)
    if told.noindex:
        yield "asks not to be indexed, and names another page as its canonical address"
    if way.kind in ("broken", "failing", "loop", "blocked"):
        yield f"names a canonical address that {way.says}"
    elif way.hops:
        yield f"names a canonical address that redirects to {way.hops[-1]}"
    elif target is not None:
        there = evidence.told[target]
        if there.canonical is not None and there.canonical != named:
            yield f"names a canonical address whose own canonical address is {there.canonical}"
        if there.noindex:
            yield "names a canonical address that asks not to be indexed"
