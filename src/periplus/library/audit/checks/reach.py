"""Pages that readers do not come to: orphans, pages that no path leads to, pages many clicks away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from periplus.library.audit.evidence import Evidence
from periplus.library.audit.finding import Finding, Place
from periplus.library.audit.ways import Ending

_LISTED = "stands in the sitemap, but "


def orphans(evidence: Evidence) -> Iterator[Finding]:
    """Pages of the archive, and addresses of its sitemaps, that no other page links to; start pages are none."""
    starts = set(evidence.starts)
    for page in np.flatnonzero(~evidence.linked).tolist():
        if page not in starts:
            url = evidence.url(page)
            yield Finding(url, f"{_LISTED if url in evidence.sitemap else ''}is linked from no page")
    for url in sorted(evidence.sitemap):
        if url not in evidence.holders and evidence.ways.of(url) == Ending("unknown"):
            yield Finding(url, f"{_LISTED}is linked from no page, and it is not stored")


def islands(evidence: Evidence) -> Iterator[Finding]:
    """Pages that others link to, but that no path of links from a start page reaches."""
    if evidence.starts:
        for page in np.flatnonzero((evidence.clicks < 0) & evidence.linked).tolist():
            yield Finding(
                evidence.url(page), "is linked only from pages without a path to them", evidence.links_to(page)
            )


def deep(evidence: Evidence) -> Iterator[Finding]:
    """Pages more than so many clicks from the nearest start page, the deepest first, with a page one click nearer."""
    found = np.flatnonzero(evidence.clicks > evidence.limit)
    for page in found[np.argsort(-evidence.clicks[found], kind="stable")].tolist():
        clicks = int(evidence.clicks[page])
        sources = evidence.graph.predecessors(page)
        before = int(sources[np.flatnonzero(evidence.clicks[sources] == clicks - 1)[0]])
        texts = evidence.library.links.anchors.between(before, page)
        nearer = Place(evidence.url(before), texts[0] if texts else "")
        yield Finding(evidence.url(page), f"is {clicks} clicks from the nearest start page", (nearer,))
