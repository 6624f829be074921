"""One hit → one `Result`: its passage with the words marked, why it is there, and its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from periplus.search.evidence import Found, explain, found_fields, why
from periplus.search.focused import Around
from periplus.search.grouping import Grouped
from periplus.search.opened import Opened
from periplus.search.query import ParsedQuery, Term
from periplus.search.rankers import Rankers
from periplus.search.ranking import Ranked
from periplus.search.result import Result
from periplus.search.snippet import cut_snippet, find_words

if TYPE_CHECKING:
    from periplus.graph.graph import Graph

PLACES = 72


@dataclass(frozen=True, slots=True)
class Asked:
    """What one search wants to know of each page; `bases` maps every form of a word to the word of the query."""

    parsed: ParsedQuery
    ranker: str
    bases: dict[str, str]
    explain: bool
    facts: bool
    around: Around | None = None


class Shower:
    """Turns hits of one index into results."""

    def __init__(self, opened: Opened, rankers: Rankers, graph: Graph | None) -> None:
        self._opened = opened
        self._rankers = rankers
        self._graph = graph

    def results(
        self,
        parsed: ParsedQuery,
        grouped: Grouped,
        page: range,
        ranker: str,
        *,
        explain: bool,
        facts: bool,
        around: Around | None = None,
    ) -> tuple[Result, ...]:
        """The hits at these places and those behind them; `around` where the links around the query ranked them."""
        asked = Asked(parsed, ranker, self._bases(parsed), explain, facts, around)
        return tuple(self._with_others(self._result(asked, grouped.ranked, at), grouped) for at in page)

    def _with_others(self, result: Result, grouped: Grouped) -> Result:
        """The same with its near-copies, and its site where that has more."""
        behind = [self._opened.page_of(node) or {} for node in grouped.copies.get(result.node, ())]
        copies = tuple((one["url"], one["title"] or one["url"]) for one in behind if one)
        return replace(result, copies=copies, more_from=grouped.more.get(result.node, ""))

    def _result(self, asked: Asked, ranked: Ranked, at: int) -> Result:
        address, opened = ranked.addresses[at], self._opened
        stored = opened.page(address)
        body, around = stored["body"], stored["around"]
        bases = asked.bases | self._other_forms(asked.parsed, stored["language"])
        matches = [(begin, end, bases[form]) for begin, end, form in find_words(body, bases)]
        elsewhere = [] if matches else [(begin, end, bases[form]) for begin, end, form in find_words(around, bases)]
        found = self._found(asked, ranked, at, stored, tuple(word for _, _, word in matches or elsewhere))
        terms = asked.parsed.parts
        return Result(
            rank=at + 1,
            node=stored["node"],
            url=found.url,
            title=_shown_title(found),
            score=found.score,
            snippet=cut_snippet(around, elsewhere) if elsewhere else cut_snippet(body, matches),
            why=why(found, frozenset(bases), lambda: found_fields(terms, opened.planner, opened.reader, address)),
            text_score=found.text,
            link_score=found.link,
            share=found.share,
            in_links=self._in_links(stored["node"]) if asked.facts else None,
            host=stored["host"],
            site=stored["site"],
            fetched=stored["fetched"],
            duplicates=stored["duplicates"],
            places=tuple(sorted({begin * PLACES // len(body) / PLACES for begin, _, _ in matches})),
            explanation=explain(found, terms, opened.planner, opened.reader, address) if asked.explain else (),
            lacks=self._lacking(ranked.free, address) if at >= ranked.full else (),
        )

    def _found(
        self, asked: Asked, ranked: Ranked, at: int, stored: Mapping[str, Any], matches: tuple[str, ...]
    ) -> Found:
        around, placed = asked.around.of(self._opened, at) if asked.around else ("", "")
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
            pages=self._graph.nodes if self._graph is not None else self._opened.documents,
            ranker=asked.ranker,
            label=self._rankers.label(asked.ranker),
            error_bound=self._rankers.error_bound(asked.ranker),
            value=self._rankers.value(asked.ranker, stored["node"]),
            around=around,
            placed=placed,
        )

    def _bases(self, parsed: ParsedQuery) -> dict[str, str]:
        """Every word or phrase that may find a page → the word or phrase of the query behind it."""
        bases: dict[str, str] = {}
        for term in parsed.parts:
            if term.prefix:
                bases |= {form: form for form in self._opened.planner.words(term)}
            else:
                phrase = " ".join(term.words)
                bases.setdefault(phrase, phrase)
        return bases

    def _other_forms(self, parsed: ParsedQuery, language: str) -> dict[str, str]:
        """The other forms of the query's words in pages of a language → the word of the query."""
        return {form: term.words[0] for term in parsed.parts for form in self._opened.planner.forms(term, language)}

    def _lacking(self, free: tuple[Term, ...], address: Any) -> tuple[str, ...]:
        """The words that a page of the relaxed query does not have."""
        there = {text for text, _ in found_fields(free, self._opened.planner, self._opened.reader, address)}
        return tuple(term.text for term in free if term.text not in there)

    def _in_links(self, node: int) -> int | None:
        if self._graph is None or node >= self._graph.nodes:
            return None
        return int(self._graph.in_offsets[node + 1] - self._graph.in_offsets[node])


def _shown_title(found: Found) -> str:
    """The title; a page without one goes by what others call it, then by its address."""
    if found.title:
        return found.title
    return found.calls[0].text if found.calls else found.url
