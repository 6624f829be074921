"""Pages that say nearly the same: groups in which every page is at least `threshold` alike to the one that is kept.

Likeness is Jaccard's: of all sequences of words (`periplus.index.sequences`) that either page has, the part that both
have. Pages are taken in a given order; each joins the most alike of the pages kept so far, or is kept itself. Nothing
is estimated. The pages to compare with are found by prefixes: with the sequences of all pages from the rarest on,
two sets x and y of likeness ≥ t share one among the first |x| − ⌈t|x|⌉ + 1 of x and the first |y| − ⌈t|y|⌉ + 1 of y.
(Bayardo, Ma and Srikant, Scaling up all pairs similarity search, WWW 2007.)

Memory: 8 bytes per word of all pages. Cost: sorting these, then a merge of two rows a pair that shares a rare sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Floats, Offsets

THRESHOLD = 0.9


class NearCopies(NamedTuple):
    """For each page the one that is kept in its place (itself where it is), and how alike the two are."""

    leaders: Offsets
    likeness: Floats


def alike(rows: Sequence[AnyArray], *, threshold: float = THRESHOLD) -> NearCopies:
    """Group sets of numbers, given in the order in which they may be kept."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    everything = np.concatenate(rows) if len(rows) else np.zeros(0, dtype=np.uint64)
    _, numbers, counts = np.unique(everything, return_inverse=True, return_counts=True)
    # Ordered by how many pages have them; each row in that order.
    places = np.empty(len(counts), dtype=np.int64)
    places[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    tokens = places[numbers]
    for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        tokens[begin:end].sort()
    prefixes = lengths - np.ceil(threshold * lengths - 1e-9).astype(np.int64) + 1
    return NearCopies(*_grouped(offsets, tokens, np.minimum(prefixes, lengths), len(counts), threshold))


@njit(cache=True)
def _grouped(offsets, tokens, prefixes, distinct, threshold):  # type: ignore[no-untyped-def]
    """Each row joins the most alike of the rows kept so far (the first of equals), or is kept and indexed."""
    rows = len(offsets) - 1
    newest = np.full(distinct, -1, np.int64)  # for each token a chain of the kept rows that have it in their prefix
    older, owner = np.empty(prefixes.sum(), np.int64), np.empty(prefixes.sum(), np.int64)
    entries = 0
    leaders, likeness = np.empty(rows, np.int64), np.empty(rows, np.float64)
    looked_at = np.full(rows, -1, np.int64)
    for row in range(rows):
        best, most = row, -1.0
        begin, end = offsets[row], offsets[row + 1]
        for k in range(begin, begin + prefixes[row]):
            entry = newest[tokens[k]]
            while entry >= 0:
                other = owner[entry]
                if looked_at[other] != row:
                    looked_at[other] = row
                    found = _likeness(tokens[begin:end], tokens[offsets[other] : offsets[other + 1]])
                    if found >= threshold and (found > most or (found == most and other < best)):
                        best, most = other, found
                entry = older[entry]
        leaders[row], likeness[row] = best, most if most >= 0.0 else 1.0
        if best == row:
            for k in range(begin, begin + prefixes[row]):
                older[entries], owner[entries] = newest[tokens[k]], row
                newest[tokens[k]] = entries
                entries += 1
    return leaders, likeness


@njit(cache=True)
def _likeness(first, second):  # type: ignore[no-untyped-def]
    """|x ∩ y| / |x ∪ y| of two sorted rows."""
    i, j, both = 0, 0, 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            both += 1
            i += 1
            j += 1
        elif first[i] < second[j]:
            i += 1
        else:
            j += 1
    return both / (len(first) + len(second) - both)
