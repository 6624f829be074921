"""A parsed query → tantivy queries, built through its API.

Every word becomes one disjunction-max over the fields, boosted by `BOOSTS`: its score is that of the best field plus
`TIE` times the others, so repeating a word in every field gains little. Plural and singular forms join the same
disjunction with `VARIANT` of the weight. A phrase is the same over phrase queries. Where two or more words are asked
for, pages that have them side by side gain `TOGETHER` of that phrase's score. No page is lost by this, so the order of
the words never changes which pages are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.errors import QueryError
from periplus.index.schema import NOINDEX, TEXT_FIELDS
from periplus.numeric.arrays import Ids
from periplus.search.query import AllOf, Among, AnyOf, Node, Not, ParsedQuery, Term, Within, variants

if TYPE_CHECKING:
    import tantivy

BOOSTS = {"title": 2.0, "anchor": 1.8, "headings": 1.2, "url": 1.0, "body": 1.0}
TIE = 0.25
VARIANT = 0.6
TOGETHER = 0.75
MAX_EXPANSION = 32


Groups = Callable[[str, str], Ids]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: all words required, some words required, and the pages whose name is the whole query."""

    strict: tantivy.Query
    relaxed: tantivy.Query | None
    named: tantivy.Query | None


class Planner:
    """Builds queries for one open index; with `public`, pages that ask not to be indexed are never found.

    `groups` says which pages `community:` or `tree:` (the first argument) with these words or this number stands for.
    """

    def __init__(
        self, index: tantivy.Index, searcher: tantivy.Searcher, *, public: bool = False, groups: Groups | None = None
    ) -> None:
        self._schema = index.schema
        self._searcher = searcher
        self._public = public
        self._groups = groups

    def plan(self, parsed: ParsedQuery) -> Plan:
        """The queries of a parsed query."""
        made = self._plan(parsed)
        if not self._public:
            return made
        return Plan(
            self._obedient(made.strict),
            self._obedient(made.relaxed) if made.relaxed is not None else None,
            self._obedient(made.named) if made.named is not None else None,
        )

    def _obedient(self, query: tantivy.Query) -> tantivy.Query:
        """The same without the pages that ask not to be indexed."""
        from tantivy import Occur, Query

        asks = Query.term_query(self._schema, "asks", NOINDEX, "basic")
        return Query.boolean_query([(Occur.Must, query), (Occur.MustNot, asks)])

    def _plan(self, parsed: ParsedQuery) -> Plan:
        from tantivy import Occur

        named = self._named(parsed.name) if parsed.name else None
        if parsed.only_common and named is not None:
            strict = self._boolean(parsed.root.parts, Occur.Must, extra=[(Occur.Must, named)])
            return Plan(strict, None, named)
        together = self._together(parsed)
        bonus = [(Occur.Should, together)] if together is not None else []
        strict = self._boolean(parsed.root.parts, Occur.Must, extra=bonus)
        wanted = [part for part in parsed.root.parts if isinstance(part, Term | AnyOf | AllOf)]
        relaxed = self._boolean(parsed.root.parts, Occur.Should, extra=bonus) if len(wanted) > 1 else None
        return Plan(strict, relaxed, named)

    def alone(self, term: Term) -> tantivy.Query:
        """The pages that have a term."""
        found = self._term(term)
        return self._obedient(found) if self._public else found

    def words(self, term: Term) -> dict[str, float]:
        """The words that a term finds, with their weights: itself, its plural or singular, what it is a prefix of."""
        if term.prefix:
            return self._expanded(term.words[0])
        if not term.plain:
            return dict.fromkeys(term.words, 1.0)
        others = {form: VARIANT for form in variants(term.words[0]) if self._exists(form)}
        return {term.words[0]: 1.0, **others}

    def term_in_field(self, term: Term, field: str) -> tantivy.Query | None:
        """A term in one field with its boost; None where the index has no such word there."""
        from tantivy import Query

        if len(term.words) > 1:
            return Query.boost_query(Query.phrase_query(self._schema, field, list(term.words)), BOOSTS[field])
        parts = [
            Query.boost_query(Query.term_query(self._schema, field, word, "freq"), BOOSTS[field] * weight)
            for word, weight in self.words(term).items()
        ]
        return Query.disjunction_max_query(parts, 0.0) if parts else None

    def _term(self, term: Term) -> tantivy.Query:
        from tantivy import Query

        fields = (term.field,) if term.field else TEXT_FIELDS
        parts = [query for field in fields if (query := self.term_in_field(term, field)) is not None]
        return Query.disjunction_max_query(parts, TIE) if parts else Query.empty_query()

    def _node(self, node: Node) -> tantivy.Query:
        from tantivy import Occur, Query

        if isinstance(node, Term):
            return self._term(node)
        if isinstance(node, Within):
            return self._within(node, 1.0)
        if isinstance(node, Among):
            return self._among(node, 1.0)
        if isinstance(node, AnyOf):
            return Query.boolean_query([(Occur.Should, self._node(part)) for part in node.parts])
        if isinstance(node, Not):
            return Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, self._node(node.node))])
        return self._boolean(node.parts, Occur.Must)

    def _boolean(
        self, parts: Iterable[Node], wanted: tantivy.Occur, *, extra: Iterable[tuple[tantivy.Occur, tantivy.Query]] = ()
    ) -> tantivy.Query:
        """Parts joined; filters are always required and exclusions always excluded, whatever `wanted` says."""
        from tantivy import Occur, Query

        clauses: list[tuple[Occur, Query]] = []
        positive: list[tuple[Occur, Query]] = []
        for part in parts:
            if isinstance(part, Not):
                clauses.append((Occur.MustNot, self._node(part.node)))
            elif isinstance(part, Within):
                clauses.append((Occur.Must, self._within(part, 0.0)))
            elif isinstance(part, Among):
                clauses.append((Occur.Must, self._among(part, 0.0)))
            else:
                positive.append((wanted, self._node(part)))
        if wanted == Occur.Should and positive:
            clauses.append((Occur.Must, Query.boolean_query(positive)))
        else:
            clauses += positive
        added = list(extra)
        if not positive and not added:
            clauses.append((Occur.Must, Query.const_score_query(Query.all_query(), 1.0)))
        return Query.boolean_query([*clauses, *added])

    def _within(self, node: Within, score: float) -> tantivy.Query:
        """Pages of a site: beside words a filter, as an alternative to words a clause with its own score."""
        from tantivy import Occur, Query

        either = [
            (Occur.Should, Query.term_query(self._schema, field, node.host, "basic")) for field in ("site", "host")
        ]
        return Query.const_score_query(Query.boolean_query(either), score)

    def _among(self, node: Among, score: float) -> tantivy.Query:
        """Pages of communities: beside words a filter, as an alternative to words a clause with its own score."""
        from tantivy import Query

        pages = self.members(node).tolist()
        found = Query.term_set_query(self._schema, "node", pages) if pages else Query.empty_query()
        return Query.const_score_query(found, score)

    def members(self, node: Among) -> Ids:
        """The pages that `community:` or `tree:` stands for."""
        if self._groups is None:
            raise QueryError(f"{node.kind}: this collection has no communities yet: `periplus build` finds them")
        return self._groups(node.kind, node.text)

    def _named(self, name: str) -> tantivy.Query:
        from tantivy import Query

        return Query.const_score_query(Query.term_query(self._schema, "name", name, "basic"), 1.0)

    def _together(self, parsed: ParsedQuery) -> tantivy.Query | None:
        """All plain words side by side, as a bonus."""
        from tantivy import Query

        words = [
            part.words[0] for part in parsed.root.parts if isinstance(part, Term) and part.plain and not part.field
        ]
        if len(words) < 2:
            return None
        phrases = [
            Query.boost_query(Query.phrase_query(self._schema, field, list(words)), BOOSTS[field] * TOGETHER)
            for field in TEXT_FIELDS
        ]
        return Query.disjunction_max_query(phrases, TIE)

    def _exists(self, word: str) -> bool:
        return any(self._searcher.doc_freq(field, word) > 0 for field in TEXT_FIELDS)

    def _expanded(self, prefix: str) -> dict[str, float]:
        counts: dict[str, int] = {}
        for field in TEXT_FIELDS:
            for word, count in self._searcher.terms_with_prefix(field, prefix, limit=4 * MAX_EXPANSION):
                counts[word] = counts.get(word, 0) + count
        ordered = sorted(counts, key=lambda word: (-counts[word], word))[:MAX_EXPANSION]
        return dict.fromkeys(ordered, 1.0)
