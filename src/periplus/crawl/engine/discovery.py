"""`Discovery`: from the links and redirects of a response to URLs for the frontier."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from periplus.crawl.engine.redirects import Redirects
from periplus.crawl.fetch.reading import Reading
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import FoundUrl
from periplus.crawl.options import CrawlOptions
from periplus.crawl.outcome import Outcome
from periplus.crawl.rules.chain import Rules
from periplus.crawl.visit import Source, Visit
from periplus.pages.listing import MAX_SITEMAPS
from periplus.web.url import canonical, host_of, site_of, whatwg_href

_INDEXES = 2  # an index may name indexes, and these name sitemaps


class Discovery:
    """Passes URLs through the rules, and assigns the admitted ones their place in the order of the crawl."""

    def __init__(self, options: CrawlOptions, scheduler: Scheduler, rules: Rules, redirects: Redirects) -> None:
        self._max_redirects = options.max_redirects
        self._redirects = redirects
        self._order = scheduler.frontier.order
        self._scheduler = scheduler
        self._rules = rules
        self._sitemaps: Counter[int] = Counter()  # by host: those that indexes named, in this run

    def follow(self, visit: Visit) -> tuple[Visit, list[FoundUrl]]:
        """The visit, with its outcome where it is a redirect, and the URLs that its response leads to."""
        reading = visit.reading
        if reading is None:
            return visit, []
        if reading.entry.redirect is not None:
            return self._redirect(visit, reading.entry.redirect)
        if reading.refresh:
            return self._redirect(visit, reading.refresh)
        if reading.listed:
            return visit, self._listed(visit, reading)
        return visit, self.admitted(list(reading.targets), Source(visit.depth + 1, page=visit))

    def admitted(self, urls: list[str], source: Source) -> list[FoundUrl]:
        """The URLs that the rules admit; the frontier may know some of them already."""
        found = []
        for url in self._rules.admit(urls, source):
            host = self._scheduler.host(host_of(url))
            host.known += 1
            found.append(FoundUrl(url, host, source.depth, source.hops, self._order.found(url, source)))
        return found

    def _listed(self, visit: Visit, reading: Reading) -> list[FoundUrl]:
        """The URLs of a sitemap, an index of sitemaps or a feed."""
        urls = list(reading.targets)
        if (
            reading.listed != "feed" and visit.depth
        ):  # nobody may list the pages of others; a seed was given by the user
            site = site_of(visit.url)
            urls = [url for url in urls if site_of(url) == site]
        if reading.listed != "index":
            return self.admitted(urls, Source(visit.depth + 1, page=visit))
        left = MAX_SITEMAPS - self._sitemaps[visit.host.id]
        if visit.hops >= _INDEXES or left <= 0:
            return []
        self._sitemaps[visit.host.id] += len(urls[:left])
        return self.admitted(urls[:left], Source(visit.depth, visit.hops + 1, page=visit))

    def _redirect(self, visit: Visit, location: str) -> tuple[Visit, list[FoundUrl]]:
        """The visit of a redirect, and its target as a new URL; some redirects are errors."""
        target = canonical(location, visit.url)
        if target is None:
            href = whatwg_href(location, visit.url) or ""
            unusable = Outcome.FILTER_URL if href.startswith("http") or not href else Outcome.BLOCKED_SCHEME
            return replace(visit, outcome=unusable), []
        loop = self._redirects.loop(visit.url, target)
        if loop:
            return replace(visit, outcome=Outcome.ERR_REDIRECT, reason=f"redirect loop: {' → '.join(loop)}"), []
        if visit.hops >= self._max_redirects:
            why = f"more than {self._max_redirects} redirects in a row"
            return replace(visit, outcome=Outcome.ERR_REDIRECT, reason=why), []
        return visit, self.admitted([target], Source(visit.depth, visit.hops + 1, visit))
