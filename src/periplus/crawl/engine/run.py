"""`crawl`: one call from seeds to stored pages, which sets up all parts, runs them and closes them."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence

import uvloop

from periplus.collection import Collection
from periplus.crawl.engine.committer import Committer
from periplus.crawl.engine.journal import Journal
from periplus.crawl.engine.report import CrawlProgress, CrawlReport, Tally
from periplus.crawl.engine.spider import Spider
from periplus.crawl.fetch.courtesy import Courtesy
from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.fetch.guard import guard_for
from periplus.crawl.fetch.reader import Reader
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import Frontier, translate_sqlite_error
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders import ORDERS
from periplus.crawl.outcome import Outcome
from periplus.crawl.rules import RULES
from periplus.crawl.rules.chain import Rules
from periplus.crawl.rules.rule import Crawl
from periplus.durable import sealed_after
from periplus.errors import NetworkError, UsageError
from periplus.pages.store import store_of
from periplus.web.url import Url

ProgressCallback = Callable[[CrawlProgress], None]


def crawl(
    collection: Collection,
    seeds: Sequence[str],
    options: CrawlOptions | None = None,
    progress: ProgressCallback | None = None,
    *,
    again: bool | Sequence[str] = False,
) -> CrawlReport:
    """Crawl from the seeds into a collection, or continue where an earlier run stopped.

    `again` comes back to all URLs that were visited, or to those named, first to last; the limit of pages then counts
    those of this run.

    Raises `KeyboardInterrupt` after an orderly stop by Ctrl-C, and `NetworkError` if no seed returned a page.
    """
    options = options or CrawlOptions()
    urls = [Url.parse(seed).href for seed in seeds]
    with collection.writing(), sealed_after(collection.frontier_path.parent):
        order = ORDERS[options.order](options, collection)
        frontier = Frontier(collection.frontier_path, order)
        try:
            if again is not False:
                frontier.start_round(None if again is True else again)
            run = _Run(collection, frontier, urls, options)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(run.go(progress))
        except sqlite3.Error as error:
            raise translate_sqlite_error(error, frontier.path) from error
        finally:
            frontier.close()


class _Run:
    """The parts of one run."""

    def __init__(self, collection: Collection, frontier: Frontier, seeds: list[str], options: CrawlOptions) -> None:
        self.options = options
        self.frontier = frontier
        self.roots = frontier.roots()
        self.seeds = seeds or self.roots
        if not self.seeds:
            raise UsageError(f"{collection.path} has no seeds yet: give at least one URL")
        self.journal = Journal(frontier, store_of(collection), collection.crawl_log_path, frontier.totals())
        self.scheduler = Scheduler(frontier, delay=options.delay, max_depth=options.max_depth)
        self.guard = guard_for(options, self.seeds)
        self.in_round = bool(self.journal.totals.get("round_open"))
        pages_before = 0 if self.in_round else self.journal.totals.get("pages", 0)
        self.tally = Tally(pages_before, sum(self.journal.sizes().values()))
        self.interrupted = False

    async def go(self, progress: ProgressCallback | None) -> CrawlReport:
        started = time.perf_counter()
        fetcher, reader = Fetcher(self.options, self.guard), Reader(self.options)
        spider = self._spider(fetcher, reader)
        watching = None
        try:
            await reader.start()
            await self._prepare(spider)
            self._stop_on_signals(spider)
            watching = asyncio.create_task(spider.watch(progress)) if progress else None
            await spider.run()
            self.journal.close()
            if self.in_round and not self.interrupted and not spider.limit():
                self.frontier.end_round()
        except BaseException:
            self.journal.abandon()
            raise
        finally:
            if watching is not None:
                watching.cancel()
            await fetcher.close()
            await reader.close()
        if progress:
            progress(spider.progress())
        courtesy = fetcher.sent.courtesy(self.tally.outcomes[Outcome.BLOCKED_ROBOTS])
        return self._report(time.perf_counter() - started, spider.limit(), courtesy)

    def _spider(self, fetcher: Fetcher, reader: Reader) -> Spider:
        commits = Committer(self.journal, self.scheduler, self.tally)
        crawl = Crawl(self.options, (*self.seeds, *self.roots), self.scheduler, fetcher, commits)
        return Spider(crawl, Rules(RULES, crawl), reader, self.tally)

    async def _prepare(self, spider: Spider) -> None:
        """Load the hosts of earlier runs, adopt pages that a crash left unaccounted, and add the seeds."""
        self.frontier.reopen(self.seeds)
        self.scheduler.load()
        await spider.adopt(list(self.journal.unaccounted()))
        await spider.add_seeds(self.seeds)
        self.scheduler.start(self.options.patience)

    def _stop_on_signals(self, spider: Spider) -> None:
        """Stop in order at Ctrl-C or SIGTERM; stop at once at the second."""
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

    def _report(self, seconds: float, limit: str, courtesy: Courtesy) -> CrawlReport:
        if self.interrupted:
            raise KeyboardInterrupt
        total = self.journal.totals.get("pages", 0)
        if total == 0 and not limit:
            raise NetworkError(self._no_page_message())
        return CrawlReport(
            pages=self.tally.pages,
            links=self.tally.links,
            hosts=self.scheduler.hosts_with_pages(),
            outcomes=dict(sorted(self.tally.outcomes.items())),
            seconds=seconds,
            total_pages=total,
            waiting=self.frontier.count_waiting(),
            resumed=bool(self.roots),
            limit=limit if self.frontier.count_waiting() else "",
            courtesy=courtesy,
            learned=tuple(self.tally.learned),
            deferred_hosts=tuple(f"{name}: {why}" for name, why in sorted(self.scheduler.left.items())),
        )

    def _no_page_message(self) -> str:
        first = self.seeds[0]
        shown = first + (f" (and {len(self.seeds) - 1} more)" if len(self.seeds) > 1 else "")
        row = self.frontier.find(first)
        outcome = (row.outcome if row else None) or "no answer"
        reason = self.tally.reasons.get(first) or next(iter(self.scheduler.left.values()), "") or outcome
        refused = outcome == Outcome.BLOCKED_ADDR
        advice = "" if refused else ". Check the address and the network, then run the command again"
        return f"{shown} returned no page: {reason}{advice}"
