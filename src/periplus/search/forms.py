"""The other forms of a word that an index has: `configuring` beside `configure`.

Forms share a stem (`index.language`). All words of the index that begin like both word and stem are stemmed when the
word is first asked for; nothing of this is stored. Cost: a walk over these words, once a word.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from periplus.index.language import STEMMERS, UNKNOWN, beginnings, stems_of
from periplus.index.schema import PARTS_FIELD

if TYPE_CHECKING:
    import tantivy

MOST = 16
_LOOKED_AT = 2000
_FIELDS = ("body", "title", PARTS_FIELD)
_KEPT = 4096


class Forms:
    """The forms of words in one open index."""

    def __init__(self, searcher: tantivy.Searcher) -> None:
        self._searcher = searcher
        self.of = lru_cache(_KEPT)(self._of)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of pages here whose word forms are known."""
        return tuple(
            code for code in STEMMERS if any(self._searcher.doc_freq("language", one) for one in self.spoken(code))
        )

    def spoken(self, language: str) -> tuple[str, ...]:
        """What pages of a language say; one that says nothing counts as `UNKNOWN`."""
        return (language, "") if language == UNKNOWN else (language,)

    def weight(self, word: str, form: str) -> float:
        """At most 1: how much less a form tells than the word, if it is rarer."""
        return min(1.0, self._rarity(word) / self._rarity(form))

    def _rarity(self, word: str) -> float:
        return math.log1p((self._searcher.num_docs + 1) / (self._searcher.doc_freq("body", word) + 0.5))

    def _of(self, word: str, language: str) -> tuple[str, ...]:
        """At most `MOST` other forms of a word, the commonest first."""
        language = language or UNKNOWN
        if language not in self.languages:
            return ()
        stem = next(iter(stems_of([word], language)), "")
        counts: dict[str, int] = {}
        for begins in beginnings(word, stem, language):
            for field in _FIELDS:
                for found, count in self._searcher.terms_with_prefix(field, begins, limit=_LOOKED_AT):
                    counts[found] = max(count, counts.get(found, 0))
        counts.pop(word, None)
        near = sorted(counts, key=lambda one: (-counts[one], one))
        stems = stems_of(near, language)
        return tuple(one for one, its in zip(near, stems, strict=True) if its == stem)[:MOST]
