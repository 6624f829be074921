"""`Ending`: where the link to a URL leads, through redirects, as far as the collection knows.

A URL that was never asked for is "unknown": of it nothing is said. What the archive holds counts before the log of the
crawl, which fills in what has no record in the archive (no answer, robots.txt).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, NamedTuple

from periplus.errors import storage
from periplus.library.told import LastAnswer
from periplus.pipeline.stages.graph import MAX_REDIRECTS

Kind = Literal["page", "file", "broken", "failing", "loop", "blocked", "unknown"]
DEAD: frozenset[Kind] = frozenset(("broken", "loop"))

# Answers that another visitor or another hour may not get.
_PASSING = {401, 403, 407, 408, 425, 429, 451}
_WORDS = {
    "ERR_CONNECT": "does not answer",
    "ERR_TIMEOUT": "does not answer in time",
    "ERR_DNS": "has a host name that cannot be found",
    "ERR_TLS": "has no TLS connection that can be trusted",
    "ERR_PROTOCOL": "answers with what is not HTTP",
    "ERR_DECODE": "answers with a broken content encoding",
}


class Ending(NamedTuple):
    """How a URL ends: its kind, in words that go on after the URL, and the redirects on the way."""

    kind: Kind
    says: str = ""
    hops: tuple[str, ...] = ()


class Ways:
    """Where URLs lead, each looked up once."""

    def __init__(self, answers: Mapping[str, LastAnswer], pages: Collection[str], log: Mapping[str, str]) -> None:
        self._answers, self._pages, self._log = answers, pages, log
        self._known: dict[str, Ending] = {}

    def of(self, url: str) -> Ending:
        """Where a URL leads."""
        if url not in self._known:
            self._known[url] = self._followed(url)
        return self._known[url]

    def _followed(self, url: str) -> Ending:
        hops: list[str] = []
        at = url
        while (answer := self._answers.get(at)) is not None and answer.redirect:
            at = answer.redirect
            if at == url or at in hops:
                return Ending("loop", f"redirects in a circle: {' → '.join((url, *hops, at))}", (*hops, at))
            hops.append(at)
            if len(hops) > MAX_REDIRECTS:
                return Ending("loop", f"redirects more than {MAX_REDIRECTS} times", tuple(hops))
        kind, says = self._end(at, answer)
        return Ending(kind, f"redirects to {at}, which {says}" if hops and says else says, tuple(hops))

    def _end(self, url: str, answer: LastAnswer | None) -> tuple[Kind, str]:
        if answer is None:
            return self._logged(self._log.get(url, ""))
        if 200 <= answer.status < 300:
            return ("page" if url in self._pages else "file"), ""
        return of_status(answer.status)

    def _logged(self, outcome: str) -> tuple[Kind, str]:
        if outcome == "BLOCKED_ROBOTS":
            return "blocked", "is forbidden by robots.txt"
        if outcome in _WORDS:
            return "failing", _WORDS[outcome]
        if outcome.startswith("HTTP_"):
            return of_status(int(outcome[5:]))
        return "unknown", ""


def of_status(status: int) -> tuple[Kind, str]:
    """What a status that is no success and no redirect means for a link."""
    if status < 400:
        return "unknown", ""
    try:
        said = f"answers {status} ({HTTPStatus(status).phrase})"
    except ValueError:
        said = f"answers {status}"
    return ("failing" if status >= 500 or status in _PASSING else "broken"), said


def read_log(path: Path) -> tuple[dict[str, str], list[str]]:
    """The last outcome of every URL without a page in the log of the crawl, and the seeds; nothing without a log.

    A line that was cut off by a crash says nothing.
    """
    outcomes: dict[str, str] = {}
    seeds: list[str] = []
    if not path.exists():
        return outcomes, seeds
    with storage(path), path.open("rb") as lines:
        for line in lines:
            try:
                record: dict[str, Any] = json.loads(line)
                url, outcome = record["url"], record["outcome"]
            except (ValueError, KeyError, TypeError):
                continue
            if record.get("depth") == 0:
                seeds.append(url)
            if outcome in ("OK", "DUP"):
                outcomes.pop(url, None)
            else:
                outcomes[url] = outcome
    return outcomes, seeds
