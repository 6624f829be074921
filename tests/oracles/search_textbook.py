"""Search by the textbook: sets of pages by looking at every word of every page, and BM25 by its formula."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def pages_with_all(query: Sequence[str], pages: Mapping[int, Mapping[str, str]]) -> set[int]:
    """The pages that have every word in some field."""
    return {
        node
        for node, fields in pages.items()
        if all(any(word in words(text) for text in fields.values()) for word in query)
    }


def bm25(word: str, node: int, texts: Mapping[int, str], *, k1: float = 1.2, b: float = 0.75) -> float:
    """idf · tf (k₁ + 1) / (tf + k₁ (1 − b + b · length / mean length)), idf = ln(1 + (N − n + ½) / (n + ½))."""
    split = {page: words(text) for page, text in texts.items()}
    mean = sum(len(said) for said in split.values()) / len(split)
    having = sum(word in said for said in split.values())
    idf = math.log(1 + (len(split) - having + 0.5) / (having + 0.5))
    tf = split[node].count(word)
    return idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(split[node]) / mean))
