"""Litvak, "Search Engines" and "Node ranking based on the hyperlink structure"."""

from __future__ import annotations

from itertools import islice

import numpy as np

from periplus.rank import monte_carlo, opic, pagerank
from periplus.reproduce.checks import bound, exact, holds, number, share_of
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.pictures import line, plot
from periplus.reproduce.tools import FITTED, law_series, power_steps, random_web, tail


@claim(
    "litvak.two-forms",
    "§ Node ranking, equations 1 and 2",
    "The original PageRank, divided by its sum, is the stationary walk that jumps from pages without links.",
    data=("tsaparas-query-graphs",),
)
def two_forms(means: Means) -> Outcome:
    graph = means.data.query("vintage-cars")
    original = pagerank(graph, dangling="none", normalised=False).values
    walk = pagerank(graph, dangling="uniform").values
    off = float(np.abs(original / original.sum() - walk).sum())
    dangling = int((graph.out_degrees == 0).sum())
    return Outcome(
        (holds("PR/Σ PR = π", "equivalent", f"ℓ1 distance {off:.0e}", off < 1e-8),),
        f"The base set “vintage cars”: {graph.nodes:,} pages, {dangling:,} of them without links; both certified to "
        "10⁻⁹.",
    )


@claim(
    "litvak.convergence",
    "§ Node ranking",
    "After k power iterations the error is of the order c^k; 50 to 100 of them are enough for c = 0.85.",
    data=("cnr-2000",),
)
def convergence(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    series, rates, passes = [], {}, 100
    for c in (0.5, 0.85):
        limit = pagerank(graph, damping=c).values
        errors = [float(np.abs(step - limit).sum()) for step in islice(power_steps(graph, c), passes)]
        rates[c] = (errors[19] / errors[4]) ** (1 / 15)
        steps = np.arange(1, passes + 1)
        kept = np.array(errors) > 1e-8
        series += [line(f"c = {c}", steps[kept], np.array(errors)[kept])]
        series += [line(f"{c}^k", steps[kept], c ** steps[kept].astype(float), muted=True)]
        worst = max(error / c**k for k, error in enumerate(errors, 1) if error > 1e-8)
    return Outcome(
        (
            bound("largest error / c^k, c = 0.85", "order c^k", exact(worst), most=2.0),
            bound("factor a pass, c = 0.85, passes 5 to 20", "0.85", exact(rates[0.85]), most=0.85),
            bound("factor a pass, c = 0.5", "0.5", exact(rates[0.5]), most=0.5),
            bound("error after 100 passes", "convergence", exact(errors[-1]), most=1e-6),
        ),
        f"cnr-2000, {graph.nodes:,} pages, from the uniform vector; ℓ1 distance from certified ranks.",
        pictures=(
            plot(
                *series,
                title="The power method keeps to its bound, and smaller c is faster",
                x="k, passes",
                y="ℓ1 error",
                log="y",
            ),
        ),
    )


@claim(
    "litvak.small-c",
    "§ Node ranking",
    "A small c ranks all pages almost alike.",
    data=("tsaparas-query-graphs",),
)
def small_c(means: Means) -> Outcome:
    graph = means.data.query("amusement-parks")
    tried = np.array([0.01, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95])
    away = [float(np.abs(pagerank(graph, damping=float(c)).values - 1 / graph.nodes).sum()) for c in tried]
    return Outcome(
        (
            bound("ℓ1 distance from uniform, c = 0.01", "almost uniform", exact(away[0]), most=0.02),
            holds("it grows with c", "decreases with c", " ".join(f"{x:.2f}" for x in away), away == sorted(away)),
        ),
        f"The base set “amusement parks”, {graph.nodes:,} pages; c from 0.01 to 0.95.",
    )


@claim(
    "litvak.monte-carlo",
    "§ Node ranking",
    "One random walk from each page already estimates PageRank well.",
    data=("cnr-2000",),
)
def one_walk(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    ranks, found = pagerank(graph), monte_carlo(graph, walks=1, seed=1)
    best = ranks.best(100)
    off = np.abs(found.values[best] / ranks.values[best] - 1)
    kept = len(np.intersect1d(best, found.best(100)))
    held = np.abs(found.values - ranks.values) <= found.extra["half_width"]
    return Outcome(
        (
            bound("median relative error of the 100 best pages", "reasonable", exact(float(np.median(off))), most=0.1),
            bound("of the 100 best pages, found among its 100 best", "reasonable", exact(kept), least=80),
            bound("of these, 95 % interval holds the rank", "", share_of(int(held[best].sum()), 100), least=0.85),
        ),
        f"cnr-2000, {graph.nodes:,} pages, one walk from each, stopped at its first jump; visits by steps, seed 1.",
    )


@claim(
    "litvak.opic",
    "§ Node ranking",
    "Cash handed on along links, each page's share of all that was ever spent, converges to the importance of pages.",
)
def cash(means: Means) -> Outcome:
    graph = random_web(means.size(2000), means.size(8000), 7)
    ranks = pagerank(graph).values
    rounds = np.array([2, 5, 10, 20, 50, 100, 200])
    errors = np.array([float(np.abs(opic(graph, rounds=int(n)).values - ranks).sum()) for n in rounds])
    half = errors[-1] / errors[-2]
    return Outcome(
        (
            bound("ℓ1 error after 20 visits to each page", "very fast", exact(errors[3]), most=0.05),
            number("error after 200 rounds by that after 100", "converges", exact(half), means=(0.4, 0.6)),
        ),
        f"A random web of {graph.nodes:,} pages, seed 7, visited in turn; without a stored matrix.",
        "The error falls as one over the cash moved, slower than the power method's c^k: “very fast” holds at first.",
        (
            plot(
                line("OPIC", rounds, errors),
                line("0.85^rounds", rounds[:6], 0.85 ** rounds[:6].astype(float), muted=True),
                title="Twice the visits, half the error",
                x="visits to each page",
                y="ℓ1 error",
                log="xy",
            ),
        ),
    )


@claim(
    "litvak.pagerank-tail",
    "§ Node ranking, end",
    "The share of pages of PageRank about k/n falls as k^−2.1, like that of pages with k in-links.",
    data=("cnr-2000",),
)
def pagerank_tail(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    scaled = pagerank(graph).values * graph.nodes
    found, start = tail(scaled, discrete=False)
    links = tail(graph.in_degrees)[0]
    whole = np.round(scaled[scaled >= 1]).astype(np.int64)
    return Outcome(
        (
            number("exponent of PageRank", "2.1", found, another=True),
            number(
                "less that of in-degree",
                "exactly that",
                exact(found.value - links.value),
                another=True,
                means=(-0.2, 0.2),
            ),
        ),
        f"cnr-2000, {graph.nodes:,} pages, damping 0.85; {FITTED}, from {start:.1f}/n on.",
        pictures=(
            plot(
                *law_series(whole, "n · PageRank", found.value, max(start, 3.0)),
                title=f"PageRank falls with exponent {found.value:.2f}, in-degree with {links.value:.2f}",
                x="k = n · PageRank",
                y="share of pages above 1/n",
                log="xy",
            ),
        ),
    )
