"""`Searcher`: a query in, the best pages out, each with the reason it is there.

    query ──parse──▶ what must hold ──plan──▶ index: the best 1,000 pages by text ──rankers──▶ joined with the links
          ──▶ the asked-for ten, each with snippet, marks and why

All words must stand somewhere in the page, in any field and order. If fewer than `FILLED` pages have them all, pages
with some of them come after these, each with the words that it lacks.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from periplus.errors import ParameterError
from periplus.index.build import open_index
from periplus.index.schema import NOINDEX, unpacked_calls, unpacked_list, url_words
from periplus.numeric.arrays import AnyArray
from periplus.record import Scores
from periplus.search.evidence import Found, explain, found_fields, why
from periplus.search.plan import Groups, Plan, Planner
from periplus.search.query import ParsedQuery, Term, parse_query
from periplus.search.rankers import RERANKED, Rankers, blend
from periplus.search.result import Result, Results
from periplus.search.snippet import cut_snippet, find_words, fold, other_forms
from periplus.search.spelling import suggested
from periplus.web.url import site_of
from periplus.wording import counted_verb, listed

if TYPE_CHECKING:
    import tantivy

    from periplus.graph.graph import Graph

MAX_WINDOW = 1000
FILLED = 10
_NAMED = 100
PLACES = 72
_SITES, _SITES_FROM = 8, 100
_COLUMNS = ("nodes", "text", "named", "share", "link", "score")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one search wants to know of each page; `bases` maps every form of a word to the word of the query."""

    parsed: ParsedQuery
    ranker: str
    bases: dict[str, str]
    explain: bool
    facts: bool


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The hits in their final order, column by column; those after the first `full` lack some of the `free` words."""

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

    def without(self, others: _Ranked) -> _Ranked:
        """The same without some pages."""
        return self._taken(np.flatnonzero(~np.isin(self.nodes, others.nodes)), self.total - len(others.nodes))

    def first(self, size: int) -> _Ranked:
        """The first few."""
        return self._taken(np.arange(min(size, len(self.nodes))), min(size, len(self.nodes)))

    def before(self, others: _Ranked, free: tuple[Term, ...]) -> _Ranked:
        """These, and after them others that lack some of the `free` words."""
        columns = {name: np.concatenate([getattr(self, name), getattr(others, name)]) for name in _COLUMNS}
        addresses = self.addresses + others.addresses
        return replace(self, addresses=addresses, total=self.total + others.total, free=free, **columns)  # type: ignore[arg-type]

    def _taken(self, chosen: AnyArray, total: int) -> _Ranked:
        columns = {name: getattr(self, name)[chosen] for name in _COLUMNS}
        return replace(self, addresses=[self.addresses[at] for at in chosen], total=total, **columns)


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
        self._index = open_index(Path(index_dir))
        self._searcher = self._index.searcher()
        self._planner = Planner(self._index, self._searcher, public=public, groups=groups)
        self._public = public
        self.rankers = Rankers(scores)
        self.urls = urls
        self._graph = graph

    @property
    def documents(self) -> int:
        """How many pages can be found."""
        count: int = self._searcher.num_docs
        return count

    def search(
        self,
        query: str,
        *,
        size: int = 10,
        offset: int = 0,
        ranker: str | None = None,
        explain: bool = False,
        facts: bool = False,
    ) -> Results:
        """The `size` best pages after the first `offset`; `facts` adds in-links, and the sites of the best pages."""
        began = time.perf_counter()
        _check_window(size, offset)
        name = self.rankers.check(ranker)
        parsed = asked_for = parse_query(query)
        ranked, notes = self._ranked(parsed, name)
        meant = self.suggestion(parsed) if not ranked.full else None
        if meant is not None:
            better, its_notes = self._ranked(parse_query(meant), name)
            if better.full:
                notes = (f"no page has {self._nowhere(parsed)}: these are for “{meant}”", *its_notes)
                parsed, ranked = parse_query(meant), better
            else:
                notes = (*notes, f"perhaps you meant “{meant}”")
        page = range(offset, min(offset + size, len(ranked.addresses)))
        asked = _Asked(parsed, name, self._bases(parsed), explain, facts)
        results = tuple(self._result(asked, ranked, at) for at in page)
        best = tuple(ranked.nodes[:_SITES_FROM].tolist()) if facts else ()
        ms = (time.perf_counter() - began) * 1000
        sites = self._sites(best)
        return Results(asked_for.text, ranked.total, ms, results, name, offset, notes, sites, best, meant)

    def suggestion(self, parsed: ParsedQuery) -> str | None:
        """The query that was probably meant, where a word of this one stands on no page."""

        def pages_with(word: str) -> int:
            return self.pages_with(Term(word, (word,))) if self._planner.pages_with(word) else 0

        def pages_of(text: str) -> int:
            found: Any = self._searcher.search(self._planner.plan(parse_query(text)).strict, limit=1)
            return int(found.count)

        return suggested(parsed, pages_with, pages_of)

    def document(self, node: int) -> Mapping[str, Any] | None:
        """What the index keeps of a page: title, body, address, calls, fetched, duplicates."""
        from tantivy import Query

        hits = self._searcher.search(Query.term_query(self._index.schema, "node", node, "basic"), limit=1).hits
        return self._stored(hits[0][1]) if hits else None

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The pages that are never shown, because others can search here and the pages ask not to be indexed."""
        from tantivy import Query

        if not self._public:
            return frozenset()
        asks = Query.term_query(self._index.schema, "asks", NOINDEX, "basic")
        hits = self._searcher.search(asks, limit=max(self.documents, 1)).hits
        nodes: Any = self._searcher.fast_field_values("node", [address for _, address in hits]) if hits else ()
        return frozenset(nodes)

    def pages_with(self, term: Term) -> int:
        """How many pages a word or phrase finds by itself."""
        found: Any = self._searcher.search(self._planner.alone(term), limit=1)
        return int(found.count)

    def _nowhere(self, parsed: ParsedQuery) -> str:
        """The words that no page has, for a sentence."""
        return listed([f"“{term.text}”" for term in parsed.terms if not self.pages_with(term)], joint="or")

    def _why_nothing(self, parsed: ParsedQuery) -> list[str]:
        """What is known of each word of a query that finds nothing."""
        nowhere = self._nowhere(parsed)
        somewhere = [(term.text, count) for term in parsed.terms if (count := self.pages_with(term))]
        notes = [f"no page has {nowhere}"] if nowhere else []
        notes += [f"no community is about “{one.text}”" for one in parsed.among if not len(self._planner.members(one))]
        return notes + [
            f"{counted_verb(count, 'page', 'has')} “{text}”, {'not' if count == 1 else 'none of them'} where you asked"
            for text, count in somewhere
        ]

    def _ranked(self, parsed: ParsedQuery, ranker: str) -> tuple[_Ranked, tuple[str, ...]]:
        """The pages with all the words, and where these are fewer than `FILLED` those with some of them after them."""
        plan = self._planner.plan(parsed)
        notes = list(parsed.notes)
        if parsed.ignored:
            notes.append(f"left out as too common: {', '.join(parsed.ignored)} (quote them to require them)")
        found = self._joined(plan, plan.strict, ranker)
        full = len(found.addresses)
        if full < FILLED and plan.relaxed is not None:
            more = self._joined(plan, plan.relaxed, ranker).without(found)
            found = found.before(more.first(FILLED - full) if full else more, plan.free)
            if full and found.total > full:
                notes.append(f"{counted_verb(full, 'page', 'has')} all the words: the others are without some")
            elif found.total > full:
                nowhere = self._nowhere(parsed)
                notes.append(
                    f"no page has {nowhere}: these have other words of yours"
                    if nowhere
                    else "no page has all the words: these have some of them"
                )
        if not found.total:
            notes += self._why_nothing(parsed)
        return found, tuple(notes)

    def _named(self, plan: Plan, used: tantivy.Query) -> list[tuple[float, Any]]:
        """Pages whose name is exactly the query, with the score that they have by their text."""
        from tantivy import Occur, Query

        if plan.named is None:
            return []
        free = Query.const_score_query(plan.named, 0.0)
        both = Query.boolean_query([(Occur.Must, used), (Occur.Must, free)])
        hits: list[tuple[float, Any]] = self._searcher.search(both, limit=_NAMED, count=False).hits
        return hits

    def _joined(self, plan: Plan, used: tantivy.Query, ranker: str) -> _Ranked:
        """The best pages of a query by text, and those that it names, in the order of text and links together."""
        found: Any = self._searcher.search(used, limit=RERANKED)
        named_hits = self._named(plan, used)
        named = {(address.segment_ord, address.doc) for _, address in named_hits}
        seen = {(address.segment_ord, address.doc) for _, address in found.hits}
        hits = [*found.hits, *(hit for hit in named_hits if (hit[1].segment_ord, hit[1].doc) not in seen)]
        addresses = [address for _, address in hits]
        nodes = np.array(self._searcher.fast_field_values("node", addresses) if hits else [], dtype=np.int64)
        text = np.array([score for score, _ in hits], dtype=np.float64)
        exact = np.array([(address.segment_ord, address.doc) in named for address in addresses], dtype=np.float64)
        share = self.rankers.share(ranker, nodes)
        link = self.rankers.link(ranker, share)
        score = blend(text, exact, link)
        order = np.lexsort((nodes, -score))
        return _Ranked(
            addresses=[addresses[at] for at in order],
            nodes=nodes[order],
            text=text[order],
            named=exact[order],
            share=share[order],
            link=link[order],
            score=score[order],
            total=max(found.count, len(hits)),
            full=len(hits),
        )

    def _result(self, asked: _Asked, ranked: _Ranked, at: int) -> Result:
        address = ranked.addresses[at]
        stored = self._stored(address)
        body = stored["body"]
        bases = asked.bases | self._other_forms(asked.parsed, stored)
        matches = [(begin, end, bases[form]) for begin, end, form in find_words(body, bases)]
        found = self._found(asked, ranked, at, stored, tuple(word for _, _, word in matches))
        terms = asked.parsed.parts
        return Result(
            rank=at + 1,
            node=stored["node"],
            url=found.url,
            title=_shown_title(found),
            score=found.score,
            snippet=cut_snippet(body, matches),
            why=why(
                found,
                frozenset(bases),
                lambda: found_fields(terms, self._planner, self._searcher, address),
            ),
            text_score=found.text,
            link_score=found.link,
            share=found.share,
            in_links=self._in_links(stored["node"]) if asked.facts else None,
            host=stored["host"],
            site=stored["site"],
            fetched=stored["fetched"],
            duplicates=stored["duplicates"],
            places=tuple(sorted({begin * PLACES // len(body) / PLACES for begin, _, _ in matches})),
            explanation=explain(found, terms, self._planner, self._searcher, address) if asked.explain else (),
            lacks=self._lacking(ranked.free, address) if at >= ranked.full else (),
        )

    def _lacking(self, free: tuple[Term, ...], address: Any) -> tuple[str, ...]:
        """The words that a page of the relaxed query does not have."""
        there = {text for text, _ in found_fields(free, self._planner, self._searcher, address)}
        return tuple(term.text for term in free if term.text not in there)

    def _other_forms(self, parsed: ParsedQuery, stored: Mapping[str, Any]) -> dict[str, str]:
        """The other forms of the query's words that stand in a page → the word of the query."""
        texts = (stored["title"], stored["body"], url_words(stored["url"]), *(call.text for call in stored["calls"]))
        text = fold(" ".join(texts))
        found: dict[str, str] = {}
        for term in parsed.parts:
            if term.plain:
                found |= dict.fromkeys(other_forms(text, term.words[0], stored["language"]), term.words[0])
        return found

    def _found(
        self, asked: _Asked, ranked: _Ranked, at: int, stored: Mapping[str, Any], matches: tuple[str, ...]
    ) -> Found:
        return Found(
            title=stored["title"],
            url=stored["url"],
            calls=stored["calls"],
            matches=matches,
            named=bool(ranked.named[at]),
            name=asked.parsed.name,
            text=float(ranked.text[at]),
            link=float(ranked.link[at]),
            score=float(ranked.score[at]),
            share=float(ranked.share[at]),
            within=asked.parsed.within,
            pages=self._pages,
            ranker=asked.ranker,
            label=self.rankers.label(asked.ranker),
            error_bound=self.rankers.error_bound(asked.ranker),
            value=self.rankers.value(asked.ranker, stored["node"]),
        )

    def _bases(self, parsed: ParsedQuery) -> dict[str, str]:
        """Every word or phrase that may find a page → the word or phrase of the query behind it."""
        bases: dict[str, str] = {}
        for term in parsed.parts:
            if term.prefix:
                bases |= {form: form for form in self._planner.words(term)}
            else:
                phrase = " ".join(term.words)
                bases.setdefault(phrase, phrase)
        return bases

    def _stored(self, address: Any) -> dict[str, Any]:
        document: Any = self._searcher.doc(address)
        return {
            "node": document.get_first("node"),
            "title": " ".join(bytes(document.get_first("shown_title")).decode().split()),
            "body": bytes(document.get_first("shown_body")).decode(),
            "host": document.get_first("host") or "",
            "site": document.get_first("site") or "",
            "language": document.get_first("language") or "",
            "url": bytes(document.get_first("address")).decode("utf-8", "replace"),
            "calls": unpacked_calls(bytes(document.get_first("calls"))),
            "fetched": bytes(document.get_first("fetched")).decode("utf-8", "replace"),
            "duplicates": unpacked_list(bytes(document.get_first("duplicates"))),
        }

    @cached_property
    def _pages(self) -> int:
        return self._graph.nodes if self._graph is not None else self.documents

    def _sites(self, nodes: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
        """The sites of the best pages, most frequent first."""
        if self.urls is None:
            return ()
        known = (node for node in nodes if node < len(self.urls))
        return tuple(Counter(site_of(self.urls[node]) for node in known).most_common(_SITES))

    def _in_links(self, node: int) -> int | None:
        if self._graph is None or node >= self._graph.nodes:
            return None
        return int(self._graph.in_offsets[node + 1] - self._graph.in_offsets[node])


def _shown_title(found: Found) -> str:
    """The title; a page without one goes by what others call it, then by its address."""
    if found.title:
        return found.title
    return found.calls[0].text if found.calls else found.url


def _check_window(size: int, offset: int) -> None:
    if size < 1:
        raise ParameterError("size", size, "at least 1")
    if offset < 0:
        raise ParameterError("offset", offset, "0 or more")
    if offset + size > MAX_WINDOW:
        raise ParameterError("offset + size", offset + size, f"at most {MAX_WINDOW:,}: narrow the query instead")
