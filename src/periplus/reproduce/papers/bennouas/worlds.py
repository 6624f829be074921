"""Bennouas, Bouklit and de Montgolfier 4.5 to 6: navigational links, cost, pictures, pages that leave."""

from __future__ import annotations

import numpy as np

from periplus.graph.cut import navigational
from periplus.graph.graph import Graph
from periplus.gravity import Constants, Simulation, attractors, ball, ring, summary, world
from periplus.gravity.communities import exact_matching, nearest_matching
from periplus.gravity.constants import LAMBDA, paper
from periplus.gravity.layouts import start_of
from periplus.gravity.measure import group_sizes, left
from periplus.models.generators.small_world import watts_strogatz
from periplus.numeric.arrays import Floats
from periplus.reproduce.checks import bound, exact, holds, number, order, share_of, times
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import QUERIES
from periplus.reproduce.pictures import line, plot, seen
from periplus.reproduce.tools import random_web

_LARGE = 10  # pages that make a group


@claim(
    "bennouas.navigational",
    "§4.5",
    "95 % of the links of a crawl are navigational: both ends on one site.",
    data=("tsaparas-query-graphs", "wb-cs-stanford", "kleinberg-california"),
)
def navigation(means: Means) -> Outcome:
    webs = {
        "cs.stanford.edu": means.data.graph("wb-cs-stanford"),
        "california": means.data.graph("kleinberg-california"),
    }
    webs |= {name: means.data.query(name) for name in QUERIES}
    checks = tuple(
        number(name, "95 %", times(share_of(int(navigational(graph).sum()), graph.links), 100), unit="%", another=True)
        for name, graph in webs.items()
    )
    return Outcome(
        checks,
        "Five webs; a site is a registered domain.",
        "The share follows the gathering: base sets of queries were cleaned of links within a host before they were "
        "published, and the crawl of one department has few links that leave Stanford.",
    )


@claim(
    "bennouas.memory", "§5.1", "A page takes 32 bytes (place, speed, mass): tens of millions of pages fit in memory."
)
def memory(means: Means) -> Outcome:
    graph = random_web(1000, 3000, 1)
    moving = Simulation(graph, ball(1000), Constants())
    held = moving.nbytes / 1000
    return Outcome(
        (
            number("bytes a page", "32 bytes", exact(held)),
            order("pages in 1 GB at 32 bytes", "some tens of millions", exact(2**30 / 32), 3e7),
            number("bytes of place, speed and mass alone", "32 bytes", exact(7 * 4)),
        ),
        "The arrays of our simulation of 1,000 pages, single precision; the links lie beside them.",
        "Three numbers for the place, three for the speed and one for the mass are 28 bytes; the paper does not name "
        "the other four. Ours keeps two numbers more between the halves of a step: the mass handed on, and the sum S.",
    )


@claim("bennouas.one-pass", "§5.1", "A step is linear in pages and links: one pass over the adjacency lists.")
def one_pass(means: Means) -> Outcome:
    graph, constants = random_web(200, 800, 5), Constants(gravity=1e-5, expansion=LAMBDA)
    moving = Simulation(graph, ball(200, seed=5), constants, precision="float64").run(10)
    place, speed, mass = (np.array(one) for one in (moving.positions, moving.velocities, moving.masses))
    moved = _step_in_one_pass(graph, place, speed, mass, constants, constants.stretch(10))
    moving.step()
    off = max(
        float(np.abs(mine - theirs).max())
        for mine, theirs in zip(moved, (moving.positions, moving.masses), strict=True)
    )
    return Outcome(
        (
            holds(
                "places and masses after one pass",
                "a single pass",
                f"as our step has them, off by {off:.0e}",
                off < 1e-9,
            ),
        ),
        "A random web of 200 pages, its eleventh step; a literal pass over the lists beside our simulation, seed 5.",
        "Our own step reads each direction once, two passes: it is then the same on any number of threads.",
    )


def _step_in_one_pass(
    graph: Graph, place: Floats, speed: Floats, mass: Floats, constants: Constants, stretch: float
) -> tuple[Floats, Floats]:
    """Each page's list is read once: forces at both ends of its links, its mass handed on along them."""
    handed, speed = np.zeros(len(mass)), speed.copy()
    for page in range(graph.nodes):
        others = graph.successors(page)
        way = place[others] - place[page]
        square = (way**2).sum(axis=1) + constants.softening**2
        pull = constants.gravity * way / square[:, None] ** 1.5
        speed[page] += (mass[others, None] * pull).sum(axis=0)
        speed[others] -= mass[page] * pull
        handed[others] += mass[page] / square / (1 / square).sum()
    base = (mass.sum() - constants.handed * handed.sum()) / graph.nodes
    return (place + speed) * stretch, constants.handed * handed + base


@claim(
    "bennouas.costs",
    "§5.3",
    "The text says that 4.4.2 was implemented and that 4.4.3 costs O(n² log² n). It is the matching of 4.4.2 that is "
    "costly; attractors need one look around each page.",
    misprint=True,
)
def costs(means: Means) -> Outcome:
    graph = watts_strogatz(300, d=6, p=0.1, seed=2)
    sky = Simulation(graph, ring(300), paper(graph)).run(200).record()
    masses, places = np.asarray(sky.extra["masses"], np.float64), np.asarray(sky.positions, np.float64)
    labels = attractors(sky, mass=1.2).labels
    heavy = np.flatnonzero(masses >= 1.2 * masses.mean())
    nearest = heavy[np.argmin(np.linalg.norm(places[:, None] - places[heavy], axis=2), axis=1)]
    known = labels >= 0
    same = bool((labels[known] == labels[nearest[known]]).all())
    longer = []
    for seed in range(10):
        drawn = np.random.default_rng(seed).random((12, 3))
        lengths = [
            float(np.linalg.norm(drawn[a] - drawn[b], axis=1).sum())
            for a, b in (exact_matching(drawn).T, nearest_matching(drawn).T)
        ]
        longer.append(lengths[1] / lengths[0] - 1)
    told = f"nearest attractor of {known.sum()} pages: {'as' if same else 'not as'} defined"
    return Outcome(
        (
            holds("4.4.3 needs a matching", "heuristics for the matching", told, not same),
            bound(
                "4.4.2: a quick matching is longer by",
                "the matching of least length",
                exact(float(np.mean(longer))),
                least=1e-3,
            ),
        ),
        "A small world of 300 pages after 200 steps; ten times twelve random points matched both ways, seeds 0 to 9.",
        "A page joins the nearest attractor: one query of a tree of places. Only 4.4.2 has a matching, over all "
        "pairs of "
        "pages; ours of least length looks at every subset, and the quick one is not the least.",
    )


# -- the pictures --------------------------------------------------------------------------------------------


def _watched(means: Means, p: float, steps: int) -> tuple[dict[str, float], Floats]:
    """A ring of pages with a share p of its links anywhere, as the paper starts it; its groups over time."""
    n = means.size(1000)
    graph = watts_strogatz(n, d=10, p=p, seed=1)
    moving = Simulation(graph, ring(n), paper(graph))
    before, widest, closest, one, several = summary(moving), 0.0, np.inf, 0.0, 0
    shown = moving.positions.astype(np.float64)
    for _ in range(steps // 20):
        now = summary(moving.run(20))
        widest, places = max(widest, now.radius), moving.positions.astype(np.float64)
        if now.radius < closest:
            closest, one = now.radius, group_sizes(places, 0.1)[0] / n
        sizes = group_sizes(places, 0.1 * now.radius)
        if sizes[sizes >= _LARGE].sum() >= 0.99 * n and (sizes >= _LARGE).sum() > several:
            several, shown = int((sizes >= _LARGE).sum()), places.copy()
    grown = now.link_distance / before.link_distance
    told = {"closest": closest / widest, "one": one, "several": several, "grown": grown, "gathered": now.gathered}
    return told, shown if p not in (0.0, 1.0) else places


_RING = "A ring of pages, ten links each, a share p of them reassigned anywhere (seed 1), in the paper's world"


@claim("bennouas.figure-5", "§6, figure 5", "A regular ring contracts to a single community.")
def figure_5(means: Means) -> Outcome:
    told, places = _watched(means, 0.0, 2000)
    return Outcome(
        (
            bound("smallest radius, as a share of the widest", "draw together", exact(told["closest"]), most=0.1),
            bound("pages in one group then", "a single community", exact(told["one"]), least=0.99),
        ),
        f"{_RING}: p = 0, {means.size(1000):,} pages, 2,000 steps.",
        pictures=(seen(places, "A regular ring, swinging through one point"),),
    )


@claim("bennouas.figure-6", "§6, figure 6", "A small world parts into several communities.")
def figure_6(means: Means) -> Outcome:
    told, places = _watched(means, 0.05, 2000)
    return Outcome(
        (
            bound("groups that hold 99 % of the pages", "distinct communities", exact(told["several"]), least=3),
            bound("distance of linked pages by that of any two", "gather", exact(told["gathered"]), most=0.5),
        ),
        f"{_RING}: p = 0.05, {means.size(1000):,} pages, 2,000 steps.",
        pictures=(seen(places, f"A small world in {told['several']:.0f} communities"),),
    )


@claim("bennouas.figure-7", "§6, figure 7", "A random graph dissolves in space.")
def figure_7(means: Means) -> Outcome:
    told, places = _watched(means, 1.0, 2000)
    return Outcome(
        (
            bound("links grow by a factor of", "dissolve", exact(told["grown"]), least=2.0),
            bound("distance of linked pages by that of any two", "dissolve", exact(told["gathered"]), least=0.8),
        ),
        f"{_RING}: p = 1, {means.size(1000):,} pages, 2,000 steps.",
        "Links are then as long as any two pages are apart: nothing is grouped.",
        (seen(places, "A random graph, dissolved"),),
    )


@claim(
    "bennouas.leave",
    "§6",
    "80 % of the pages leave the place of their site for a community.",
    data=("tsaparas-query-graphs",),
)
def leave(means: Means) -> Outcome:
    checks, series = [], []
    for name in QUERIES:
        graph = means.data.query(name)
        moments, shares, gathered = _departures(graph)
        best = int(np.argmin(np.abs(np.array(shares) - 0.8)))
        last = times(share_of(round(shares[-1] * graph.nodes), graph.nodes), 100)
        checks.append(
            number(f"{name}, after {moments[-1]:,} steps", "80 %", last, unit="%", another=True, means=(75, 85))
        )
        told = f"{shares[best]:.0%} after {moments[best]:,} steps"
        checks.append(holds(f"{name}, on the way", "80 %", told, max(shares) >= 0.8, another=True))
        checks.append(
            bound(
                f"{name}, distance of linked pages by that of any two",
                "move to a community",
                exact(gathered),
                most=0.5,
                another=True,
            )
        )
        series.append(line(name, moments, shares))
    return Outcome(
        tuple(checks),
        "Base sets of real queries, links within a site left out, started in cubes by site; a page has left when "
        "another site stood nearer.",
        "Most pages leave, and more of them the longer one waits. But in the literal model leaving is not gathering: "
        "linked pages end as far apart as any two. The paper does not say when it counted.",
        (
            plot(
                *series,
                title="Four pages in five leave their site on the way, nine in ten in the end",
                x="steps",
                y="share of the pages that have left",
            ),
        ),
    )


def _departures(graph: Graph) -> tuple[list[int], list[float], float]:
    """Moments, the share of pages that have left by each, and how near linked pages are in the end."""
    moving, start, stretch = world(graph, "paper", start="sites"), start_of(graph, "sites"), 1.0
    sites = np.unique(graph.urls.site_ids(), return_inverse=True)[1]
    moments, shares = list(range(0, 2001, 200)), []
    for moment in moments:
        while moving.steps < moment:
            stretch *= moving.constants.stretch(moving.steps)
            moving.step()
        shares.append(float(left(start, moving.positions.astype(np.float64) / stretch, sites).mean()))
    return moments, shares, summary(moving).gathered
