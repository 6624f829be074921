"""From the links of a page to URLs worth asking the frontier about: in scope, no trap, not met a moment ago."""

from __future__ import annotations

from periplus.crawl.engine.options import CrawlOptions
from periplus.crawl.fetch.fetcher import Exchange
from periplus.crawl.frontier.order import ORDERS
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.scope import Scope
from periplus.crawl.frontier.store import Found
from periplus.crawl.frontier.traps import is_trap
from periplus.crawl.politeness.hosts import Candidate
from periplus.web.url import canonical, host_of, whatwg_href

_REMEMBERED = 65536
_FAR = 1 << 30
_KNOWN_PER_PAGE = 10  # a host may have so many times more URLs waiting than it may give pages


class Discovery:
    """Decides what becomes of the URLs that pages and redirects name."""

    def __init__(self, options: CrawlOptions, scheduler: Scheduler, scope: Scope) -> None:
        self.options = options
        self.scheduler = scheduler
        self.scope = scope
        self._order = ORDERS[options.order]
        # Most links lead to URLs met within the last pages, and no nearer to the seeds. Two tables from the hash of a
        # URL to its depth, the older one dropped in turn, spare the frontier these questions in a bounded memory.
        self._seen: dict[int, int] = {}
        self._seen_before: dict[int, int] = {}

    def new_urls(self, urls: list[str], depth: int, hops: int = 0) -> list[Found]:
        """The URLs that the frontier may not have yet."""
        found: list[Found] = []
        limit = _KNOWN_PER_PAGE * self.options.max_host_pages
        for url in urls:
            mark = hash(url)
            if self._seen.get(mark, _FAR) <= depth or self._seen_before.get(mark, _FAR) <= depth:
                continue
            self._remember(mark, depth)
            if url not in self.scope or is_trap(url):
                continue
            host = self.scheduler.host(host_of(url))
            if host.known >= limit or host.pages >= self.options.max_host_pages:
                continue
            host.known += 1
            found.append(Found(url, host, depth, hops, self._order(url, depth)))
        return found

    def redirect(self, candidate: Candidate, exchange: Exchange) -> tuple[str, list[Found]]:
        """The outcome of a redirect, and its target as a URL of its own."""
        target = canonical(exchange.location or "", candidate.url)
        if target is None:
            href = whatwg_href(exchange.location or "", candidate.url) or ""
            return ("FILTER_URL" if href.startswith("http") or not href else "BLOCKED_SCHEME"), []
        if target == candidate.url or candidate.hops >= self.options.max_redirects:
            return "ERR_REDIRECT", []
        if candidate.depth == 0:
            self.scope.admit(target)  # where a seed has moved to is what its person meant
        return f"HTTP_{exchange.status}", self.new_urls([target], candidate.depth, candidate.hops + 1)

    def _remember(self, mark: int, depth: int) -> None:
        self._seen[mark] = depth
        if len(self._seen) >= _REMEMBERED:
            self._seen_before, self._seen = self._seen, {}
