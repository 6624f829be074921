"""`Scheduler`: which URL is next. Hosts take turns and keep their pauses; of the ready ones the smallest key is first.

A host is in one of four states: *ready* (may be asked now), *waiting* (may be asked at a known time), *busy* (has as
many requests under way as it may have), or *idle* (nothing to fetch). Two heaps hold the ready and the waiting hosts.
An old heap entry is not searched for: the ticket of the host shows that it is invalid. Only a few URLs per host are in
memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from heapq import heappop, heappush

from periplus.crawl.frontier.store import Frontier
from periplus.crawl.politeness.hosts import MAX_RETRY_AFTER, Host
from periplus.crawl.visit import Visit

_IN_MEMORY = 4096  # URLs, over all hosts


class Scheduler:
    """Hands out visits in a polite order; knows nothing of HTTP.

    `left` names the hosts that are left alone for the rest of this run, and why.
    """

    def __init__(
        self, frontier: Frontier, *, delay: float, max_depth: int | None, clock: Callable[[], float] = time.time
    ) -> None:
        self.frontier = frontier
        self.delay = delay
        self.max_depth = max_depth
        self.clock = clock
        self.hosts: dict[str, Host] = {}
        self.left: dict[str, str] = {}
        self._held: dict[int, set[int]] = {}  # by host: the URLs that are in memory or being fetched
        self._last_id = 0
        self._ready: list[tuple[float, int, int, Host]] = []
        self._waiting: list[tuple[float, int, int, Host]] = []
        self._turn = 0

    def load(self) -> None:
        """Load the hosts of earlier runs, without starting them."""
        for host in self.frontier.hosts():
            self.hosts[host.name] = host
            self._last_id = max(self._last_id, host.id)
            host.more = False
            host.delay = max(host.delay, self.delay)  # until its robots.txt is read again

    def start(self, patience: float = MAX_RETRY_AFTER) -> None:
        """Start every host that has URLs waiting; a host that asked for a longer pause than `patience` is left."""
        with_urls, now = self.frontier.hosts_waiting(), self.clock()
        for host in self.hosts.values():
            pause = host.ready_at - now
            if patience < pause <= MAX_RETRY_AFTER:
                self.sleep(host, f"asked us to wait {pause:.0f} s more")
            elif host.id in with_urls:
                self.wake(host)

    def host(self, name: str) -> Host:
        """The host of this name, new or known."""
        host = self.hosts.get(name)
        if host is None:
            self._last_id += 1
            host = self.hosts[name] = Host(self._last_id, name, delay=self.delay, more=False)
        return host

    def hosts_with_pages(self) -> int:
        """How many hosts have given at least one page."""
        return sum(1 for host in self.hosts.values() if host.pages)

    def next(self) -> Visit | None:
        """A URL that may be fetched now, or None."""
        now = self.clock()
        while self._waiting and self._waiting[0][0] <= now:
            _, _, ticket, host = heappop(self._waiting)
            if ticket == host.ticket:
                self.place(host)
        while self._ready:
            _, _, ticket, host = heappop(self._ready)
            if ticket != host.ticket:
                continue
            visit = host.pop()
            host.in_flight += 1
            host.ready_at = now + host.delay
            self.place(host)
            return visit
        return None

    def pause(self) -> float | None:
        """Seconds until a waiting host is ready; None if no host waits."""
        while self._waiting and self._waiting[0][2] != self._waiting[0][3].ticket:
            heappop(self._waiting)
        return max(0.0, self._waiting[0][0] - self.clock()) if self._waiting else None

    def finished(self, host: Host, *, asked: bool = True) -> None:
        """A request has ended, so the pause of its host starts; there is no pause if the host was not asked."""
        host.in_flight -= 1
        now = self.clock()
        host.ready_at = max(host.ready_at, now + host.delay) if asked else now
        self.place(host)

    def put_back(self, visit: Visit, pause: float = 0.0) -> None:
        """Put a URL back to try it again after a pause of its host, at least this many seconds."""
        host = visit.host
        host.ready_at = max(host.ready_at, self.clock() + pause)
        host.push(visit)
        self.finished(host)

    def release(self, visit: Visit) -> None:
        """Forget a URL that the frontier has as done."""
        held = self._held.get(visit.host.id)
        if held is not None:
            held.discard(visit.id)
            if not held and not visit.host.queue:
                del self._held[visit.host.id]

    def wake(self, host: Host) -> None:
        """The frontier has new URLs of this host, or where keys are added up, new keys of those it had."""
        host.more = True
        if self.frontier.order.adds:
            self._let_go(host)
        if not host.queue:
            self.place(host)

    def reload(self) -> None:
        """URLs have new keys: read the queues of all hosts from the frontier again."""
        for host in self.hosts.values():
            if host.queue:
                self._let_go(host)
                host.more = True
                self.place(host)

    def sleep(self, host: Host, why: str) -> None:
        """Leave a host alone for the rest of this run; its URLs stay in the frontier."""
        self.left[host.name] = why
        host.asleep = True
        self._let_go(host)
        host.ticket += 1

    def empty(self, host: Host) -> None:
        """Nothing of a host waits any more."""
        self._let_go(host)
        host.ticket += 1

    def _let_go(self, host: Host) -> None:
        """Empty the queue of a host; its URLs are read from the frontier again when they are needed."""
        held = self._held.get(host.id, set())
        held.difference_update(visit.id for _, _, visit in host.queue)
        host.queue.clear()

    def place(self, host: Host) -> None:
        """Put a host into the heap where it belongs now, if it belongs in one."""
        host.ticket += 1
        if host.asleep or (host.delay and host.in_flight):
            return
        if not host.queue and host.more:
            self._fill(host)
        if not host.queue:
            return
        self._turn += 1
        now = self.clock()
        if host.ready_at > now + MAX_RETRY_AFTER:  # only a clock that was set back can cause this
            host.ready_at = now + host.delay
        if host.ready_at > now:
            heappush(self._waiting, (host.ready_at, self._turn, host.ticket, host))
        else:
            heappush(self._ready, (host.queue[0][0], self._turn, host.ticket, host))

    def _fill(self, host: Host) -> None:
        held = self._held.setdefault(host.id, set())
        limit = max(2, min(128, _IN_MEMORY // max(1, len(self._held))))
        waiting = self.frontier.waiting(host, limit, held, self.max_depth)
        host.more = len(waiting) >= limit
        for visit in waiting[:limit]:
            held.add(visit.id)
            host.push(visit)
