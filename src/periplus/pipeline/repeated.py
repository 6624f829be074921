"""Which blocks a site repeats from page to page: menus, notices, whatever stands on more than a fifth of its pages.

A block counts once a page, by the four bytes that `pages.parsed` keeps of it. Cost: one sort of all blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from periplus.numeric.arrays import AnyArray, Bools

LEAST_PAGES = 5
SHARE = 0.2


class Repeated:
    """Built from the blocks and the site of every page."""

    def __init__(self, blocks: Sequence[bytes], sites: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self._site = [numbers.setdefault(site, len(numbers)) for site in sites]
        pages_of = np.bincount(self._site, minlength=1)
        keys = [self._keys(page, each) for page, each in enumerate(blocks)]
        every = np.concatenate([np.unique(one) for one in keys]) if keys else np.zeros(0, np.uint64)
        found, pages = np.unique(every, return_counts=True)
        least = np.maximum(LEAST_PAGES, SHARE * pages_of[(found >> np.uint64(32)).astype(np.int64)])
        self._repeated = found[pages >= least]

    def of(self, page: int, blocks: bytes) -> Bools:
        """Which blocks of a page its site repeats."""
        keys = self._keys(page, blocks)
        if not len(self._repeated):
            return np.zeros(len(keys), np.bool_)
        near = np.minimum(np.searchsorted(self._repeated, keys), len(self._repeated) - 1)
        found: Bools = self._repeated[near] == keys
        return found

    def _keys(self, page: int, blocks: bytes) -> AnyArray:
        return np.frombuffer(blocks, dtype="<u4").astype(np.uint64) | np.uint64(self._site[page] << 32)
