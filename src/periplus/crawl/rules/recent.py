"""URLs met a moment ago, no nearer to the seeds, need not be asked of the frontier again."""

from __future__ import annotations

from periplus.crawl.rules.rule import Crawl, Rule
from periplus.crawl.visit import Source

_REMEMBERED = 65536
_NEVER_MET = 1 << 30


class Recent(Rule):
    """Drops URLs that were met among the last ones.

    Most links lead there. Two tables from the hash of a URL to its depth, the older one dropped in turn, spare the
    frontier these questions in bounded memory.
    """

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._depths: dict[int, int] = {}
        self._older: dict[int, int] = {}

    def admit(self, urls: list[str], source: Source) -> list[str]:
        depth, fresh = source.depth, []
        for url in urls:
            mark = hash(url)
            if self._depths.get(mark, _NEVER_MET) > depth and self._older.get(mark, _NEVER_MET) > depth:
                fresh.append(url)
                self._depths[mark] = depth
                if len(self._depths) >= _REMEMBERED:
                    self._older, self._depths = self._depths, {}
        return fresh
