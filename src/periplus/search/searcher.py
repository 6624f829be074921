"""`Searcher`: a query in, the best pages out, each with the reason it is there.

    query ──parse──▶ what must hold ──plan──▶ index: the best 1,000 pages by text ──rankers──▶ joined with the links
          ──▶ the asked-for ten, each with snippet, marks and why

All words must stand somewhere in the page, in any field and order. If fewer than `FILLED` pages have them all, pages
with some of them come after these, each with the words that it lacks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from periplus.errors import ParameterError
from periplus.focus.base import Web
from periplus.focus.ranking import offered
from periplus.focus.table import PLAIN, QUERY_RANKERS, WORDS, QueryRanker
from periplus.numeric.arrays import AnyArray
from periplus.record import Scores
from periplus.search.completion import completions
from periplus.search.facets import Facets, facets_of
from periplus.search.focused import Around, around, focused
from periplus.search.grouping import Grouped, grouped
from periplus.search.opened import Opened
from periplus.search.plan import Groups
from periplus.search.query import ParsedQuery, Term, parse_query
from periplus.search.rankers import TEXT_ONLY, Rankers
from periplus.search.ranking import Ranked, ranked_pages
from periplus.search.remarks import nowhere, remarks_on
from periplus.search.result import Results
from periplus.search.shown import Shower
from periplus.search.spelling import suggested
from periplus.web.url import site_of

if TYPE_CHECKING:
    from periplus.graph.graph import Graph

MAX_WINDOW = 1000
_BEST = 100


class _Asked(NamedTuple):
    """A query as it was understood: its pages, what is to be said of it, and what was probably `meant`."""

    text: str
    parsed: ParsedQuery
    ranked: Ranked
    notes: tuple[str, ...]
    meant: str | None = None


class Searcher:
    """Searches one text index, joined with any of the given rankings.

    `scores` has the record of each ranking by its name; `graph` and `urls` are optional and only add facts. `public`
    leaves out the pages that ask not to be indexed: that request counts wherever others can search. `groups` are the
    pages of communities, for `community:` and `tree:`; `web` gives the links for the rankings of `QUERY_RANKERS`.
    """

    def __init__(
        self,
        index_dir: Path,
        *,
        scores: Mapping[str, Scores],
        urls: Any = None,
        graph: Graph | None = None,
        public: bool = False,
        groups: Groups | None = None,
        web: Callable[[], Web] | None = None,
    ) -> None:
        self._opened = Opened(index_dir, public=public, groups=groups)
        self.rankers = Rankers(scores)
        self.urls = urls
        self._web = web
        self._shower = Shower(self._opened, self.rankers, graph)

    @property
    def documents(self) -> int:
        """How many pages can be found."""
        return self._opened.documents

    def search(
        self,
        query: str,
        *,
        size: int = 10,
        offset: int = 0,
        rank: str = PLAIN,
        ranker: str | None = None,
        explain: bool = False,
        facts: bool = False,
        all_pages: bool = False,
    ) -> Results:
        """The `size` best pages after the first `offset`; `facts` adds in-links and facets.

        `rank` is a row of `QUERY_RANKERS`; `ranker` the stored ranking that words are joined with, or "date".
        `all_pages` also lists what is usually shown once: near-copies, and more than two pages of a site.
        """
        began = time.perf_counter()
        _check_window(size, offset)
        row, name = self._asked(rank, ranker)
        asked = self._understood(query, name)
        beside = None if row.by_words else self._around(asked, [row.name])[0]
        name = TEXT_ONLY if beside else name
        listed = self._listed(asked, beside, all_pages=all_pages)
        page = range(offset, min(offset + size, len(listed.ranked.addresses)))
        results = self._shower.results(asked.parsed, listed, page, name, explain=explain, facts=facts, around=beside)
        return Results(
            query=asked.text,
            total=listed.ranked.total,
            ms=(time.perf_counter() - began) * 1000,
            results=results,
            ranker=name,
            offset=offset,
            notes=(*asked.notes, *beside.notes) if beside else asked.notes,
            facets=self._facets(asked) if facts else {},
            best=tuple((beside or asked).ranked.nodes[:_BEST].tolist()) if facts else (),
            suggestion=asked.meant,
            listed=len(listed.ranked.addresses),
            rank="text" if row.by_words and name == TEXT_ONLY else row.name,
            hubs=beside.hubs if beside else (),
        )

    @property
    def ranks(self) -> tuple[str, ...]:
        """The rows of `QUERY_RANKERS` that can be asked for here."""
        return offered(self._web()) if self._web is not None else WORDS

    def side_by_side(self, query: str, ranks: Sequence[str]) -> tuple[tuple[Around, ...], tuple[str, ...]]:
        """The pages around a query by several rows of `QUERY_RANKERS`, and what is to be said of the query."""
        for rank in ranks:
            self._asked(rank, None)
        if self._web is None:
            raise ParameterError("ranks", list(ranks), "rankings of pages that come with their links")
        asked = self._understood(query, self.rankers.default)
        return self._around(asked, ranks), asked.notes

    def _asked(self, rank: str, ranker: str | None) -> tuple[QueryRanker, str]:
        """The row asked for, and the stored ranking that words are joined with."""
        row = QUERY_RANKERS.find(rank)
        if self._web is None and not row.by_words:
            raise ParameterError("rank", rank, f"{' or '.join(WORDS)}: these pages come without their links")
        return row, TEXT_ONLY if row.name == TEXT_ONLY else self.rankers.check(ranker, among=self.rankers.orders)

    def _around(self, asked: _Asked, ranks: Sequence[str]) -> tuple[Around, ...]:
        """The same base set by each of these rankings."""
        assert self._web is not None, "checked before"
        focus = focused(self._opened, self._web(), self._opened.planner.plan(asked.parsed), asked.ranked)
        return tuple(around(self._opened, focus, asked.parsed, asked.ranked, rank) for rank in ranks)

    def _understood(self, query: str, ranker: str) -> _Asked:
        """The pages that have the words of a query; where none has, of the query that was probably meant."""
        parsed = parse_query(query)
        ranked, notes = self._ranked(parsed, ranker)
        meant = self.suggestion(parsed) if not ranked.full else None
        if meant is None:
            return _Asked(parsed.text, parsed, ranked, notes)
        better, its_notes = self._ranked(parse_query(meant), ranker)
        if not better.total:
            return _Asked(parsed.text, parsed, ranked, notes)
        if not better.full:
            return _Asked(parsed.text, parsed, ranked, (*notes, f"perhaps you meant “{meant}”"), meant)
        missing = f"no page has {nowhere(self._opened, parsed)}: these are for “{meant}”"
        return _Asked(parsed.text, parse_query(meant), better, (missing, *its_notes), meant)

    def suggestion(self, parsed: ParsedQuery) -> str | None:
        """The query that was probably meant, where a word of this one stands on no page."""
        opened = self._opened

        def pages_with(word: str) -> int:
            return opened.pages_with(Term(word, (word,))) if opened.planner.pages_with(word) else 0

        return suggested(parsed, pages_with, lambda text: opened.count(opened.planner.plan(parse_query(text)).strict))

    def completions(self, typed: str) -> tuple[str, ...]:
        """What a query that is being typed may become."""
        return completions(self._opened, self.rankers, typed)

    def document(self, node: int) -> Mapping[str, Any] | None:
        """What the index keeps of a page: title, body, address, calls, fetched, duplicates."""
        return self._opened.page_of(node)

    @property
    def hidden(self) -> frozenset[int]:
        """The pages that are never shown, because others can search here and the pages ask not to be indexed."""
        return self._opened.hidden

    def pages_with(self, term: Term) -> int:
        """How many pages a word or phrase finds by itself."""
        return self._opened.pages_with(term)

    def holding(self, word: str, most: int) -> AnyArray:
        """The pages that have a word, at most so many, best first."""
        hits, _ = self._opened.best(self._opened.planner.alone(Term(word, (word,))), most, count=False)
        return self._opened.nodes([address for _, address in hits])

    def _ranked(self, parsed: ParsedQuery, ranker: str) -> tuple[Ranked, tuple[str, ...]]:
        """The pages of a query, and what is to be said of it."""
        found = ranked_pages(self._opened, self.rankers, self._opened.planner.plan(parsed), ranker)
        return found, remarks_on(self._opened, parsed, found)

    def _facets(self, asked: _Asked) -> Facets:
        """How the pages with all the words divide, or where there are none those with some."""
        plan = self._opened.planner.plan(asked.parsed)
        return facets_of(self._opened, plan.strict if asked.ranked.full or plan.relaxed is None else plan.relaxed)

    def _listed(self, asked: _Asked, beside: Around | None, *, all_pages: bool) -> Grouped:
        """The list as it is shown. Without words a list is asked for, not the best of it, and it stays whole."""
        if beside:
            return Grouped(beside.ranked)
        if all_pages or not asked.parsed.terms:
            return Grouped(asked.ranked)
        return grouped(self._opened, asked.ranked, self._sites_for(asked.parsed))

    def _sites_for(self, parsed: ParsedQuery) -> Callable[[int], str] | None:
        """The site of each page, if results are to be grouped: not by the site the query names, nor by the only one."""
        if self.urls is None or parsed.within == "site" or self._opened.sites < 2:
            return None
        return lambda node: site_of(self.urls[node]) if node < len(self.urls) else ""


def _check_window(size: int, offset: int) -> None:
    if size < 1:
        raise ParameterError("size", size, "at least 1")
    if offset < 0:
        raise ParameterError("offset", offset, "0 or more")
    if offset + size > MAX_WINDOW:
        raise ParameterError("offset + size", offset + size, f"at most {MAX_WINDOW:,}: narrow the query instead")
