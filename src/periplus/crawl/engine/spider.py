"""`Spider`: the loop of a crawl, and the path of one URL through it.

    1. `Scheduler.next` hands out a URL whose host may be asked now.
    2. The rules see it (`before_fetch`): page cap, duplicates, robots.txt. They may end or postpone it.
    3. `Fetcher.get` fetches it.
    4. The rules see the response (`after_fetch`): another try, failing hosts.
    5. `Reader.read` decodes, parses and compresses it in another process.
    6. `Discovery.follow` hands its links through the rules (`admit`): scope, traps, page cap.
    7. `Committer` commits it through the journal: WARC, log, frontier. New URLs wake their hosts.

There is one task per request, and one thread that commits. Nothing is remembered that the frontier does not have, so
the run can be killed at any moment.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace

from periplus.crawl.engine.discovery import Discovery
from periplus.crawl.engine.redirects import Redirects
from periplus.crawl.engine.report import CrawlProgress, Tally
from periplus.crawl.fetch.reader import Reader
from periplus.crawl.frontier.store import WAITING
from periplus.crawl.outcome import Outcome
from periplus.crawl.rules.chain import Rules
from periplus.crawl.rules.rule import Crawl, End, Postpone
from periplus.crawl.visit import Source, Visit
from periplus.pages.store import Entry
from periplus.web.url import host_of
from periplus.wording import duration

_LONGEST_WAIT = 0.5
_SECONDS_TO_FINISH = 3.0  # for requests under way, when the crawl is stopped


class Spider:
    """One run of a crawl."""

    def __init__(self, crawl: Crawl, rules: Rules, reader: Reader, tally: Tally) -> None:
        self.options = crawl.options
        self.scheduler = crawl.scheduler
        self.fetcher = crawl.fetcher
        self.commits = crawl.commits
        self.rules = rules
        self.reader = reader
        self.tally = tally
        redirects = Redirects(self.scheduler.frontier, self.commits.journal.store)
        self.discovery = Discovery(crawl.options, crawl.scheduler, rules, redirects)
        self.commits.discover = self.discovery.admitted
        self._stopping = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

    # -- the loop --------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Fetch until nothing is left that may be fetched, or `stop` is called."""
        committing = asyncio.create_task(self.commits.run())
        try:
            while not self._stopping:
                self._dispatch()
                if committing.done():  # it failed
                    break
                if not self._tasks and self.commits.is_idle and self._is_finished():
                    break
                await self._wait()
        finally:
            await self._drain()
            self.commits.close()
            await committing
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Start no new request; requests under way are finished and kept."""
        self._stopping = True
        self.commits.changed.set()

    def _dispatch(self) -> None:
        while self._may_start_one():
            visit = self.scheduler.next()
            if visit is None:
                return
            task = asyncio.create_task(self._handle(visit))
            self._tasks.add(task)
            task.add_done_callback(self._task_done)

    def _may_start_one(self) -> bool:
        if self._stopping or len(self._tasks) >= self.options.concurrency or self.commits.is_behind:
            return False
        return not self.limit(len(self._tasks))

    def limit(self, under_way: int = 0) -> str:
        """The limit of the crawl that is reached, in words; empty if none is. Pages under way count as fetched."""
        options = self.options
        if options.max_pages is not None and self.tally.total_pages + under_way >= options.max_pages:
            return f"{options.max_pages:,} pages"
        if options.max_visits is not None and self.tally.visits + under_way >= options.max_visits:
            return f"{options.max_visits:,} visits"
        if options.max_bytes is not None and self.tally.bytes >= options.max_bytes:
            return f"{options.max_bytes:,} bytes"
        if options.max_seconds is not None and self.tally.seconds >= options.max_seconds:
            return duration(options.max_seconds)
        return ""

    def _is_finished(self) -> bool:
        return bool(self.limit()) or self.scheduler.pause() is None

    async def _wait(self) -> None:
        """Wait until a task or a commit has ended, or a host is ready."""
        pause = self.scheduler.pause() if self._may_start_one() else None
        self.commits.changed.clear()
        with contextlib.suppress(TimeoutError):
            seconds = _LONGEST_WAIT if pause is None else min(max(pause, 0.001), _LONGEST_WAIT)
            await asyncio.wait_for(self.commits.changed.wait(), seconds)

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.commits.changed.set()
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
            self._stopping = True

    async def _drain(self) -> None:
        """Let requests under way end; after a stop, they have a few seconds."""
        if self._tasks:
            _, left = await asyncio.wait(self._tasks, timeout=_SECONDS_TO_FINISH if self._stopping else None)
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left)

    # -- one URL ---------------------------------------------------------------------------------------------

    async def _handle(self, waiting: Visit) -> None:
        step = await self.rules.before_fetch(waiting)
        if isinstance(step, Visit):
            if step.outcome is Outcome.WAITING:
                step = await self.fetcher.get(step)
                self.tally.last_url = step.url
            step = self.rules.after_fetch(step)
        if isinstance(step, Postpone):
            self._postpone(waiting, step)
        elif isinstance(step, End):
            self._end(waiting, step)
        else:
            self.scheduler.finished(step.host)
            self._finish(await self.reader.read(step))

    def _postpone(self, visit: Visit, decision: Postpone) -> None:
        """Put a URL back; save its tries, or leave its host, as the decision says."""
        if decision.counts:
            visit = replace(visit, tries=visit.tries + 1)
            self.commits.save_try(visit)
        self.scheduler.put_back(visit, decision.pause)
        if decision.leave_host:
            self.scheduler.sleep(visit.host, decision.leave_host)
            self.commits.save_host(visit.host)

    def _end(self, visit: Visit, decision: End) -> None:
        """End a visit without fetching it."""
        visit = replace(visit, outcome=decision.outcome, reason=decision.reason)
        self.scheduler.finished(visit.host, asked=decision.asked)
        if decision.whole_host:
            self.commits.give_up_host(visit)
        self._finish(visit)

    def _finish(self, visit: Visit) -> None:
        """Hand an ended visit to the committer, with the URLs that it leads to."""
        visit, found = self.discovery.follow(visit)
        self.tally.ended(visit)
        self.commits.end(visit, found)

    # -- before the loop -------------------------------------------------------------------------------------

    async def adopt(self, entries: list[Entry]) -> None:
        """Process pages that were stored just before a crash as if they had been fetched now."""
        journal = self.commits.journal
        for entry in entries:
            row = self.scheduler.frontier.find(entry.url)
            if row is None or row.state != WAITING:
                continue
            host, capture = self.scheduler.host(host_of(entry.url)), journal.store.capture(entry)
            outcome = Outcome.of_response(capture.status, capture.truncated)
            visit = Visit(entry.url, host, row.id, row.depth, row.hops, row.tries, row.key, stored=True)
            visit = replace(visit, outcome=outcome, status=capture.status, capture=capture, earlier=row.outcome or "")
            self._finish(await self.reader.read(visit))
        await self.commits.commit(accounted=journal.sizes())

    async def add_seeds(self, seeds: list[str]) -> None:
        """Put the seeds into the frontier."""
        self.commits.find(seeds, Source())
        await self.commits.commit()

    # -- watching --------------------------------------------------------------------------------------------

    async def watch(self, report: Callable[[CrawlProgress], None], seconds: float = 0.25) -> None:
        """Report progress a few times per second, until cancelled."""
        while True:
            report(self.progress())
            await asyncio.sleep(seconds)

    def progress(self) -> CrawlProgress:
        return self.tally.progress(
            hosts=self.scheduler.hosts_with_pages(),
            waiting=self.commits.journal.waiting,
            max_pages=self.options.max_pages,
        )
