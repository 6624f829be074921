"""What the crawler owes to a host: one request at a time, a pause after each, and to wait when it is asked to.

`Host` holds this as data. It is saved in the frontier with every batch of pages, so a host that asked for an hour of
rest gets it, even if the crawl restarts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from periplus.crawl.visit import Visit

MAX_RETRY_AFTER = 3600.0


@dataclass(slots=True)
class Host:
    """One host: its pace, its queue, and its counts."""

    id: int
    name: str
    ready_at: float = 0.0  # when it may be asked again, in seconds since 1970
    delay: float = 0.0
    pages: int = 0
    duplicates: int = 0  # how many of its last pages in a row were copies of others
    known: int = 0  # URLs in the frontier
    in_flight: int = 0
    queue: list[tuple[float, int, Visit]] = field(default_factory=list)
    more: bool = True  # the frontier may have URLs of this host that are not in the queue
    asleep: bool = False  # left alone for the rest of this run
    address: str = ""  # as it was resolved in this run
    ticket: int = 0  # marks its valid entry in the heaps of the scheduler

    def push(self, visit: Visit) -> None:
        heappush(self.queue, (visit.key, visit.id, visit))

    def pop(self) -> Visit:
        return heappop(self.queue)[2]

    def note_page(self, *, is_duplicate: bool) -> None:
        """Count a stored page; a duplicate extends the run of duplicates, any other page ends it."""
        self.pages += 1
        self.duplicates = self.duplicates + 1 if is_duplicate else 0


def wanted_pause(visit: Visit) -> float | None:
    """The seconds that a busy host asks for in the answer to this visit, or None."""
    if visit.capture is None or visit.status not in (429, 503):
        return None
    return retry_after(visit.capture.header("retry-after"))


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """The seconds that a `Retry-After` asks for, at most one hour; None if it is malformed."""
    if not value:
        return None
    text = value.strip()
    if text.isdigit():
        return min(float(text[:12]), MAX_RETRY_AFTER)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return min(max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0), MAX_RETRY_AFTER)
