"""Why two pages are alike: the words that both say, the pages that link to both, the pages that both link to.

Words are named by what they add to the cosine, the product of their weights on the two pages, times how rare they are;
pages by how few other pages link to them. What every page says or links to is no reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids
from periplus.similar.weighting import Weighting
from periplus.similar.words import Words

NAMED_WORDS, NAMED_PAGES = 5, 3


class SharedWords:
    """The words of largest weight on both, rare ones first."""

    def __init__(self, weights: Any, words: Words) -> None:
        self._weights, self._words = csr_array(weights), words
        self._rare = Weighting.of(words.matrix, "tf-idf").idf

    def __call__(self, starts: list[int], page: int) -> str:
        own = np.asarray(self._weights[starts].sum(axis=0)).ravel()
        begin, end = self._weights.indptr[page], self._weights.indptr[page + 1]
        columns = self._weights.indices[begin:end]
        shared = own[columns] * self._weights.data[begin:end]
        best = np.lexsort((-shared, -shared * self._rare[columns]))[:NAMED_WORDS]
        names = [self._words.name(int(columns[at])) for at in best if shared[at] > 0]
        return f"both say {', '.join(names)}" if names else ""


class SharedLinks:
    """The pages that link to both, and those that both link to."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __call__(self, starts: list[int], page: int) -> str:
        graph = self._graph
        parts = [
            self._said("{} {} to both, among them {}", _shared(graph.predecessors, starts, page), "links"),
            self._said("both link to {}{}, among them {}", _shared(graph.successors, starts, page), ""),
        ]
        direct = [start for start in starts if graph.has_edge(start, page) or graph.has_edge(page, start)]
        parts += ["one links to the other"] if direct else []
        return "; ".join(part for part in parts if part)

    def _said(self, form: str, pages: Ids, verb: str) -> str:
        if not len(pages):
            return ""
        degrees = self._graph.in_offsets[pages.astype(np.int64) + 1] - self._graph.in_offsets[pages]
        rare = pages[np.argsort(degrees, kind="stable")][:NAMED_PAGES]
        counted = f"{len(pages):,} page{'' if len(pages) == 1 else 's'}"
        urls = self._graph.urls
        names = ", ".join(f"page {one}" if urls is None else str(urls[int(one)]) for one in rare)
        return form.format(counted, verb if len(pages) == 1 else verb.rstrip("s"), names)


class Either:
    """Several reasons, those that hold."""

    def __init__(self, *reasons: Callable[[list[int], int], str], otherwise: str) -> None:
        self._reasons, self._otherwise = reasons, otherwise

    def __call__(self, starts: list[int], page: int) -> str:
        found = [said for reason in self._reasons if (said := reason(starts, page))]
        return "; ".join(found) or self._otherwise


def _shared(neighbours: Callable[[int], AnyArray], starts: list[int], page: int) -> Ids:
    if not starts:
        return np.zeros(0, np.uint32)
    own = np.unique(np.concatenate([neighbours(start) for start in starts]))
    return np.intersect1d(own, neighbours(page), assume_unique=True)
