"""Hits → `Ranked`: the pages of a query in the order of text and links together, or of their days, column by column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from periplus.numeric.arrays import AnyArray
from periplus.search.opened import Hit, Opened
from periplus.search.plan import Plan
from periplus.search.query import Term
from periplus.search.rankers import DATE, RERANKED, Rankers, blend

FILLED = 10
_NAMED = 100
_COLUMNS = ("nodes", "text", "named", "share", "link", "score")


@dataclass(frozen=True, slots=True)
class Ranked:
    """The hits in their final order; those after the first `full` lack some of the `free` words."""

    addresses: list[Any]
    nodes: AnyArray
    text: AnyArray
    named: AnyArray
    share: AnyArray
    link: AnyArray
    score: AnyArray
    total: int
    full: int
    free: tuple[Term, ...] = ()

    def without(self, others: Ranked) -> Ranked:
        """The same without some pages."""
        return self._taken(np.flatnonzero(~np.isin(self.nodes, others.nodes)), self.total - len(others.nodes))

    def first(self, size: int) -> Ranked:
        """The first few."""
        return self._taken(np.arange(min(size, len(self.nodes))), min(size, len(self.nodes)))

    def kept(self, chosen: AnyArray) -> Ranked:
        """Only those chosen (true or false for each), the number of pages found as before."""
        full = int(np.count_nonzero(chosen[: self.full]))
        return replace(self._taken(np.flatnonzero(chosen), self.total), full=full)

    def before(self, others: Ranked, free: tuple[Term, ...]) -> Ranked:
        """These, and after them others that lack some of the `free` words."""
        columns = {name: np.concatenate([getattr(self, name), getattr(others, name)]) for name in _COLUMNS}
        addresses = self.addresses + others.addresses
        return replace(self, addresses=addresses, total=self.total + others.total, free=free, **columns)  # type: ignore[arg-type]

    def _taken(self, chosen: AnyArray, total: int) -> Ranked:
        columns = {name: getattr(self, name)[chosen] for name in _COLUMNS}
        return replace(self, addresses=[self.addresses[at] for at in chosen], total=total, **columns)


def ranked_pages(opened: Opened, rankers: Rankers, plan: Plan, ranker: str) -> Ranked:
    """The pages with all the words, and where these are fewer than `FILLED` those with some of them after them."""
    found = _joined(opened, rankers, plan.strict, plan.named, ranker)
    if found.full >= FILLED or plan.relaxed is None:
        return found
    more = _joined(opened, rankers, plan.relaxed, plan.named, ranker).without(found)
    return found.before(more.first(FILLED - found.full) if found.full else more, plan.free)


def _joined(opened: Opened, rankers: Rankers, asked: Any, named: Any, ranker: str) -> Ranked:
    """The best pages of a query by text, and those that it names, in the order of text and links together.

    By date: the newest pages of the query, those of one day in the order of their text.
    """
    hits, count = opened.best(asked, RERANKED)
    if ranker == DATE and count > RERANKED:
        hits = opened.best(opened.newest_of(asked, RERANKED), RERANKED, count=False)[0]
    named_hits = _named(opened, asked, named, ranker)
    names = {_key(hit) for hit in named_hits}
    seen = {_key(hit) for hit in hits}
    hits = [*hits, *(hit for hit in named_hits if _key(hit) not in seen)]
    addresses = [address for _, address in hits]
    nodes = opened.nodes(addresses)
    text = np.array([score for score, _ in hits], dtype=np.float64)
    exact = np.array([_key(hit) in names for hit in hits], dtype=np.float64)
    share = rankers.share(ranker, nodes)
    link = rankers.link(ranker, share)
    score = blend(text, exact, link)
    days = opened.column("day", addresses).astype(np.int64) if ranker == DATE else np.zeros(len(hits))
    order = np.lexsort((nodes, -score, -days))
    return Ranked(
        addresses=[addresses[at] for at in order],
        nodes=nodes[order],
        text=text[order],
        named=exact[order],
        share=share[order],
        link=link[order],
        score=score[order],
        total=max(count, len(hits)),
        full=len(hits),
    )


def _named(opened: Opened, asked: Any, named: Any, ranker: str) -> list[Hit]:
    """Pages whose name is exactly the query, with the score that they have by their text."""
    from tantivy import Occur, Query

    if named is None or ranker == DATE:
        return []
    both = Query.boolean_query([(Occur.Must, asked), (Occur.Must, Query.const_score_query(named, 0.0))])
    return opened.best(both, _NAMED, count=False)[0]


def _key(hit: Hit) -> tuple[int, int]:
    return hit[1].segment_ord, hit[1].doc
