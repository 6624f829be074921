"""The robots.txt of every origin that the crawl meets: fetched once per day, and kept in the frontier."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.hosts import wanted_pause
from periplus.crawl.politeness.robots import MAX_AGE, MAX_BYTES, MAX_REDIRECTS, Robots, product_token
from periplus.crawl.visit import Visit
from periplus.web.url import Url, canonical

_REMEMBERED = 1000
_UNREACHABLE = 599


@dataclass(frozen=True, slots=True)
class OriginRules:
    """The rules of one origin for this crawler; `error` says why they could not be fetched."""

    origin: str
    robots: Robots
    agent: str
    error: Outcome | None = None
    reason: str = ""
    crawl_delay: float = 0.0
    pause: float | None = None  # the seconds that a busy origin asks us to wait

    def allows(self, url: str) -> bool:
        return self.robots.allows(url, self.agent)


class RobotsTable:
    """Finds the rules of an origin in memory, in the frontier, or on the web."""

    def __init__(self, fetcher: Fetcher, stored: Callable[[str], Robots | None]) -> None:
        self._fetcher = fetcher
        self._stored = stored
        self._agent = product_token(fetcher.options.user_agent)
        self._known: OrderedDict[str, OriginRules] = OrderedDict()
        self._asking: dict[str, asyncio.Task[OriginRules]] = {}
        self._failures: Counter[str] = Counter()

    async def of(self, visit: Visit) -> tuple[OriginRules, bool]:
        """The rules for the URL of a visit, and whether a request to its origin was needed."""
        origin = Url(visit.url).origin
        known = self._known.get(origin)
        if known is None and (stored := self._stored(origin)) is not None and stored.reachable:
            known = self._remember(OriginRules(origin, stored, self._agent))
        if known is not None and time.time() - known.robots.fetched < MAX_AGE:
            return known, False
        task = self._asking.get(origin)
        if task is None:
            task = self._asking[origin] = asyncio.create_task(self._ask(origin))
            task.add_done_callback(lambda _: self._asking.pop(origin, None))
        return await asyncio.shield(task), True

    def note_failure(self, origin: str) -> int:
        """Forget an origin that could not be reached, so that it is asked again; returns how often it has failed."""
        self._known.pop(origin, None)
        self._failures[origin] += 1
        return self._failures[origin]

    def _remember(self, rules: OriginRules) -> OriginRules:
        rules = replace(rules, crawl_delay=rules.robots.crawl_delay(self._agent) or 0.0)
        self._known[rules.origin] = rules
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return rules

    async def _ask(self, origin: str) -> OriginRules:
        url, now = f"{origin}/robots.txt", time.time()
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._fetcher.get(Visit(url), max_body=MAX_BYTES, any_type=True)
            if answer.capture is None:
                return OriginRules(origin, Robots(_UNREACHABLE, b"", now), self._agent, answer.outcome, answer.reason)
            if answer.capture.redirect is None:
                robots = Robots(answer.status, answer.capture.decoded(MAX_BYTES).body, now)
                pause = wanted_pause(answer)
                rules = OriginRules(origin, robots, self._agent, reason=f"HTTP {answer.status}", pause=pause)
                return self._remember(rules) if robots.reachable else rules
            target = canonical(answer.capture.redirect, url)
            if target is None:
                break
            url = target
        reason = f"redirected more than {MAX_REDIRECTS} times, or to something that is not an http(s) URL"
        return OriginRules(origin, Robots(_UNREACHABLE, b"", now), self._agent, Outcome.ERR_REDIRECT, reason)
