"""Pauses between two requests to one address, which many hosts may share: virtual hosts feel each other's load.

A request reserves the next free moment of its address. Whoever comes too late for it reserves again, so the gap between
two requests is never shorter than the pause.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import inf

_REMEMBERED = 100_000


@dataclass(slots=True)
class _Address:
    used: float = -inf  # when the last request began
    free: float = 0.0  # from when on nobody has reserved


class Addresses:
    """The pauses of all addresses."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._known: OrderedDict[str, _Address] = OrderedDict()
        self._reserved: dict[str, float] = {}  # by host

    def wait(self, host: str, address: str, now: float) -> float:
        """Seconds until this host may ask its address; 0 if it may now, and then it must."""
        known = self._known.pop(address, None) or _Address()
        self._known[address] = known
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        reserved = self._reserved.pop(host, None)
        if reserved is not None and now < reserved:
            self._reserved[host] = reserved
            return reserved - now
        if now >= known.used + self.delay and (now >= known.free or reserved is not None):
            known.used, known.free = now, max(known.free, now + self.delay)
            return 0.0
        moment = max(known.free, known.used + self.delay, now)
        known.free = moment + self.delay
        self._reserved[host] = moment
        return max(moment - now, 1e-3)
