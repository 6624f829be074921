"""Deo and Gupta 3.1 and 3.2: Erdős–Rényi graphs, small worlds, epidemics on them."""

from __future__ import annotations

from functools import partial

import numpy as np

from periplus.dynamics import percolation, percolation_curve
from periplus.graph.graph import Graph
from periplus.models import theory
from periplus.models.generators.erdos_renyi import erdos_renyi, erdos_renyi_links
from periplus.models.generators.small_world import edge_addition, watts_strogatz
from periplus.numeric.arrays import Floats
from periplus.reproduce.checks import bound, exact, give_or_take, holds, mean_of, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.pictures import line, net, plot, points
from periplus.reproduce.tools import over_seeds
from periplus.structure.connectivity.components import weak_components
from periplus.structure.paths.clustering import clustering
from periplus.structure.paths.distances import distances

_LETTERS = "abcdefghij"


@claim(
    "deo-gupta.figure-2",
    "§3.1, figure 2",
    "With n = 10 and p = 0.2, pn(n−1)/2 = 9 links are added, and make a graph of small diameter.",
)
def figure_2(means: Means) -> Outcome:
    tried = means.size(400)
    drawn = [erdos_renyi(10, p=0.2, directed=False, seed=seed).links / 2 for seed in range(tried)]
    half = 1.96 * float(np.std(drawn)) / tried**0.5
    graph = erdos_renyi_links(10, m=9, directed=False, seed=1)
    return Outcome(
        (
            number("pn(n−1)/2", "9", exact(0.2 * 10 * 9 / 2)),
            number("links drawn, mean", "9", give_or_take(float(np.mean(drawn)), half)),
            bound(
                "diameter of the drawn graph", "small", exact(distances(graph, directed=False).diameter_lower), most=9
            ),
        ),
        f"{tried} random graphs of ten pages, seeds 0 to {tried - 1}.",
        pictures=(
            net(erdos_renyi_links(10, m=0, directed=False), "(a) Ten pages, no link", labels=_LETTERS),
            net(graph, "(b) Nine links, all graphs alike", labels=_LETTERS),
        ),
    )


@claim(
    "deo-gupta.threshold",
    "§3.1",
    "Below p_c ~ 1/n a random graph has many components; at p_c a large component forms.",
)
def threshold(means: Means) -> Outcome:
    n = means.size(20_000)
    degrees = np.concatenate((np.linspace(0.2, 0.8, 4), np.linspace(0.9, 2.0, 12), np.linspace(2.5, 5, 4)))
    found = [weak_components(erdos_renyi(n, p=c / n, directed=False, seed=1)).sizes for c in degrees]
    shares = np.array([sizes.max() / n for sizes in found])
    first = float(degrees[np.argmax(shares > n**-0.25)])
    off = max(abs(share - theory.giant_share(float(c))) for share, c in zip(shares, degrees, strict=True) if c >= 1.3)
    return Outcome(
        (
            number("p_c · n, where one component passes n^¾ pages", "1", exact(first), means=(0.9, 1.25)),
            bound("largest component at half of p_c", "disconnected", exact(float(shares[1])), most=0.01),
            bound("simulated share less θ = 1 − e^−cθ, at most", "", exact(off), most=0.03),
        ),
        f"G(n, p) of {n:,} pages at twenty mean degrees c = np; seed 1.",
        pictures=(
            plot(
                points("simulated", degrees, shares),
                line(
                    "θ = 1 − e^(−cθ)",
                    np.linspace(0.2, 5, 100),
                    [theory.giant_share(float(c)) for c in np.linspace(0.2, 5, 100)],
                ),
                title="A giant component appears at one link a page",
                x="c = np, mean degree",
                y="share of pages in the largest component",
            ),
        ),
    )


@claim(
    "deo-gupta.giant-at-threshold",
    "§3.1",
    "At p = p_c the large component contains, in the asymptotic limit, all the nodes.",
)
def at_threshold(means: Means) -> Outcome:
    sizes = np.array([1000, 4000, 16_000, 64_000])
    shares = [over_seeds(8, partial(_largest, int(n), 1.0)) for n in sizes]
    connected = _largest(4000, 2 * np.log(4000), 1)
    return Outcome(
        (
            number("share at p = 1/n, 64,000 pages", "all", shares[-1], means=(0.99, 1.0)),
            number("share at p = 2 ln n/n", "all", exact(connected), means=(0.99, 1.0)),
        ),
        "Eight graphs of each of four sizes at p = 1/n, seeds 1 to 8.",
        "At the threshold the largest component has of the order of n^⅔ pages, a vanishing share: each larger graph "
        "shows a smaller one. All pages are joined only from p = ln n/n on.",
        (
            plot(
                points("simulated", sizes, [one.value for one in shares]),
                line("n^−⅓", sizes, sizes ** (-1 / 3)),
                title="At the threshold the largest component is a smaller share of every larger graph",
                x="pages",
                y="share of pages",
                log="xy",
            ),
        ),
    )


def _largest(n: int, degree: float, seed: int) -> float:
    return float(weak_components(erdos_renyi(n, p=degree / n, directed=False, seed=seed)).sizes.max() / n)


@claim(
    "deo-gupta.figure-3",
    "§3.2, figure 3",
    "Of the 20 links of a ring lattice with n = 10 and d = 4, p = 0.3 reassigns six.",
)
def figure_3(means: Means) -> Outcome:
    lattice, tried = watts_strogatz(10, d=4, p=0.0), means.size(400)
    moved = [_moved(watts_strogatz(10, d=4, p=0.3, seed=seed), lattice) for seed in range(tried)]
    six = watts_strogatz(10, d=4, p=0.3, seed=moved.index(6))
    half = 1.96 * float(np.std(moved)) / tried**0.5
    return Outcome(
        (
            number("links of the lattice", "20", exact(lattice.links / 2)),
            number("links reassigned, mean", "6", give_or_take(float(np.mean(moved)), half)),
        ),
        f"{tried} small worlds of ten pages, seeds 0 to {tried - 1}; a link moved back to its place counts as not "
        "moved.",
        pictures=(
            net(lattice, "(a) Ring lattice, d = 4"),
            net(six, "(b) Six links reassigned, p = 0.3"),
            net(watts_strogatz(10, d=4, p=1.0, seed=1), "(c) All links reassigned, p = 1"),
        ),
    )


def _moved(graph: Graph, lattice: Graph) -> int:
    pairs = [(page, int(to)) for page in range(lattice.nodes) for to in lattice.successors(page)]
    return sum(not graph.has_edge(a, b) for a, b in pairs) // 2


@claim(
    "deo-gupta.all-reassigned",
    "§3.2, figure 3(c)",
    "When p = 1 the reassigned graph is of the Erdős–Rényi type.",
)
def all_reassigned(means: Means) -> Outcome:
    n = means.size(20_000)
    degrees = watts_strogatz(n, d=10, p=1.0, seed=1).in_degrees
    random = erdos_renyi_links(n, m=5 * n, directed=False, seed=1).in_degrees
    return Outcome(
        (
            holds("smallest degree", "as in a random graph", f"{degrees.min()} and {random.min()}", degrees.min() < 5),
            number(
                "variance of degrees by that of a random graph",
                "1",
                exact(degrees.var() / random.var()),
                means=(0.9, 1.1),
            ),
        ),
        f"{n:,} pages, d = 10, beside G(n, m) of as many links; seed 1.",
        "Each page keeps one end of its d/2 links: no degree is below d/2, and degrees spread half as much. Clustering "
        "and distances are those of a random graph.",
    )


@claim(
    "deo-gupta.small-world",
    "§3.2",
    "L falls long before C does: a range of p has short paths and is still cliquish; at p = 0 L grows linearly with n.",
)
def small_world(means: Means) -> Outcome:
    n, d = means.size(1000), 10
    p = np.logspace(-4, 0, 13)
    graphs = [watts_strogatz(n, d=d, p=float(x), seed=1) for x in p]
    lengths = np.array([distances(one).mean for one in graphs]) / theory.lattice_path_length(n, d)
    clusters = np.array([clustering(one).local for one in graphs]) / theory.lattice_clustering(d)
    both = [float(distances(watts_strogatz(k, d=d, p=0.0)).mean) for k in (500, 1000)]
    loss = float(np.abs(clusters - (1 - p) ** 3).max())
    at = int(np.argmin(np.abs(p - 0.01)))
    return Outcome(
        (
            bound("L(0.01)/L(0)", "decreases dramatically", exact(lengths[at]), most=0.4),
            bound("C(0.01)/C(0)", "slowly varying", exact(clusters[at]), least=0.9),
            number("L at 2n by L at n, p = 0", "linear", exact(both[1] / both[0]), means=(1.95, 2.05)),
            bound("C(p)/C(0) less (1−p)³, at most", "linear at most", exact(loss), most=0.1),
        ),
        f"Ring of {n:,} pages of degree {d}, thirteen p from 10⁻⁴ to 1, seed 1.",
        pictures=(
            plot(
                points("L(p)/L(0)", p, lengths),
                points("C(p)/C(0)", p, clusters),
                line("(1−p)³", p, (1 - p) ** 3),
                title="A few reassigned links make the world small long before it stops being cliquish",
                x="p, share of links reassigned",
                y="relative to p = 0",
                log="x",
            ),
        ),
    )


@claim(
    "deo-gupta.figure-4",
    "§3.2, figure 4",
    "Edge addition adds pdn/2 links on average: four for n = 10, d = 4, p = 0.2. It is cliquish and has short paths.",
)
def figure_4(means: Means) -> Outcome:
    n = means.size(2000)
    added = [edge_addition(n, d=10, p=0.1, seed=seed).links / 2 - 5 * n for seed in range(1, 41)]
    large = edge_addition(n, d=10, p=0.1, seed=1)
    four = next(one for seed in range(1000) if (one := edge_addition(10, d=4, p=0.2, seed=seed)).links == 48)
    length = float(distances(large).mean)
    return Outcome(
        (
            number("pdn/2", "4", exact(0.2 * 4 * 10 / 2)),
            number(f"links added by pdn/2, {n:,} pages", "1", mean_of(np.array(added) / (0.5 * n)), means=(0.98, 1.02)),
            bound("clustering, n = 2,000", "cliquishness", exact(clustering(large).local), least=0.3),
            bound("mean distance, n = 2,000", "short paths", exact(length), most=10),
        ),
        f"Forty graphs of {n:,} pages, d = 10, p = 0.1, seeds 1 to 40; one of ten pages, drawn.",
        "On ten pages about half of the shortcuts fall on links that are there already, and are merged with them.",
        (
            net(edge_addition(10, d=4, p=0.0), "The ring lattice"),
            net(four, "Four links added"),
        ),
    )


@claim(
    "deo-gupta.mean-field",
    "§3.2",
    "Path lengths follow from the continuous model, and scale: they depend on n only through the number of shortcuts.",
)
def mean_field(means: Means) -> Outcome:
    kappa, shortcuts = 2, np.array([1.0, 4.0, 16.0, 32.0])
    curves = {n: _scaled(means.size(n), shortcuts, kappa) for n in (2000, 8000)}
    first, second = curves.values()
    fine = np.logspace(-0.3, 1.7, 60)
    mean = [theory.mean_field_path_length(10_000, 4, x / (10_000 * kappa)) * kappa / 10_000 for x in fine]
    at = [theory.mean_field_path_length(10_000, 4, x / (10_000 * kappa)) * kappa / 10_000 for x in shortcuts]
    off = float(np.abs(second / np.array(at) - 1).max())
    return Outcome(
        (
            bound(
                "curves of 2,000 and 8,000 pages apart by",
                "independent of n",
                exact(np.abs(first / second - 1).max()),
                most=0.25,
            ),
            bound("simulated beside the mean field, at most", "good estimates", exact(off), most=0.3),
        ),
        "Edge addition, d = 4, means of four seeds; ℓκ/n by the number nκp of shortcuts.",
        "The mean field is exact for hardly a shortcut and for very many, and up to a quarter short in between.",
        (
            plot(
                *(points(f"{n:,} pages", shortcuts, each) for n, each in curves.items()),
                line("mean field", fine, mean),
                title="All sizes fall on one curve when shortcuts are counted",
                x="nκp, shortcuts",
                y="ℓκ/n",
                log="x",
            ),
        ),
    )


def _scaled(n: int, shortcuts: Floats, kappa: int) -> Floats:
    return np.array(
        [
            np.mean(
                [distances(edge_addition(n, d=2 * kappa, p=float(x / (n * kappa)), seed=s)).mean for s in range(1, 5)]
            )
            for x in shortcuts
        ]
    ) * (kappa / n)


@claim(
    "deo-gupta.epidemic",
    "§3.2",
    "When a fraction f of the pages is susceptible, outbreaks diverge above a threshold of f, and near it P(j) "
    "falls as "
    "a power of j.",
)
def epidemic(means: Means) -> Outcome:
    n, d, p = means.size(50_000), 4, 0.05
    graph = edge_addition(n, d=d, p=p, seed=1)
    wanted = theory.percolation_threshold(d, p)
    shares = wanted + np.linspace(-0.15, 0.15, 13)
    curve = percolation_curve(graph, shares=shares, runs=5, seed=2)
    at = percolation(graph, f=wanted, seed=3)
    j, weights = at.shares()
    small = (j >= 3) & (j <= 100)
    bins = np.array([weights[(j >= low) & (j < 2 * low)].sum() / low for low in 2 ** np.arange(1, 8)])
    slope = float(np.polyfit(np.log(2.0 ** np.arange(3, 8)), np.log(bins[2:]), 1)[0])
    return Outcome(
        (
            number(
                "threshold, simulated", "Moore & Newman", exact(curve.threshold), means=(wanted - 0.03, wanted + 0.03)
            ),
            number("exponent of P(j) there", "3/2", exact(-slope), means=(1.3, 1.7)),
        ),
        f"Edge addition, {n:,} pages, d = 4, p = 0.05, five runs at each of thirteen shares; theory's f is "
        f"{wanted:.3f}.",
        "P(j), the share of susceptible pages in clusters of j, is averaged over bins from 8 to 128; 3/2 is Moore and "
        "Newman's, good to 0.2 here.",
        (
            plot(
                line("largest outbreak", shares, curve.largest / n),
                points("second largest × 10", shares, 10 * curve.second / n),
                line("theory's threshold", [wanted, wanted], [0, float(curve.largest.max()) / n], muted=True),
                title=f"An epidemic becomes possible when {wanted:.0%} of the pages are susceptible",
                x="f, share of susceptible pages",
                y="share of all pages",
            ),
            plot(
                points("clusters at the threshold", j[small], weights[small]),
                title="At the threshold clusters of all sizes occur",
                x="j, pages of a cluster",
                y="P(j)",
                log="xy",
            ),
        ),
    )
