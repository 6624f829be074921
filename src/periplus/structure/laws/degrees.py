"""Degrees: how many links pages have, in and out, and the law of each distribution.

In-degree d−(p) counts the links to p, out-degree d+(p) the links from it, total degree their sum; a link of a page
to itself counts once on each side. Broder et al. found exponents 2.1 (in) and 2.72 (out) in 1999.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import Floats, Offsets
from periplus.record import Findings
from periplus.structure.laws.power_law import Law, fit_law_of_counts


@dataclass(frozen=True, slots=True)
class Degrees(Findings):
    """The distribution of one kind of degree: `pages[k]` pages have degree `values[k]`."""

    kind: str = field(metadata={"json": None})
    values: Floats = field(metadata={"json": None})
    pages: Floats = field(metadata={"json": None})
    mean: float
    largest: int
    zeros: int
    law: Law = field(metadata={"json": None})

    def to_dict(self) -> dict[str, Any]:
        """The law of the distribution, and its mean, largest value and pages without links."""
        return self.law.to_dict() | Findings.to_dict(self)


@checked
def degree_array(graph: Graph, kind: str) -> Offsets:
    """The in-, out- or total degree of every page."""
    if kind == "in":
        return graph.in_degrees
    if kind == "out":
        return graph.out_degrees
    if kind == "total":
        return graph.in_degrees + graph.out_degrees
    raise ParameterError("kind", kind, "in, out or total")


@checked
def degrees(graph: Graph, kind: str = "in", *, samples: int = 200, seed: int = 0) -> Degrees:
    """The distribution of a degree and its law; `samples` as in `fit_law`."""
    every = np.bincount(degree_array(graph, kind)) if graph.nodes else np.zeros(1, np.int64)
    present = np.flatnonzero(every)
    values, pages = present.astype(np.float64), every[present].astype(np.float64)
    positive = values > 0
    law = fit_law_of_counts(values[positive], pages[positive], name=f"{kind}-degree", samples=samples, seed=seed)
    links = float((values * pages).sum())
    return Degrees(
        kind=kind,
        values=values,
        pages=pages,
        mean=links / graph.nodes if graph.nodes else 0.0,
        largest=int(present[-1]) if len(present) else 0,
        zeros=int(every[0]),
        law=law,
    )
