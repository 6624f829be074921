"""Deo and Gupta 3.5 and 3.6: linear and exponential growth by copying, prescribed degrees."""

from __future__ import annotations

import numpy as np

from periplus.models import theory
from periplus.models.generators.alpha_beta import alpha_beta, degree_sequence
from periplus.models.generators.copying import linear_copying
from periplus.models.generators.exponential_copying import exponential_copying, in_degree_exponent
from periplus.reproduce.checks import bound, exact, holds, mean_of, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.pictures import line, net, plot, points
from periplus.reproduce.tools import FITTED, over_seeds, tail


@claim(
    "deo-gupta.figure-7",
    "§3.5, figure 7",
    "Three pages of three links each, ρ = 0.66: a link goes anywhere with probability ρ, else it is copied.",
)
def figure_7(means: Means) -> Outcome:
    n = means.size(50_000)
    graph = linear_copying(n, rho=0.66, out_degree=3, seed=1)
    degrees = np.bincount(graph.in_degrees, minlength=12)[:12] / n
    # Links of one page that fall on the same target are merged, about one in a thousand here.
    off = float(np.abs(degrees - theory.copying_in_degrees(0.66, 3, 11)).max())
    seeds = (seed for seed in range(1000) if linear_copying(6, rho=0.66, out_degree=3, seed=seed).links == 9)
    small = linear_copying(6, rho=0.66, out_degree=3, seed=next(seeds))
    stages = [small.subgraph(np.arange(pages)) for pages in (4, 5, 6)]
    return Outcome(
        (bound("shares of in-degree less the master equation, at most", "the same law", exact(off), most=0.01),),
        f"{n:,} pages beside the equation p_k(1 + A_k) = A_(k−1)p_(k−1), A_k = ρd + (1−ρ)k; seed 1.",
        "The paper calls ρ the copy factor; as it defines it, ρ is the probability of not copying.",
        tuple(net(one, f"({'bcd'[at]}) Page {'def'[at]} added", labels="abcdef") for at, one in enumerate(stages)),
    )


@claim(
    "deo-gupta.copying-exponent",
    "§3.5",
    "Copying makes in-degrees fall with exponent (2−ρ)/(1−ρ).",
)
def copying_exponent(means: Means) -> Outcome:
    n = means.size(200_000)
    rhos = (0.1, 0.3, 0.5)
    found = {rho: tail(linear_copying(n, rho=rho, out_degree=7, seed=1).in_degrees, xmin=60)[0] for rho in rhos}
    wanted = {rho: theory.copying_exponent(rho) for rho in rhos}
    checks = [
        number(f"exponent, ρ = {rho}", f"{wanted[rho]:.2f}", one, means=(wanted[rho] * 0.95, wanted[rho] * 1.05))
        for rho, one in found.items()
    ]
    return Outcome(
        tuple(checks),
        f"{n:,} pages of 7 links, tails from 60 on; {FITTED}. Seed 1. The law is Kumar et al.'s; within 5 %.",
        "ρ = 0.1 gives the web's 2.1.",
        (
            plot(
                points("simulated", rhos, [one.value for one in found.values()]),
                line(
                    "(2−ρ)/(1−ρ)",
                    np.linspace(0.05, 0.55, 40),
                    [theory.copying_exponent(float(x)) for x in np.linspace(0.05, 0.55, 40)],
                ),
                title="The less is copied, the thinner the tail",
                x="ρ",
                y="exponent of in-degrees",
            ),
        ),
    )


@claim(
    "deo-gupta.exponential-growth",
    "§3.5",
    "There are (κ+χ)·N links after every step. Printed is that this “is (κ+χ)·g·N_t”: that many are added.",
    misprint=True,
)
def exponential_growth(means: Means) -> Outcome:
    n, kappa, chi, g = means.size(20_000), 5.0, 2, 0.1
    drawn = mean_of([_links_drawn(n, kappa, chi, g, seed) / n for seed in range(1, 9)])
    return Outcome(
        (
            number("links a page, as printed", f"(κ+χ)·g/(1+g) = {7 * g / (1 + g):.2f}", drawn, means=(0.6, 0.67)),
            number("links a page", "κ + χ = 7", drawn, means=(6.5, 7.5)),
        ),
        f"Eight webs of {n:,} pages, κ = 5, χ = 2, g = 0.1; links counted as drawn, from the model's own rules.",
        "(κ+χ)·g·N_t + (κ+χ)·N_t = (κ+χ)·N_(t+1).",
    )


def _links_drawn(n: int, kappa: float, chi: int, g: float, seed: int) -> int:
    """Links with their repeats, which the generator merges: counts alone follow the same rules."""
    rng, pages, links = np.random.default_rng(seed), 400, 400 * (kappa + chi)
    while pages < n:
        new = int(rng.binomial(pages, g))
        links += rng.binomial(int(links), kappa * g / (kappa + chi)) + chi * new
        pages += new
    return round(links * n / pages)


@claim(
    "deo-gupta.exponential-law",
    "§3.5",
    "In the exponential-growth model too in-degrees fall as a power.",
)
def exponential_law(means: Means) -> Outcome:
    found = over_seeds(
        4, lambda seed: tail(exponential_copying(means.size(100_000), seed=seed).in_degrees, xmin=30)[0].value
    )
    wanted = in_degree_exponent(0.1, 2, 5.0)
    return Outcome(
        (number("exponent of in-degrees", f"{wanted:.2f}", found, means=(wanted - 0.2, wanted + 0.2)),),
        f"Four webs of {means.size(100_000):,} pages, g = 0.1, χ = 2, κ = 5, tails from 30 on; theory: "
        "1 + ln(1+g)/ln(1 + κg/(κ+χ)).",
        "The law is Kumar et al.'s. Links that repeat are merged, which thins the tail a little.",
    )


@claim(
    "deo-gupta.first-page",
    "§3.5",
    "N₁ = 1 and N_t = (1+g)^t do not agree: with one page at t = 1, N_t = (1+g)^(t−1).",
    misprint=True,
)
def first_page(means: Means) -> Outcome:
    g, t = 0.1, np.arange(1, 50)
    pages = np.cumprod(np.append(1.0, np.full(48, 1 + g)))
    return Outcome(
        (
            number("N₁ by the printed formula", "1", exact((1 + g) ** 1), means=(1, 1)),
            holds(
                "N_(t+1) = (1+g)N_t with N₁ = 1",
                "(1+g)^(t−1)",
                "solves it",
                bool(np.allclose(pages, (1 + g) ** (t - 1))),
            ),
        ),
        "g = 0.1, fifty steps of the recurrence.",
        "Either the first step is t = 0 or the exponent is t − 1; nothing else depends on it.",
    )


@claim(
    "deo-gupta.alpha-beta",
    "§3.6",
    "There are e^α/d^β pages of degree d: log n = α − β log d.",
)
def alpha_and_beta(means: Means) -> Outcome:
    alpha, beta = 12.0, 2.5
    sequence = degree_sequence(alpha, beta)
    k = np.arange(1, 60)
    counts = np.bincount(sequence, minlength=60)[1:60]
    off = float(np.abs(counts - np.floor(np.exp(alpha) / k**beta + 1e-9)).max())
    graph = alpha_beta(1, beta=beta, alpha=alpha, seed=1)
    found, _ = tail(graph.in_degrees, xmin=2)
    lost = 1 - graph.links / sequence.sum()
    return Outcome(
        (
            bound("pages of each degree less e^α/d^β, at most", "e^α/d^β", exact(off), most=1.0),
            number("exponent after matching", "β = 2.5", found, means=(2.4, 2.6)),
            bound("ends of links lost by pages that meet twice", "", exact(lost), most=0.05),
        ),
        f"α = 12, β = 2.5: {len(sequence):,} pages joined at random, seed 1.",
        pictures=(
            plot(
                points("pages of degree d", k, np.maximum(counts, 0.5)),
                line("e^α/d^β", k, np.exp(alpha) / k**beta),
                title="Degrees are given, links are drawn",
                x="d",
                y="pages",
                log="xy",
            ),
        ),
    )
