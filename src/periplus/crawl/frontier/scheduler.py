"""Which URL next: hosts take turns, each within its politeness, and of the hosts that are ready the one with the
smallest key goes first.

A host is in one of four places: *ready* (may be asked now), *waiting* (may be asked at a known time), *busy* (as many
requests under way as it may have), or *idle* (nothing to fetch). Two heaps hold the first two; a ticket on the host
makes old heap entries invalid instead of searching for them. Only a few URLs of each host are in memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from heapq import heappop, heappush

from periplus.crawl.frontier.store import Frontier
from periplus.crawl.politeness.hosts import MAX_RETRY_AFTER, Candidate, Host

_IN_MEMORY = 4096


class Scheduler:
    """Gives candidates in a polite order; knows nothing of HTTP."""

    def __init__(
        self, frontier: Frontier, *, delay: float, max_depth: int | None, clock: Callable[[], float] = time.time
    ) -> None:
        self.frontier = frontier
        self.delay = delay
        self.max_depth = max_depth
        self.clock = clock
        self.hosts: dict[str, Host] = {}
        self.held: dict[int, set[int]] = {}
        self._ready: list[tuple[float, int, int, Host]] = []
        self._waiting: list[tuple[float, int, int, Host]] = []
        self._turn = 0

    def load(self) -> None:
        """Take up the hosts of an earlier run, without starting them."""
        for host in self.frontier.hosts():
            self.hosts[host.name] = host
            host.more = False

    def start(self, patience: float = MAX_RETRY_AFTER) -> list[Host]:
        """Give every host that has something waiting its place; gives those that asked for more than our patience."""
        busy, later = self.frontier.hosts_waiting(), []
        now = self.clock()
        for host in self.hosts.values():
            if patience < host.ready_at - now <= MAX_RETRY_AFTER:
                self.sleep(host)
                later.append(host)
            elif host.id in busy:
                self.wake(host)
        return later

    def host(self, name: str) -> Host:
        """The host of this name, new or known."""
        host = self.hosts.get(name)
        if host is None:
            host = self.hosts[name] = Host(len(self.hosts) + 1, name, delay=self.delay, more=False)
        return host

    def next(self) -> tuple[Host, Candidate] | None:
        """A candidate that may be fetched now, or None."""
        now = self.clock()
        while self._waiting and self._waiting[0][0] <= now:
            _, _, ticket, host = heappop(self._waiting)
            if ticket == host.ticket:
                self.place(host)
        while self._ready:
            _, _, ticket, host = heappop(self._ready)
            if ticket != host.ticket:
                continue
            candidate = host.pop()
            host.in_flight += 1
            host.ready_at = now + host.delay
            self.place(host)
            return host, candidate
        return None

    def pause(self) -> float | None:
        """Seconds until a waiting host is ready; None where no host waits."""
        while self._waiting and self._waiting[0][2] != self._waiting[0][3].ticket:
            heappop(self._waiting)
        return max(0.0, self._waiting[0][0] - self.clock()) if self._waiting else None

    def finished(self, host: Host, *, asked: bool = True) -> None:
        """A candidate's turn ended; the pause runs from the end, and only where the host was really asked."""
        host.in_flight -= 1
        now = self.clock()
        host.ready_at = max(host.ready_at, now + host.delay) if asked else now
        self.place(host)

    def put_back(self, host: Host, candidate: Candidate) -> None:
        """Return a candidate that is to be tried again after the pause."""
        host.push(candidate)
        self.finished(host)

    def release(self, host: Host, ids: Iterable[int]) -> None:
        """Forget candidates that the frontier now has as done."""
        held = self.held.get(host.id)
        if held is not None:
            held.difference_update(ids)
            if not held and not host.queue:
                del self.held[host.id]

    def wake(self, host: Host) -> None:
        """The frontier has new URLs of this host."""
        host.more = True
        if not host.queue:
            self.place(host)

    def sleep(self, host: Host) -> None:
        """Leave a host alone for the rest of this run; its URLs stay in the frontier."""
        host.asleep = True
        held = self.held.get(host.id, set())
        held.difference_update(candidate.id for _, _, candidate in host.queue)
        host.queue.clear()
        host.ticket += 1

    def place(self, host: Host) -> None:
        """Put a host where it belongs now."""
        host.ticket += 1
        if host.asleep or (host.delay and host.in_flight):
            return
        if not host.queue and host.more:
            self._fill(host)
        if not host.queue:
            return
        self._turn += 1
        now = self.clock()
        if host.ready_at > now + MAX_RETRY_AFTER:  # only a clock that was set back can ask for that
            host.ready_at = now + host.delay
        if host.ready_at > now:
            heappush(self._waiting, (host.ready_at, self._turn, host.ticket, host))
        else:
            heappush(self._ready, (host.queue[0][0], self._turn, host.ticket, host))

    def _fill(self, host: Host) -> None:
        held = self.held.setdefault(host.id, set())
        limit = max(2, min(128, _IN_MEMORY // max(1, len(self.held))))
        rows = self.frontier.waiting(host.id, limit, held, self.max_depth)
        host.more = len(rows) >= limit
        for candidate in rows[:limit]:
            held.add(candidate.id)
            host.push(candidate)
