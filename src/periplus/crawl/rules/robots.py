"""robots.txt (RFC 9309) is fetched before anything else of an origin, and obeyed."""

from __future__ import annotations

from dataclasses import replace

from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.robots_table import OriginRules, RobotsTable
from periplus.crawl.rules.rule import Crawl, End, Postpone, Rule
from periplus.crawl.visit import Source, Visit

_HOPELESS = {Outcome.ERR_DNS, Outcome.ERR_TLS, Outcome.BLOCKED_ADDR}
"""Failures of robots.txt that the page itself would have too."""


class RobotsTxt(Rule):
    """Lets a URL pass if the robots.txt of its origin is known and allows it; sets the pause of its host."""

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._table = RobotsTable(crawl.fetcher, crawl.scheduler.frontier.robots)

    async def before_fetch(self, visit: Visit) -> Visit | End | Postpone:
        options = self.crawl.options
        rules, asked = await self._table.of(visit)
        visit.host.delay = max(options.delay, min(rules.crawl_delay, options.max_delay))
        if asked:
            self.crawl.commits.save_robots(rules.origin, rules.robots)
            if options.sitemaps:
                self.crawl.commits.find(rules.robots.sitemaps(), Source(depth=1))
        if rules.error in _HOPELESS:
            return replace(visit, outcome=rules.error, reason=rules.reason)
        if not rules.robots.reachable:
            return self._ask_later(rules)
        if not rules.allows(visit.url):
            return End(Outcome.BLOCKED_ROBOTS, f"{rules.origin}/robots.txt disallows it", asked=asked)
        return Postpone() if asked else visit  # that was a request to this host: keep its pause

    def _ask_later(self, rules: OriginRules) -> Postpone:
        """While robots.txt cannot be fetched, nothing else may be: ask again later, then in the next run."""
        options, failures = self.crawl.options, self._table.note_failure(rules.origin)
        pause = options.retry_delay * 2 ** (failures - 1) if rules.pause is None else rules.pause
        if failures > options.retries or pause > options.patience:
            return Postpone(rules.pause or 0.0, leave_host=f"{rules.origin}/robots.txt: {rules.reason}")
        return Postpone(pause)
