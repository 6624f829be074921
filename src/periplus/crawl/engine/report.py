"""What a crawl reports: while it runs, and at its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from periplus.crawl.fetch.courtesy import Courtesy
from periplus.crawl.outcome import Outcome
from periplus.crawl.visit import Visit


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """A moment of a crawl; `eta` in seconds, None where nobody can know."""

    pages: int
    links: int
    hosts: int
    errors: int
    waiting: int
    seconds: float
    rate: float
    eta: float | None
    url: str = ""


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """What one run did (`pages`, `links`, `outcomes`, `seconds`), and how the whole crawl stands."""

    pages: int
    links: int
    hosts: int
    outcomes: Mapping[str, int]
    seconds: float
    total_pages: int
    waiting: int
    resumed: bool
    deferred_hosts: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()  # URL spaces that were left because they have no end, and why
    courtesy: Courtesy = field(default_factory=Courtesy)
    limit: str = ""  # the limit that ended the run before its frontier was empty

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def errors(self) -> int:
        return sum(count for outcome, count in self.outcomes.items() if Outcome(outcome).error)


class Tally:
    """The counts of one run, on top of the pages of earlier ones."""

    def __init__(self, pages_before: int, bytes_before: int = 0) -> None:
        self.pages_before = pages_before
        self.pages = self.links = self.errors = 0
        self.bytes = bytes_before  # of the archive
        self.visits = 0
        self.outcomes: Counter[str] = Counter()
        self.reasons: dict[str, str] = {}  # of the seeds
        self.learned: list[str] = []
        self.last_url = ""
        self._started = time.perf_counter()

    @property
    def total_pages(self) -> int:
        return self.pages_before + self.pages

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.perf_counter() - self._started

    def ended(self, visit: Visit) -> None:
        """Count a visit that has ended; whether its page is a duplicate is not known yet."""
        self.visits += 1
        if visit.outcome.page:
            self.pages += 1
            self.links += visit.reading.links if visit.reading else 0
        if visit.outcome.error:
            self.errors += 1
        if visit.reading is not None:
            self.bytes += visit.reading.entry.length
        if visit.reason and visit.depth == 0:
            self.reasons[visit.url] = f"{visit.outcome}: {visit.reason}"

    def committed(self, visit: Visit) -> None:
        """Count the final outcome of a visit."""
        self.outcomes[visit.outcome.value] += 1

    def progress(self, *, hosts: int, waiting: int, max_pages: int | None) -> CrawlProgress:
        """How the crawl stands now."""
        seconds = self.seconds
        rate = self.pages / seconds if seconds else 0.0
        left = waiting if max_pages is None else min(waiting, max_pages - self.total_pages)
        eta = left / rate if rate and left > 0 else None
        return CrawlProgress(
            self.total_pages, self.links, hosts, self.errors, waiting, seconds, rate, eta, self.last_url
        )
