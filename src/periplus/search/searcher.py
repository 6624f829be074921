"""`Searcher`: a query in, the best pages out, each with the reason it is there.

    query ──parse──▶ what must hold ──plan──▶ index: the best 1,000 pages by text ──rankers──▶ joined with the links
          ──▶ the asked-for ten, each with snippet, marks and why

All words must stand somewhere in the page, in any field and order. If fewer than `FILLED` pages have them all, pages
with some of them come after these, each with the words that it lacks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from periplus.errors import ParameterError
from periplus.record import Scores
from periplus.search.facets import Facets, facets_of
from periplus.search.grouping import Grouped, grouped
from periplus.search.opened import Opened
from periplus.search.plan import Groups
from periplus.search.query import ParsedQuery, Term, parse_query
from periplus.search.rankers import Rankers
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


class Searcher:
    """Searches one text index, joined with any of the given rankings.

    `scores` has the record of each ranking by its name; `graph` and `urls` are optional and only add facts. `public`
    leaves out the pages that ask not to be indexed: that request counts wherever others can search. `groups` are the
    pages of communities, for `community:` and `tree:`.
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
    ) -> None:
        self._opened = Opened(index_dir, public=public, groups=groups)
        self.rankers = Rankers(scores)
        self.urls = urls
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
        ranker: str | None = None,
        explain: bool = False,
        facts: bool = False,
        all_pages: bool = False,
    ) -> Results:
        """The `size` best pages after the first `offset`; `facts` adds in-links and facets.

        `all_pages` also lists what is usually shown once: near-copies, and more than two pages of a site.
        """
        began = time.perf_counter()
        _check_window(size, offset)
        name = self.rankers.check(ranker, among=self.rankers.orders)
        asked_for = parse_query(query)
        parsed, ranked, notes, meant = self._answered(asked_for, name)
        whole = all_pages or not parsed.terms  # without words a list is asked for, not the best of it
        listed = Grouped(ranked) if whole else grouped(self._opened, ranked, self._sites_for(parsed))
        page = range(offset, min(offset + size, len(listed.ranked.addresses)))
        results = self._shower.results(parsed, listed, page, name, explain=explain, facts=facts)
        return Results(
            query=asked_for.text,
            total=ranked.total,
            ms=(time.perf_counter() - began) * 1000,
            results=results,
            ranker=name,
            offset=offset,
            notes=notes,
            facets=self._facets(parsed, ranked) if facts else {},
            best=tuple(ranked.nodes[:_BEST].tolist()) if facts else (),
            suggestion=meant,
            listed=len(listed.ranked.addresses),
        )

    def _answered(self, parsed: ParsedQuery, ranker: str) -> tuple[ParsedQuery, Ranked, tuple[str, ...], str | None]:
        """The pages of a query, or of what was probably meant by it; what is to be said of that."""
        ranked, notes = self._ranked(parsed, ranker)
        meant = self.suggestion(parsed) if not ranked.full else None
        if meant is None:
            return parsed, ranked, notes, None
        other = parse_query(meant)
        better, its_notes = self._ranked(other, ranker)
        if not better.full:
            return parsed, ranked, (*notes, f"perhaps you meant “{meant}”"), meant
        said = f"no page has {nowhere(self._opened, parsed)}: these are for “{meant}”"
        return other, better, (said, *its_notes), meant

    def suggestion(self, parsed: ParsedQuery) -> str | None:
        """The query that was probably meant, where a word of this one stands on no page."""
        opened = self._opened

        def pages_with(word: str) -> int:
            return opened.pages_with(Term(word, (word,))) if opened.planner.pages_with(word) else 0

        return suggested(parsed, pages_with, lambda text: opened.count(opened.planner.plan(parse_query(text)).strict))

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

    def _ranked(self, parsed: ParsedQuery, ranker: str) -> tuple[Ranked, tuple[str, ...]]:
        """The pages of a query, and what is to be said of it."""
        found = ranked_pages(self._opened, self.rankers, self._opened.planner.plan(parsed), ranker)
        return found, remarks_on(self._opened, parsed, found)

    def _facets(self, parsed: ParsedQuery, ranked: Ranked) -> Facets:
        """How the pages with all the words divide, or where there are none those with some."""
        plan = self._opened.planner.plan(parsed)
        return facets_of(self._opened, plan.strict if ranked.full or plan.relaxed is None else plan.relaxed)

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
