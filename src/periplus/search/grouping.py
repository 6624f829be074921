"""A list with less of the same: a few pages of each site, and pages that say nearly the same once.

Both look at the best `LOOKED_AT` pages, in their order. A page is a near-copy of a better one if their fingerprints
(`periplus.index.sequences`) differ in at most `NEAR` of 64 bits; it then stands behind that one. A site shows
`PER_SITE` pages, or as many as it takes to fill a list of ten; the last of them says where the others are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from periplus.numeric.arrays import AnyArray
from periplus.search.opened import Opened
from periplus.search.ranking import FILLED, Ranked

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
    """The list without near-copies and, where `site_of` tells sites apart, with a few pages of each."""
    size = min(LOOKED_AT, len(ranked.nodes))
    stands_for = near_copies(opened.column("alike", ranked.addresses[:size]))
    nodes = ranked.nodes.tolist()
    copies: defaultdict[int, list[int]] = defaultdict(list)
    kept = np.ones(len(nodes), dtype=bool)
    for at in range(size):
        if stands_for[at] != at:
            copies[nodes[stands_for[at]]].append(nodes[at])
            kept[at] = False
    more = _few_of_each(nodes, kept, size, site_of) if site_of is not None else {}
    return Grouped(ranked.kept(kept), copies, more)


def _few_of_each(nodes: list[int], kept: AnyArray, size: int, site_of: Callable[[int], str]) -> dict[int, str]:
    """Keep the first pages of each site; for the last one kept of a site with more, the site."""
    sites = {at: site_of(nodes[at]) for at in np.flatnonzero(kept[:size]).tolist()}
    counts = Counter(sites.values())
    most = PER_SITE
    while sum(min(count, most) for count in counts.values()) < min(FILLED, len(sites)):
        most += 1
    seen: Counter[str] = Counter()
    last: dict[str, int] = {}
    for at, site in sites.items():
        seen[site] += 1
        kept[at] = seen[site] <= most
        if kept[at]:
            last[site] = nodes[at]
    return {last[site]: site for site, count in counts.items() if count > most}


def near_copies(prints: AnyArray) -> list[int]:
    """For each fingerprint the place of the first one that is near it and stands for itself; 0 is near nothing."""
    prints = prints.astype(np.uint64)
    bits = np.bitwise_count(prints[:, None] ^ prints[None, :])
    near = np.tril((bits <= NEAR) & (prints != 0)[:, None] & (prints != 0)[None, :], -1)
    stands_for = list(range(len(prints)))
    for at in np.flatnonzero(near.any(axis=1)).tolist():
        stands_for[at] = next((one for one in np.flatnonzero(near[at]).tolist() if stands_for[one] == one), at)
    return stands_for
