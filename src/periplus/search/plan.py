"""A parsed query → tantivy queries, built through its API.

Every word becomes one disjunction-max over the fields, boosted by `BOOSTS`: its score is that of the best field plus
`TIE` times the others, so repeating a word in every field gains little. The other forms of a word (`search.forms`) join
the same disjunction with `FORMS`. A phrase is the same over phrase queries. Words
typed as one (`os.path`) are all required. Pages that have words side by side as typed gain `TOGETHER` of that phrase's
score: all the words, those typed as one, and every two neighbours. No page is lost by this, so the order of the words
never changes which pages are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from periplus.errors import QueryError
from periplus.index.schema import AROUND_FIELD, NOINDEX, PARTS_FIELD, TEXT_FIELDS
from periplus.numeric.arrays import Ids
from periplus.search.forms import Forms
from periplus.search.query import Among, AnyOf, Filter, Node, Not, Only, ParsedQuery, Term

if TYPE_CHECKING:
    import tantivy

BOOSTS = {"title": 2.0, "anchor": 1.8, "headings": 1.2, "url": 1.0, "body": 1.0, AROUND_FIELD: 0.6}
FORMS = 0.5
TIE = 0.25
TOGETHER = 1.5
MAX_EXPANSION = 32
FORMS_FIELD = "forms"


Groups = Callable[[str, str], Ids]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: all words required, some words enough, and the pages whose name is the whole query.

    `free` are the words that the relaxed query does without.
    """

    strict: tantivy.Query
    relaxed: tantivy.Query | None
    named: tantivy.Query | None
    free: tuple[Term, ...] = ()


def fields_of(term: Term) -> tuple[str, ...]:
    """Where a term may stand: in the fields that it names, or in all."""
    if term.field:
        return ("body", AROUND_FIELD) if term.field == "body" else (term.field,)
    return (*TEXT_FIELDS, AROUND_FIELD, FORMS_FIELD)


class Planner:
    """Builds queries for one open index; with `public`, pages that ask not to be indexed are never found.

    `groups` says which documents `community:`, `tree:` or `region:` (the first argument) with these words or this
    number stands for, by their numbers in the index.
    """

    def __init__(
        self, index: tantivy.Index, searcher: tantivy.Searcher, *, public: bool = False, groups: Groups | None = None
    ) -> None:
        self._schema = index.schema
        self._searcher = searcher
        self._public = public
        self._groups = groups
        self._forms = Forms(searcher)

    def plan(self, parsed: ParsedQuery) -> Plan:
        """The queries of a parsed query."""
        made = self._plan(parsed)
        if not self._public:
            return made
        return Plan(
            self._obedient(made.strict),
            self._obedient(made.relaxed) if made.relaxed is not None else None,
            self._obedient(made.named) if made.named is not None else None,
            made.free,
        )

    def _obedient(self, query: tantivy.Query) -> tantivy.Query:
        """The same without the pages that ask not to be indexed."""
        from tantivy import Occur, Query

        asks = Query.term_query(self._schema, "asks", NOINDEX, "basic")
        return Query.boolean_query([(Occur.Must, query), (Occur.MustNot, asks)])

    def _plan(self, parsed: ParsedQuery) -> Plan:
        from tantivy import Occur

        named = self._named(parsed.name) if parsed.name else None
        bonus = [(Occur.Should, phrase) for phrase in self._together(parsed)]
        strict = self._boolean(parsed.root.parts, Occur.Must, extra=bonus)
        bound = [part for part in parsed.root.parts if not _is_free(part)]
        typed = (part for part in parsed.root.parts if isinstance(part, Term) and _is_free(part))
        free = tuple(dict.fromkeys(part for term in typed for part in term.parts))
        required = [part for part in bound if not isinstance(part, Not | Filter)]
        if not free and len(required) > 1:
            return Plan(strict, self._boolean(parsed.root.parts, Occur.Should, extra=bonus), named)
        if len(free) + bool(required) < 2:
            return Plan(strict, None, named)
        if required:
            bonus += [(Occur.Should, self._term(term)) for term in free]
        wanted = bound if required else [*bound, AnyOf(free)]
        relaxed = self._boolean(wanted, Occur.Must, extra=bonus)
        return Plan(strict, relaxed, named, free)

    def alone(self, node: Term | Filter) -> tantivy.Query:
        """The pages that have a term or pass a filter."""
        found = self._node(node)
        return self._obedient(found) if self._public else found

    def beginning(self, field: str, words: Sequence[str]) -> tantivy.Query:
        """The pages where the words stand side by side in a field, of the last one at least the beginning."""
        from tantivy import Query

        found = Query.phrase_prefix_query(self._schema, field, list[str | tuple[int, str]](words))
        return self._obedient(found) if self._public else found

    def words(self, term: Term) -> tuple[str, ...]:
        """The words that a term finds as they stand: itself, or what it is a prefix of."""
        return self.expanded(term.words[0]) if term.prefix else term.words

    def term_in_field(self, term: Term, field: str) -> tantivy.Query | None:
        """A term in one field with its boost; None where it cannot stand there.

        The field `FORMS_FIELD` is that of the other forms of a plain word, in any language.
        """
        from tantivy import Query

        if field == FORMS_FIELD:
            return self._other_forms(term)
        if len(term.words) > 1:
            if field == AROUND_FIELD:
                return None
            return Query.boost_query(Query.phrase_query(self._schema, field, list(term.words)), BOOSTS[field])
        parts = [
            Query.boost_query(Query.term_query(self._schema, field, word, "freq"), BOOSTS[field])
            for word in self.words(term)
        ]
        return Query.disjunction_max_query(parts, 0.0) if parts else None

    def pages_with(self, word: str) -> int:
        """At least how many pages have a word as it stands."""
        return max(self._searcher.doc_freq(field, word) for field in (*TEXT_FIELDS, AROUND_FIELD))

    def forms(self, term: Term, language: str) -> tuple[str, ...]:
        """The other forms of a word in pages of a language."""
        return self._forms.of(term.words[0], language) if term.plain else ()

    def _other_forms(self, term: Term) -> tantivy.Query | None:
        """The other forms of a plain word, each in pages of its language, and the word as a part of another."""
        from tantivy import Query

        if not term.plain or term.field:
            return None
        word = term.words[0]
        parts = [Query.term_query(self._schema, PARTS_FIELD, word, "freq")]
        for language in self._forms.languages:
            if forms := self._forms.of(word, language):
                parts.append(self._within(language, [self._form(word, form) for form in forms]))
        return Query.boost_query(Query.disjunction_max_query(parts, 0.0), FORMS)

    def _form(self, word: str, form: str) -> tantivy.Query:
        """A form in title, text or part of a word; one that is rarer than the word counts no more than that."""
        from tantivy import Query

        found = [Query.term_query(self._schema, field, form, "freq") for field in ("title", "body", PARTS_FIELD)]
        weight = self._forms.weight(word, form)
        return Query.boost_query(Query.disjunction_max_query(found, 0.0), weight)

    def _within(self, language: str, forms: list[tantivy.Query]) -> tantivy.Query:
        """Forms in pages of a language alone, where the index has several."""
        from tantivy import Occur, Query

        either = Query.disjunction_max_query(forms, 0.0)
        if len(self._forms.languages) == 1:
            return either
        codes = [Query.term_query(self._schema, "language", code, "basic") for code in self._forms.spoken(language)]
        there = Query.const_score_query(Query.boolean_query([(Occur.Should, code) for code in codes]), 0.0)
        return Query.boolean_query([(Occur.Must, either), (Occur.Must, there)])

    def _term(self, term: Term) -> tantivy.Query:
        from tantivy import Query

        parts = [query for field in fields_of(term) if (query := self.term_in_field(term, field)) is not None]
        return Query.disjunction_max_query(parts, TIE) if parts else Query.empty_query()

    def _node(self, node: Node) -> tantivy.Query:
        from tantivy import Occur, Query

        if isinstance(node, Term):
            return self._boolean(node.parts, Occur.Must) if node.joined else self._term(node)
        if isinstance(node, Filter):
            return self._filter(node, 1.0)
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
            elif isinstance(part, Filter):
                clauses.append((Occur.Must, self._filter(part, 0.0)))
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

    def _filter(self, node: Filter, score: float) -> tantivy.Query:
        """Pages of a site, language, day, type, community, region: beside words a filter, else a scored clause."""
        from tantivy import Occur, Query

        if isinstance(node, Only):
            return Query.const_score_query(self._only(node), score)
        if isinstance(node, Among):
            pages = self.members(node).tolist()
            found = Query.term_set_query(self._schema, "number", pages) if pages else Query.empty_query()
            return Query.const_score_query(found, score)
        either = [
            (Occur.Should, Query.term_query(self._schema, field, node.host, "basic")) for field in ("site", "host")
        ]
        return Query.const_score_query(Query.boolean_query(either), score)

    def _only(self, node: Only) -> tantivy.Query:
        from tantivy import FieldType, Query

        try:
            if node.name == "after":
                return Query.range_query(self._schema, "day", FieldType.Unsigned, node.value, None)
            if node.name == "before":  # day 0: nobody knows when
                return Query.range_query(self._schema, "day", FieldType.Unsigned, 1, node.value, include_upper=False)
            field = {"lang": "language"}.get(node.name, node.name)
            return Query.term_query(self._schema, field, node.value, "basic")
        except ValueError as error:
            raise QueryError(f"the index of this collection knows no {node.name}: run `periplus build`") from error

    def members(self, node: Among) -> Ids:
        """The documents that `community:`, `tree:` or `region:` stands for."""
        if self._groups is None:
            raise QueryError(f"{node.kind}: nobody has looked for it in this collection yet: `periplus build` does")
        return self._groups(node.kind, node.text)

    def _named(self, name: str) -> tantivy.Query:
        from tantivy import Query

        return Query.const_score_query(Query.term_query(self._schema, "name", name, "basic"), 1.0)

    def _together(self, parsed: ParsedQuery) -> Iterator[tantivy.Query]:
        """Words side by side as typed, as a bonus: all of them, and every two neighbours."""
        words = parsed.side_by_side
        if len(words) > 2:
            yield self._beside(words, TOGETHER)
        for pair in dict.fromkeys(pairwise(words)):
            yield self._beside(pair, TOGETHER)

    def _beside(self, words: tuple[str, ...], boost: float) -> tantivy.Query:
        from tantivy import Query

        phrases = [
            Query.boost_query(Query.phrase_query(self._schema, field, list(words)), BOOSTS[field] * boost)
            for field in TEXT_FIELDS
        ]
        return Query.disjunction_max_query(phrases, TIE)

    def expanded(self, prefix: str) -> tuple[str, ...]:
        """The words that begin so, most frequent first."""
        counts: dict[str, int] = {}
        for field in (*TEXT_FIELDS, AROUND_FIELD):
            for word, count in self._searcher.terms_with_prefix(field, prefix, limit=4 * MAX_EXPANSION):
                counts[word] = counts.get(word, 0) + count
        return tuple(sorted(counts, key=lambda word: (-counts[word], word))[:MAX_EXPANSION])


def _is_free(node: Node) -> bool:
    """Whether a list may be filled with pages that lack this: a word as typed, not what was quoted or bound."""
    return isinstance(node, Term) and not (node.quoted or node.prefix or node.field)
