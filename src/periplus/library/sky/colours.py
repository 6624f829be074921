"""What the colour of a star can say: `COLOURINGS`, one row each. One byte a star, in the order of the stars.

Groups (communities, sites, regions) are numbered by the mass of their pages, the heaviest 0; those from `OTHERS` on
share one number, and pages of no group have `NONE`. A scale (rank, age) goes from 0 to `TOP`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.library.library import Library
from periplus.numeric.arrays import AnyArray, Floats
from periplus.structure.connectivity.bowtie import REGION_NAMES

TOP, OTHERS, NONE = 253, 254, 255
LISTED = 14


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a legend: a colour, what it stands for, and how many pages have it."""

    colour: int
    words: str
    pages: int


@dataclass(frozen=True, slots=True)
class Coloured:
    """A number per star, and the legend; `scale` where numbers are more or less of something."""

    numbers: AnyArray
    legend: tuple[Entry, ...]
    scale: bool = False


@dataclass(frozen=True, slots=True)
class Colouring:
    """One row of the table: its name, the title of the legend, and how it is found."""

    name: str
    words: str
    find: Callable[[Library, AnyArray, Floats], Coloured]


def coloured(library: Library, by: str, pages: AnyArray, masses: Floats) -> Coloured:
    """The colours of these pages, in their order."""
    if by not in COLOURINGS:
        raise ParameterError("by", by, f"one of {', '.join(COLOURINGS)}")
    return COLOURINGS[by].find(library, pages, masses)


def tree_of(library: Library) -> Any:
    """The tree of communities; None before that stage has run."""
    return None if library.memberships is None else library.memberships.tree


def by_community(library: Library, pages: AnyArray, masses: Floats) -> Coloured:
    """The communities in the middle of the tree; none before the communities stage has run."""
    tree = tree_of(library)
    if tree is None:
        return Coloured(np.full(len(pages), NONE, np.uint8), ())
    flat = np.asarray(tree.extra["flat"], np.int64)
    # A community of the flat partition lies under one node of the tree: the one that all its leaves have in common.
    return _grouped(flat[pages], masses, lambda group: tree.name(_shared(tree, flat == group)))


def by_site(library: Library, pages: AnyArray, masses: Floats) -> Coloured:
    """The registered domain, or the host where all pages are of one site."""
    urls = library.graph.urls
    numbers, names = np.asarray(urls.site_ids(), np.int64), urls.sites()
    if len(names) < 2:
        numbers, names = np.asarray(urls.host_ids(), np.int64), urls.hosts()
    return _grouped(numbers[pages], masses, lambda group: str(names[group]))


def by_region(library: Library, pages: AnyArray, masses: Floats) -> Coloured:
    """The region of the bow-tie, all tendrils as one; none before the structure stage has run."""
    if library.regions is None:
        return Coloured(np.full(len(pages), NONE, np.uint8), ())
    kinds = [name.partition("_")[0] for name in REGION_NAMES]
    names = list(dict.fromkeys(kinds))
    of_code = np.array([names.index(kind) for kind in kinds])
    return _grouped(of_code[np.asarray(library.regions)][pages], masses, lambda group: names[group].upper())


def by_rank(library: Library, pages: AnyArray, masses: Floats) -> Coloured:
    """How many pages rank lower by the default ranking."""
    rankers = library.searcher.rankers
    share = rankers.share(rankers.default, pages)
    title = rankers.title(rankers.default)
    return _scaled(1.0 - share, f"first by {title}", f"last by {title}")


def by_age(library: Library, pages: AnyArray, masses: Floats) -> Coloured:
    """When the newest capture of a page was made: older pages lower."""
    stamps = [one.fetched for one in library.told]
    days = np.array([_day(stamp) for stamp in stamps])[pages] if stamps else np.zeros(0)
    known = days > 0
    if not known.any():
        return Coloured(np.full(len(pages), NONE, np.uint8), ())
    low, high = float(days[known].min()), float(days[known].max())
    values = (days - low) / ((high - low) or 1.0)
    return _scaled(np.where(known, values, np.nan), f"fetched {_date(high)}", f"fetched {_date(low)}")


COLOURINGS: dict[str, Colouring] = {
    row.name: row
    for row in (
        Colouring("community", "Communities", by_community),
        Colouring("site", "Sites", by_site),
        Colouring("region", "Regions of the bow-tie", by_region),
        Colouring("rank", "Rank", by_rank),
        Colouring("age", "Age", by_age),
    )
}


def _shared(tree: Any, members: AnyArray) -> int:
    """The deepest node of a tree under which all these pages are."""
    leaves = tree.labels[members]
    ways = zip(tree.path(int(leaves.min())), tree.path(int(leaves.max())), strict=False)
    return [one for one, other in ways if one == other][-1]


def _grouped(groups: AnyArray, masses: Floats, name: Callable[[int], str]) -> Coloured:
    """Groups numbered by their mass; the legend names the heaviest."""
    known = groups >= 0
    count = int(groups.max(initial=-1)) + 1
    weights = np.bincount(groups[known], masses[known], minlength=count)
    pages = np.bincount(groups[known], minlength=count)
    order = np.lexsort((np.arange(count), -weights))
    order = order[pages[order] > 0]
    number = np.full(count + 1, NONE, np.uint8)  # the last one is that of no group
    number[order] = np.minimum(np.arange(len(order)), OTHERS)
    legend = [Entry(at, name(group), int(pages[group])) for at, group in enumerate(order[:LISTED].tolist())]
    return Coloured(number[groups], _with_rest(legend, len(groups), int(pages.sum())))


def _with_rest(legend: Sequence[Entry], pages: int, grouped: int) -> tuple[Entry, ...]:
    """The legend, and what it does not name."""
    rest = grouped - sum(entry.pages for entry in legend)
    more = [Entry(OTHERS, "others", rest)] if rest else []
    alone = [Entry(NONE, "none", pages - grouped)] if pages > grouped else []
    return (*legend, *more, *alone)


def _scaled(values: Floats, most: str, least: str) -> Coloured:
    known = ~np.isnan(values)
    numbers = np.full(len(values), NONE, np.uint8)
    numbers[known] = np.rint(np.clip(values[known], 0.0, 1.0) * TOP)
    ends = [Entry(TOP, most, int((numbers == TOP).sum())), Entry(0, least, int((numbers == 0).sum()))]
    return Coloured(numbers, tuple(ends), scale=True)


def _day(stamp: str) -> float:
    """Days since the year one, from `20261116055258`; 0 where it is not known."""
    try:
        return float(datetime.strptime(stamp[:8], "%Y%m%d").toordinal())
    except ValueError:
        return 0.0


def _date(day: float) -> str:
    date = datetime.fromordinal(int(day))
    return f"{date.day} {date:%b %Y}"
