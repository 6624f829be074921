"""`crawl`: one call from seeds to stored pages; everything is set up, run, and put away in order."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence

import uvloop

from periplus.collection import Collection
from periplus.crawl.engine.journal import Journal
from periplus.crawl.engine.options import CrawlOptions
from periplus.crawl.engine.report import CrawlProgress, CrawlReport
from periplus.crawl.engine.spider import Spider
from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.fetch.guard import Guard
from periplus.crawl.fetch.workers import Workers
from periplus.crawl.frontier.discovery import Discovery
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.scope import Scope
from periplus.crawl.frontier.store import Frontier, translated
from periplus.errors import NetworkError, UsageError
from periplus.pages.store import PageStore
from periplus.web.url import Url

_WORTH_ANOTHER_TRY = ("ERR_", "BLOCKED_", "HTTP_4", "HTTP_5")
Tell = Callable[[CrawlProgress], None]


def crawl(
    collection: Collection, seeds: Sequence[str], options: CrawlOptions | None = None, progress: Tell | None = None
) -> CrawlReport:
    """Crawl from the seeds into a collection, or go on where an earlier run stopped.

    Raises `KeyboardInterrupt` after an orderly stop by Ctrl-C, `NetworkError` where no seed gave a page.
    """
    options = options or CrawlOptions()
    urls = [Url.parse(seed).href for seed in seeds]
    with collection.writing():
        frontier = Frontier(collection.frontier_path)
        try:
            run = _Run(collection, frontier, urls, options)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(run.go(progress))
        except sqlite3.Error as error:
            raise translated(error, frontier.path) from error
        finally:
            frontier.close()


class _Run:
    """The parts of one run, made and put away."""

    def __init__(self, collection: Collection, frontier: Frontier, seeds: list[str], options: CrawlOptions) -> None:
        self.options = options
        self.frontier = frontier
        self.roots = frontier.roots()
        self.seeds = seeds or self.roots
        if not self.seeds:
            raise UsageError(f"{collection.path} has no seeds yet: give at least one URL")
        self.journal = Journal(
            frontier,
            PageStore(collection.pages_dir, collection.cdx_path),
            collection.crawl_log_path,
            frontier.totals(),
        )
        self.scheduler = Scheduler(frontier, delay=options.delay, max_depth=options.max_depth)
        ports = {Url(url).port for url in self.seeds}
        self.guard = Guard(options.allow_net, options.connect_to, ports)
        self.scope = Scope(options.scope, [*self.seeds, *self.roots])
        self.interrupted = False

    async def go(self, progress: Tell | None) -> CrawlReport:
        started = time.perf_counter()
        fetcher, workers = Fetcher(self.options, self.guard), Workers(self.options.workers, self.options.parse_timeout)
        discovery = Discovery(self.options, self.scheduler, self.scope)
        spider = Spider(self.options, self.scheduler, self.journal, discovery, fetcher, workers)
        watching = None
        try:
            await workers.start()
            await self._prepare(spider)
            self._listen(spider)
            watching = asyncio.create_task(spider.watch(progress)) if progress else None
            await spider.run()
            self.journal.close()
        except BaseException:
            self.journal.abandon()
            raise
        finally:
            if watching is not None:
                watching.cancel()
            await fetcher.close()
            await workers.close()
        if progress:
            progress(spider.progress())
        return self._report(spider, time.perf_counter() - started)

    async def _prepare(self, spider: Spider) -> None:
        """Adopt what a crash left unaccounted, take up the hosts, sow the seeds."""
        self.frontier.reopen(self.seeds, _WORTH_ANOTHER_TRY)
        self.scheduler.load()
        await spider.adopt(list(self.journal.unaccounted()))
        await spider.sow(self.seeds)
        for host in self.scheduler.start(self.options.patience):
            spider.deferred[host.name] = f"asked us to wait {host.ready_at - time.time():.0f} s more"

    def _listen(self, spider: Spider) -> None:
        """Ctrl-C and a polite kill stop in order; a second one stops at once."""
        if threading.current_thread() is not threading.main_thread():
            return

        def interrupt() -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True
            spider.stop()

        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, interrupt)

    def _report(self, spider: Spider, seconds: float) -> CrawlReport:
        if self.interrupted:
            raise KeyboardInterrupt
        total = self.journal.totals.get("pages", 0)
        if total == 0:
            raise NetworkError(self._why_nothing(spider))
        hosts = sum(1 for host in self.scheduler.hosts.values() if host.pages)
        return CrawlReport(
            pages=spider.pages,
            links=spider.links,
            hosts=hosts,
            outcomes=dict(sorted(spider.outcomes.items())),
            seconds=seconds,
            total_pages=total,
            waiting=self.frontier.count_waiting(),
            resumed=bool(self.roots),
            deferred_hosts=tuple(f"{name}: {why}" for name, why in sorted(spider.deferred.items())),
        )

    def _why_nothing(self, spider: Spider) -> str:
        shown = self.seeds[0] + (f" (and {len(self.seeds) - 1} more)" if len(self.seeds) > 1 else "")
        outcome = (self.frontier.find(self.seeds[0]) or (None, 0, None))[2] or "no answer"
        reason = spider.reasons.get(self.seeds[0]) or next(iter(spider.deferred.values()), "") or outcome
        advice = "" if outcome == "BLOCKED_ADDR" else ". Check the address and the network, then run the command again"
        return f"{shown} gave no page: {reason}{advice}"
