"""Pages that say the same, or nearly the same, as another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding, Place


def duplicates(evidence: Evidence) -> Iterator[Finding]:
    """Pages with the same bytes; those that name another of them as their canonical address have said enough."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for page, kept in enumerate(evidence.representatives.tolist()):
        groups[kept].append(page)
    for kept, pages in groups.items():
        urls = {evidence.url(page) for page in pages}
        unsaid = [page for page in pages if not _names_another(evidence, page, urls)]
        if len(unsaid) > 1:
            first = kept if kept in unsaid else unsaid[0]
            others = tuple(Place(evidence.url(page)) for page in unsaid if page != first)
            count = "a copy at another address" if len(others) == 1 else f"{len(others):,} copies at other addresses"
            yield Finding(evidence.url(first), f"has {count}; this one is kept", others)


def _names_another(evidence: Evidence, page: int, urls: set[str]) -> bool:
    named = evidence.told[page].canonical
    return named in urls and named != evidence.url(page)


def near_duplicates(evidence: Evidence) -> Iterator[Finding]:
    """Pages whose sequences of three words agree with the kept page's to nine tenths."""
    pages, (leaders, likeness) = evidence.alike
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for at, leader in enumerate(leaders.tolist()):
        if at != leader:
            groups[leader].append(at)
    for leader, members in groups.items():
        others = tuple(Place(evidence.url(pages[at]), f"{_percent(likeness[at])} the same") for at in members)
        count = "another page says" if len(others) == 1 else f"{len(others):,} other pages say"
        yield Finding(evidence.url(pages[leader]), f"is kept; {count} nearly the same", others)


def _percent(likeness: float) -> str:
    return f"{int(likeness * 1000) / 10:g} %"
