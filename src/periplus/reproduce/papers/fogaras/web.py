"""Fogaras 1 and 2: the degrees of the web beside those of a random graph; communities, their cores, trawling."""

from __future__ import annotations

import numpy as np
from scipy.stats import poisson

from periplus.communities import core_counts, trawl
from periplus.graph.graph import Graph
from periplus.models.generators.copying import linear_copying
from periplus.models.generators.erdos_renyi import erdos_renyi, erdos_renyi_links
from periplus.models.theory import erdos_renyi_degrees
from periplus.numeric.arrays import Ids
from periplus.reproduce.checks import bound, exact, holds, number, share_of
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.pictures import line, net, plot, points
from periplus.reproduce.tools import FITTED, law_series, tail, web


@claim(
    "fogaras.out-degree",
    "§1",
    "The number of links on a page follows a power law with an exponent of about 2.",
    data=("cnr-2000",),
)
def out_degree(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    found, start = tail(graph.out_degrees)
    return Outcome(
        (number("exponent of the out-degrees", "≈ 2", found, another=True),),
        f"cnr-2000, a crawl of the year 2000 with {graph.nodes:,} pages; {FITTED}, from {start:.0f} links on.",
        "Another web than the paper's; only the far tail, under one page in a hundred, is straight.",
        (
            plot(
                *law_series(graph.out_degrees, "cnr-2000", found.value, start),
                title=f"Out-degrees fall with exponent {found.value:.2f} from {start:.0f} links on",
                x="links on a page",
                y="share of pages",
                log="xy",
            ),
        ),
    )


@claim(
    "fogaras.random-graph",
    "§1",
    "In a random graph, each pair of pages linked with probability p, degrees are binomial, close to Poisson: no tail.",
)
def random_graph(means: Means) -> Outcome:
    n, p = means.size(50_000), 10 / means.size(50_000)
    degrees = erdos_renyi(n, p=p, directed=False, seed=1).in_degrees
    k = np.arange(int(degrees.max()) + 1)
    seen = np.bincount(degrees, minlength=len(k)) / n
    binomial = erdos_renyi_degrees(n, p, k)
    # A sample of n has about this total variation from its own law.
    noise = float(np.sqrt(binomial * (1 - binomial) / n).sum() / 2)
    away = float(np.abs(seen - binomial).sum() / 2)
    poissons = float(np.abs(poisson.pmf(k, n * p) - binomial).sum() / 2)
    return Outcome(
        (
            holds("degrees are binomial", "binomial", f"total variation {away:.4f}, chance {noise:.4f}", away < noise),
            holds("binomial is close to Poisson", "close", f"total variation {poissons:.1e}", poissons < 1e-3),
            bound("largest degree", "no power-law tail", exact(float(degrees.max())), most=5 * n * p, unit="links"),
        ),
        f"G(n, p) of {n:,} pages, mean degree 10, seed 1.",
        pictures=(
            plot(
                points("simulated", k, seen),
                line("binomial", k, binomial),
                title="Degrees of a random graph end where those of the web begin",
                x="links of a page",
                y="share of pages",
            ),
        ),
    )


@claim(
    "fogaras.figure-1",
    "§2, figure 1",
    "A community is fans that link to authorities; in it stands a core, three fans that all link to the same three.",
)
def figure_1(means: Means) -> Outcome:
    fans, authorities = np.arange(0, 7), np.arange(7, 12)
    rng = np.random.default_rng(3)
    pairs = [(fan, other) for fan in fans.tolist() for other in authorities.tolist() if rng.random() < 0.6]
    graph = web(pairs, 12)
    cores = list(trawl(graph, i=3, j=3))
    found = cores[0].parts if cores else {"fans": np.zeros(0, np.uint32), "centres": np.zeros(0, np.uint32)}
    complete = bool(cores) and _complete(graph, found["fans"], found["centres"])
    sizes = f"{len(found['fans'])} fans, {len(found['centres'])} authorities, all {'' if complete else 'not '}linked"
    places = [(0.0, 1.0 * fan) for fan in range(7)] + [(4.0, 0.5 + 1.25 * other) for other in range(5)]
    return Outcome(
        (holds("a core with |F′| = |A′| = 3", "3 and 3", sizes, complete),),
        "Seven fans, five authorities, six in ten of the links; seed 3. The picture itself is not in our text.",
        pictures=(net(graph, "Fans on the left, authorities on the right", places=places),),
    )


def _complete(graph: Graph, fans: Ids, centres: Ids) -> bool:
    return all(graph.has_edge(int(fan), int(centre)) for fan in fans for centre in centres)


@claim(
    "fogaras.hypothesis-2",
    "§2",
    "Links placed at random from fans to authorities make, with high probability, a complete core somewhere.",
)
def hypothesis_2(means: Means) -> Outcome:
    tried = means.size(200)
    density = np.array([0.05, 0.1, 0.2, 0.3, 0.4, 0.5])
    shares = [_with_core(tried, float(p)) for p in density]
    dense = share_of(round(shares[-1] * tried), tried)
    return Outcome(
        (bound("share with a (3, 3) core, half the links there", "high probability", dense, least=0.95),),
        f"{tried} random graphs from 12 fans to 12 authorities at each of six densities, seeds 0 to {tried - 1}.",
        pictures=(
            plot(
                line("share with a core", density, shares),
                title="Cores appear by themselves once enough links stand between two sides",
                x="share of the possible links",
                y="share of webs with a (3, 3) core",
            ),
        ),
    )


def _with_core(tried: int, density: float) -> float:
    found = 0
    for seed in range(tried):
        drawn = np.argwhere(np.random.default_rng(seed).random((12, 12)) < density)
        graph = Graph.from_edges(drawn[:, 0], drawn[:, 1] + 12, 24)
        found += len(trawl(graph, i=3, j=3)) > 0
    return found / tried


@claim(
    "fogaras.trawling",
    "§2",
    "Trawling lists disjoint cores of i authorities and j fans, i and j from 3 to 10; the web is full of them, and "
    "random graphs are not.",
)
def trawling(means: Means) -> Outcome:
    n = means.size(20_000)
    grown = linear_copying(n, rho=0.2, out_degree=7, seed=1)
    random = erdos_renyi_links(n, m=grown.links, seed=1)
    copied = np.array(core_counts(grown, highest=10).counts)
    drawn = np.array(core_counts(random, highest=10).counts)
    cores = [one.parts for one in trawl(grown, i=3, j=3)]
    apart = all(len(np.unique([one[role] for one in cores])) == 3 * len(cores) for role in ("fans", "centres"))
    falls = bool((np.diff(copied, axis=0) <= 0).all() and (np.diff(copied, axis=1) <= 0).all())
    steps = np.arange(3, 11)
    return Outcome(
        (
            holds("no two cores share a fan or a centre", "disjoint", f"none of {len(cores):,} (3, 3) cores", apart),
            holds("fewer cores as i or j grows", "range 3–10", " ".join(f"{x:,}" for x in copied.diagonal()), falls),
            bound("cores in a random graph of as many links", "none", exact(float(drawn[0, 0])), most=0),
        ),
        f"Linear-growth copying, {n:,} pages of 7 links, ρ = 0.2, beside G(n, m); seed 1.",
        pictures=(
            plot(
                *(line(f"j = {j}", steps, np.maximum(copied[:, j - 3], 0.5)) for j in (3, 5, 7)),
                title="Cores get rarer by the page that has to join in",
                x="i, pages on the one side",
                y="disjoint cores",
                log="y",
            ),
        ),
    )
