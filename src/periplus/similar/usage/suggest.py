"""Links that would have saved people clicks: an adaptive site, as Deo and Gupta's abstract and 8 call for.

Whoever went p₀ → p₁ → … → p_L would have saved j − i − 1 clicks by a link p_i → p_j, where none is. A suggestion is
worth the clicks that it saves over all paths, one saving a path and pair, the longest; it counts only where at least
`least` paths would have used it: a single person's way is nobody else's.

Only `reach` steps ahead are looked at: of a long walk the far end has little to do with its beginning.

Cost: at most L · reach pairs a path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from periplus.catalog import checked
from periplus.graph.graph import Graph

REACH = 8
_SHORTEST = 3  # pages of a path that a link could shorten


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A link from `source` to `target`: how many paths would have used it, and the clicks that it would have saved."""

    source: int
    target: int
    paths: int
    clicks: int


@dataclass(frozen=True, slots=True)
class Shortened:
    """What some links do to some paths: how many they shorten, the clicks of all, and those saved."""

    paths: int
    shortened: int
    clicks: int
    clicks_saved: int

    @property
    def share(self) -> float:
        """The part of the paths that become shorter."""
        return self.shortened / self.paths if self.paths else 0.0

    @property
    def saved_each(self) -> float:
        """Clicks saved on a path that becomes shorter."""
        return self.clicks_saved / self.shortened if self.shortened else 0.0


@checked
def suggest(graph: Graph, paths: Any, *, count: int = 20, least: int = 2, reach: int = REACH) -> list[Suggestion]:
    """The links that would have saved the most clicks, best first."""
    users: defaultdict[tuple[int, int], int] = defaultdict(int)
    clicks: defaultdict[tuple[int, int], int] = defaultdict(int)
    for path in paths:
        if len(path) < _SHORTEST:  # most are
            continue
        for pair, saved in _savings(path, reach).items():
            users[pair] += 1
            clicks[pair] += saved
    often = [pair for pair, used in users.items() if used >= least and not graph.has_edge(*pair)]
    often.sort(key=lambda pair: (-clicks[pair], pair))
    return [Suggestion(*pair, users[pair], clicks[pair]) for pair in often[:count]]


def shorten(paths: Iterable[Sequence[int]], links: Iterable[tuple[int, int]]) -> Shortened:
    """What further links would do to paths: each path takes the single link that saves it the most."""
    wanted: defaultdict[int, set[int]] = defaultdict(set)
    for source, target in links:
        wanted[source].add(target)
    all_paths = shortened = clicks = saved = 0
    for path in paths:
        all_paths += 1
        clicks += max(0, len(path) - 1)
        if len(path) < _SHORTEST:
            continue
        best = max(
            (
                j - i - 1
                for i, page in enumerate(path)
                if page in wanted
                for j in range(i + 2, len(path))
                if path[j] in wanted[page]
            ),
            default=0,
        )
        shortened += best > 0
        saved += best
    return Shortened(all_paths, shortened, clicks, saved)


def _savings(path: Sequence[int], reach: int) -> dict[tuple[int, int], int]:
    """The pairs of a path that a link would join, with the most clicks that it saves."""
    found: dict[tuple[int, int], int] = {}
    for i, source in enumerate(path):
        for j in range(i + 2, min(i + reach, len(path) - 1) + 1):
            if path[j] != source and j - i - 1 > found.get((source, path[j]), 0):
                found[source, path[j]] = j - i - 1
    return found
