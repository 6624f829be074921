"""The order of scores: which pages come first, and which of them tie.

Scores that agree to twelve digits tie: what differs below that is the rounding of a solver. Pages that tie share a
place and are listed by smaller id, in all rankings alike. NaN comes last.
"""

from __future__ import annotations

import numpy as np

from periplus.numeric.arrays import AnyArray, Floats, Offsets

# Binary digits by which scores are told apart: about twelve decimal ones.
_DIGITS = 40


def rounded(values: AnyArray) -> Floats:
    """The values to twelve digits, so that pages which tie but for a solver's rounding tie."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(np.round(np.ldexp(mantissa, _DIGITS)), exponent - _DIGITS)


def best_first(values: AnyArray, count: int | None = None) -> Offsets:
    """Ids of the pages, best first; of the first `count` pages only, which costs no sort of all."""
    falling = -rounded(values)
    if count is None or count >= len(falling):
        return np.argsort(falling, kind="stable")
    if count <= 0:
        return np.empty(0, np.int64)
    # Every page that ties with the last one listed may belong there: the smaller id decides.
    last = np.partition(falling, count - 1)[count - 1]
    near = np.flatnonzero(~(falling > last))
    return near[np.argsort(falling[near], kind="stable")][:count]


def places(values: AnyArray) -> tuple[Offsets, Offsets]:
    """The place of every page (one more than the pages with a higher score), and how many others share it."""
    falling = -rounded(values)
    ordered = np.sort(falling)
    above = np.searchsorted(ordered, falling, side="left")
    return above + 1, np.searchsorted(ordered, falling, side="right") - above - 1
