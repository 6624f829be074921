"""From counts to weights: what a word says of a page, tf being how often it stands there.

    tf        tf
    log-tf    1 + ln tf
    tf-idf    tf · ln(n / df)                       df: the pages with the word, of n
    bm25      idf · tf · (k₁ + 1) / (tf + k₁ (1 − b + b · length / mean length)),
              idf = ln(1 + (n − df + ½) / (df + ½)),  k₁ = 1.2, b = 0.75 (Robertson and Walker 1994)

All grow with tf, as Fogaras (4) asks. Cost: one pass over the entries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.numeric.arrays import AnyArray, Floats

K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Weighting:
    """One of `WEIGHTINGS`, with what it knows of the pages it was made from: new pages are weighed by the same."""

    name: str
    pages: int
    found: AnyArray
    mean_length: float

    @classmethod
    def of(cls, matrix: Any, name: str) -> Weighting:
        """Look at the pages: how many there are, on how many each word stands, how long they are."""
        total = float(matrix.data.sum(dtype=np.float64))
        found = np.bincount(matrix.indices[matrix.data != 0], minlength=matrix.shape[1])
        return cls(name, matrix.shape[0], found, total / matrix.shape[0] if total else 1.0)

    def apply(self, matrix: Any) -> Any:
        """The matrix with weights instead of counts; counts of 0 that are stored weigh nothing."""
        counts = csr_array(matrix, dtype=np.float32, copy=True)
        counts.eliminate_zeros()
        counts.data = WEIGHTINGS[self.name](self, counts).astype(np.float32)
        return counts

    @property
    def idf(self) -> Floats:
        """ln(n / df) of every column; 0 for a word on all pages."""
        return np.log(self.pages / np.maximum(self.found, 1))


def unit_rows(matrix: Any) -> Any:
    """Each row divided by its length; rows of zeros stay."""
    lengths = row_lengths(matrix)
    scaled = csr_array(matrix, copy=True)
    scaled.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(matrix.indptr)).astype(scaled.dtype)
    return scaled


def row_lengths(matrix: Any) -> Floats:
    """The 2-norm of each row."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    squares = matrix.data.astype(np.float64) ** 2
    return np.sqrt(np.bincount(rows, weights=squares, minlength=matrix.shape[0]))


def _tf(weighting: Weighting, counts: Any) -> AnyArray:
    return counts.data


def _log_tf(weighting: Weighting, counts: Any) -> AnyArray:
    # Counts below 1, as smoothing makes them, still grow and stay positive.
    return np.where(counts.data >= 1, 1 + np.log(np.maximum(counts.data, 1)), counts.data)


def _tf_idf(weighting: Weighting, counts: Any) -> AnyArray:
    return counts.data * weighting.idf[counts.indices]


def _bm25(weighting: Weighting, counts: Any) -> AnyArray:
    rare = np.log1p((weighting.pages - weighting.found + 0.5) / (weighting.found + 0.5))
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    norm = np.repeat(K1 * (1 - B + B * lengths / weighting.mean_length), np.diff(counts.indptr))
    return rare[counts.indices] * counts.data * (K1 + 1) / (counts.data + norm)


WEIGHTINGS: dict[str, Callable[[Weighting, Any], AnyArray]] = {
    "tf": _tf,
    "log-tf": _log_tf,
    "tf-idf": _tf_idf,
    "bm25": _bm25,
}


def weighted(matrix: Any, weighting: str) -> Any:
    """The matrix with weights instead of counts, judged by its own pages."""
    return Weighting.of(matrix, weighting).apply(matrix)
