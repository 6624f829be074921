"""A host that only fails is left for the next run."""

from __future__ import annotations

from collections import Counter

from periplus.crawl.rules.rule import Crawl, Rule
from periplus.crawl.visit import Visit

MAX_IN_A_ROW = 10


class FailingHosts(Rule):
    """Counts the visits without a response, per host."""

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._failures: Counter[int] = Counter()

    def after_fetch(self, visit: Visit) -> Visit:
        host = visit.host
        if visit.status:
            self._failures.pop(host.id, None)
            return visit
        self._failures[host.id] += 1
        if self._failures[host.id] >= MAX_IN_A_ROW:
            why = f"{MAX_IN_A_ROW} failures in a row, the last {visit.outcome}"
            self.crawl.scheduler.sleep(host, why)
        return visit
