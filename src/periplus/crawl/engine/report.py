"""What a crawl says of itself: while it runs, and at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PAGES = ("OK", "DUP", "TRUNC_LENGTH", "TRUNC_TIME", "TRUNC_DISCONNECT")
"""Outcomes that leave a page in the collection."""


def is_error(outcome: str) -> bool:
    """Tell outcomes that went wrong from pages, redirects and what we chose not to fetch."""
    return outcome.startswith("ERR_") or (outcome.startswith("HTTP_") and outcome[5:6] in ("4", "5"))


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

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def errors(self) -> int:
        return sum(count for outcome, count in self.outcomes.items() if is_error(outcome))
