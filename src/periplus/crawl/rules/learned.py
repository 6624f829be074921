"""URL spaces that the crawl has learned to be endless are left, and parameters that change nothing are dropped."""

from __future__ import annotations

from periplus.crawl.frontier.growth import Judge
from periplus.crawl.outcome import Outcome
from periplus.crawl.rules.rule import Crawl, End, Rule
from periplus.crawl.visit import Source, Visit


class Learned(Rule):
    """Shows every page to the `Judge`, and keeps to what it says; its verdicts stand in the frontier.

    Only the first run of a crawl learns: a later one has not seen the URLs met before, and would take links back to
    them for endlessly new ones. A redirect is followed as it came: a server that sends every visitor to a URL with a
    session would never answer.
    """

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._judge = Judge(crawl.scheduler.frontier.verdicts())
        self._learns = not crawl.scheduler.frontier.outcomes()

    def admit(self, urls: list[str], source: Source) -> list[str]:
        if not self.crawl.options.learn or source.depth == 0 or source.hops:
            return urls
        if self._learns and source.page is not None:
            for verdict in self._judge.learn(source.page, urls):
                self.crawl.commits.save_verdict(verdict)
        plain = dict.fromkeys(map(self._judge.plain, urls))
        return [url for url in plain if not self._judge.reason(url)]

    async def before_fetch(self, visit: Visit) -> Visit | End:
        if not self.crawl.options.learn or visit.depth == 0 or visit.hops:
            return visit
        reason = self._judge.reason(visit.url)
        if reason:
            return End(Outcome.FILTER_TRAP, reason, whole_host=self._judge.closes_host(visit.host.name))
        plain = self._judge.plain(visit.url)
        if plain == visit.url:
            return visit
        self.crawl.commits.find([plain], Source(visit.depth))
        return End(Outcome.FILTER_TRAP, f"asked for as {plain}")
