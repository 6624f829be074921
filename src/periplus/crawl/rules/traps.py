"""URLs that look like part of an endless URL space do not enter the frontier."""

from __future__ import annotations

from periplus.crawl.frontier.traps import is_trap
from periplus.crawl.rules.rule import Rule
from periplus.crawl.visit import Source


class Traps(Rule):
    """Drops URLs whose path has the shape of a trap."""

    def admit(self, urls: list[str], source: Source) -> list[str]:
        return [url for url in urls if not is_trap(url)]
