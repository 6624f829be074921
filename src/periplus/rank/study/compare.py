"""How far two rankings agree: Kendall's τ over all pages, rank-biased overlap at the top, and a table of many.

*Kendall's τ_b* counts pairs of pages: (concordant − discordant) / √((pairs not tied in x)·(pairs not tied in y)).
1 is the same order, −1 the reverse, 0 no relation; NaN where one ranking ties all pages. O(n log n), by merge sort
(scipy's).

*Rank-biased overlap* (Webber, Moffat and Zobel 2010) looks at the top, where people look. With A_d the share of pages
that the two top-d lists have in common and 0 < p < 1 the persistence of a reader who goes on to the next place with
probability p:

    RBO = A_D·p^D + (1−p)/p · Σ_{d ≤ D} A_d·p^d                        (extrapolated to the depth D that was compared)

The first 1/(1−p) places carry about 86% of the weight for p = 0.9. Scores that agree to twelve digits tie, and ties go
by smaller id, in all rankings alike: where most pages tie (scores that are mostly zero) read τ as well. O(n log n).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Offsets
from periplus.numeric.given import is_number, real_numbers
from periplus.rank.table import RANKERS, ranking
from periplus.record import Findings, Scores, best_first, rounded

# What lies deeper weighs less than float64 can tell.
_NEGLIGIBLE = 2.0**-53
_NAMED = 6  # lines of a picture that have their names beside them


@checked
def kendall_tau(first: AnyArray, second: AnyArray) -> float:
    """Kendall's τ_b of two score vectors, ties accounted for; NaN where one of them ties everything."""
    from scipy.stats import kendalltau

    x, y = _pair(first, second)
    if len(x) < 2:
        return float("nan")
    return float(kendalltau(rounded(x), rounded(y), variant="b").statistic)


@checked
def rank_biased_overlap(first: AnyArray, second: AnyArray, *, persistence: float = 0.9) -> float:
    """Extrapolated rank-biased overlap of the orders that two score vectors give, best first; 1 is the same order."""
    if not (is_number(persistence) and 0 < persistence < 1):
        raise ParameterError("persistence", persistence, "0 < persistence < 1")
    x, y = _pair(first, second)
    return overlap_of_lists(best_first(x), best_first(y), persistence=persistence)


def overlap_of_lists(first: AnyArray, second: AnyArray, *, persistence: float = 0.9) -> float:
    """The same of two lists of pages, best first, as deep as the shorter one; two empty lists agree."""
    if not len(first) or not len(second):
        return float(len(first) == len(second))
    depth = min(len(first), len(second), int(np.ceil(np.log(_NEGLIGIBLE) / np.log(persistence))))
    agreement = _overlaps(first[:depth], second[:depth]) / np.arange(1, depth + 1)
    weights = float(persistence) ** np.arange(depth)
    return float(agreement[-1] * weights[-1] * persistence + (1 - persistence) * (agreement @ weights))


def _pair(first: AnyArray, second: AnyArray) -> tuple[Floats, Floats]:
    x, y = real_numbers(first, "first"), real_numbers(second, "second")
    if x.ndim != 1 or x.shape != y.shape:
        raise ParameterError("second", y.shape, f"a vector as long as the first: {x.shape}")
    if np.isnan(x).any() or np.isnan(y).any():
        raise ParameterError("scores", "a vector with NaN", "numbers")
    return x, y


def _overlaps(first: Offsets, second: Offsets) -> Offsets:
    """For each depth d, how many pages stand in both top-d lists: a page counts from its later place on."""
    place = {int(page): at for at, page in enumerate(second)}
    later = [max(at, place[int(page)]) for at, page in enumerate(first) if int(page) in place]
    counts: Offsets = np.cumsum(np.bincount(later, minlength=len(first)))
    return counts


@dataclass(frozen=True, slots=True)
class Comparison(Findings):
    """Several rankings of one graph side by side: `tau[i, j]` and `overlap[i, j]` between rankings i and j."""

    methods: tuple[str, ...]
    scores: Mapping[str, Scores]
    tau: Floats
    overlap: Floats
    persistence: float

    def top(self, count: int = 10) -> list[list[int]]:
        """Row r: the page that each ranking puts at place r + 1."""
        columns = [self.scores[method].best(count).tolist() for method in self.methods]
        return [list(row) for row in zip(*columns, strict=True)]

    def places(self, method: str) -> Offsets:
        """The place (1 is best) of every page in one ranking."""
        places = np.empty(len(self.scores[method].values), dtype=np.int64)
        places[best_first(self.scores[method].values)] = np.arange(1, len(places) + 1)
        return places


@checked
def compare(
    graph: Graph,
    methods: Sequence[str],
    *,
    persistence: float = 0.9,
    arguments: Mapping[str, Mapping[str, Any]] | None = None,
) -> Comparison:
    """Rank by each method (`arguments[method]` are its keywords) and compare every pair."""
    if isinstance(methods, str) or not isinstance(methods, Iterable) or not methods:
        raise ParameterError("methods", methods, "a list of at least one ranking")
    unique = tuple(dict.fromkeys(methods))
    given = arguments or {}
    rankings = {name: ranking(name, given.get(name, ())) for name in unique}
    scores = {name: rank(graph, **given.get(name, {})) for name, rank in rankings.items()}
    tau, overlap = np.ones((len(unique), len(unique))), np.ones((len(unique), len(unique)))
    for i, first in enumerate(unique):
        for j in range(i):
            x, y = scores[first].values, scores[unique[j]].values
            tau[i, j] = tau[j, i] = kendall_tau(x, y)
            overlap[i, j] = overlap[j, i] = rank_biased_overlap(x, y, persistence=persistence)
    return Comparison(unique, scores, tau, overlap, persistence)


def comparison_chart(
    found: Comparison, *, top: int = 10, names: Mapping[int, str] = MappingProxyType({}), width: int = 640
) -> str:
    """An inline SVG: the `top` pages of every ranking as slopes, names on the six that move furthest."""
    from periplus.draw.slopes import Slope, slopes

    pages = sorted({page for row in found.top(top) for page in row})
    places = np.array([found.places(method)[pages] for method in found.methods]).T
    moves = np.log(places.max(axis=1) / places.min(axis=1)) if len(pages) else np.empty(0)
    outliers = {at for at in np.argsort(-moves, kind="stable")[:_NAMED].tolist() if moves[at] >= np.log(2)}
    lines = [
        Slope(names.get(page, str(page)), tuple(places[at].tolist()), at in outliers) for at, page in enumerate(pages)
    ]
    note = f"Places of the {len(pages)} pages among the first {top} of any." if len(found.methods) > 1 else ""
    return slopes(_headings(found), lines, title=_finding(found), note=note, width=width)


def _headings(found: Comparison) -> list[str]:
    return [RANKERS[method].heading() if method in RANKERS else method for method in found.methods]


def _finding(found: Comparison) -> str:
    first, *others = _headings(found)
    if not others:
        return f"{first} alone"
    overlaps = found.overlap[0, 1:]
    near, far = int(np.argmax(overlaps)), int(np.argmin(overlaps))
    if near == far:
        return f"{first} and {others[near]}: overlap {overlaps[near]:.2f}"
    least = f"least with {others[far]} ({overlaps[far]:.2f})"
    return f"{first} agrees most with {others[near]} (overlap {overlaps[near]:.2f}), {least}"
