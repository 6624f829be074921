"""Growth: how many pages of a web were known at each moment, from the first time that each was seen.

N(t) counts the pages first seen by t. It is the size of the web over time where pages are found as they appear, and the
progress of the crawl where they were there before; which of the two, the dates cannot tell. What a larger web would be
like: `distances.expected_distance`. Cost: one sort of the dates.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray
from periplus.record import Findings

_UNITS = (("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400), ("year", 31_556_952))
_SEVERAL = 3  # of a unit must have passed for it to be the one to count in


@dataclass(frozen=True, slots=True)
class Growth(Findings):
    """`pages[k]` were known `elapsed[k]` units after `first`; of `undated` pages it is not known when."""

    first: str
    last: str
    unit: str
    elapsed: tuple[float, ...]
    pages: tuple[int, ...]
    undated: int


@checked
def growth(seen: AnyArray, *, moments: int = 200) -> Growth | None:
    """From the seconds since 1970 at which each page was first seen, −1 where unknown; None where no date is known.

    The curve is kept at every date, or at `moments` evenly spread ones where there are more.
    """
    if moments < 2:
        raise ParameterError("moments", moments, "at least 2")
    seen = np.asarray(seen)
    dated = np.sort(seen[seen >= 0])
    if not len(dated):
        return None
    at = np.unique(dated)
    if len(at) > moments:
        at = np.unique(np.linspace(dated[0], dated[-1], moments).round())
    unit, length = [one for one in _UNITS if one[1] == 1 or at[-1] - at[0] >= _SEVERAL * one[1]][-1]
    return Growth(
        first=_iso(dated[0]),
        last=_iso(dated[-1]),
        unit=unit,
        elapsed=tuple(((at - at[0]) / length).tolist()),
        pages=tuple(np.searchsorted(dated, at, side="right").tolist()),
        undated=len(seen) - len(dated),
    )


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(float(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
