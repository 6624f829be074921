"""What theory predicts for each model; `report` draws the grown graph beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from periplus.draw.page import Figure
from periplus.graph.graph import Graph
from periplus.models import theory
from periplus.models.generators import kleinberg as grid
from periplus.models.generators.exponential_copying import in_degree_exponent
from periplus.models.generators.sites import mixture_exponent, read_mixture
from periplus.models.generators.webmodel import REGIONS, plan_pages, region_shares
from periplus.models.pictures import curves
from periplus.numeric.arrays import AnyArray, Floats
from periplus.structure.connectivity.bowtie import bowtie

Given = Mapping[str, Any]
Rows = list[tuple[str, str, str]]


class Theory(NamedTuple):
    """What is known of a model; whatever is not known is None.

    `law` returns the expected share of pages by degree, `exponent` that of the tail of `tail_of`, `curve` the figure
    that made the model famous, `rows` further figures (what, theory, here), `small` the parameters that need another
    value in a graph small enough to draw, `places` where to draw its pages.
    """

    law: Callable[[Given, AnyArray], Floats] | None = None
    exponent: Callable[[Given], float] | None = None
    tail_of: str = "in-degrees"
    curve: Callable[[Given], Figure] | None = None
    rows: Callable[[Given, Graph], Rows] | None = None
    small: Callable[[Given, int], dict[str, Any]] | None = None
    places: Callable[[Given, Graph], list[tuple[float, float]] | None] | None = None


def _regions_planned_and_found(given: Given, graph: Graph) -> Rows:
    shares = region_shares(*(given[f"{name}_share"] for name in ("scc", "in", "out", "tendrils")))
    starts = plan_pages(given["n"], topics=given["topics"], shares=shares, seed=given["seed"]).region_starts
    planned = dict(zip(REGIONS, np.diff(starts).tolist(), strict=True))
    planned["tendrils"] = planned.pop("tendrils_from_in") + planned.pop("tendrils_into_out")
    found = bowtie(graph).to_dict()
    said = {"in": "IN", "scc": "the core", "out": "OUT"}
    return [
        (f"pages in {said.get(name, name)}", f"{count:,}", f"{int(found[name]):,}") for name, count in planned.items()
    ]


def _quadrants(given: Given, graph: Graph) -> Rows:
    """Links by the halves that their ends lie in. Repeats, which were merged, are most often in the fullest one."""
    half, first = graph.nodes // 2, int(graph.out_offsets[graph.nodes // 2])
    high = [int((targets >= half).sum()) for targets in (graph.out_targets[:first], graph.out_targets[first:])]
    counts = (first - high[0], high[0], graph.links - first - high[1], high[1])
    stated = (given["a"], given["b"], given["c"], 1.0 - given["a"] - given["b"] - given["c"])
    names = ("a, both ends low", "b, target high", "c, source high", "d, both ends high")
    return [
        (f"links in quadrant {name}", f"{share:.3f} of those drawn", f"{count / max(1, graph.links):.3f}")
        for name, share, count in zip(names, stated, counts, strict=True)
    ]


def _grid_pages(given: Given, most: int) -> dict[str, Any]:
    """A whole grid of about `most` pages, of at least two per side."""
    dimensions = given["dimensions"]
    return {"n": grid.side_of(max(most, 2**dimensions), dimensions) ** dimensions}


def _grid_places(given: Given, graph: Graph) -> list[tuple[float, float]] | None:
    if given["dimensions"] != 2:
        return None
    return [(float(x), float(y)) for y, x in grid.positions(graph.nodes, 2)]


def _rates(given: Given) -> Any:
    return read_mixture(given["mixture"]) or ((given["growth"], 1.0),)


ERDOS_RENYI = Theory(
    law=lambda given, k: theory.erdos_renyi_degrees(given["n"], given["p"], k),
    curve=curves.giant_curve,
    small=lambda given, most: {"p": min(1.0, given["p"] * given["n"] / min(given["n"], most))},
)
ERDOS_RENYI_LINKS = Theory(
    law=lambda given, k: theory.erdos_renyi_link_degrees(given["n"], given["m"], k, directed=given["directed"])
)
WATTS_STROGATZ = Theory(curve=curves.small_world_curve)
EDGE_ADDITION = Theory(curve=curves.epidemic_curve)
PREFERENTIAL_ATTACHMENT = Theory(
    law=lambda given, k: theory.preferential_degrees(given["m0"], k), exponent=lambda given: 3.0
)
GROWTH_ONLY = Theory(law=lambda given, k: theory.uniform_growth_degrees(given["m0"], k))
PREFERENCE_ONLY = Theory(law=lambda given, k: theory.preference_only_degrees(given["n"], given["m"], int(k.max()))[k])
DIRECTED_SCALE_FREE = Theory(exponent=lambda given: float(given["in_exponent"]))
LINEAR_COPYING = Theory(
    law=lambda given, k: theory.copying_in_degrees(given["rho"], given["out_degree"], int(k.max()))[k],
    exponent=lambda given: theory.copying_exponent(given["rho"]),
)
EXPONENTIAL_COPYING = Theory(exponent=lambda given: in_degree_exponent(given["g"], given["chi"], given["kappa"]))
ALPHA_BETA = Theory(exponent=lambda given: float(given["beta"]))
KLEINBERG = Theory(curve=curves.routing_curve, small=_grid_pages, places=_grid_places)
SITE_GROWTH = Theory(
    exponent=lambda given: mixture_exponent(_rates(given), given["deviation"], given["founding"]),
    tail_of="site sizes",
    curve=curves.site_curve,
)
WEB = Theory(rows=_regions_planned_and_found)
RMAT = Theory(
    law=lambda given, k: theory.rmat_in_degrees(given["n"], given["degree"], given["a"] + given["c"], k),
    rows=_quadrants,
)
