"""`Rules`: the rules of one crawl in the order of their numbers; the first decision wins."""

from __future__ import annotations

from collections.abc import Mapping

from periplus.crawl.rules.rule import Crawl, End, Postpone, Rule
from periplus.crawl.visit import Source, Visit


class Rules:
    """The rules of a table, created for one crawl; a hook is called only on the rules that override it."""

    def __init__(self, table: Mapping[int, type[Rule]], crawl: Crawl) -> None:
        rules = [table[number](crawl) for number in sorted(table)]
        self._admitting = [rule for rule in rules if type(rule).admit is not Rule.admit]
        self._before = [rule for rule in rules if type(rule).before_fetch is not Rule.before_fetch]
        self._after = [rule for rule in rules if type(rule).after_fetch is not Rule.after_fetch]

    def admit(self, urls: list[str], source: Source) -> list[str]:
        """The URLs that every rule admits."""
        for rule in self._admitting:
            if not urls:
                break
            urls = rule.admit(urls, source)
        return urls

    async def before_fetch(self, visit: Visit) -> Visit | End | Postpone:
        """The visit as the rules leave it, or the first decision."""
        for rule in self._before:
            step = await rule.before_fetch(visit)
            if not isinstance(step, Visit):
                return step
            visit = step
        return visit

    def after_fetch(self, visit: Visit) -> Visit | Postpone:
        """The visit as the rules leave it, or the first decision."""
        for rule in self._after:
            step = rule.after_fetch(visit)
            if not isinstance(step, Visit):
                return step
            visit = step
        return visit
