"""A grown graph beside its theory, as pictures: what `periplus model NAME --report` and `/lab` show.

Every model gets its degree law (simulation as points, theory as a line where there is one), a small graph of the same
parameters drawn whole, and its bow-tie; some get the curve that made them famous.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from periplus.catalog import load
from periplus.draw.bowtie import bowtie_picture
from periplus.draw.charts import Series, chart, series_csv
from periplus.draw.network import network_picture
from periplus.draw.page import Figure, html_page
from periplus.durable import write_atomically
from periplus.graph.graph import Graph
from periplus.models.pictures.theories import Theory
from periplus.models.table import Model
from periplus.numeric.arrays import AnyArray, Floats
from periplus.structure.connectivity.bowtie import bowtie
from periplus.wording import counted, percent, sentence

Parameters = Mapping[str, Any]

_DRAWN = 36


def theory_of(model: Model) -> Theory:
    """What theory says of a model."""
    found: Theory = load(model.theory) if model.theory else Theory()
    return found


def figures(model: Model, parameters: Parameters, graph: Graph) -> list[Figure]:
    """The pictures of one grown graph, the most telling first."""
    curve = theory_of(model).curve
    found = [] if curve is None else [curve(parameters)]
    found.append(degree_figure(model, parameters, graph))
    if model.directed and (tie := bowtie_figure(graph)) is not None:
        found.append(tie)
    return [*found, small_figure(model, parameters)]


def degree_figure(model: Model, parameters: Parameters, graph: Graph) -> Figure:
    """Share of pages by in-degree, on log–log paper, with the law that theory gives."""
    degrees, shares = binned_shares(graph.in_degrees)
    series = [Series("simulated", degrees, shares, kind="points")]
    finding = f"In-degrees of {counted(graph.nodes, 'page')}"
    known = theory_of(model)
    if known.law is not None:
        k = np.unique(np.logspace(0, np.log10(max(1, graph.in_degrees.max(initial=1))), 60).astype(np.int64))
        law = known.law(parameters, k)
        kept = law > shares[shares > 0].min(initial=1.0) / 10
        series.append(Series("theory", k[kept], law[kept], kind="line"))
        finding += " beside the law that theory gives"
    elif known.exponent is not None and known.tail_of == "in-degrees" and len(degrees) > 2:
        exponent = known.exponent(parameters)
        tail = degrees >= max(5.0, float(np.median(degrees)) / 4)
        anchor = np.exp(np.mean(np.log(shares[tail]) + exponent * np.log(degrees[tail]))) if tail.any() else 1.0
        series.append(Series(f"k^-{exponent:.2f}", degrees[tail], anchor * degrees[tail] ** -exponent, kind="line"))
        finding += f" beside theory's exponent {exponent:.2f}"
    picture = partial(
        chart, series, title=finding, x_label="links to a page", y_label="share of pages", x_scale="log", y_scale="log"
    )
    return Figure("degrees", picture, "Shares are averaged over bins that grow with the degree.", series_csv(series))


def bowtie_figure(graph: Graph) -> Figure | None:
    """The bow-tie of the graph, to scale; none where there is no core to speak of (growth alone makes no circles)."""
    tie = bowtie(graph).to_dict()
    names = ("scc", "in", "out", "tendrils", "tubes", "disconnected")
    counts = {name: int(tie[name]) for name in names}
    if counts["scc"] < 0.01 * graph.nodes:
        return None
    picture = partial(
        bowtie_picture,
        counts,
        title=f"Its bow-tie: {percent(counts['scc'] / max(1, graph.nodes))} of the pages in the core",
    )
    rows = "region,pages\n" + "".join(f"{name},{count}\n" for name, count in counts.items())
    return Figure("bowtie", picture, "Areas are shares of the pages.", rows)


def small_figure(model: Model, parameters: Parameters) -> Figure:
    """A graph of the same model, small enough to draw."""
    small = _shrunk(model, parameters)
    graph = model.function()(**small)
    links = [(page, int(target)) for page in range(graph.nodes) for target in graph.successors(page)]
    known = theory_of(model)
    places = None if known.places is None else known.places(parameters, graph)
    picture = partial(network_picture, graph.nodes, links, title=f"{counted(graph.nodes, 'page')} of it", places=places)
    rows = "source,target\n" + "".join(f"{a},{b}\n" for a, b in links)
    return Figure("small", picture, "A small graph of the same model and parameters, drawn whole.", rows)


def comparison(model: Model, parameters: Parameters, graph: Graph) -> list[tuple[str, str, str]]:
    """Figures as theory has them and as they are here; empty where there is nothing to say."""
    drawn = f"{model.drawn(parameters):,.0f} drawn, repeats merged" if model.drawn else ""
    rows = [("pages", "", f"{graph.nodes:,}"), ("links", drawn, f"{graph.links:,}")]
    known = theory_of(model)
    if known.exponent is not None:
        rows.append((f"exponent of {known.tail_of}", f"{known.exponent(parameters):.3f}", ""))
    if known.rows is not None:
        rows += known.rows(parameters, graph)
    return rows


def write_report(model: Model, parameters: Parameters, graph: Graph, path: str) -> None:
    """One self-contained page of pictures."""
    said = ", ".join(f"{name} = {value}" for name, value in parameters.items() if value != "")
    lead = f"{sentence(model.help)} ({model.paper}). Grown with {said}."
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
    for name, most in (("d", small["n"] - 2), ("m0", 3), ("out_degree", 3), ("degree", 3)):
        if name in small:
            small[name] = min(small[name], most)
    if "d" in small:
        small["d"] -= small["d"] % 2
    if "n0" in small:
        small["n0"] = 0
    if "alpha" in small:
        small["alpha"] = 0.0
    known = theory_of(model)
    return small if known.small is None else {**small, **known.small(parameters, _DRAWN)}


def binned_shares(degrees: AnyArray) -> tuple[Floats, Floats]:
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
