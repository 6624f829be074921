"""A list with less of the same: at most `PER_SITE` pages of a site, and pages that say nearly the same once.

Both look at the best `LOOKED_AT` pages, in their order. A page is a near-copy of a better one if their fingerprints
(`periplus.index.sequences`) differ in at most `NEAR` of 64 bits; it then stands behind that one. Of the pages of a site
beyond the first two none is lost: the second says where they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from periplus.numeric.arrays import AnyArray
from periplus.search.opened import Opened
from periplus.search.ranking import Ranked

PER_SITE = 2
NEAR = 3
LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Grouped:
    """The list as it is shown; `copies` are the near-copies behind a page, `more` the site that has more than shown."""

    ranked: Ranked
    copies: dict[int, list[int]] = field(default_factory=dict)
    more: dict[int, str] = field(default_factory=dict)


def grouped(opened: Opened, ranked: Ranked, site_of: Callable[[int], str] | None) -> Grouped:
    """The list without near-copies and, where `site_of` tells sites apart, with at most `PER_SITE` pages of each."""
    size = min(LOOKED_AT, len(ranked.nodes))
    stands_for = near_copies(opened.column("alike", ranked.addresses[:size]))
    nodes = ranked.nodes.tolist()
    copies: defaultdict[int, list[int]] = defaultdict(list)
    more: dict[int, str] = {}
    last: dict[str, int] = {}
    counts: Counter[str] = Counter()
    kept = np.ones(len(nodes), dtype=bool)
    for at in range(size):
        if stands_for[at] != at:
            copies[nodes[stands_for[at]]].append(nodes[at])
            kept[at] = False
        elif site_of is not None:
            site = site_of(nodes[at])
            counts[site] += 1
            kept[at] = counts[site] <= PER_SITE
            if kept[at]:
                last[site] = nodes[at]
            else:
                more[last[site]] = site
    return Grouped(ranked.kept(kept), copies, more)


def near_copies(prints: AnyArray) -> list[int]:
    """For each fingerprint the place of the first one that is near it and stands for itself; 0 is near nothing."""
    prints = prints.astype(np.uint64)
    bits = np.bitwise_count(prints[:, None] ^ prints[None, :])
    near = np.tril((bits <= NEAR) & (prints != 0)[:, None] & (prints != 0)[None, :], -1)
    stands_for = list(range(len(prints)))
    for at in np.flatnonzero(near.any(axis=1)).tolist():
        stands_for[at] = next((one for one in np.flatnonzero(near[at]).tolist() if stands_for[one] == one), at)
    return stands_for
