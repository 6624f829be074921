"""The whole study of a web's shape, in one call and one record.

Components, bow-tie, degree laws, distances, reach, small world, robustness and self-similarity, in that order; each
part is a function of its own in the module of that name, and this one only decides how much work each may do.
`to_dict` is the JSON that `periplus structure --json` prints and that a collection stores; pictures are drawn from
it (`report`), so that a stored study can be shown without its graph.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from periplus.catalog import checked
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats
from periplus.record import PageLabels
from periplus.structure.connectivity.bowtie import SCC, BowTie, Regions, bowtie
from periplus.structure.connectivity.components import Components, strong_components, weak_components
from periplus.structure.connectivity.reach import Reach, reach_experiment
from periplus.structure.connectivity.robustness import Robustness, robustness
from periplus.structure.laws.degrees import Degrees, degrees
from periplus.structure.laws.power_law import Law, fit_law
from periplus.structure.paths.clustering import SmallWorld, small_world
from periplus.structure.paths.diameter import Diameter, diameter
from periplus.structure.paths.distances import EXACT_WORK, Distances, distances
from periplus.structure.studies.selfsimilar import SelfSimilarity, self_similarity

T = TypeVar("T")
_CURVE = 1500  # at most so many points of a distribution are kept for its picture


@dataclass(frozen=True)
class Study:
    """Every part of the study; `seconds` says what each part took."""

    nodes: int
    links: int
    graph_digest: str
    seed: int
    fast: bool
    strong: Components
    weak: Components
    bowtie: BowTie
    degrees: dict[str, Degrees]
    laws: dict[str, Law]
    distances: Distances
    undirected: Distances
    core_diameter: Diameter
    reach: Reach
    small_world: SmallWorld
    robustness: Robustness
    self_similarity: SelfSimilarity
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def regions(self) -> Regions:
        """The region of every page in the bow-tie."""
        return self.bowtie.regions

    def to_dict(self) -> dict[str, Any]:
        """Everything but the arrays with a row per page; NaN becomes None."""
        parts = {
            "nodes": self.nodes,
            "links": self.links,
            "graph_digest": self.graph_digest,
            "seed": self.seed,
            "fast": self.fast,
            "scc": self.strong.to_dict(),
            "wcc": self.weak.to_dict(),
            "bowtie": self.bowtie.to_dict(),
            **{f"{kind}_degree": degree.to_dict() for kind, degree in self.degrees.items()},
            "laws": {name: law.to_dict() for name, law in self.laws.items()},
            "distances": self.distances.to_dict(),
            "undirected_distances": self.undirected.to_dict(),
            "core_diameter": self.core_diameter.to_dict(),
            "reach": self.reach.to_dict(),
            "small_world": self.small_world.to_dict(),
            "robustness": self.robustness.to_dict(),
            "self_similarity": self.self_similarity.to_dict(),
            "distributions": self._distributions(),
            "seconds": self.seconds,
        }
        cleaned: dict[str, Any] = _without_nan(parts)
        return cleaned

    def _distributions(self) -> dict[str, Any]:
        """Value and number of pages (or components) with it, for the pictures."""
        curves = {f"{kind}_degree": _thinned(degree.values, degree.pages) for kind, degree in self.degrees.items()}
        for name, components in (("scc_sizes", self.strong), ("wcc_sizes", self.weak)):
            sizes, counts = np.unique(components.sizes, return_counts=True)
            curves[name] = _thinned(sizes.astype(np.float64), counts.astype(np.float64))
        return curves


@checked
def study(
    graph: Graph,
    *,
    seed: int = 0,
    fast: bool = False,
    pagerank: Floats | None = None,
    by: str | PageLabels | AnyArray = "auto",
    progress: Callable[[str], None] | None = None,
) -> Study:
    """The whole study; `fast` cuts samples and repetitions, and with them precision, to about a third.

    `pagerank`, where it is at hand, is fitted too: its tail should be as heavy as the in-degree's. `by` says which
    parts are compared with the whole, as in `self_similarity`. `progress` is told the name of each part as it begins.
    """
    clock = _Clock(progress)
    samples = 40 if fast else 200
    strong = clock("components", lambda: strong_components(graph))
    weak = clock("weak components", lambda: weak_components(graph))
    tie = clock("bow-tie", lambda: bowtie(graph))
    kinds = ("in", "out", "total")
    degree = clock("degrees", lambda: {kind: degrees(graph, kind, samples=samples, seed=seed) for kind in kinds})
    laws = clock("laws", lambda: _laws(graph, strong, weak, pagerank, samples // 4, seed))
    far = clock("distances", lambda: distances(graph, runs=4 if fast else 8, sources=100, seed=seed))
    near = clock("undirected distances", lambda: _undirected(graph, 30 if fast else 100, seed))
    core = clock(
        "core diameter", lambda: diameter(_core(graph, tie), budget=max(5e8, 20.0 * graph.links) if fast else None)
    )
    if far.diameter_exact:  # a path between pages of the core never leaves it
        core = replace(core, upper=min(core.upper, far.diameter_lower))
    around = clock("reach", lambda: reach_experiment(graph, starts=30 if fast else 100, seed=seed))
    small = clock("small world", lambda: small_world(graph, path_length=near.mean, sources=10, seed=seed))
    robust = clock("robustness", lambda: robustness(graph, seed=seed))
    alike = clock("self-similarity", lambda: self_similarity(graph, by=by, most=6 if fast else 12, seed=seed))
    return Study(
        nodes=graph.nodes,
        links=graph.links,
        graph_digest=graph.digest,
        seed=seed,
        fast=fast,
        strong=strong,
        weak=weak,
        bowtie=tie,
        degrees=degree,
        laws=laws,
        distances=far,
        undirected=near,
        core_diameter=core,
        reach=around,
        small_world=small,
        robustness=robust,
        self_similarity=alike,
        seconds=clock.seconds,
    )


class _Clock:
    """Runs the parts, tells which begins, and keeps what each took."""

    def __init__(self, progress: Callable[[str], None] | None) -> None:
        self.seconds: dict[str, float] = {}
        self._progress = progress

    def __call__(self, name: str, work: Callable[[], T]) -> T:
        if self._progress is not None:
            self._progress(name)
        start = time.perf_counter()
        result = work()
        self.seconds[name] = round(time.perf_counter() - start, 4)
        return result


def _undirected(graph: Graph, sources: int, seed: int) -> Distances:
    """Exact where that is cheap; else sampled: nearly every page reaches the same others, so a few searches suffice."""
    small = graph.nodes * (graph.nodes + 2 * graph.links) <= EXACT_WORK
    return distances(graph, directed=False, method="exact" if small else "sampled", sources=sources, seed=seed)


def _core(graph: Graph, tie: BowTie) -> Graph:
    return graph.subgraph(np.flatnonzero(tie.regions == SCC).astype(np.uint32))


def _laws(
    graph: Graph, strong: Components, weak: Components, pagerank: Floats | None, samples: int, seed: int
) -> dict[str, Law]:
    laws = {
        "scc_sizes": fit_law(strong.sizes, name="strong component sizes", samples=samples, seed=seed),
        "wcc_sizes": fit_law(weak.sizes, name="weak component sizes", samples=samples, seed=seed),
    }
    if graph.urls is not None and graph.nodes:
        pages = np.bincount(graph.urls.site_ids())
        laws["pages_a_site"] = fit_law(pages, name="pages per site", samples=samples, seed=seed)
    if pagerank is not None:
        laws["pagerank"] = fit_law(pagerank, name="PageRank", discrete=False, samples=samples, seed=seed)
    return laws


def _thinned(values: Floats, counts: Floats) -> dict[str, list[float]]:
    """The whole distribution, or points spread evenly over it where there are too many to draw.

    `at_least` counts those with this value or a larger one, over all values, also those that are not kept.
    """
    at_least = np.cumsum(counts[::-1])[::-1]
    if len(values) > _CURVE:
        kept = np.unique(np.geomspace(1, len(values), _CURVE).astype(np.int64)) - 1
        values, counts, at_least = values[kept], counts[kept], at_least[kept]
    return {"values": values.tolist(), "counts": counts.tolist(), "at_least": at_least.tolist()}


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
