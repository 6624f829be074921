"""`PageVectors`: one vector per page, and `WordRows`: one sparse row per page. Two pages are as alike as their cosine.

Both are asked by `nearest(pages, count)`; of several pages the mean of their unit vectors is asked for. The reason of
each result is what the two pages share: the words or links that their cosine comes from (`periplus.similar.reasons`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats, Offsets
from periplus.record import Record, best_first
from periplus.similar.record import Neighbour, Pages, Related, check_count, known_pages
from periplus.similar.scan import Scan
from periplus.similar.weighting import unit_rows

Reasons = Callable[[list[int], int], str]


_NOTHING = "there is nothing to compare on this page for {}, or no other page has it"


def _no_reason(starts: list[int], page: int) -> str:
    return "their vectors point the same way"


@dataclass(frozen=True, eq=False, repr=False)
class PageVectors(Record):
    """One vector per page; `fold(rows)` gives vectors to pages that were not there."""

    KIND, ARRAY, VALUE = "vectors", "vectors", "vector"
    FORM = (2, "f", "one vector per page")

    vectors: AnyArray
    reasons: Reasons = field(default=_no_reason, compare=False, kw_only=True)
    fold: Callable[..., AnyArray] | None = field(default=None, compare=False, kw_only=True)

    def nearest(self, pages: Pages, count: int = 10) -> Related:
        """The pages whose vectors point most the same way as those of the given pages."""
        starts = known_pages(pages, len(self), self.urls)
        near, cosines = self._scan.best(self._scan.unit[starts].sum(axis=0), check_count(count) + len(starts))
        return related(self, starts, near, cosines, count)

    def nearest_to(self, vector: AnyArray, count: int = 10) -> Related:
        """The pages nearest to a vector, such as one of `fold_in`."""
        wanted = np.asarray(vector, np.float32).ravel()
        if wanted.shape != self.vectors.shape[1:]:
            raise ParameterError("vector", wanted.shape, f"{self.vectors.shape[1]} numbers")
        near, cosines = self._scan.best(wanted, check_count(count))
        return related(self, [], near, cosines, count)

    def fold_in(self, *rows: Any) -> AnyArray:
        """Vectors of new pages from their rows of the same columns, without a new decomposition."""
        if self.fold is None:
            raise ParameterError("rows", "some rows", "none: these vectors came without the words that made them")
        return self.fold(*rows)

    def columns(self) -> dict[str, Any]:
        table = {name: column for name, column in super().columns().items() if name != self.VALUE}
        return table | {f"x{at}": self.vectors[:, at] for at in range(self.vectors.shape[1])}

    def _described(self) -> dict[str, Any]:
        return {key: value for key, value in super()._described().items() if key not in ("reasons", "fold")}

    @cached_property
    def _scan(self) -> Scan:
        return Scan(self.vectors)


@dataclass(frozen=True, eq=False, repr=False)
class WordRows:
    """One sparse row of weights a page, compared as they are."""

    method: str
    vectors: Any
    parameters: dict[str, Any]
    reasons: Reasons = _no_reason
    urls: Any = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.method}, {self.vectors.shape[0]:,} pages)"

    def __len__(self) -> int:
        return int(self.vectors.shape[0])

    def nearest(self, pages: Pages, count: int = 10) -> Related:
        """The pages whose rows point most the same way as those of the given pages."""
        starts = known_pages(pages, len(self), self.urls)
        query = np.asarray(self._unit[starts].sum(axis=0)).ravel()
        length = float(np.linalg.norm(query))
        cosines = self._unit @ (query / length) if length else np.zeros(len(self))
        near = best_first(cosines, check_count(count) + len(starts))
        return related(self, starts, near, cosines[near].astype(np.float64), count)

    @cached_property
    def _unit(self) -> Any:
        return unit_rows(csr_array(self.vectors))


def related(record: Any, starts: list[int], near: Offsets, cosines: Floats, count: int) -> Related:
    """The answer in the order of the cosines; pages that point elsewhere or nowhere, and the start pages, left out."""
    found = [
        Neighbour(page, None if record.urls is None else str(record.urls[page]), cosine, record.reasons(starts, page))
        for page, cosine in zip(near.tolist(), cosines.tolist(), strict=True)
        if cosine > 0 and page not in starts
    ]
    notes = () if found or not starts else (_NOTHING.format(record.method),)
    return Related(record.method, tuple(starts), tuple(found[:count]), notes)
