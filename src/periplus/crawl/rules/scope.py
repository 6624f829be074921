"""Only URLs within the scope of the crawl enter the frontier (`--scope`)."""

from __future__ import annotations

from periplus.crawl.frontier.scope import Scope
from periplus.crawl.rules.rule import Crawl, Rule
from periplus.crawl.visit import Source


class InScope(Rule):
    """Drops URLs outside the scope; the target of a redirected seed belongs to the scope, because it was meant."""

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._scope = Scope(crawl.options.scope, crawl.seeds)

    def admit(self, urls: list[str], source: Source) -> list[str]:
        if source.depth == 0:
            for url in urls:
                self._scope.widen(url)
        return [url for url in urls if url in self._scope]
