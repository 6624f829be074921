"""`Rule`: what a rule of the crawl is. It has up to three hooks, which may return decisions.

    admit         before URLs enter the frontier     the URLs that may enter, in order
    before_fetch  before a URL is fetched            the visit, perhaps changed; or a decision
    after_fetch   after it is fetched, before its    the visit, perhaps changed; or `Postpone`
                  body is read

A rule that already knows how the visit ends may return it from `before_fetch` with an outcome. The URL is then not
fetched, and the next steps are the same as after a fetch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.options import CrawlOptions
from periplus.crawl.outcome import Outcome
from periplus.crawl.visit import Source, Visit

if TYPE_CHECKING:
    from periplus.crawl.engine.committer import Committer


@dataclass(frozen=True, slots=True)
class Crawl:
    """The parts of the crawl that a rule may use; `seeds` includes those of earlier runs."""

    options: CrawlOptions
    seeds: tuple[str, ...]
    scheduler: Scheduler
    fetcher: Fetcher
    commits: Committer


@dataclass(frozen=True, slots=True)
class End:
    """The visit ends without a fetch.

    `asked`: the rule sent a request to the host, so its pause starts. `whole_host`: all waiting URLs of this host end
    with the same outcome.
    """

    outcome: Outcome
    reason: str = ""
    asked: bool = False
    whole_host: bool = False


@dataclass(frozen=True, slots=True)
class Postpone:
    """The URL goes back to the queue of its host.

    `pause`: seconds without a request to the host, if this is more than its own pause. `counts`: the URL has used one
    of its tries. `leave_host`: the reason why the host is not asked again in this run; empty if it is.
    """

    pause: float = 0.0
    counts: bool = False
    leave_host: str = ""


class Rule:
    """One rule; a subclass overrides the hooks that it needs."""

    def __init__(self, crawl: Crawl) -> None:
        self.crawl = crawl

    def admit(self, urls: list[str], source: Source) -> list[str]:
        """The URLs that may enter the frontier; a rule may drop, reorder or add some."""
        return urls

    async def before_fetch(self, visit: Visit) -> Visit | End | Postpone:
        return visit

    def after_fetch(self, visit: Visit) -> Visit | Postpone:
        return visit
