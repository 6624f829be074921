"""The spider: takes a candidate from the scheduler, asks robots.txt, fetches, has it worked on, hands the result on.

Walk of a URL: `Scheduler.next` → robots.txt of its origin → `Fetcher.get` → `Workers.work_on` (decode, parse, compress,
in another process) → `Journal.commit` (WARC, log, frontier) → new URLs wake their hosts. One task a request; one thread
commits. Nothing is remembered that the frontier does not have, so the run can be killed at any moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable

from periplus.crawl.engine.journal import Finished, Journal, Pending
from periplus.crawl.engine.options import CrawlOptions
from periplus.crawl.engine.report import CrawlProgress, is_error
from periplus.crawl.fetch.fetcher import Exchange, Fetcher
from periplus.crawl.fetch.worker import Job, Work
from periplus.crawl.fetch.workers import WorkerDiedError, Workers
from periplus.crawl.frontier.discovery import Discovery
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import Found
from periplus.crawl.politeness.hosts import DUPLICATES_IN_A_ROW, Candidate, Host, retry_after
from periplus.crawl.politeness.robots_table import RobotsTable
from periplus.pages.store import Entry
from periplus.web.url import host_of

_BATCH = 64
_BATCH_SECONDS = 0.05
_BACKLOG = 1024  # pages that wait for a slow disk, before no more are fetched
_DEAD_AFTER = 10  # failures in a row, after which a host is left for the next run


class Spider:
    """One run of a crawl."""

    def __init__(
        self,
        options: CrawlOptions,
        scheduler: Scheduler,
        journal: Journal,
        discovery: Discovery,
        fetcher: Fetcher,
        workers: Workers,
    ) -> None:
        self.options = options
        self.scheduler = scheduler
        self.journal = journal
        self.discovery = discovery
        self.fetcher = fetcher
        self.workers = workers
        self.robots = RobotsTable(fetcher, scheduler.frontier.robots)
        self.outcomes: Counter[str] = Counter()
        self.reasons: dict[str, str] = {}
        self.pages = self.links = self.errors = 0
        self.deferred: dict[str, str] = {}
        self.stopping = False
        self._pending = Pending()
        self._tasks: set[asyncio.Task[None]] = set()
        self._committing = False
        self._closing = False
        self._failed: BaseException | None = None
        self._changed = asyncio.Event()
        self._failures: Counter[int] = Counter()
        self._last_url = ""
        self._started = time.perf_counter()
        self._total_before = journal.totals.get("pages", 0)

    # -- the loop --------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Fetch until nothing is left that may be fetched, or `stop` is called."""
        committing = asyncio.create_task(self._commit_forever())
        try:
            while not self.stopping:
                self.workers.check()
                self._dispatch()
                if committing.done():
                    break
                if not self._tasks and not self._pending and not self._committing and self._nothing_left():
                    break
                await self._wait()
        finally:
            await self._drain()
            self._closing = True
            await committing
        if self._failed is not None:
            raise self._failed

    def stop(self) -> None:
        """Start no new request; what is under way is finished and kept."""
        self.stopping = True
        self._changed.set()

    def _dispatch(self) -> None:
        while self._has_room() and not self._enough():
            item = self.scheduler.next()
            if item is None:
                return
            task = asyncio.create_task(self._handle(*item))
            self._tasks.add(task)
            task.add_done_callback(self._task_done)

    def _has_room(self) -> bool:
        busy = len(self._tasks) >= self.options.concurrency or len(self._pending.finished) >= _BACKLOG
        return not busy and not self.stopping

    def _enough(self) -> bool:
        limit = self.options.max_pages
        return limit is not None and self._total_before + self.pages + len(self._tasks) >= limit

    def _nothing_left(self) -> bool:
        limit = self.options.max_pages
        if limit is not None and self._total_before + self.pages >= limit:
            return True
        return self.scheduler.pause() is None

    async def _wait(self) -> None:
        pause = self.scheduler.pause() if self._has_room() and not self._enough() else None
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), 0.5 if pause is None else min(max(pause, 0.001), 0.5))

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._changed.set()
        if not task.cancelled() and task.exception() is not None:
            self._failed = task.exception()
            self.stopping = True

    async def _drain(self) -> None:
        """Let requests under way come to their end, for a few seconds."""
        if self._tasks:
            _, left = await asyncio.wait(self._tasks, timeout=3.0 if self.stopping else None)
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left)

    # -- one candidate ---------------------------------------------------------------------------------------

    async def _handle(self, host: Host, candidate: Candidate) -> None:
        url = candidate.url
        if self._is_trapped(host, url):
            self._settle(host, candidate, "FILTER_TRAP", asked=False)
            return
        robots, asked = await self.robots.of(url)
        host.delay = max(self.options.delay, min(robots.crawl_delay, self.options.max_delay))
        if asked:
            self._pending.robots[robots.origin] = robots.robots
        if robots.error in ("ERR_DNS", "ERR_TLS", "BLOCKED_ADDR"):
            self._note_failure(host, robots.error)
            self._settle(host, candidate, robots.error, robots.reason, asked=asked)
        elif not robots.robots.reachable:
            self._defer(host, candidate, robots.origin, robots.reason)
        elif not robots.allows(url):
            self._settle(host, candidate, "BLOCKED_ROBOTS", f"{robots.origin}/robots.txt disallows it", asked=asked)
        elif asked:
            self.scheduler.put_back(host, candidate)  # that was a request to this host: keep the pause
        else:
            await self._fetch(host, candidate)

    def _is_trapped(self, host: Host, url: str) -> bool:
        if host.pages >= self.options.max_host_pages:
            self._pending.capped.append(host)
            return True
        return host.duplicates >= DUPLICATES_IN_A_ROW and "?" in url

    def _settle(self, host: Host, candidate: Candidate, outcome: str, reason: str = "", *, asked: bool) -> None:
        """End a candidate without fetching it; `asked` says whether its host was sent a request all the same."""
        self.scheduler.finished(host, asked=asked)
        self._finish(Finished(candidate, host, outcome, reason=reason))

    def _defer(self, host: Host, candidate: Candidate, origin: str, reason: str) -> None:
        """RFC 9309: while robots.txt cannot be had, nothing may be fetched; ask again later, then next time."""
        tries = self.robots.failed(origin)
        self.scheduler.put_back(host, candidate)
        if tries > self.options.retries:
            self.deferred[host.name] = f"{origin}/robots.txt: {reason}"
            self.scheduler.sleep(host)
        else:
            host.ready_at = self.scheduler.clock() + self.options.retry_delay * 2 ** (tries - 1)
            self.scheduler.place(host)

    async def _fetch(self, host: Host, candidate: Candidate) -> None:
        exchange = await self.fetcher.get(candidate.url)
        self._last_url = candidate.url
        if exchange.transient and self._try_again(host, candidate, exchange):
            return
        if exchange.status:
            self._failures.pop(host.id, None)
        else:
            self._note_failure(host, exchange.outcome)
        self.scheduler.finished(host)
        if not exchange.status:
            outcome = exchange.outcome
            self._finish(Finished(candidate, host, outcome, milliseconds=exchange.milliseconds, reason=exchange.reason))
            return
        page = exchange.status in (200, 203) and exchange.truncated != "unspecified"
        try:
            work, survived = await self.workers.work_on(self._job(candidate.url, exchange, page))
        except WorkerDiedError:
            self._finish(Finished(candidate, host, "ERR_PARSE", exchange.status, reason="the page worker died on it"))
            return
        self._finish(self._finished(host, candidate, exchange, work, survived))

    def _try_again(self, host: Host, candidate: Candidate, exchange: Exchange) -> bool:
        """Put a candidate back for another try; False where it had enough of them."""
        wait = retry_after(exchange.retry_after) if exchange.status in (429, 503) else None
        if wait is not None and wait > self.options.patience:
            host.ready_at = self.scheduler.clock() + wait
            self.deferred[host.name] = f"asked us to come back in {wait:.0f} s"
            self.scheduler.put_back(host, candidate)
            self.scheduler.sleep(host)
            self._pending.hosts[host.id] = host
            return True
        if candidate.tries >= self.options.retries:
            return False
        candidate.tries += 1
        pause = self.options.retry_delay * 2 ** (candidate.tries - 1) if wait is None else wait
        self.scheduler.put_back(host, candidate)
        host.ready_at = max(host.ready_at, self.scheduler.clock() + pause)
        self.scheduler.place(host)
        self._pending.finished.append(Finished(candidate, host, exchange.outcome, retry=True))
        return True

    def _note_failure(self, host: Host, outcome: str) -> None:
        """Leave a host alone that gives nothing but failures."""
        self._failures[host.id] += 1
        if self._failures[host.id] >= _DEAD_AFTER:
            self.deferred[host.name] = f"{_DEAD_AFTER} failures in a row, the last {outcome}"
            self.scheduler.sleep(host)

    def _job(self, url: str, exchange: Exchange, page: bool) -> Job:
        return Job(
            url,
            exchange.fetched.timestamp() if exchange.fetched else time.time(),
            exchange.head,
            exchange.payload,
            exchange.truncated,
            exchange.address,
            exchange.request,
            page,
            exchange.robots_tag,
            self.options.max_decoded,
            self.options.max_links,
        )

    # -- what came of it -------------------------------------------------------------------------------------

    def _finished(
        self, host: Host, candidate: Candidate, exchange: Exchange, work: Work, survived: bool, stored: bool = False
    ) -> Finished:
        outcome = _outcome_of(exchange, work, survived)
        found: list[Found] = []
        if 300 <= exchange.status < 400 and exchange.location is not None:
            outcome, found = self.discovery.redirect(candidate, exchange)
        elif work.targets:
            found = self.discovery.new_urls(work.targets, candidate.depth + 1)
        page = outcome in ("OK", "TRUNC_LENGTH", "TRUNC_TIME", "TRUNC_DISCONNECT")
        return Finished(
            candidate, host, outcome, exchange.status, work, found, exchange.milliseconds, stored=stored, page=page
        )

    def _finish(self, finished: Finished) -> None:
        if finished.page:
            self.pages += 1
            self.links += finished.work.links if finished.work else 0
        if is_error(finished.outcome):
            self.errors += 1
        if finished.reason and finished.candidate.depth == 0:
            self.reasons[finished.candidate.url] = f"{finished.outcome}: {finished.reason}"
        self._pending.finished.append(finished)
        if len(self._pending.finished) >= _BATCH:
            self._changed.set()

    async def adopt(self, entries: list[Entry]) -> int:
        """Take up pages that were stored just before a crash, as if they had been fetched now."""
        adopted = 0
        for entry in entries:
            known = self.scheduler.frontier.find(entry.url)
            if known is None or known[1] != 0:
                continue
            candidate, host = known[0], self.scheduler.host(host_of(entry.url))
            capture = self.journal.store.capture(entry)
            exchange = Exchange(
                _TRUNCATED.get(capture.truncated or "", "OK"),
                capture.status,
                capture.head,
                capture.payload,
                capture.header("content-type") or "",
                capture.redirect,
                robots_tag=capture.header("x-robots-tag"),
                truncated=capture.truncated,
                fetched=capture.fetched,
            )
            page = exchange.status in (200, 203) and exchange.truncated != "unspecified"
            work, survived = await self.workers.work_on(self._job(entry.url, exchange, page))
            self._finish(self._finished(host, candidate, exchange, work, survived, stored=True))
            adopted += 1
        self._pending.accounted = self.journal.sizes()
        await self._commit()
        return adopted

    # -- committing ------------------------------------------------------------------------------------------

    async def _commit_forever(self) -> None:
        while not self._closing or self._pending:
            if self._pending:
                await self._commit()
            await asyncio.sleep(_BATCH_SECONDS if len(self._pending.finished) < _BATCH and not self._closing else 0)

    async def _commit(self) -> None:
        pending, self._pending = self._pending, Pending()
        self._committing = True
        await asyncio.to_thread(self.journal.commit, pending)
        self._committing = False
        self._committed(pending)

    def _committed(self, pending: Pending) -> None:
        touched = {found.host.id: found.host for found in pending.found}
        for item in pending.finished:
            if not item.retry:
                self.outcomes[item.outcome] += 1
                self.scheduler.release(item.host, (item.candidate.id,))
            for found in item.found:
                touched[found.host.id] = found.host
        for host in pending.capped:
            host.queue.clear()
        if pending.capped:
            self.journal.waiting = self.scheduler.frontier.count_waiting()
        for host in touched.values():
            self.scheduler.wake(host)
        self._changed.set()

    async def sow(self, seeds: list[str]) -> None:
        """Put the seeds into the frontier."""
        self._pending.found += self.discovery.new_urls(seeds, 0)
        await self._commit()

    # -- watching --------------------------------------------------------------------------------------------

    async def watch(self, tell: Callable[[CrawlProgress], None], seconds: float = 0.25) -> None:
        """Tell how it goes, a few times a second, until cancelled."""
        while True:
            tell(self.progress())
            await asyncio.sleep(seconds)

    def progress(self) -> CrawlProgress:
        seconds = time.perf_counter() - self._started
        rate = self.pages / seconds if seconds else 0.0
        waiting = self.journal.waiting
        left = float(waiting)
        if self.options.max_pages is not None:
            left = min(left, self.options.max_pages - self._total_before - self.pages)
        eta = left / rate if rate and left > 0 else None
        hosts = sum(1 for host in self.scheduler.hosts.values() if host.pages)
        return CrawlProgress(
            self._total_before + self.pages, self.links, hosts, self.errors, waiting, seconds, rate, eta, self._last_url
        )


_TRUNCATED = {"length": "TRUNC_LENGTH", "time": "TRUNC_TIME", "disconnect": "TRUNC_DISCONNECT"}


def _outcome_of(exchange: Exchange, work: Work, survived: bool) -> str:
    """The outcome of a response that is no redirect."""
    if exchange.status not in (200, 203):
        return f"HTTP_{exchange.status}"
    if exchange.truncated == "unspecified":
        return "SKIP_TYPE"
    if not survived:
        return "ERR_PARSE"
    if work.problem == "decode":
        return "ERR_DECODE"
    if not work.html and work.mime != "text/plain":
        return "SKIP_TYPE"
    return "TRUNC_LENGTH" if work.problem == "length" else exchange.outcome
