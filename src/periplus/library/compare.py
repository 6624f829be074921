"""Two or three rankings of one query side by side: their lists, how far they agree, how firmly each stands.

Agreement is rank-biased overlap of the whole lists (Webber, Moffat and Zobel 2010; p = 0.9: the first ten places carry
most of it). Firmness: `periplus.focus.firmness`. Cost: one base set, each ranking once, and once more where its
firmness is an experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.focus.firmness import Firmness, firmness_of
from periplus.library.communities import PageName, named
from periplus.library.library import Library
from periplus.rank.study.compare import overlap_of_lists
from periplus.record import Findings
from periplus.search.focused import Around
from periplus.search.result import HubPage
from periplus.wording import counted, listed, percent

FEWEST, MOST, SHOWN = 2, 3, 10
USUAL = ("text", "blended", "hits")
_SAME, _MUCH, _LITTLE = 0.995, 0.6, 0.25


@dataclass(frozen=True, slots=True)
class Cell:
    """A page of one list, and its place in each of the others (None: it is not in it)."""

    page: PageName
    places: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One ranking: its first pages, the ids of all that it lists, its best hubs, how firm the first pages are."""

    rank: str
    title: str
    help: str
    cells: tuple[Cell, ...]
    pages: tuple[int, ...]
    hubs: tuple[HubPage, ...]
    firmness: Firmness
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two lists agree: rank-biased overlap, and how many of the first `of` they share."""

    first: str
    second: str
    overlap: float
    shared: int
    of: int


@dataclass(frozen=True, slots=True)
class QueryComparison(Findings):
    """Rankings of one query side by side."""

    query: str
    columns: tuple[Column, ...]
    agreements: tuple[Agreement, ...]
    notes: tuple[str, ...]

    @property
    def sentences(self) -> list[str]:
        """How far each two agree, in a sentence."""
        if not any(column.cells for column in self.columns):
            return ["No page has these words"]
        titles = {column.rank: column.title for column in self.columns}
        return [_said(one, titles) for one in self.agreements]

    def others(self, column: Column) -> list[Column]:
        """The columns beside one, in the order of the places in its cells."""
        return [other for other in self.columns if other is not column]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON form of the command line and of `/api/compare`."""
        return {
            "query": self.query,
            "findings": self.sentences,
            "notes": list(self.notes),
            "columns": [_column_as_data(column, self.others(column)) for column in self.columns],
            "agreements": [
                {"rankings": [one.first, one.second], "overlap": one.overlap, "shared": one.shared, "of": one.of}
                for one in self.agreements
            ],
        }


def compare_query(
    library: Library, query: str, ranks: Sequence[str] = USUAL, *, top: int = SHOWN, seed: int = 0
) -> QueryComparison:
    """Rank the pages around a query in two or three ways of `QUERY_RANKERS`, and compare the first `top` of each."""
    chosen = tuple(dict.fromkeys(ranks))
    if not FEWEST <= len(chosen) <= MOST:
        offered = ", ".join(library.searcher.ranks)
        raise ParameterError("rankings", ", ".join(chosen) or "none", f"two or three different ones of {offered}")
    if not 1 <= top <= 100:
        raise ParameterError("top", top, "1 ≤ top ≤ 100")
    around, notes = library.searcher.side_by_side(query, chosen)
    lists = [one.ranked.nodes for one in around]
    places = [{node: at for at, node in enumerate(nodes.tolist(), 1)} for nodes in lists]
    columns = tuple(_column(library, one, places, at, top, seed) for at, one in enumerate(around))
    pairs = combinations(range(len(chosen)), 2)
    agreements = tuple(_agreement(chosen[i], chosen[j], lists[i], lists[j], top) for i, j in pairs)
    return QueryComparison(query, columns, agreements, notes)


def _column(library: Library, one: Around, places: list[dict[int, int]], at: int, top: int, seed: int) -> Column:
    row, nodes = one.found.row, one.ranked.nodes[:top].tolist()
    others = places[:at] + places[at + 1 :]
    cells = tuple(Cell(page, tuple(there.get(page.node) for there in others)) for page in named(library, nodes))
    firm = firmness_of(one.focus, one.found, top=top, seed=seed)
    return Column(
        row.name, row.title, row.help, cells, tuple(one.ranked.nodes.tolist()), one.hubs, firm, one.found.notes
    )


def _agreement(first: str, second: str, one: Any, other: Any, top: int) -> Agreement:
    shared = len(np.intersect1d(one[:top], other[:top]))
    return Agreement(first, second, overlap_of_lists(one, other), shared, max(len(one[:top]), len(other[:top])))


def _said(one: Agreement, titles: dict[str, str]) -> str:
    both = listed([titles[one.first], titles[one.second]])
    if one.overlap >= _SAME:
        return f"{both} give the same order"
    how = "largely agree" if one.overlap >= _MUCH else "agree little" if one.overlap < _LITTLE else "agree in part"
    first = counted(one.of, "page")
    return f"{both} {how} (overlap {percent(one.overlap)}): {one.shared} of the first {first} in common"


def _column_as_data(column: Column, others: list[Column]) -> dict[str, Any]:
    ranks = [other.rank for other in others]
    return {
        "rank": column.rank,
        "title": column.title,
        "total": len(column.pages),
        "notes": list(column.notes),
        "stability": {"sentence": column.firmness.sentence, **column.firmness.to_dict()},
        "pages": [
            {
                "place": place,
                "url": cell.page.url,
                "title": cell.page.title,
                "elsewhere": dict(zip(ranks, cell.places, strict=True)),
            }
            for place, cell in enumerate(column.cells, 1)
        ],
        "hubs": [{"url": hub.url, "title": hub.title} for hub in column.hubs],
    }
