"""Self-similarity: the figures of the whole web, again for its parts, and for a random set of as many pages.

Dill et al. ("Self-similarity in the Web", VLDB 2001; Litvak, "Power laws") found that pages that share something,
a site, a topic, a region, form a small web of their own: a bow-tie, the same exponents. A set of pages drawn at
random does not: of m links only about m·(s/n)² stay inside a set of s pages, and the structure is lost. Each part
is therefore shown beside such a random set of its own size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids
from periplus.structure.bowtie import bowtie
from periplus.structure.components import weak_components
from periplus.structure.tails import distinct, fit_tail


@dataclass(frozen=True, slots=True)
class Part:
    """The shape of the web inside one set of pages."""

    name: str
    pages: int
    links: int
    shares: dict[str, float]
    largest_weak: float
    in_alpha: float
    out_alpha: float

    @property
    def links_a_page(self) -> float:
        return self.links / self.pages if self.pages else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "pages": self.pages,
            "links": self.links,
            "links_a_page": self.links_a_page,
            "bowtie": self.shares,
            "largest_weak": self.largest_weak,
            "in_alpha": self.in_alpha,
            "out_alpha": self.out_alpha,
        }


@dataclass(frozen=True, slots=True)
class SelfSimilarity:
    """The parts, each with a random set of the same size: `parts[k]` beside `random[k]`."""

    by: str
    parts: tuple[Part, ...]
    random: tuple[Part, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "parts": [part.to_dict() for part in self.parts],
            "random": [part.to_dict() for part in self.random],
        }


def self_similarity(
    graph: Graph,
    *,
    by: str | AnyArray = "auto",
    names: Sequence[str] | None = None,
    most: int = 8,
    smallest: int = 50,
    seed: int = 0,
) -> SelfSimilarity:
    """The `most` largest groups of at least `smallest` pages: by "site", by "host", or by a label for every page.

    "auto" is by site, or by host where one site has nearly all pages; without URLs the groups are the four quarters
    of the ids.
    """
    labels, titles, kind = _labels(graph, by, names)
    sizes = np.bincount(labels, minlength=len(titles)) if len(labels) else np.zeros(0, np.int64)
    if isinstance(by, str) and by == "auto" and kind == "site" and sizes.max(initial=0) > 0.9 * graph.nodes:
        labels, titles, kind = _labels(graph, "host", None)
        sizes = np.bincount(labels, minlength=len(titles))
    chosen = [int(k) for k in np.argsort(-sizes, kind="stable")[:most] if sizes[k] >= smallest]
    rng = np.random.default_rng(seed)
    parts, random = [], []
    for group in chosen:
        pages = np.flatnonzero(labels == group).astype(np.uint32)
        parts.append(measure(graph, pages, titles[group]))
        drawn = np.sort(rng.choice(graph.nodes, len(pages), replace=False)).astype(np.uint32)
        random.append(measure(graph, drawn, f"{len(pages):,} random pages"))
    return SelfSimilarity(kind, tuple(parts), tuple(random))


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


def _labels(graph: Graph, by: str | AnyArray, names: Sequence[str] | None) -> tuple[AnyArray, Sequence[str], str]:
    if not isinstance(by, str):
        labels = np.asarray(by)
        if labels.shape != (graph.nodes,) or labels.dtype.kind not in "iu" or (len(labels) and labels.min() < 0):
            raise ParameterError(
                "by", f"array of shape {labels.shape}", f"one label ≥ 0 for each of {graph.nodes} pages"
            )
        count = int(labels.max()) + 1 if len(labels) else 0
        return labels, names or [f"group {k}" for k in range(count)], "given groups"
    if by not in ("auto", "site", "host"):
        raise ParameterError("by", by, "auto, site, host, or one label a page")
    if graph.urls is None:
        return _ranges(graph.nodes)
    if by != "host":
        return graph.urls.site_ids(), graph.urls.sites(), "site"
    return graph.urls.host_ids(), graph.urls.hosts(), "host"


def _ranges(pages: int, pieces: int = 4) -> tuple[AnyArray, Sequence[str], str]:
    """Quarters of the ids: where ids follow the sorted URLs, as in most published crawls, these keep sites together."""
    cuts = [pages * k // pieces for k in range(pieces + 1)]
    labels = np.searchsorted(cuts[1:], np.arange(pages), side="right")
    return labels, [f"ids {cuts[k]:,} to {cuts[k + 1] - 1:,}" for k in range(pieces)], "range of ids"
