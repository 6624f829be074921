"""The curve that made a model famous, simulated at a size that takes a second, beside its theory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from periplus.draw.charts import Series, chart, series_csv
from periplus.draw.page import Figure
from periplus.dynamics.epidemics import percolation
from periplus.dynamics.routing import greedy_routing
from periplus.graph.graph import Graph
from periplus.models import theory
from periplus.models.generators.erdos_renyi import erdos_renyi
from periplus.models.generators.kleinberg import kleinberg, positions
from periplus.models.generators.sites import mixture_exponent, read_mixture, site_sizes
from periplus.models.generators.small_world import edge_addition, watts_strogatz
from periplus.structure.connectivity.components import weak_components
from periplus.structure.paths.clustering import clustering
from periplus.structure.paths.distances import distances

Parameters = Mapping[str, Any]
MAX_EXPONENT = 50.0  # steeper than this no data show


def small_world_curve(given: Parameters) -> Figure:
    """L(p)/L(0) and C(p)/C(0) of Watts & Strogatz's own plot, n = 1000, with (1−p)³ beside."""
    n, d = 1000, min(max(int(given["d"]), 4), 20)
    p = np.logspace(-4, 0, 13)
    graphs = [watts_strogatz(n, d=d, p=float(x), seed=int(given["seed"])) for x in p]
    lengths = np.array([_mean_distance(graph) for graph in graphs]) / theory.lattice_path_length(n, d)
    clusters = np.array([clustering(graph).local for graph in graphs]) / theory.lattice_clustering(d)
    series = [
        Series("L(p)/L(0)", p, lengths, kind="points"),
        Series("C(p)/C(0)", p, clusters, kind="points"),
        Series("(1−p)³", p, (1 - p) ** 3, kind="line"),
    ]
    title = "A few reassigned links make the world small long before it stops being cliquish"
    picture = partial(
        chart, series, title=title, x_label="p, share of links reassigned", y_label="relative to p = 0", x_scale="log"
    )
    return Figure("small-world", picture, f"Ring of {n} pages of degree {d}.", series_csv(series))


def epidemic_curve(given: Parameters) -> Figure:
    """Largest and second largest outbreak by the share of susceptible pages, and Moore & Newman's threshold."""
    n, d, p = 20_000, int(given["d"]), float(given["p"])
    graph = edge_addition(n, d=d, p=p, seed=int(given["seed"]))
    shares = np.linspace(0.02, 1.0, 30)
    found = [percolation(graph, f=float(f), seed=int(given["seed"]) + 1) for f in shares]
    series = [
        Series("largest outbreak", shares, [one.largest / n for one in found], kind="line"),
        Series("second largest × 10", shares, [10 * one.second / n for one in found], kind="points"),
    ]
    title = "Without shortcuts only a world of susceptible pages would fall ill"
    if p > 0:
        threshold = theory.percolation_threshold(d, p)
        series.append(Series("theory's threshold", [threshold, threshold], [0.0, 1.0], kind="line", muted=True))
        title = f"An epidemic becomes possible when {threshold:.0%} of the pages are susceptible"
    picture = partial(chart, series, title=title, x_label="share of susceptible pages", y_label="share of all pages")
    return Figure("epidemic", picture, f"Edge addition, {n:,} pages of degree {d}, p = {p:g}.", series_csv(series))


def giant_curve(given: Parameters) -> Figure:
    """The giant component against the mean degree."""
    n = 10_000
    degrees = np.linspace(0.2, 4.0, 20)
    shares = [
        weak_components(erdos_renyi(n, p=float(c) / n, directed=False, seed=int(given["seed"]))).sizes.max() / n
        for c in degrees
    ]
    fine = np.linspace(0.2, 4.0, 200)
    series = [
        Series("simulated", degrees, shares, kind="points"),
        Series("θ = 1 − e^(−cθ)", fine, [theory.giant_share(float(c)) for c in fine], kind="line"),
    ]
    title = "A giant component appears at one link per page"
    picture = partial(
        chart,
        series,
        title=title,
        x_label="c, mean degree",
        y_label="share of pages in the largest component",
    )
    return Figure("giant", picture, f"Undirected, {n:,} pages.", series_csv(series))


def routing_curve(given: Parameters) -> Figure:
    """Hops of greedy routing by the exponent r, for two sizes."""
    dimensions = int(given["dimensions"])
    sizes = {1: (1000, 10_000), 2: (3600, 40_000), 3: (4096, 27_000)}.get(dimensions, (4**dimensions, 5**dimensions))
    exponents = np.linspace(0.0, 2.0 * dimensions, 9)
    series = []
    for n in sizes:
        hops = [_hops(n, dimensions, float(r), given) for r in exponents]
        series.append(Series(f"{n:,} pages", exponents, hops, kind="line"))
    best = exponents[int(np.argmin(series[-1].y))]
    title = f"Among {sizes[-1]:,} pages messages find their way quickest near r = {best:g}"
    picture = partial(chart, series, title=title, x_label="r, exponent of long-range contacts", y_label="mean hops")
    return Figure(
        "routing",
        picture,
        f"In the limit of large grids the best exponent is the dimension, {dimensions}.",
        series_csv(series),
    )


def site_curve(given: Parameters) -> Figure:
    """How many sites have at least so many pages."""
    growth, deviation, founding = (float(given[name]) for name in ("growth", "deviation", "founding"))
    mixture = read_mixture(given["mixture"])
    made = site_sizes(
        100_000, growth=growth, deviation=deviation, founding=founding, mixture=mixture, seed=int(given["seed"])
    )
    sizes = np.sort(made)[::-1]
    picks = np.unique(np.logspace(0, 5, 60).astype(np.int64)) - 1
    exponent = mixture_exponent(mixture or ((growth, 1.0),), deviation, founding)
    tail = sizes[picks] >= 30
    share = (picks + 1) / len(sizes)
    series = [Series("simulated", sizes[picks], share, kind="points")]
    title = "Pages per site: sites too small, or too much alike, for a power law"
    if tail.any() and exponent < MAX_EXPONENT:
        anchor = np.exp(np.mean(np.log(share[tail]) + (exponent - 1) * np.log(sizes[picks][tail])))
        law = anchor * sizes[picks][tail] ** (1 - exponent)
        series.append(Series(f"exponent {exponent:.2f}", sizes[picks][tail], law, kind="line"))
        title = f"Pages per site follow a power law of exponent {exponent:.2f}"
    picture = partial(
        chart, series, title=title, x_label="pages", y_label="share of sites with so many", x_scale="log", y_scale="log"
    )
    return Figure("sites", picture, "Huberman & Adamic found 1.65 to 1.91.", series_csv(series))


def _mean_distance(graph: Graph) -> float:
    return float(distances(graph).mean)


def _hops(n: int, dimensions: int, r: float, given: Parameters) -> float:
    graph = kleinberg(
        n,
        dimensions=dimensions,
        reach=int(given["reach"]),
        long_range=max(1, int(given["long_range"])),
        r=r,
        seed=int(given["seed"]),
    )
    return greedy_routing(graph, positions(graph.nodes, dimensions), trips=400, seed=1).mean_hops
