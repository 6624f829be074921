"""At most `max_host_pages` pages of a host: one with more is a trap, or needs its own crawl."""

from __future__ import annotations

from periplus.crawl.outcome import Outcome
from periplus.crawl.rules.rule import Crawl, End, Rule
from periplus.crawl.visit import Source, Visit
from periplus.web.url import host_of

_URLS_PER_PAGE = 10
"""URLs that a host may have in the frontier, per page that may be fetched."""


class PageCap(Rule):
    """Bounds the pages of a host, and its URLs in the frontier."""

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._max_pages = crawl.options.max_host_pages
        self._max_urls = _URLS_PER_PAGE * self._max_pages

    def admit(self, urls: list[str], source: Source) -> list[str]:
        admitted: list[str] = []
        taken: dict[str, int] = {}
        for url in urls:
            name = host_of(url)
            host = self.crawl.scheduler.host(name)
            if host.pages < self._max_pages and host.known + taken.get(name, 0) < self._max_urls:
                taken[name] = taken.get(name, 0) + 1
                admitted.append(url)
        return admitted

    async def before_fetch(self, visit: Visit) -> Visit | End:
        if visit.earlier or visit.host.pages < self._max_pages:
            return visit
        return End(Outcome.FILTER_TRAP, whole_host=True)
