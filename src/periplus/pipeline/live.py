"""WebWalker on the live web: random walks through our own polite fetcher, and what the pages they visit have in common.

The walk (`structure.sampling`) asks for a page's neighbours; here that means robots.txt, the host's pause, one fetch
bounded as in a crawl, and the links of the page. The web cannot be asked who links to a page, so links are followed
backwards where the walks have seen them. The walks need one fixed undirected graph, so the neighbours of a page are
fixed at its first visit, as in Bar-Yossef et al. (VLDB 2000): the pages it links to, and the visited pages that link to
it, but no visited page that did not name it. A link is then walked both ways or not at all.

Errors, redirects, images and URLs forbidden by robots.txt are walked through like any other node, so the walk stays
uniform over all nodes. The shares leave them out and are then uniform over the pages. Where few links lead back, the
sample favours pages that the walks can return to; only knowing all links would cure that.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.fetch.guard import guard_for
from periplus.crawl.fetch.reader import Reader
from periplus.crawl.frontier.scope import Scope
from periplus.crawl.frontier.traps import is_trap
from periplus.crawl.options import CrawlOptions
from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.hosts import retry_after
from periplus.crawl.politeness.robots_table import RobotsTable
from periplus.crawl.visit import Visit
from periplus.errors import NetworkError
from periplus.record import Findings
from periplus.structure.walks.sampling import Share, Walks, sample_live
from periplus.structure.walks.survey import top_level_domain
from periplus.web.url import Url, canonical, host_of


@dataclass(frozen=True, slots=True)
class LivePage:
    """What was seen at one URL: the outcome of its visit, the bytes of its body, and the URLs that it leads to."""

    outcome: Outcome
    size: int = 0
    links: tuple[str, ...] = ()

    @property
    def page(self) -> bool:
        """Whether this is a page of words and links."""
        return self.outcome.page


@dataclass(frozen=True, slots=True)
class LiveSample(Findings):
    """Shares of pages by top-level domain, bytes and links per page, with intervals, and how the walks went."""

    domains: dict[str, Share]
    bytes_a_page: Share
    links_a_page: Share
    dangling: Share
    pages: int
    fetched: int
    visits: int
    steps: int
    outcomes: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, and which pages they describe."""
        of = "the pages joined to the first by links, as far as the walks can return to them"
        return {"of": of, **Findings.to_dict(self)}


def sample_web(
    start: str,
    options: CrawlOptions | None = None,
    *,
    walks: int = 10,
    visits: int = 20,
    mixing: int = 20,
    seed: int = 0,
    progress: Callable[[int, str], None] | None = None,
) -> LiveSample:
    """Walk the web from one URL; at most walks · (visits + mixing) pages are fetched, each once.

    `progress` receives the number of pages fetched and the next URL. Raises `NetworkError` if `start` is no page.
    """
    first = Url.parse(start).href
    with asyncio.Runner() as runner:
        web = _LiveWeb(options or CrawlOptions(), first)
        runner.run(web.open())
        try:

            def neighbours(url: str) -> Sequence[str]:
                if progress is not None:
                    progress(len(web.seen), url)
                return runner.run(web.neighbours(url))

            seen = sample_live(neighbours, first, walks=walks, visits=visits, mixing=mixing, seed=seed)
        finally:
            runner.run(web.close())
    return _summary(seen, web.seen)


def _summary(walks: Walks, seen: dict[str, LivePage]) -> LiveSample:
    kept = [
        [(url, k) for url, k in zip(urls, degrees, strict=True) if seen[url].page]
        for urls, degrees in zip(walks.pages, walks.degrees, strict=True)
    ]
    pages = Walks(
        [[u for u, _ in one] for one in kept], [[k for _, k in one] for one in kept], walks.steps, walks.moves
    )
    visits = sum(map(len, kept))
    if not visits:
        raise NetworkError("the walks met no page after the visits thrown away: give more visits")
    return LiveSample(
        domains=pages.shares(top_level_domain),
        bytes_a_page=pages.mean(lambda url: float(seen[url].size)),
        links_a_page=pages.mean(lambda url: float(len(seen[url].links))),
        dangling=pages.share(lambda url: not seen[url].links),
        pages=sum(found.page for found in seen.values()),
        fetched=len(seen),
        visits=visits,
        steps=walks.steps,
        outcomes=dict(sorted(Counter(found.outcome.value for found in seen.values()).items())),
    )


class _LiveWeb:
    """The undirected graph that the walks uncover, one fetch per page."""

    def __init__(self, options: CrawlOptions, start: str) -> None:
        self.options = options
        self.seen: dict[str, LivePage] = {}
        self._start = start
        self._around: dict[str, frozenset[str]] = {}
        self._linked_from: defaultdict[str, list[str]] = defaultdict(list)
        self._ready: dict[str, float] = {}
        self._scope = Scope(options.scope, [start])

    async def open(self) -> None:
        guard = guard_for(self.options, [self._start])
        self._fetcher = Fetcher(self.options, guard)
        self._robots = RobotsTable(self._fetcher, lambda origin: None)
        self._reader = Reader(self.options, processes=1)
        await self._reader.start()

    async def close(self) -> None:
        await self._fetcher.close()
        await self._reader.close()

    async def neighbours(self, url: str) -> Sequence[str]:
        """The pages around a URL, fixed now for all later visits."""
        found = self.seen[url] = await self._look_at(url)
        if url == self._start and not found.page and not found.links:
            raise NetworkError(f"{url} returned no page: {found.outcome}. Check the address and the network")
        ahead = [there for there in found.links if there not in self._around or url in self._around[there]]
        around = tuple(dict.fromkeys([*ahead, *self._linked_from.pop(url, ())]))
        self._around[url] = frozenset(around)
        for there in around:
            if there not in self._around:
                self._linked_from[there].append(url)
        return around

    async def _look_at(self, url: str) -> LivePage:
        rules, asked = await self._robots.of(Visit(url))
        pause = max(self.options.delay, min(rules.crawl_delay, self.options.max_delay))
        if asked:  # that was a request to this host
            self._ready[host_of(url)] = time.monotonic() + pause
        if not rules.robots.reachable:
            return LivePage(rules.error or Outcome.ERR_ROBOTS)
        if not rules.allows(url):
            return LivePage(Outcome.BLOCKED_ROBOTS)
        visit = await self._patiently(url, pause)
        if visit.capture is None:
            return LivePage(visit.outcome)
        if visit.capture.redirect is not None:
            target = canonical(visit.capture.redirect, url)
            if url == self._start and target is not None:
                self._scope.widen(target)  # where the start has moved to is what its person meant
            return LivePage(visit.outcome, links=self._followed([target] if target else []))
        if not visit.outcome.page:
            return LivePage(visit.outcome)
        read = await self._reader.read(visit)
        targets = read.reading.targets if read.reading and read.outcome.page else ()
        return LivePage(read.outcome, len(visit.capture.payload), self._followed(targets))

    async def _patiently(self, url: str, pause: float) -> Visit:
        """Fetch a URL when its host may be asked; again, later, where that may help."""
        host = host_of(url)
        for attempt in range(self.options.retries + 1):
            await asyncio.sleep(max(0.0, self._ready.get(host, 0.0) - time.monotonic()))
            visit = await self._fetcher.get(Visit(url))
            self._ready[host] = time.monotonic() + pause
            if not visit.outcome.retryable or attempt == self.options.retries:
                break
            asked_for = retry_after(visit.capture.header("retry-after")) if visit.capture else None
            wait = asked_for or self.options.retry_delay * 2**attempt
            if wait > self.options.patience:
                break
            self._ready[host] = time.monotonic() + max(wait, pause)
        return visit

    def _followed(self, targets: Sequence[str]) -> tuple[str, ...]:
        return tuple(there for there in targets if there in self._scope and not is_trap(there))
