"""Who links to whom, group by group, and how far from chance: mixing and assortativity.

Of m links, n_ij lead from group i to group j; A_i = Σ_j n_ij leave group i, B_j = Σ_i n_ij reach group j. With
e_ij = n_ij / m, a_i = A_i / m, b_j = B_j / m, Newman's assortativity is

    r = (Σ_i e_ii − Σ_i a_i b_i) / (1 − Σ_i a_i b_i),        1: every link stays at home; 0: as by chance.

Chance: the links are cut in two and joined again at random, so that every page keeps its in- and out-degree. Then
E n_ij = A_i B_j / m, and the number W of links that stay inside has exactly

    Var W = [Σ_i A_i B_i (m − A_i)(m − B_i) + Σ_{i≠j} A_i B_i A_j B_j] / (m² (m − 1)).

Where every link goes both ways, the m/2 pairs are joined instead, and the variance is that of a random matching; it is
nearly twice as large. The 95 % interval is ± 1.96 standard deviations; r has the same, as it is linear in W. O(links).
Random joining may give a page a link twice; for a web that is sparse this changes little.

Newman, "Mixing patterns in networks", Physical Review E 67 (2003).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Offsets
from periplus.record import Findings, PageLabels

OTHERS = "(others)"
_Z = 1.96


@dataclass(frozen=True)
class GroupMixing(Findings):
    """Links between groups of pages. `links[i, j]` counts those from group i to group j.

    `inside` is the share of links that stay in their group, `inside_by_chance` what it is where links are joined at
    random, `inside_interval` the 95 % interval of that, `assortativity_interval` the one of r around 0. Pages of no
    group and their links are left out and counted. Where there are more groups than were asked for, the smallest are
    one row, "(others)"; the shares and r are those of all groups.
    """

    groups: tuple[str, ...]
    pages: Offsets
    links: Offsets
    expected: Floats
    inside: float
    inside_by_chance: float
    inside_interval: tuple[float, float]
    assortativity: float
    assortativity_interval: tuple[float, float]
    all_groups: int
    self_links: int
    pages_in_none: int
    links_in_none: int
    undirected: bool
    graph_digest: str

    def columns(self) -> dict[str, list[Any]]:
        """The matrix as a table: one row per pair of groups."""
        size = len(self.groups)
        left = self.links.sum(axis=1)
        pairs = [(i, j) for i in range(size) for j in range(size)]
        return {
            "source": [self.groups[i] for i, _ in pairs],
            "target": [self.groups[j] for _, j in pairs],
            "links": [int(self.links[i, j]) for i, j in pairs],
            "share_of_source": [int(self.links[i, j]) / int(left[i]) if left[i] else None for i, j in pairs],
            "links_by_chance": [float(self.expected[i, j]) for i, j in pairs],
        }

    def rows(self) -> Iterator[tuple[str, int, int, int, float, float]]:
        """Group by group: its pages, the links that leave and that reach it, the share that stays, that by chance."""
        left, reached = self.links.sum(axis=1), self.links.sum(axis=0)
        for at, name in enumerate(self.groups):
            out = int(left[at])
            stay, chance = (float(one[at, at]) / out if out else math.nan for one in (self.links, self.expected))
            yield name, int(self.pages[at]), out, int(reached[at]), stay, chance


@checked
def group_mixing(
    graph: Graph, labels: PageLabels | AnyArray, *, names: Sequence[str] = (), most: int = 40
) -> GroupMixing:
    """How links run between groups of pages: a label for each page (−1: none), at most `most` groups apart."""
    given = np.asarray(labels.labels if isinstance(labels, PageLabels) else labels)
    names = names or (labels.names if isinstance(labels, PageLabels) else ())
    if given.shape != (graph.nodes,) or given.dtype.kind not in "iu":
        allowed = f"one whole number for each of {graph.nodes:,} pages, −1 for none"
        raise ParameterError("labels", f"{given.dtype}{given.shape}", allowed)
    if most < 1:
        raise ParameterError("most", most, "1 or more")
    label = given.astype(np.int64)
    groups = max(len(names), int(label.max(initial=-1)) + 1)
    called = [names[at] if at < len(names) else str(at) for at in range(groups)]
    sources, targets = label[graph.sources], label[graph.out_targets]
    known = (sources >= 0) & (targets >= 0)
    self_links = int((graph.sources == graph.out_targets)[known].sum())
    sources, targets = sources[known], targets[known]
    left, reached = (np.bincount(ends, minlength=groups).astype(np.float64) for ends in (sources, targets))
    undirected = _goes_both_ways(graph)
    inside, chance, spread = _inside(sources, targets, left, reached, undirected)
    expected_r = float((left * reached).sum()) / max(len(sources), 1) ** 2
    rest = 1 - expected_r
    margin = _Z * spread
    place, shown = _largest(label, groups, called, most)
    size = len(shown)
    matrix = np.bincount(place[sources] * size + place[targets], minlength=size * size).reshape(size, size)
    return GroupMixing(
        groups=tuple(shown),
        pages=np.bincount(place[label[label >= 0]], minlength=size),
        links=matrix,
        expected=np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / max(len(sources), 1),
        inside=inside,
        inside_by_chance=chance,
        inside_interval=(max(0.0, chance - margin), min(1.0, chance + margin)),
        assortativity=(inside - expected_r) / rest if rest > 0 else math.nan,
        assortativity_interval=(-margin / rest, margin / rest) if rest > 0 else (math.nan, math.nan),
        all_groups=groups,
        self_links=self_links,
        pages_in_none=int((label < 0).sum()),
        links_in_none=int((~known).sum()),
        undirected=undirected,
        graph_digest=graph.digest,
    )


def _goes_both_ways(graph: Graph) -> bool:
    return np.array_equal(graph.out_offsets, graph.in_offsets) and np.array_equal(graph.out_targets, graph.in_sources)


def _inside(
    sources: Offsets, targets: Offsets, left: Floats, reached: Floats, undirected: bool
) -> tuple[float, float, float]:
    """The share of links inside, what it is by chance, and the standard deviation of that."""
    m = len(sources)
    if m < 4:
        return (float((sources == targets).mean()) if m else math.nan), math.nan, math.nan
    inside = float((sources == targets).mean())
    if undirected:
        return inside, *_of_a_matching(left, m)
    both = left * reached
    variance = float((both * (m - left) * (m - reached)).sum() + both.sum() ** 2 - (both**2).sum()) / (
        m * m * (m - 1.0)
    )
    return inside, float(both.sum()) / m**2, math.sqrt(max(variance, 0.0)) / m


def _of_a_matching(ends: Floats, m: int) -> tuple[float, float]:
    """Mean and standard deviation of the share of pairs inside, where m ends are joined in pairs at random."""
    pairs = m / 2
    two, four = ends * (ends - 1), ends * (ends - 1) * (ends - 2) * (ends - 3)
    one = float(two.sum()) / (m * (m - 1.0))
    together = (float(two.sum()) ** 2 - float((two**2).sum()) + float(four.sum())) / (m * (m - 1.0) * (m - 2) * (m - 3))
    variance = pairs * one * (1 - one) + pairs * (pairs - 1) * (together - one * one)
    return one, math.sqrt(max(variance, 0.0)) / pairs


def _largest(label: Offsets, groups: int, names: Sequence[str], most: int) -> tuple[Offsets, list[str]]:
    """The row of every group, and what the rows are called; the smallest groups share the last row."""
    if groups <= most:
        return np.arange(groups), list(names)
    sizes = np.bincount(label[label >= 0], minlength=groups)
    kept = np.sort(np.argsort(-sizes, kind="stable")[: most - 1])
    place = np.full(groups, len(kept))
    place[kept] = np.arange(len(kept))
    return place, [*(names[at] for at in kept.tolist()), OTHERS]
