"""A URL that was met a moment ago, at the same depth or nearer to the seeds, is not looked up in the frontier again."""

from __future__ import annotations

from periplus.crawl.rules.rule import Crawl, Rule
from periplus.crawl.visit import Source

_REMEMBERED = 65536
_NEVER_MET = 1 << 30


class Recent(Rule):
    """Drops URLs that were met recently, as most links are; not where the order adds up what each link says.

    Two tables map the hash of a URL to its depth. When one is full, it replaces the older one, so memory is bounded.
    """

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._depths: dict[int, int] = {}
        self._older: dict[int, int] = {}

    def admit(self, urls: list[str], source: Source) -> list[str]:
        order = self.crawl.scheduler.frontier.order
        if order.adds or order.keeps_links:  # every link counts
            return urls
        depth, fresh = source.depth, []
        for url in urls:
            mark = hash(url)
            if self._depths.get(mark, _NEVER_MET) > depth and self._older.get(mark, _NEVER_MET) > depth:
                fresh.append(url)
                self._depths[mark] = depth
                if len(self._depths) >= _REMEMBERED:
                    self._older, self._depths = self._depths, {}
        return fresh
