"""Self-similarity: the figures of the whole web, again for its parts, and for a random set of as many pages.

Dill et al. ("Self-similarity in the Web", VLDB 2001; Litvak, "Power laws") found that pages that share something,
a site, a topic, a region, form a small web of their own: a bow-tie, the same exponents. A set of pages drawn at
random does not: of m links only about m·(s/n)² stay inside a set of s pages, and the structure is lost. Each part
is therefore shown beside such a random set of its own size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids
from periplus.record import Findings, PageLabels
from periplus.structure.connectivity.bowtie import bowtie
from periplus.structure.connectivity.components import weak_components
from periplus.structure.laws.tails import distinct, fit_tail


@dataclass(frozen=True, slots=True)
class Part(Findings):
    """The shape of the web inside one set of pages."""

    name: str
    pages: int
    links: int
    shares: dict[str, float] = field(metadata={"json": "bowtie"})
    largest_weak: float
    in_alpha: float
    out_alpha: float

    @property
    def links_a_page(self) -> float:
        return self.links / self.pages if self.pages else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, and the links per page."""
        return Findings.to_dict(self) | {"links_a_page": self.links_a_page}


@dataclass(frozen=True, slots=True)
class SelfSimilarity(Findings):
    """The parts, each with a random set of the same size: `parts[k]` beside `random[k]`.

    They are the largest of `groups` groups, of which `too_small` have pages, but fewer than `smallest`.
    """

    by: str
    parts: tuple[Part, ...]
    random: tuple[Part, ...]
    groups: int
    smallest: int
    too_small: int


@checked
def self_similarity(
    graph: Graph, *, by: str | PageLabels | AnyArray = "auto", most: int = 12, smallest: int = 10, seed: int = 0
) -> SelfSimilarity:
    """The `most` largest groups of at least `smallest` pages: by "site", by "host", or groups given for the pages.

    "auto" is by site, or by host where one site has nearly all pages; without URLs the groups are the four quarters
    of the ids. Fewer than ten pages make no web of their own; exponents need fifty, and are left out below.
    """
    groups, kind = _groups(graph, by)
    if isinstance(by, str) and by == "auto" and kind == "site" and groups.sizes.max(initial=0) > 0.9 * graph.nodes:
        groups, kind = _groups(graph, "host")
    sizes = groups.sizes
    chosen = [int(k) for k in np.argsort(-sizes, kind="stable")[:most] if sizes[k] >= smallest]
    rng = np.random.default_rng(seed)
    parts, random = [], []
    for group in chosen:
        pages = groups.members(group)
        parts.append(measure(graph, pages, groups.name(group)))
        drawn = np.sort(rng.choice(graph.nodes, len(pages), replace=False)).astype(np.uint32)
        random.append(measure(graph, drawn, f"{len(pages):,} random pages"))
    there = int(np.count_nonzero(sizes))
    small = int(np.count_nonzero((sizes > 0) & (sizes < smallest)))
    return SelfSimilarity(kind, tuple(parts), tuple(random), there, smallest, small)


@checked
def measure(graph: Graph, pages: Ids, name: str) -> Part:
    """The shape of the web that a set of pages forms by itself."""
    part = graph.subgraph(pages)
    counts = bowtie(part).to_dict()
    whole = max(part.nodes, 1)
    names = ("scc", "in", "out", "tendrils", "tubes", "disconnected")
    return Part(
        name=name,
        pages=part.nodes,
        links=part.links,
        shares={region: counts[region] / whole for region in names},
        largest_weak=weak_components(part).largest / whole,
        in_alpha=_alpha(part.in_degrees),
        out_alpha=_alpha(part.out_degrees),
    )


def _alpha(degrees: AnyArray) -> float:
    """The exponent alone; NaN where there is too little to fit. A part is no place for a verdict."""
    tail = fit_tail(*distinct(degrees), discrete=True)
    return tail.alpha if tail is not None else float("nan")


def _groups(graph: Graph, by: str | PageLabels | AnyArray) -> tuple[PageLabels, str]:
    if not isinstance(by, str):
        return _given(graph, by), "given group"
    if by not in ("auto", "site", "host"):
        raise ParameterError("by", by, "auto, site, host, or one label per page")
    if graph.urls is None:
        return _ranges(graph.nodes), "range of ids"
    if by != "host":
        return PageLabels("site", graph.urls.site_ids(), graph.urls.sites()), "site"
    return PageLabels("host", graph.urls.host_ids(), graph.urls.hosts()), "host"


def _given(graph: Graph, by: PageLabels | AnyArray) -> PageLabels:
    """Groups that somebody gave: with names for all of them, or with none."""
    labels = np.asarray(by)
    if labels.shape != (graph.nodes,) or labels.dtype.kind not in "iu" or labels.min(initial=0) < -1:
        allowed = f"one label ≥ 0, or −1 for none, for each of {graph.nodes} pages"
        raise ParameterError("by", f"array of shape {labels.shape}", allowed)
    count = int(labels.max(initial=-1)) + 1
    names = by.names if isinstance(by, PageLabels) else ()
    if names and len(names) < count:
        raise ParameterError("names", len(names), f"a name for each of {count} groups")
    return PageLabels("given", labels, names or [f"group {k}" for k in range(count)])


def _ranges(pages: int, pieces: int = 4) -> PageLabels:
    """Quarters of the ids: where ids follow the sorted URLs, as in most published crawls, these keep sites together."""
    cuts = [pages * k // pieces for k in range(pieces + 1)]
    labels = np.searchsorted(cuts[1:], np.arange(pages), side="right")
    return PageLabels("range", labels, [f"ids {cuts[k]:,} to {cuts[k + 1] - 1:,}" for k in range(pieces)])
