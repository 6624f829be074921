"""What other pages call each page: every text with the links and sites that say it.

Copies of a page are one page, and its own links to itself do not count. Cost: one sort of (page, text, site), a row per
link and text, as 64-bit keys where these hold it.
"""

from __future__ import annotations

import numpy as np

from periplus.index.schema import Call, ranked_calls, shown_call
from periplus.numeric.arrays import AnyArray
from periplus.pipeline.stages.graph import LinkDatabase
from periplus.web.url import site_of

KEY_BITS = 64


class Calls:
    """The calls of all pages of a link database."""

    def __init__(self, database: LinkDatabase, urls: list[str]) -> None:
        sources, meant, numbers, spelt = database.anchors.calls()
        known: dict[str, int] = {"": 0}
        shown = np.array([known.setdefault(shown_call(text), len(known)) for text in spelt], dtype=np.uint64)
        sites: dict[str, int] = {}
        site = np.array([sites.setdefault(site_of(url), len(sites)) for url in urls], dtype=np.uint64)
        page, text = database.representatives[meant], shown[numbers] if len(spelt) else numbers
        said = (database.representatives[sources] != page) & (text != 0)
        rows = _sorted(page[said].astype(np.uint64), text[said], site[sources[said]])
        new_text = _changes(rows[0], rows[1])
        new_site = _changes(*rows)
        begins = np.flatnonzero(new_text)
        self.pages, self.texts = rows[0][begins], rows[1][begins]
        self.links = np.diff(np.append(begins, len(rows[0])))
        self.sites = np.add.reduceat(new_site.astype(np.int64), begins) if len(begins) else self.links
        self.shown = list(known)
        self._starts = np.searchsorted(self.pages, np.arange(len(urls) + 1, dtype=np.uint64))

    def of(self, page: int) -> tuple[Call, ...]:
        """What others call a page that stands for its copies, most used first."""
        there = slice(self._starts[page], self._starts[page + 1])
        texts, links, sites = self.texts[there].tolist(), self.links[there].tolist(), self.sites[there].tolist()
        return ranked_calls({self.shown[text]: (links[at], sites[at]) for at, text in enumerate(texts)})


def _sorted(*columns: AnyArray) -> list[AnyArray]:
    """Rows in the order of the first column, then the second, and so on."""
    widths = [int(column.max()).bit_length() if len(column) else 0 for column in columns]
    if sum(widths) > KEY_BITS:
        order = np.lexsort(columns[::-1])
        return [column[order] for column in columns]
    key = np.zeros(len(columns[0]), dtype=np.uint64)
    for column, width in zip(columns, widths, strict=True):
        key = key << np.uint64(width) | column
    key.sort()
    found = []
    for width in reversed(widths):
        found.append(key & np.uint64((1 << width) - 1))
        key = key >> np.uint64(width)
    return found[::-1]


def _changes(*columns: AnyArray) -> AnyArray:
    """Where a row differs from the one before in any of the columns."""
    fresh = np.ones(len(columns[0]), dtype=np.bool_)
    if len(fresh) > 1:
        fresh[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return fresh
