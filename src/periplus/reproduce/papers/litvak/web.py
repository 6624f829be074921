"""Litvak, "Graph Structure in the Web", "Power laws" and "Mathematical models of the Web"."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import zeta

from periplus.models.generators.preferential import directed_scale_free, preferential_attachment
from periplus.models.generators.webmodel import web_model
from periplus.models.theory import master_equation, preferential_degrees
from periplus.reproduce.checks import Estimate, bound, exact, give_or_take, holds, number, order, share_of, times
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.pictures import line, plot, points, tie
from periplus.reproduce.tools import FITTED, law_series, over_seeds, tail
from periplus.structure.paths.diameter import lengths
from periplus.structure.paths.distances import Distances, distances
from periplus.structure.studies.selfsimilar import self_similarity

# Broder et al. 2000, pages: core, IN, OUT, tendrils and tubes, disconnected.
BRODER = {"scc": 56_463_993, "in": 43_343_168, "out": 43_166_185, "tendrils": 43_797_944, "disconnected": 16_777_756}
PAGES = sum(BRODER.values())


@claim(
    "litvak.path-share",
    "§ Graph Structure in the Web",
    "A path leads from a random page to another with probability (IN + SCC)(SCC + OUT), about 24 %.",
)
def path_share(means: Means) -> Outcome:
    core, before, after = (BRODER[name] / PAGES for name in ("scc", "in", "out"))
    graph = web_model(means.size(20_000), seed=1)
    found = distances(graph)
    seen = give_or_take(100 * found.connected_share, 196 * found.connected_share_error)
    return Outcome(
        (
            number(
                "(IN + SCC)(SCC + OUT) from the shares of 1999",
                "24 %",
                exact(100 * (before + core) * (core + after)),
                unit="%",
            ),
            bound("pairs joined in a composed web", "24 %", seen, least=24, unit="%", another=True),
        ),
        f"Broder's counts of 1999; a composed web of {graph.nodes:,} pages with the same shares, seed 1, every pair.",
        "“Only if” is too strong: pages within IN, within OUT, or along a tendril are joined too, without the core. "
        "In a "
        "composed web, whose regions hang well together, that adds more than a half.",
        (
            tie(
                {**{name: BRODER[name] // 1000 for name in BRODER}, "tubes": 0},
                "The web of 1999: thousands of pages by region",
                caption="From Broder et al. 2000; tubes are counted among the tendrils.",
            ),
        ),
    )


@claim(
    "litvak.either-way",
    "§ Graph Structure in the Web",
    "For any two pages of the bow-tie, a path leads from the one to the other or back.",
)
def either_way(means: Means) -> Outcome:
    graph = web_model(means.size(2000), dead_ends=0.2, scc_share=0.4, in_share=0.3, out_share=0.3, tendrils_share=0.0)
    reach = np.zeros((graph.nodes, graph.nodes), dtype=bool)
    for page in range(graph.nodes):
        reach[page] = lengths(graph.out_offsets, graph.out_targets, page) >= 0
    found = reach | reach.T
    inside = found[np.triu_indices(graph.nodes, 1)].mean()
    return Outcome(
        (number("pairs of IN, SCC and OUT joined either way", "any two", exact(inside), means=(1.0, 1.0)),),
        f"A composed web of {graph.nodes:,} pages, 30 % IN, 40 % core, 30 % OUT; every pair.",
        "Two pages of IN (or two of OUT) need not be joined at all: a path from both leads only to the core.",
    )


@claim(
    "litvak.distance",
    "§ Graph Structure in the Web",
    "Joined pages are about 16 clicks apart; about 7 where links may be followed both ways.",
    data=("cnr-2000",),
)
def distance(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    found = distances(graph, method="sampled", sources=means.size(60))
    both = distances(graph, directed=False, method="sampled", sources=means.size(60))
    return Outcome(
        (
            number("mean distance along links", "16", _mean(found), another=True, means=(15.5, 17.0)),
            number("mean distance both ways", "7", _mean(both), another=True, means=(6.5, 7.5)),
        ),
        f"cnr-2000, {graph.nodes:,} pages, searches from {means.size(60)} random pages each; seed 0.",
        "The crawl of one institution is not the web: a path cannot take a short cut through the rest of it.",
    )


def _mean(found: Distances) -> Estimate:
    return give_or_take(found.mean, 1.96 * found.mean_error)


@claim(
    "litvak.small-world",
    "§ Graph Structure in the Web",
    "If aʳ pages lie within r clicks, N = (a^(l+1) − 1)/(a − 1) ≈ a^(l+1)/(a − 1), so l grows as log N: about 10 for a "
    "billion pages.",
)
def small_world(means: Means) -> Outcome:
    a = np.arange(2, 30)
    terms = [max(abs(sum(b**r for r in range(12)) * (b - 1) / (b**12 - 1) - 1) for b in a.tolist())]
    off = max(1 - (1 - float(b) ** -12) for b in a)
    longest = np.log(1e9 * (a - 1)) / np.log(a) - 1
    return Outcome(
        (
            holds("1 + a + … + a^l = (a^(l+1) − 1)/(a − 1)", "equal", f"off by {terms[0]:.0e}", terms[0] < 1e-12),
            bound("the −1 left out, l = 11", "≈", exact(off), most=0.001),
            order("l for a billion pages, a = 8", "10", exact(float(longest[a == 8][0])), 10, unit="clicks"),
        ),
        "Worked out for a from 2 to 29; a = 8 is the mean number of links on a page.",
        pictures=(
            plot(
                line("l", a, longest),
                title="Ten clicks span a billion pages when each leads to eight more",
                x="a, new pages per page",
                y="l, clicks",
            ),
        ),
    )


@claim(
    "litvak.degree-laws",
    "§ Power laws, figure 2",
    "In-degrees fall as k^−2.09, out-degrees as about k^−2.7.",
    data=("cnr-2000",),
)
def degree_laws(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    grown = directed_scale_free(means.size(200_000), seed=1)
    checks, pictures = [], []
    for name, printed, real, model in (
        ("in-degrees", "2.09", graph.in_degrees, grown.in_degrees),
        ("out-degrees", "2.7", graph.out_degrees, grown.out_degrees),
    ):
        found, start = tail(real)
        within = {"2.09": (2.0, 2.2), "2.7": (2.6, 2.8)}[printed]  # the range of the crawls that the text names
        theirs = tail(model, xmin=50)[0]
        checks.append(number(f"{name} of cnr-2000", printed, found, another=True, means=within))
        checks.append(number(f"{name} of the directed model", printed, theirs, means=within, another=True))
        title = f"{name.capitalize()} of cnr-2000: exponent {found.value:.2f} from {start:.0f} on"
        series = law_series(real, "cnr-2000", found.value, start)
        pictures.append(plot(*series, title=title, x="links", y="share of pages", log="xy"))
    return Outcome(
        tuple(checks),
        f"cnr-2000 ({graph.nodes:,} pages) and directed preferential attachment ({grown.nodes:,} pages, seed 1, tails "
        f"from 50 links on); {FITTED}. A printed exponent is taken to be good to 0.1.",
        "A crawl of one institution; the paper's are of the whole web. The model is built to reach both exponents.",
        tuple(pictures),
    )


@claim(
    "litvak.thousand",
    "§ Power laws",
    "Of a billion pages, of the order of a thousand have a thousand in-links; by an exponential law none would.",
)
def thousand(means: Means) -> Outcome:
    plain, law = 1e9 * 1000**-2.1, 1e9 * 1000**-2.1 / float(zeta(2.1))
    return Outcome(
        (
            order("10⁹ · 1000^−2.1", "10⁹ · 10⁻⁶ = 1000", exact(plain), 1000, unit="pages"),
            order("with shares that add up to one", "1000", exact(law), 1000, unit="pages"),
            bound("10⁹ · 10^−1000", "negligible", exact(0.0), most=1e-9, unit="pages"),
        ),
        "1000^−2.1 is 5.0·10⁻⁷, and the law over all k ≥ 1 is k^−2.1/ζ(2.1).",
        "“Of the order of” is kept to a factor of √10 either way.",
    )


@claim(
    "litvak.random-million",
    "§ Power laws",
    "A random million of a billion pages with 8 links each has about 8,000 links inside: no structure is left.",
)
def random_million(means: Means) -> Outcome:
    graph = directed_scale_free(means.size(200_000), mean_degree=12, seed=2)
    share = 0.02
    rng, inside = np.random.default_rng(3), []
    for _ in range(300):
        kept = rng.choice(graph.nodes, round(share * graph.nodes), replace=False)
        inside.append(graph.subgraph(kept).links)
    expected = graph.links * share**2
    found = np.array(inside) / expected
    half = 1.96 * found.std(ddof=1) / math.sqrt(len(found))
    return Outcome(
        (
            number("8·10⁹ · (10⁶/10⁹)²", "8000 links", exact(8e9 * 1e-6)),
            number("links inside, by m·(s/n)²", "1", give_or_take(float(found.mean()), half), means=(0.95, 1.05)),
        ),
        f"300 random fiftieths of a grown web of {graph.nodes:,} pages and {graph.links:,} links; seeds 2 and 3.",
    )


@claim(
    "litvak.self-similar",
    "§ Power laws",
    "Thematically unified clusters look like the web as a whole; in a random set of pages the structure is lost.",
)
def self_similar(means: Means) -> Outcome:
    graph = web_model(means.size(60_000), urls=True, topics=6, seed=1)
    found = self_similarity(graph, by="site", most=8)
    own = np.array([part.largest_weak for part in found.parts])
    chance = np.array([part.largest_weak for part in found.random])
    return Outcome(
        (
            bound("pages of a site that hang together, least", "Web-like", exact(float(own.min())), least=0.9),
            bound("of a random set of as many, most", "lost", exact(float(chance.max())), most=0.3),
        ),
        f"The eight largest sites of a composed web of {graph.nodes:,} pages beside random sets of as many; seed 1.",
        pictures=(
            plot(
                points("sites", np.arange(1, len(own) + 1), own),
                points("random sets", np.arange(1, len(own) + 1), chance),
                title="A site hangs together; as many pages drawn at random do not",
                x="site, by size",
                y="share of pages in the largest weak component",
            ),
        ),
    )


@claim(
    "litvak.master-equation",
    "§ Mathematical models of the Web",
    "The master equation gives p_k = 2m(m+1)/(k(k+1)(k+2)). Printed is 2m/(k(k+1)(k+2)), which does not sum to one.",
    misprint=True,
)
def master(means: Means) -> Outcome:
    m, largest = 3, 100_000
    k = np.arange(m, largest + 1, dtype=np.float64)
    right, stepwise = preferential_degrees(m, k), master_equation(m, largest)[m:]
    printed = 2 * m / (k * (k + 1) * (k + 2))
    off = float(np.abs(right - stepwise).max())
    mean = float((k * right).sum())
    return Outcome(
        (
            number("Σ p_k as printed, m = 3", "1", exact(float(printed.sum())), means=(1 - 1e-6, 1 + 1e-6)),
            number("Σ p_k with the m + 1", "1", exact(float(right.sum())), means=(1 - 1e-6, 1 + 1e-6)),
            holds("it solves the equation step by step", "p_k", f"off by {off:.0e}", off < 1e-15),
            number("Σ k p_k", "2m", exact(mean), means=(6 - 1e-3, 6 + 1e-3)),
        ),
        "m = 3, k up to 100,000; the equation itself, solved from p_m = 2/(m+2) upwards, is right as printed.",
        "In the last step (m+2)(m+1)m/((k+2)(k+1)k) · 2/(m+2) leaves 2m(m+1) on top, not 2m.",
        (
            plot(
                line("corrected", k[:200], right[:200]),
                line("as printed", k[:200], printed[:200], muted=True),
                points("grown, 200,000 pages", *_grown(means, m)),
                title="A grown web follows the corrected law, four times the printed one",
                x="k, links of a page",
                y="share of pages",
                log="xy",
            ),
        ),
    )


def _grown(means: Means, m: int) -> tuple[np.ndarray, np.ndarray]:
    degrees = preferential_attachment(means.size(200_000), m0=m, start="one", seed=1).in_degrees
    counts = np.bincount(degrees)[m : m + 40]
    return np.arange(m, m + len(counts)), counts / len(degrees)


@claim(
    "litvak.exponent-3",
    "§ Mathematical models of the Web",
    "Preferential attachment makes degrees fall as k^−3.",
)
def exponent_3(means: Means) -> Outcome:
    n = means.size(200_000)
    found = over_seeds(
        5, lambda seed: tail(preferential_attachment(n, m0=2, start="one", seed=seed).in_degrees, xmin=20)[0].value
    )
    first = preferential_attachment(n, m0=2, start="one", seed=1).in_degrees
    share = times(share_of(int((first == 2).sum()), n), 4 / 2)
    return Outcome(
        (
            number("exponent from 20 links on", "3", found, means=(2.85, 3.15)),
            number("p_m · (m + 2)/2, m = 2", "1", share, means=(0.99, 1.01)),
        ),
        f"Five webs of {n:,} pages from a single page, m = 2, seeds 1 to 5; {FITTED}.",
        "The exact law bends below k^−3 for small k, so that a fit from 20 links on is a little under 3.",
    )
