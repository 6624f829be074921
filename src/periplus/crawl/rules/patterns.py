"""Only URLs that fit the patterns of the user enter the frontier (`--include`, `--exclude`); seeds always do."""

from __future__ import annotations

import re
from collections.abc import Iterable

from periplus.crawl.rules.rule import Crawl, Rule
from periplus.crawl.visit import Source


class Patterns(Rule):
    """Drops URLs that match no `--include`, if there are any, or that match an `--exclude`."""

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._include = _any_of(crawl.options.include)
        self._exclude = _any_of(crawl.options.exclude)

    def admit(self, urls: list[str], source: Source) -> list[str]:
        if source.depth == 0:  # seeds, and what they redirect to
            return urls
        return [url for url in urls if self._fits(url)]

    def _fits(self, url: str) -> bool:
        if self._exclude is not None and self._exclude.search(url):
            return False
        return self._include is None or bool(self._include.search(url))


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    """One pattern that finds what any of these finds; None where there are none."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(joined) if joined else None
