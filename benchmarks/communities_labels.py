"""Labels of communities put to use: three words from half of a community's pages, asked of the other half.

Of the ten pages of the other half that BM25 finds for the words, the share that is of the community, on average over
all communities; communities whose other half has fewer than ten pages count what they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.communities.hierarchy.names import distinct_words, telling_words
from periplus.rank.methods.terms import Terms
from periplus.similar.words import word_matrix

TEN, WORDS, HALVINGS = 10, 3, 5
Labeller = Callable[[Terms, np.ndarray], list[list[str]]]


def by_likelihood(terms: Terms, groups: np.ndarray) -> list[list[str]]:
    """What names the nodes of the tree: the log-likelihood ratio against the siblings."""
    count = int(groups.max()) + 1
    parents = np.array([-1] + [0] * count)
    found = telling_words(groups + 1, parents, terms, set(range(1, count + 1)))
    return [found[node] for node in range(1, count + 1)]


def _counts(terms: Terms, groups: np.ndarray) -> Any:
    """Terms × groups: how many pages of a group have a term."""
    count = int(groups.max()) + 1
    member = csr_array((np.ones(len(groups)), (np.arange(len(groups)), groups)), shape=(len(groups), count))
    return (terms.matrix @ member).toarray()


def by_frequency(terms: Terms, groups: np.ndarray) -> list[list[str]]:
    """The terms on most of the pages."""
    return _ordered(terms, _counts(terms, groups))


def by_class_tf_idf(terms: Terms, groups: np.ndarray) -> list[list[str]]:
    """c-TF-IDF (Grootendorst 2022): share in the group × log(1 + mean terms of a group / uses of the term)."""
    counts = _counts(terms, groups)
    rare = np.log1p(counts.sum() / counts.shape[1] / np.maximum(counts.sum(axis=1), 1))
    return _ordered(terms, counts / np.maximum(counts.sum(axis=0), 1) * rare[:, None])


def _ordered(terms: Terms, values: np.ndarray) -> list[list[str]]:
    best = np.argsort(-values, axis=0, kind="stable")[:40]
    return [[terms.vocabulary[term] for term in column] for column in best.T.tolist()]


LABELLERS: dict[str, Labeller] = {
    "likelihood (ours)": by_likelihood,
    "c-TF-IDF": by_class_tf_idf,
    "frequency": by_frequency,
}


def shares_found(terms: Terms, texts: list[str], groups: np.ndarray, labeller: Labeller) -> float:
    """P@10, the mean over several halvings."""
    scores = Bm25(texts)
    return float(np.mean([_one(terms, scores, groups, labeller, seed) for seed in range(HALVINGS)]))


def _one(terms: Terms, scores: Bm25, groups: np.ndarray, labeller: Labeller, seed: int) -> float:
    first = halves(groups, seed)
    pages = np.flatnonzero(first)
    matrix = csr_array(terms.matrix.tocsc()[:, pages])
    kept = np.flatnonzero(np.diff(matrix.indptr) > 1)  # as in a collection: one page's word names no group
    part = Terms(tuple(terms.vocabulary[at] for at in kept.tolist()), csr_array(matrix[kept]))
    other = (groups >= 0) & ~first
    found = []
    for group, words in enumerate(labeller(part, groups[pages])):
        ranked = scores.best(distinct_words(words)[:WORDS], other)
        found.append(np.sum(groups[ranked] == group) / max(min(TEN, np.sum(groups[other] == group)), 1))
    return float(np.mean(found))


def halves(groups: np.ndarray, seed: int) -> np.ndarray:
    """Which pages are in the first half: half of every group, drawn at random."""
    rng, first = np.random.default_rng(seed), np.zeros(len(groups), bool)
    for group in range(int(groups.max()) + 1):
        members = rng.permutation(np.flatnonzero(groups == group))
        first[members[: (len(members) + 1) // 2]] = True
    return first


class Bm25:
    """Plain BM25 with its usual k₁ = 1.2 and b = 0.75."""

    def __init__(self, texts: list[str]) -> None:
        words = word_matrix(texts, least_pages=1)
        self.column = {word: at for at, word in enumerate(words.vocabulary)}
        self.counts = words.matrix.tocsc()
        lengths = np.asarray(self.counts.sum(axis=1)).ravel()
        self.damping = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())

    def _of(self, query: list[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for word in query:
            if word in self.column:
                at = slice(*self.counts.indptr[self.column[word] : self.column[word] + 2])
                pages, counts = self.counts.indices[at], self.counts.data[at]
                rare = np.log(1 + (len(self.damping) - len(pages) + 0.5) / (len(pages) + 0.5))
                yield pages, rare * counts * 2.2 / (counts + self.damping[pages])

    def best(self, query: list[str], among: np.ndarray) -> np.ndarray:
        """The ten best pages among some, without those that have none of the words."""
        scores = np.zeros(len(self.damping))
        for pages, values in self._of(query):
            scores[pages] += values
        scores[~among] = 0.0
        best = np.argsort(-scores, kind="stable")[:TEN]
        return best[scores[best] > 0]
