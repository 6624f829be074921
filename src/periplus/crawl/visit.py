"""`Visit`: one URL on its path through the crawl, from the frontier to the log.

    Scheduler.next    the row of the URL in the frontier: host, depth, hops, tries
    rules             request headers, what is known from an earlier visit, or a decision instead of the visit
    Fetcher.get       outcome, status, the response as it went over the wire (`capture`)
    Reader.read       its content (`reading`), which replaces the capture
    Journal.commit    `DUP` where another page had the same content

The record is frozen: each stage returns a copy with its part added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from periplus.crawl.fetch.reading import Reading
from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.hosts import Host
from periplus.pages.cdx import Entry
from periplus.pages.warc import Capture

BEFORE_ALL = -1e15
"""The keys of pages that a refresh wants first begin here; no order gives such keys."""


def _no_host() -> Host:
    return Host(0, "")


@dataclass(frozen=True, slots=True)
class Visit:
    """One URL, and everything known of its visit so far."""

    url: str
    host: Host = field(default_factory=_no_host)
    id: int = 0  # of its row in the frontier; 0 for robots.txt, which has none
    depth: int = 0  # links from the nearest seed
    hops: int = 0  # redirects that led here
    tries: int = 0  # requests that failed before this one
    key: float = 0.0  # its place in the order of the crawl
    headers: Mapping[str, str] | None = None  # request headers beside those of every request
    outcome: Outcome = Outcome.WAITING
    reason: str = ""
    status: int = 0  # of the response; 0 where there was none
    milliseconds: int = 0
    capture: Capture | None = None
    reading: Reading | None = None
    earlier: str = ""  # the outcome of the visit before, if there was one
    known: Entry | None = None  # the capture whose payload was the last known of this URL
    stored: bool = False  # its records are in the archive already, because a crash came before the commit


@dataclass(frozen=True, slots=True)
class Source:
    """Where URLs were found: their depth, their redirect hops, and the page that links to them (None for seeds)."""

    depth: int = 0
    hops: int = 0
    page: Visit | None = None

    @property
    def key(self) -> float:
        """The key of the page that an order hands on; a page that a refresh put before all others has none."""
        return self.page.key if self.page is not None and self.page.key > BEFORE_ALL / 2 else 0.0

    @property
    def links(self) -> int:
        """The distinct links of the page, at least one: a redirect leads to one URL."""
        reading = self.page.reading if self.page is not None else None
        return len(reading.targets) or 1 if reading is not None else 1
