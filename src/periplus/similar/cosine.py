"""Cosine on the columns of the word–document matrix (Fogaras 4): pages that say the same words are alike.

    s(i, j) = ⟨a_i, a_j⟩ / (‖a_i‖ ‖a_j‖),      a_i the weighted words of page i (a row here; a column in the paper)

Cost: a product of the matrix with one row, a query; nothing before.
"""

from __future__ import annotations

from typing import Any

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.similar.reasons import Either, SharedWords
from periplus.similar.table import SIMILAR
from periplus.similar.vectors import WordRows
from periplus.similar.weighting import unit_rows, weighted
from periplus.similar.words import as_words


@checked(SIMILAR["cosine"])
def cosine(graph: Graph, words: Any, *, weighting: str = "log-tf") -> WordRows:
    """Pages alike by the words they say; `words` is a page × word matrix of counts."""
    known = as_words(words, graph.nodes)
    rows = unit_rows(weighted(known.matrix, weighting))
    reasons = Either(SharedWords(rows, known), otherwise="they share words")
    return WordRows("cosine", rows, {"weighting": weighting}, reasons, graph.urls)
