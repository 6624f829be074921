"""What changed links hand on: the columns in which the matrices of two graphs differ.

    E = α (H′ − H)ᵀ,    E_ji = α ([i → j after] / d′(i) − [i → j before] / d(i))    for each changed page i

A link that stays, of a page that has as many links as before, is no entry: the differences cancel to the last bit.
A vector y that solves the old system leaves the residual E y in the new one. Cost: the links of the changed pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids, Offsets


@dataclass(frozen=True, slots=True)
class Edits:
    """The columns of E: the entries of `pages[k]` are `shares` at `targets`, from offsets[k] to offsets[k + 1]."""

    pages: Ids
    offsets: Offsets
    targets: Ids
    shares: Floats

    def spread(self, amounts: Floats, result: Floats) -> None:
        """result += E · amounts, with one amount for each of the pages."""
        spread_columns(self.offsets, self.targets, self.shares, amounts, result)

    def moved(self, amounts: Floats) -> float:
        """Σ |E_jk amount_k|, which the 1-norm of E · amounts does not exceed."""
        return float(np.abs(self.shares * np.repeat(amounts, np.diff(self.offsets))).sum())

    @property
    def differing(self) -> int:
        """How many pages hand on anything else than before."""
        return int(np.count_nonzero(np.diff(self.offsets)))


def edits(before: Graph, after: Graph, pages: Ids, damping: float) -> Edits:
    """What differs in the rows of `pages` (those of `after` alone are new)."""
    rows = (before.out_offsets, before.out_targets, after.out_offsets, after.out_targets)
    return Edits(pages, *differing_links(*rows, pages, damping))


@njit(cache=True, nogil=True)
def differing_links(old_offsets, old_targets, new_offsets, new_targets, pages, damping):  # type: ignore[no-untyped-def]
    """(offsets, targets, shares): both rows of each page, which are sorted, merged into one column."""
    known, room = len(old_offsets) - 1, 0
    for page in pages:
        room += new_offsets[page + 1] - new_offsets[page]
        room += old_offsets[page + 1] - old_offsets[page] if page < known else 0
    offsets, targets, shares = np.zeros(len(pages) + 1, np.int64), np.empty(room, np.uint32), np.empty(room)
    top = 0
    for place in range(len(pages)):
        page = pages[place]
        new, new_end = new_offsets[page], new_offsets[page + 1]
        old, old_end = (old_offsets[page], old_offsets[page + 1]) if page < known else (new_end, new_end)
        gain, loss = damping / max(new_end - new, 1), damping / max(old_end - old, 1)
        while new < new_end or old < old_end:
            if old == old_end or (new < new_end and new_targets[new] < old_targets[old]):
                targets[top], shares[top], new = new_targets[new], gain, new + 1
            elif new == new_end or old_targets[old] < new_targets[new]:
                targets[top], shares[top], old = old_targets[old], -loss, old + 1
            else:
                targets[top], shares[top], new, old = new_targets[new], gain - loss, new + 1, old + 1
            top += shares[top] != 0.0
        offsets[place + 1] = top
    return offsets, targets[:top], shares[:top]


@njit(cache=True, nogil=True)
def spread_columns(offsets, targets, shares, amounts, result):  # type: ignore[no-untyped-def]
    """result_j += Σ_k E_jk amount_k."""
    for column in range(len(offsets) - 1):
        for entry in range(offsets[column], offsets[column + 1]):
            result[targets[entry]] += shares[entry] * amounts[column]
