"""The three kinds of records about pages: a score, a label, or a position for each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.record.base import Record
from periplus.record.order import best_first, places
from periplus.wording import counted

_SHOWN = 10


class Ranked(NamedTuple):
    """One line of a ranking: the place (pages that tie share one), the page, its URL where known, its score."""

    place: int
    page: int
    url: str | None
    score: float


class Group(NamedTuple):
    """One group of pages: its label, its name, its number of pages, and its first page with the URL where known."""

    label: int
    name: str
    pages: int
    first: int
    url: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Record):
    """One float64 per page; more is better."""

    KIND, ARRAY, VALUE = "scores", "values", "score"
    FORM = (1, "f", "one number per page")

    values: Floats

    def __repr__(self) -> str:
        bound = f", error ≤ {self.error_bound:.2g}" if math.isfinite(self.error_bound) else ""
        return f"Scores({self.method}, {self._counted()}{bound})"

    def best(self, count: int = 20) -> Ids:
        """Ids of the best pages, best first; equal scores by smaller id, so the order is one for all."""
        return best_first(self.values, max(0, count)).astype(np.uint32)

    def top(self, count: int = 20) -> list[Ranked]:
        """The best pages, best first, with their places, URLs and scores."""
        pages = self.best(count)
        # All better pages are listed too, so the places among those listed are the places among all.
        lines = zip(places(self.values[pages])[0].tolist(), pages.tolist(), self.values[pages].tolist(), strict=True)
        return [Ranked(place, page, self.url(page), score) for place, page, score in lines]

    @property
    def places(self) -> Offsets:
        """The place of every page: one more than the pages with a higher score; to twelve digits, ties share one."""
        return self._places[0]

    @property
    def tied_with(self) -> Offsets:
        """How many other pages have the same score, to twelve digits."""
        return self._places[1]

    @cached_property
    def _places(self) -> tuple[Offsets, Offsets]:
        return places(self.values)

    def of_hubs(self) -> Scores:
        """The same record about the hubs: their vector, and the bound that holds for it (NaN where there is none)."""
        if "hubs" not in self.extra:
            raise ParameterError("method", self.method, "a ranking with hubs, such as hits or salsa")
        bound = self.extra.get("hubs_error_bound", math.nan)
        return replace(self, values=self.extra["hubs"], error_bound=float(bound))

    def columns(self) -> dict[str, Any]:
        return super().columns() | {"rank": self.places, "tied_with": self.tied_with}

    def _shown(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        lines = [(one.place, one.url or one.page, f"{one.score:.6g}") for one in self.top(_SHOWN)]
        return ("place", "page", "score"), lines


@dataclass(frozen=True, eq=False, repr=False)
class PageLabels(Record):
    """One label per page: the number of its group, −1 for none. `names[label]` is what a group is called."""

    KIND, ARRAY, VALUE = "labels", "labels", "label"
    FORM = (1, "iu", "one whole number per page")

    labels: AnyArray
    names: Sequence[str] = ()

    def __repr__(self) -> str:
        groups = counted(self.count, "group")
        return f"{type(self).__name__}({self.method}, {self._counted()} in {groups})"

    @cached_property
    def sizes(self) -> Offsets:
        """The number of pages in each group."""
        grouped = self.labels if self.labels.dtype.kind == "u" else self.labels[self.labels >= 0]
        return np.bincount(grouped, minlength=len(self.names)).astype(np.int64, copy=False)

    @cached_property
    def count(self) -> int:
        """The number of groups."""
        return len(self.sizes)

    def members(self, label: int) -> Ids:
        """The pages of one group."""
        return np.flatnonzero(self.labels == label).astype(np.uint32)

    def name(self, label: int) -> str:
        """What a group is called; its number where it has no name."""
        return self.names[label] if 0 <= label < len(self.names) else str(label)

    def top(self, count: int = 20) -> list[Group]:
        """The largest groups that have pages, each with its first page."""
        order = np.argsort(-self.sizes, kind="stable")[: max(0, count)].tolist()
        return [self._group(label) for label in order if self.sizes[label]]

    def _group(self, label: int) -> Group:
        first = int(np.argmax(self.labels == label))
        return Group(label, self.name(label), int(self.sizes[label]), first, self.url(first))

    def columns(self) -> dict[str, Any]:
        if not len(self.names):
            return super().columns()
        return super().columns() | {"name": [self.name(label) if label >= 0 else "" for label in self]}

    def _shown(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        lines = [(one.label, one.name, f"{one.pages:,}", one.url or one.first) for one in self.top(_SHOWN)]
        return ("label", "name", "pages", "first page"), lines


@dataclass(frozen=True, eq=False, repr=False)
class PagePositions(Record):
    """One point in space per page."""

    KIND, ARRAY, VALUE = "positions", "positions", "position"
    FORM = (2, "f", "one point per page")

    positions: AnyArray

    def columns(self) -> dict[str, Any]:
        table = {name: column for name, column in super().columns().items() if name != self.VALUE}
        axes = "xyz" if self.positions.shape[1] <= 3 else [f"x{at}" for at in range(self.positions.shape[1])]
        return table | {axis: self.positions[:, at] for at, axis in enumerate(axes[: self.positions.shape[1]])}
