"""A grown graph beside its theory, as pictures: what `periplus model NAME --report` and `/lab` show.

Every model gets its degree law (simulation as points, theory as a line where there is one), a small graph of the same
parameters drawn whole, and its bow-tie; some get the curve that made them famous.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from periplus.draw.bowtie import bowtie_picture
from periplus.draw.charts import Series, chart, series_csv
from periplus.draw.network import network_picture
from periplus.draw.page import Figure, html_page
from periplus.durable import write_atomically
from periplus.graph.graph import Graph
from periplus.models import theory
from periplus.models.base import Model
from periplus.models.curves import CURVES
from periplus.models.exponential_copying import in_degree_exponent
from periplus.models.kleinberg import positions, side_of
from periplus.models.sites import mixture_exponent, read_mixture
from periplus.models.webmodel import REGIONS, plan_pages, region_shares
from periplus.numeric.arrays import AnyArray, Floats
from periplus.structure.bowtie import bowtie

Parameters = Mapping[str, Any]

_DRAWN = 36

# Expected shares by degree k, for the models whose whole law is known.
LAWS: dict[str, Callable[[Parameters, AnyArray], Floats]] = {
    "erdos-renyi": lambda given, k: theory.erdos_renyi_degrees(given["n"], given["p"], k),
    "erdos-renyi-links": lambda given, k: theory.erdos_renyi_link_degrees(
        given["n"], given["m"], k, directed=given["directed"]
    ),
    "preference-only": lambda given, k: theory.preference_only_degrees(given["n"], given["m"], int(k.max()))[k],
    "rmat": lambda given, k: theory.rmat_in_degrees(given["n"], given["degree"], given["a"] + given["c"], k),
    "preferential-attachment": lambda given, k: theory.preferential_degrees(given["m0"], k),
    "growth-only": lambda given, k: theory.uniform_growth_degrees(given["m0"], k),
    "linear-copying": lambda given, k: theory.copying_in_degrees(given["rho"], given["out_degree"], int(k.max()))[k],
}
# Exponents of the tail, for those of which only that is known.
EXPONENTS: dict[str, Callable[[Parameters], float]] = {
    "preferential-attachment": lambda given: 3.0,
    "linear-copying": lambda given: theory.copying_exponent(given["rho"]),
    "exponential-copying": lambda given: in_degree_exponent(given["g"], given["chi"], given["kappa"]),
    "directed-scale-free": lambda given: given["in_exponent"],
    "alpha-beta": lambda given: given["beta"],
    "site-growth": lambda given: mixture_exponent(
        read_mixture(given["mixture"]) or ((given["growth"], 1.0),), given["deviation"], given["founding"]
    ),
}


def figures(model: Model, parameters: Parameters, graph: Graph) -> list[Figure]:
    """The pictures of one grown graph, the most telling first."""
    found = [CURVES[model.name](parameters)] if model.name in CURVES else []
    found.append(degree_figure(model, parameters, graph))
    if model.directed and (tie := bowtie_figure(graph)) is not None:
        found.append(tie)
    return [*found, small_figure(model, parameters)]


def degree_figure(model: Model, parameters: Parameters, graph: Graph) -> Figure:
    """Share of pages by in-degree, on log–log paper, with the law that theory gives."""
    degrees, shares = _binned(graph.in_degrees)
    series = [Series("simulated", degrees, shares, kind="points")]
    finding = f"In-degrees of {graph.nodes:,} pages"
    if model.name in LAWS:
        k = np.unique(np.logspace(0, np.log10(max(1, graph.in_degrees.max(initial=1))), 60).astype(np.int64))
        law = LAWS[model.name](parameters, k)
        kept = law > shares[shares > 0].min(initial=1.0) / 10
        series.append(Series("theory", k[kept], law[kept], kind="line"))
        finding += " beside the law that theory gives"
    elif model.name in EXPONENTS and model.name != "site-growth" and len(degrees) > 2:
        exponent = EXPONENTS[model.name](parameters)
        tail = degrees >= max(5.0, float(np.median(degrees)) / 4)
        anchor = np.exp(np.mean(np.log(shares[tail]) + exponent * np.log(degrees[tail]))) if tail.any() else 1.0
        series.append(Series(f"k^-{exponent:.2f}", degrees[tail], anchor * degrees[tail] ** -exponent, kind="line"))
        finding += f" beside theory's exponent {exponent:.2f}"
    svg = chart(
        series, title=finding, x_label="links to a page", y_label="share of pages", x_scale="log", y_scale="log"
    )
    return Figure("degrees", svg, "Shares are averaged over bins that grow with the degree.", series_csv(series))


def bowtie_figure(graph: Graph) -> Figure | None:
    """The bow-tie of the graph, to scale; none where there is no core to speak of (growth alone makes no circles)."""
    tie = bowtie(graph).to_dict()
    names = ("scc", "in", "out", "tendrils", "tubes", "disconnected")
    counts = {name: int(tie[name]) for name in names}
    if counts["scc"] < 0.01 * graph.nodes:
        return None
    svg = bowtie_picture(
        counts, title=f"Its bow-tie: {counts['scc'] / max(1, graph.nodes):.0%} of the pages in the core"
    )
    rows = "region,pages\n" + "".join(f"{name},{count}\n" for name, count in counts.items())
    return Figure("bowtie", svg, "Areas are shares of the pages.", rows)


def small_figure(model: Model, parameters: Parameters) -> Figure:
    """A graph of the same model, small enough to draw."""
    small = _shrunk(model, parameters)
    graph = model.function()(**small)
    links = [(page, int(target)) for page in range(graph.nodes) for target in graph.successors(page)]
    places = None
    if model.name == "kleinberg" and parameters["dimensions"] == 2:
        places = [(float(x), float(y)) for y, x in positions(graph.nodes, 2)]
    svg = network_picture(graph.nodes, links, title=f"{graph.nodes} pages of it", places=places)
    rows = "source,target\n" + "".join(f"{a},{b}\n" for a, b in links)
    return Figure("small", svg, "A small graph of the same model and parameters, drawn whole.", rows)


def comparison(model: Model, parameters: Parameters, graph: Graph) -> list[tuple[str, str, str]]:
    """Figures as theory has them and as they are here; empty where there is nothing to say."""
    drawn = f"{model.drawn(parameters):,.0f} drawn, repeats merged" if model.drawn else ""
    rows = [("pages", "", f"{graph.nodes:,}"), ("links", drawn, f"{graph.links:,}")]
    if model.name in EXPONENTS:
        what = "exponent of site sizes" if model.name == "site-growth" else "exponent of in-degrees"
        rows.append((what, f"{EXPONENTS[model.name](parameters):.3f}", ""))
    if model.name == "web":
        rows += _regions_planned_and_found(parameters, graph)
    if model.name == "rmat":
        rows += _quadrants(parameters, graph)
    return rows


def _regions_planned_and_found(given: Parameters, graph: Graph) -> list[tuple[str, str, str]]:
    shares = region_shares(*(given[f"{name}_share"] for name in ("scc", "in", "out", "tendrils")))
    starts = plan_pages(given["n"], topics=given["topics"], shares=shares, seed=given["seed"]).region_starts
    planned = dict(zip(REGIONS, np.diff(starts).tolist(), strict=True))
    planned["tendrils"] = planned.pop("tendrils_from_in") + planned.pop("tendrils_into_out")
    found = bowtie(graph).to_dict()
    said = {"in": "IN", "scc": "the core", "out": "OUT"}
    return [
        (f"pages in {said.get(name, name)}", f"{count:,}", f"{int(found[name]):,}") for name, count in planned.items()
    ]


def _quadrants(given: Parameters, graph: Graph) -> list[tuple[str, str, str]]:
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


def write_report(model: Model, parameters: Parameters, graph: Graph, path: str) -> None:
    """One self-contained page of pictures."""
    said = ", ".join(f"{name} = {value}" for name, value in parameters.items() if value != "")
    lead = f"{model.help[0].upper()}{model.help[1:]} ({model.paper}). Grown with {said}."
    rows = comparison(model, parameters, graph)
    columns = ("figure", "theory", "here")
    page = html_page(f"{model.name}: theory and simulation", lead, columns, rows, figures(model, parameters, graph))
    write_atomically(Path(path), page.encode())


def _shrunk(model: Model, parameters: Parameters) -> dict[str, Any]:
    """The same parameters for a graph that can be drawn: fewer pages, and of links per page what fits."""
    small = dict(parameters)
    small["n"] = min(int(parameters["n"]), _DRAWN)
    scale = small["n"] / max(1, int(parameters["n"]))
    if "m" in small:
        small["m"] = min(int(np.ceil(parameters["m"] * scale)), small["n"] * (small["n"] - 1) // 2)
    if model.name == "erdos-renyi":
        small["p"] = min(1.0, parameters["p"] / scale)
    for name, most in (("d", small["n"] - 2), ("m0", 3), ("out_degree", 3), ("degree", 3)):
        if name in small:
            small[name] = min(small[name], most)
    if "d" in small:
        small["d"] -= small["d"] % 2
    if "n0" in small:
        small["n0"] = 0
    if "alpha" in small:
        small["alpha"] = 0.0
    if model.name == "kleinberg":
        small["n"] = max(small["n"], 2 ** parameters["dimensions"])
        small["n"] = side_of(small["n"], parameters["dimensions"]) ** parameters["dimensions"]
    return small


def _binned(degrees: AnyArray) -> tuple[Floats, Floats]:
    """Shares by degree: single up to 10, then in bins a tenth of a decade wide."""
    counts = np.bincount(degrees)
    if len(counts) < 2:
        return np.zeros(0), np.zeros(0)
    tops = 10.0 ** np.arange(1.0, np.log10(max(len(counts), 11)) + 0.1, 0.1)
    edges = np.unique(np.concatenate((np.arange(1, 11), np.ceil(tops)))).astype(np.int64)
    totals = np.add.reduceat(np.concatenate((counts, np.zeros(int(edges[-1]) + 1))), edges)[:-1]
    middles = np.sqrt(edges[:-1] * (edges[1:] - 1.0))
    shares = totals / np.diff(edges) / max(1, len(degrees))
    keep = shares > 0
    return middles[keep], shares[keep]
