"""How often each word stands on each page: the sparse page × word matrix that cosine and LSI work on.

Row i counts the words of page i. A word is a run of at least two letters and digits, in lower case
(`periplus.rank.methods.terms` has the same). Words on fewer than `least_pages` pages are left out: a word on one page
alone makes no two pages alike.

Cost: one pass over the texts; 8 bytes for each pair of a page and a word on it.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from periplus.catalog import checked
from periplus.errors import ParameterError

_WORD = re.compile(r"[^\W_]{2,}")


@dataclass(frozen=True, eq=False)
class Words:
    """A page × word matrix of counts (float32, CSR), and the words that its columns stand for (none where unknown)."""

    matrix: Any
    vocabulary: Sequence[str] = ()

    def __repr__(self) -> str:
        pages, words = self.matrix.shape
        return f"Words({pages:,} pages, {words:,} words)"

    def name(self, column: int) -> str:
        """The word of a column; its number where the words are not known."""
        return str(self.vocabulary[column]) if len(self.vocabulary) else f"word {column}"


@checked
def word_matrix(texts: Iterable[str], *, least_pages: int = 2) -> Words:
    """Count the words of one text a page; the vocabulary is in alphabetical order."""
    if least_pages < 1:
        raise ParameterError("least_pages", least_pages, "at least 1")
    numbers: dict[str, int] = {}
    columns, counts, ends = array("i"), array("f"), [0]
    for text in texts:
        for word, count in Counter(_WORD.findall(text.lower())).items():
            columns.append(numbers.setdefault(word, len(numbers)))
            counts.append(count)
        ends.append(len(columns))
    parts: Any = np.array(counts, np.float32), np.array(columns, np.int32), np.array(ends, np.int64)
    return _kept(csr_array(parts, shape=(len(ends) - 1, len(numbers))), list(numbers), least_pages)


def _kept(matrix: Any, found: list[str], least_pages: int) -> Words:
    """The words on enough pages, in alphabetical order."""
    often = np.bincount(matrix.indices, minlength=len(found)) >= least_pages
    order = [number for number in sorted(range(len(found)), key=found.__getitem__) if often[number]]
    chosen = csr_array(matrix[:, order]) if len(order) else csr_array((matrix.shape[0], 0), dtype=np.float32)
    chosen.sort_indices()
    return Words(chosen, [found[number] for number in order])


def as_words(words: Any, pages: int) -> Words:
    """Words given as `Words` or as any scipy matrix of a row per page; what is neither is refused."""
    found = words if isinstance(words, Words) else Words(words)
    if not bool(issparse(found.matrix)):
        raise ParameterError("words", type(words).__name__, "a scipy sparse matrix, pages × words")
    if found.matrix.shape[0] != pages:
        raise ParameterError("words", found.matrix.shape, f"a row for each of {pages} pages")
    if not found.matrix.shape[1] or not found.matrix.nnz:
        raise ParameterError("words", found.matrix.shape, "at least one word on a page: there are none to compare")
    matrix = csr_array(found.matrix, dtype=np.float32)
    if not np.isfinite(matrix.data).all() or matrix.data.min() < 0:
        raise ParameterError("words", "a matrix with negative, infinite or NaN entries", "counts ≥ 0")
    return Words(matrix, found.vocabulary)
