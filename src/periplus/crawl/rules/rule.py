"""What a rule of the crawl is: up to three hooks, and the decisions that they may return.

    admit         before URLs enter the frontier     the URLs that may, in order
    before_fetch  before a URL is fetched            the visit, perhaps changed; or a decision
    after_fetch   after it is fetched, before its    the visit, perhaps changed; or `Postpone`
                  body is read

A rule that already knows the response may return the visit with an outcome from `before_fetch`: the URL is then not
fetched, and the rest goes on as if it had been.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.crawl.engine.options import CrawlOptions
from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.outcome import Outcome
from periplus.crawl.visit import Source, Visit

if TYPE_CHECKING:
    from periplus.crawl.engine.committer import Committer


@dataclass(frozen=True, slots=True)
class Crawl:
    """What a rule may use of the crawl that it belongs to; `seeds` holds those of earlier runs too."""

    options: CrawlOptions
    seeds: tuple[str, ...]
    scheduler: Scheduler
    fetcher: Fetcher
    commits: Committer


@dataclass(frozen=True, slots=True)
class End:
    """The visit ends here, without being fetched.

    `asked`: the host was sent a request all the same, so its pause begins. `whole_host`: everything else that waits on
    this host ends with the same outcome.
    """

    outcome: Outcome
    reason: str = ""
    asked: bool = False
    whole_host: bool = False


@dataclass(frozen=True, slots=True)
class Postpone:
    """The URL goes back to its host's queue.

    `pause`: seconds that the host is left alone, at least its own pause. `counts`: this was one of its tries.
    `leave_host`: why the host is left alone for the rest of this run.
    """

    pause: float = 0.0
    counts: bool = False
    leave_host: str = ""


class Rule:
    """One rule; a subclass overrides the hooks that it needs."""

    def __init__(self, crawl: Crawl) -> None:
        self.crawl = crawl

    def admit(self, urls: list[str], source: Source) -> list[str]:
        """The URLs that may enter the frontier; a rule may leave some out, reorder them, or add some."""
        return urls

    async def before_fetch(self, visit: Visit) -> Visit | End | Postpone:
        return visit

    def after_fetch(self, visit: Visit) -> Visit | Postpone:
        return visit
