"""`Committer`: gathers what happened since the last commit, and lets the journal commit it, batch by batch.

A commit runs in a thread, so fetching continues while the disk is busy. Batches grow by themselves when it is slow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from periplus.crawl.engine.journal import Journal, Pending
from periplus.crawl.engine.report import Tally
from periplus.crawl.frontier.growth import Verdict
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import FoundUrl
from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.hosts import Host
from periplus.crawl.politeness.robots import Robots
from periplus.crawl.visit import Source, Visit

_BATCH = 64
_BATCH_SECONDS = 0.05
_BACKLOG = 1024  # visits that may wait for a slow disk; then no more URLs are fetched


class Committer:
    """The one way in which anything becomes durable; `changed` is set when the spider should look again."""

    def __init__(self, journal: Journal, scheduler: Scheduler, tally: Tally) -> None:
        self.journal = journal
        self.changed = asyncio.Event()
        self._scheduler = scheduler
        self._tally = tally
        self._pending = Pending()
        self._committing = False
        self._closing = False
        self._revisions = 0
        self.discover: Callable[[list[str], Source], list[FoundUrl]] = lambda urls, source: []

    # -- what is to be committed -----------------------------------------------------------------------------

    def end(self, visit: Visit, found: list[FoundUrl]) -> None:
        """A visit has ended, and led to these URLs."""
        self._pending.ended.append(visit)
        self._pending.found += found
        kept = visit.outcome is Outcome.UNCHANGED  # then its links are those of the visit before
        if self._scheduler.frontier.order.keeps_links and not kept and (found or visit.outcome.page):
            self._pending.links.append((visit.id, [url.url for url in found]))
        if len(self._pending.ended) >= _BATCH:
            self.changed.set()

    def find(self, urls: list[str], source: Source) -> None:
        """URLs that no page led to: seeds, and sitemaps that a robots.txt names."""
        self._pending.found += self.discover(urls, source)

    def save_try(self, visit: Visit) -> None:
        """A visit waits for another try; how many it had must survive a restart."""
        self._pending.retried.append(visit)

    def save_robots(self, origin: str, robots: Robots) -> None:
        self._pending.robots[origin] = robots

    def save_verdict(self, verdict: Verdict) -> None:
        """What was learned of a host need not be learned again."""
        self._pending.verdicts.append(verdict)
        self._tally.learned.append(str(verdict))

    def save_host(self, host: Host) -> None:
        """The pause that a host asked for must survive a restart."""
        self._pending.hosts[host.id] = host

    def give_up_host(self, visit: Visit) -> None:
        """Everything that waits on the host of this visit ends as the visit did."""
        self._pending.given_up[visit.host.id] = visit

    # -- committing ------------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Nothing waits for a commit, and none is under way."""
        return not self._pending and not self._committing

    @property
    def is_behind(self) -> bool:
        """The disk is slower than the network."""
        return len(self._pending.ended) >= _BACKLOG

    async def run(self) -> None:
        """Commit until `close` is called and everything is committed."""
        while not self._closing or self._pending:
            if self._pending:
                await self.commit()
            is_full = len(self._pending.ended) >= _BATCH
            await asyncio.sleep(0 if is_full or self._closing else _BATCH_SECONDS)

    def close(self) -> None:
        """Let `run` end."""
        self._closing = True

    async def commit(self, *, accounted: dict[str, int] | None = None) -> None:
        """Commit everything pending; with it, WARC files count as accounted for up to the bytes in `accounted`."""
        pending, self._pending = self._pending, Pending()
        pending.accounted = accounted or {}
        self._committing = True
        committed = await asyncio.to_thread(self.journal.commit, pending)
        self._committing = False
        self._after_commit(pending, committed)

    def _after_commit(self, pending: Pending, committed: list[Visit]) -> None:
        for visit in committed:
            self._tally.committed(visit)
            self._scheduler.release(visit)
        for visit in pending.given_up.values():
            self._scheduler.empty(visit.host)
        if pending.given_up:
            self.journal.waiting = self._scheduler.frontier.count_waiting()
        for host in {found.host.id: found.host for found in pending.found}.values():
            self._scheduler.wake(host)
        if self._revisions != self._scheduler.frontier.revisions:
            self._revisions = self._scheduler.frontier.revisions
            self._scheduler.reload()
        self.changed.set()
