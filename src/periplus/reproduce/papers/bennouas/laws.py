"""Bennouas, Bouklit and de Montgolfier 2 to 4.4: the laws, the misprints in them, small worlds."""

from __future__ import annotations

import numpy as np

from periplus.gravity import Constants, Simulation, ball, cubes, ring
from periplus.gravity.constants import ALPHA, LAMBDA, paper
from periplus.gravity.start import Tree
from periplus.models.generators.small_world import watts_strogatz
from periplus.rank import pagerank
from periplus.reproduce.checks import Check, bound, exact, holds, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import QUERIES
from periplus.reproduce.pictures import line, plot
from periplus.reproduce.tools import random_web, web
from periplus.structure.paths.clustering import clustering
from periplus.structure.paths.distances import distances

_LARGE = 10  # pages that make a group


@claim(
    "bennouas.zap",
    "§2",
    "The zap factor (1 − d)E is taken as 0.85. In PageRank d is 0.85, and the zap 0.15.",
    misprint=True,
)
def zap(means: Means) -> Outcome:
    graph = random_web(50, 150, 1)
    ranks = pagerank(graph, damping=0.85).values
    flat = pagerank(graph, damping=0.15).values
    spread = [float(vector.std() / vector.mean()) for vector in (flat, ranks)]
    return Outcome(
        (
            holds("1 − d = 0.85", "0.85", f"ranks spread by {spread[0]:.2f} of the mean", spread[0] > spread[1]),
            holds("d = 0.85", "(later in the text)", f"ranks spread by {spread[1]:.2f}", spread[1] > spread[0]),
        ),
        "A random web of 50 pages, seed 1.",
        "Section 4.3 has it right: “we take d = 0.85”. With 1 − d = 0.85 links would hardly count.",
    )


@claim(
    "bennouas.small-world",
    "§3",
    "Crawls show 3.1 links between two pages and a clustering coefficient of 0.1 (Adamic 1999): a small world.",
    data=("tsaparas-query-graphs", "wb-cs-stanford", "kleinberg-california"),
)
def adamic(means: Means) -> Outcome:
    webs = {
        "cs.stanford.edu": means.data.graph("wb-cs-stanford"),
        "california": means.data.graph("kleinberg-california"),
    }
    webs |= {name: means.data.query(name) for name in QUERIES}
    checks: list[Check] = []
    for name, graph in webs.items():
        apart = exact(distances(graph, directed=False).mean)
        checks.append(number(f"distance, {name}", "3.1", apart, unit="links", another=True, means=(2.6, 3.6)))
        checks.append(
            number(f"clustering, {name}", "0.1", exact(clustering(graph).local), another=True, means=(0.05, 0.15))
        )
    return Outcome(
        tuple(checks),
        "Five webs, links taken both ways: all pairs, all pages. Printed numbers are taken to be good to a half.",
        "Adamic measured sites of a crawl of 260,000, ours are pages of one site and of answers to one question: pages "
        "are farther apart, and their clustering depends on how they were gathered. All are small worlds all the same: "
        "a random graph of as many links has clustering below 0.01.",
    )


@claim(
    "bennouas.expansion",
    "§4.2, §5.1",
    "The expansion (1 + λe^−αt) slows down and ends; α is such that the volume grows tenfold.",
)
def expansion(means: Means) -> Outcome:
    constants = Constants(expansion=LAMBDA, slowing=ALPHA)
    steps = np.arange(0, 2000)
    growth = np.cumprod([constants.stretch(int(step)) for step in steps]) ** 3
    return Outcome(
        (
            number("volume in the end", "ten times the volume", exact(float(growth[-1])), means=(9.5, 10.5)),
            bound("growth after step 1,000", "stops in the limit", exact(growth[-1] / growth[1000] - 1), most=1e-9),
        ),
        f"λ = {LAMBDA}, α = {ALPHA}, as our preset has them; the paper gives neither.",
        pictures=(
            plot(
                line("volume", steps[:300], growth[:300]),
                title="Space grows tenfold, most of it in the first hundred steps",
                x="steps",
                y="volume",
            ),
        ),
    )


@claim(
    "bennouas.pagerank",
    "§4.3",
    "With δ = 0 the masses are those of PageRank.",
)
def delta_zero(means: Means) -> Outcome:
    graph = random_web(400, 1600, 2)
    moving = Simulation(graph, ball(400), Constants(gravity=0.0, delta=0), precision="float64").run(150)
    off = float(np.abs(moving.masses / 400 - pagerank(graph).values).sum())
    return Outcome(
        (bound("ℓ1 distance from PageRank", "comes down to PageRank", exact(off), most=1e-8),),
        "A random web of 400 pages, seed 2; 150 steps without motion.",
    )


@claim(
    "bennouas.s-of-q",
    "§4.3",
    "S(q) runs over the pages that q points to, so that q hands on all its mass. The text sums over pages that point "
    "to q.",
    misprint=True,
)
def s_of_q(means: Means) -> Outcome:
    graph = random_web(60, 200, 3)
    places = ball(60, seed=3).astype(np.float64)
    sources = np.repeat(np.arange(60), graph.out_degrees)
    near = 1 / ((places[sources] - places[graph.out_targets]) ** 2).sum(axis=1).clip(1e-9)
    out, into = np.bincount(sources, near, 60), np.bincount(graph.out_targets, near, 60)
    kept = [float((near / share[sources]).sum() / 60) for share in (into, out)]
    degree = np.bincount(sources, np.ones(graph.links), 60)
    same = bool((degree == graph.out_degrees).all())
    return Outcome(
        (
            number("mass after a step, S over in-links", "mass is kept", exact(kept[0]), means=(1 - 1e-9, 1 + 1e-9)),
            number("mass after a step, S over out-links", "mass is kept", exact(kept[1]), means=(1 - 1e-9, 1 + 1e-9)),
            holds("S for δ = 0", "the out-degree", "the out-degree, over out-links", same),
        ),
        "A random web of 60 pages in a ball, unit masses, δ = 2, seed 3.",
        "The text itself says that S(q) is the out-degree for δ = 0; so the index under the sum is turned round.",
    )


@claim(
    "bennouas.zap-term",
    "§4.3",
    "The zap gives every page (1 − d)/n of all mass. The text gives each (1 − d) of it.",
    misprint=True,
)
def zap_term(means: Means) -> Outcome:
    graph = random_web(60, 200, 4)
    walk = np.zeros((60, 60))
    walk[np.repeat(np.arange(60), graph.out_degrees), graph.out_targets] = np.repeat(
        1 / graph.out_degrees, graph.out_degrees
    )
    mass = np.ones(60)
    printed = 0.85 * (mass @ walk) + 0.15 * mass.sum()
    right = 0.85 * (mass @ walk) + 0.15 / 60 * mass.sum()
    for _ in range(200):
        mass = 0.85 * (mass @ walk) + 0.15 / 60 * mass.sum()
    off = float(np.abs(mass / 60 - pagerank(graph).values).sum())
    return Outcome(
        (
            number(
                "mass after a step, as printed", "mass is kept", exact(printed.sum() / 60), means=(1 - 1e-9, 1 + 1e-9)
            ),
            number("mass after a step, (1 − d)/n", "mass is kept", exact(right.sum() / 60), means=(1 - 1e-9, 1 + 1e-9)),
            holds("in the end", "PageRank", f"ℓ1 distance {off:.0e}", off < 1e-8),
        ),
        "A random web of 60 pages, δ = 0, seed 4; without the renormalisation that the text adds.",
        "Summed over all n pages the printed term adds (1 − d)·n times the mass; renormalising hides it, but then the "
        "links count for almost nothing.",
    )


@claim(
    "bennouas.mass-conserved",
    "§4.3",
    "Mass is renormalised after each step, so that the total stays; the mass of a page does not settle in general.",
)
def conserved(means: Means) -> Outcome:
    graph = watts_strogatz(300, d=6, p=0.1, seed=1)
    moving = Simulation(graph, ring(300), paper(graph))
    moving.run(600)
    before = moving.masses.astype(np.float64).copy()
    moving.run(100)
    now = moving.masses.astype(np.float64)
    change = float(np.abs(now - before).sum() / now.sum())
    return Outcome(
        (
            number(
                "total mass after 700 steps, of 300", "mass is kept", exact(now.sum() / 300), means=(1 - 1e-3, 1 + 1e-3)
            ),
            bound("mass that moves in another 100 steps", "does not settle", exact(change), least=0.01),
        ),
        "A small world of 300 pages from a ring, single precision; seed 1.",
    )


@claim(
    "bennouas.cubes",
    "§4.5",
    "A node of f children gives each a cube of side 1/∛f of its own. The text has ∛f, larger than the parent.",
    misprint=True,
)
def cube_sides(means: Means) -> Outcome:
    children = np.array([8, 27, 64])
    spacing = [_spacing(int(f)) for f in children]
    right = max(abs(gap * f ** (1 / 3) - 1) for gap, f in zip(spacing, children.tolist(), strict=True))
    printed = max(abs(gap / f ** (1 / 3) - 1) for gap, f in zip(spacing, children.tolist(), strict=True))
    return Outcome(
        (
            holds("side ∛f of the parent's", "∛f", f"f cubes fill f² parents; off by {printed:.0%}", printed < 1e-6),
            holds("side 1/∛f of the parent's", "1/∛f", f"f cubes fill the parent; off by {right:.0e}", right < 1e-6),
        ),
        "One node of 8, 27 and 64 pages, placed by our start; where f is no cube, sides are 1/⌈∛f⌉.",
        "Children must fit into their parent: f cubes of side 1/∛f do, exactly.",
    )


def _spacing(f: int) -> float:
    """The distance of two neighbours among f pages of one node, by the side of its cube."""
    places = cubes(Tree(np.array([-1]), np.zeros(f, dtype=np.int64)))
    one = np.unique(np.round(places[:, 0], 9))
    gap = float(np.diff(one).min())
    return gap / float((one[-1] - one[0]) + gap)


@claim("bennouas.newton", "§4.2", "The force is the same at both ends of a link, whichever way it points.")
def newton(means: Means) -> Outcome:
    graph = web([(0, 1)], 2)
    moving = Simulation(
        graph, np.array([[0.0, 0, 0], [1.0, 0, 0]]), Constants(gravity=1e-3, transfer=False), precision="float64"
    )
    moving.step()
    pulls = moving.velocities[:, 0]
    wanted = 1e-3 / (1 + 0.1**2) ** 1.5
    off = float(max(abs(pulls[0] - wanted), abs(pulls[1] + wanted)) / wanted)
    return Outcome(
        (holds("speeds after a step", "action and reaction", f"equal and opposite, off by {off:.0e}", off < 1e-9),),
        "Two pages of mass 1 at distance 1, one link; G = 10⁻³, distances softened by ε = 0.1: as printed, "
        "G m m′/dist² has no end at dist = 0.",
    )
