"""Which terms stand on which pages: the sparse matrix that reputation works on.

Row τ, column w of `Terms.matrix` is 1 where term τ stands in the text of page w. Words are runs of letters and digits,
in lower case; single characters are left out, and so are terms on fewer than `least_pages` pages (they would only be
known for themselves).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.errors import ParameterError
from periplus.numeric.arrays import Floats

_WORD = re.compile(r"[^\W_]{2,}")


@dataclass(frozen=True)
class Terms:
    """A vocabulary and the terms × pages matrix that goes with it."""

    vocabulary: tuple[str, ...]
    matrix: Any

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.vocabulary)}

    def number(self, term: str) -> int:
        """The row of a term."""
        if term.lower() not in self._numbers:
            alike = get_close_matches(term.lower(), self.vocabulary, n=3, cutoff=0.7)
            hint = f", such as {', '.join(alike)}" if alike else ""
            raise ParameterError(
                "term", term, f"a word as it stands on these pages: one of {len(self.vocabulary):,}{hint}"
            )
        return self._numbers[term.lower()]

    def topic(self, term: str) -> Floats:
        """1 for each page with the term, 0 for the others."""
        row = self.number(term)
        topic = np.zeros(self.matrix.shape[1])
        topic[self.matrix.indices[self.matrix.indptr[row] : self.matrix.indptr[row + 1]]] = 1.0
        return topic


def words(text: str) -> set[str]:
    """The terms of one text."""
    return set(_WORD.findall(text.lower()))


def term_matrix(texts: Iterable[str], *, least_pages: int = 1) -> Terms:
    """The terms of one text a page, in alphabetical order, with the pages that hold them."""
    if least_pages < 1:
        raise ParameterError("least_pages", least_pages, "at least 1")
    pages: dict[str, list[int]] = {}
    count = 0
    for page, text in enumerate(texts):
        count = page + 1
        for word in words(text):
            pages.setdefault(word, []).append(page)
    vocabulary = tuple(sorted(word for word, found in pages.items() if len(found) >= least_pages))
    lengths = [len(pages[word]) for word in vocabulary]
    indices = np.array([page for word in vocabulary for page in pages[word]], dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    return Terms(vocabulary, csr_array((np.ones(len(indices)), indices, offsets), shape=(len(vocabulary), count)))
