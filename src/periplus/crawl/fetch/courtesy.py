"""What a crawl asked of hosts: counted where requests are sent, for the report of politeness."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

_LISTED = 100


@dataclass(frozen=True, slots=True)
class HostRecord:
    """The requests to one host, robots.txt included, and the least seconds between the starts of two of them."""

    host: str
    requests: int
    least_gap: float | None


@dataclass(frozen=True, slots=True)
class Courtesy:
    """All requests of a run; `busiest` hosts first, at most a hundred; `closest` had the least gap of all."""

    requests: int = 0
    hosts: int = 0
    refused: int = 0  # URLs that robots.txt refused
    closest: HostRecord | None = None
    busiest: tuple[HostRecord, ...] = ()


@dataclass(slots=True)
class _Host:
    requests: int = 0
    last: float = 0.0
    least: float | None = None


@dataclass(slots=True)
class RequestLog:
    """Counts requests as they are sent."""

    clock: Callable[[], float] = time.monotonic
    _hosts: dict[str, _Host] = field(default_factory=dict)

    def asked(self, host: str) -> None:
        """A request to a host begins now."""
        now, known = self.clock(), self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = _Host()
        else:
            gap = now - known.last
            known.least = gap if known.least is None else min(known.least, gap)
        known.requests += 1
        known.last = now

    def courtesy(self, refused: int) -> Courtesy:
        """The record of everything so far."""
        records = [HostRecord(name, one.requests, one.least) for name, one in self._hosts.items()]
        records.sort(key=lambda record: (-record.requests, record.host))
        timed = [record for record in records if record.least_gap is not None]
        closest = min(timed, key=lambda record: record.least_gap or 0.0, default=None)
        requests = sum(record.requests for record in records)
        return Courtesy(requests, len(records), refused, closest, tuple(records[:_LISTED]))
