"""Deo and Gupta 7.4 to 7.6: PageRank as they write it, reputation, the Markov-chain rank, routing, related pages."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from periplus.dynamics.routing import greedy_routing
from periplus.graph.graph import Graph
from periplus.models.generators.kleinberg import kleinberg, positions
from periplus.models.theory import routing_exponent
from periplus.numeric.arrays import Floats, Offsets
from periplus.rank import all_reputations, markov_chain, pagerank, reputation, simple_pagerank, weighted_hits
from periplus.reproduce.checks import bound, exact, holds, mean_of, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import Data
from periplus.reproduce.pictures import line, net, plot, points
from periplus.reproduce.tools import dense, random_web, row_normalised, sparse, web
from periplus.similar.cocitation import cocitation
from periplus.similar.companion import companion
from periplus.similar.mirrors import near_duplicates
from periplus.similar.vicinity import vicinity


@claim(
    "deo-gupta.figure-16",
    "§7.4.1, figure 16",
    "A's rank is divided between B and C; C, which B links to as well, has 0.6, and D, which C links to, has 0.6.",
)
def figure_16(means: Means) -> Outcome:
    graph = web([(0, 1), (0, 2), (1, 2), (2, 3), (3, 0)])
    ranks = simple_pagerank(graph).values
    scaled = ranks / ranks[0] * 0.6
    labels = [f"{name} {value:.1f}" for name, value in zip("ABCD", scaled, strict=True)]
    return Outcome(
        tuple(number(f"rank of {name}", "0.6", exact(scaled["ABCD".index(name)])) for name in "CD"),
        "A → B, A → C, B → C, C → D, D → A: the links that the text implies; A's rank set to 0.6. The picture "
        "itself is not "
        "in our text.",
        pictures=(net(graph, "The walk of figure 16", labels=labels),),
    )


@claim(
    "deo-gupta.eta",
    "§7.4.1",
    "In PR(u) = (1−η) + η Σ PR(w)/d⁺ the surfer follows a link with probability η. The text calls η the probability of "
    "not following one.",
    misprint=True,
)
def eta(means: Means) -> Outcome:
    graph = random_web(200, 800, 2)
    follows, jumps = (pagerank(graph, damping=d, normalised=False).values for d in (0.85, 0.15))
    links = sparse(graph, 1.0 / graph.out_degrees.repeat(graph.out_degrees)).T
    equation = np.ones(graph.nodes)
    for _ in range(300):
        equation = 0.15 + 0.85 * (links @ equation)
    off = [float(np.abs(equation - each).max()) for each in (jumps, follows)]
    return Outcome(
        (
            holds("walk that jumps with probability η = 0.85", "PR(u)", f"off by {off[0]:.2f}", off[0] < 1e-6),
            holds("walk that follows with probability η = 0.85", "PR(u)", f"off by {off[1]:.0e}", off[1] < 1e-6),
            number("mean of PR", "1 at the start", exact(float(equation.mean()))),
        ),
        "The printed equation iterated 300 times on a random web of 200 pages, η = 0.85, seed 2.",
        "The factor η stands before the links, so it is the share that travels along them.",
    )


@claim(
    "deo-gupta.rank-sink",
    "§7.4.1",
    "Two pages that link to each other and nowhere else gather all rank; η < 1 mends it.",
)
def rank_sink(means: Means) -> Outcome:
    graph = web([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 3)])
    walk, plain = row_normalised(dense(graph)), np.full(5, 0.2)
    for _ in range(400):
        plain = plain @ walk
    damped = pagerank(graph).values
    return Outcome(
        (
            bound("rank of the two without jumps", "accumulate", exact(float(plain[3:].sum())), least=0.999),
            bound("rank of the others with η = 0.85", "solves the problem", exact(float(damped[:3].sum())), least=0.1),
        ),
        "A circle of three pages with a link into a pair; 400 passes.",
    )


@claim(
    "deo-gupta.reputation",
    "§7.4.2",
    "Reputation is a surfer who jumps to pages with the term; with one term on all pages it is PageRank.",
)
def one_level(means: Means) -> Outcome:
    graph = random_web(200, 800, 6)
    off = float(np.abs(reputation(graph).values - pagerank(graph).values).sum())
    rng = np.random.default_rng(6)
    has = rng.random(200) < 0.1
    found = reputation(graph, topic=has.astype(float)).values
    literal = has / has.sum()
    links = sparse(graph, 1.0 / graph.out_degrees.repeat(graph.out_degrees)).T
    for _ in range(300):
        literal = 0.85 * (links @ literal) + 0.15 * has / has.sum()
    return Outcome(
        (
            bound("one term on all pages, ℓ1 from PageRank", "PageRank", exact(off), most=1e-8),
            bound(
                "printed loop, 300 rounds, ℓ1 from ours",
                "R(w, τ)",
                exact(float(np.abs(literal - found).sum())),
                most=1e-8,
            ),
        ),
        "A random web of 200 pages, a term on a tenth of them, p = 0.15; seed 6.",
    )


@claim(
    "deo-gupta.known-for",
    "§7.4.2",
    "The topics that a page is an authority on follow from links alone, though the page never names them.",
)
def known_for(means: Means) -> Outcome:
    rng, topics, each = np.random.default_rng(7), 12, 40
    pages = topics * each + topics
    pairs, rows, columns = [], [], []
    for topic in range(topics):
        authority = topics * each + topic
        for page in range(topic * each, (topic + 1) * each):
            rows.append(topic)
            columns.append(page)
            if rng.random() < 0.5:
                pairs.append((page, authority))
            pairs += [(page, int(other)) for other in rng.integers(0, topics * each, 3)]
    terms = csr_array((np.ones(len(rows)), (rows, columns)), shape=(topics, pages))
    found = all_reputations(web(pairs, pages), terms)
    best = [found.known_for(topics * each + topic, 1)[0][0] for topic in range(topics)]
    right = sum(at == topic for topic, at in enumerate(best))
    return Outcome(
        (number("authorities known for their own topic", "all", exact(right), means=(topics, topics)),),
        f"{topics} topics of {each} pages that name them; an authority of each that half of them link to and that "
        "names "
        "none; three links of each page go anywhere. Seed 7.",
    )


@claim(
    "deo-gupta.markov",
    "§7.4.3",
    "The ultimate distribution D = DT of the tendency matrix ranks pages without any iteration.",
)
def markov(means: Means) -> Outcome:
    graph, rng = random_web(120, 360, 8), np.random.default_rng(8)
    alike = rng.random(120)
    omega, mu, theta, epsilon = 0.25, 0.4, 0.2, 0.15
    matrix = dense(graph)
    tendency = np.where(matrix > 0, mu, np.where(matrix.T > 0, theta, epsilon))
    np.fill_diagonal(tendency, omega * alike)
    limit = _stationary(row_normalised(tendency))
    ours = markov_chain(graph, similarity=alike)
    return Outcome(
        (
            bound(
                "ours less the dense elimination, ℓ1",
                "unique solution",
                exact(float(np.abs(ours.values - limit).sum())),
                most=1e-8,
            ),
            bound("passes of ours", "without any iteration", exact(ours.iterations), most=0),
        ),
        "A random web of 120 pages, ω, μ, θ, ε = 0.25, 0.4, 0.2, 0.15; seed 8.",
        "“Without any iteration” means solving n equations densely, n³ steps, as the oracle here does: possible for a "
        "hundred results. Ours takes a few certified passes over the links, for any number.",
    )


def _stationary(matrix: Floats) -> Floats:
    n = len(matrix)
    system = np.vstack((matrix.T - np.eye(n), np.ones(n)))
    return np.asarray(np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0])


@claim(
    "deo-gupta.figure-17",
    "§7.5, figure 17",
    "On a grid with a few long-range contacts a message finds a short path by local knowledge.",
)
def figure_17(means: Means) -> Outcome:
    graph, place = kleinberg(49, long_range=2, r=2.0, seed=3), positions(49, 2)
    path = [0]
    while path[-1] != 48:
        contacts = graph.successors(path[-1]).astype(np.int64)
        path.append(int(contacts[np.argmin(np.abs(place[contacts] - place[48]).sum(axis=1))]))
    routed = greedy_routing(graph, place, trips=means.size(2000), seed=1)
    return Outcome(
        (
            bound("hops from corner to corner", "near-shortest", exact(len(path) - 1), most=11),
            number("messages that arrive", "all", exact(routed.arrived), means=(1, 1)),
        ),
        f"Seven by seven pages, l = 1, Θ = 2, r = 2, seed 3; {means.size(2000):,} random trips.",
        pictures=(
            net(
                graph,
                f"Corner to corner in {len(path) - 1} hops, not 12",
                places=[(float(x), float(y)) for y, x in place],
                path=path,
            ),
        ),
    )


@claim(
    "deo-gupta.routing",
    "§7.5",
    "Greedy routing is fastest at r = k, the dimension of the grid, and there takes a number of hops proportional to "
    "log n.",
)
def routing(means: Means) -> Outcome:
    sizes = np.array([1600, 6400, 25_600, 102_400])
    ends = np.array([_hops(means.size(int(n)), 2.0, 1500) for n in sizes])
    logs = np.log(sizes * means.scale)
    power = float(np.polyfit(np.log(logs), np.log(ends), 1)[0])
    r = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0])
    hops = np.array([_hops(means.size(102_400), float(each), 600) for each in r])
    best = float(r[np.argmin(hops)])
    return Outcome(
        (
            number("power of log n that the hops grow with", "1", exact(power), means=(0.8, 1.2)),
            bound(
                "the same as a power of n",
                "polylogarithmic",
                exact(float(np.polyfit(logs, np.log(ends), 1)[0])),
                most=0.33,
            ),
            number("best r on the largest grid", "2", exact(best), means=(1.75, 2.25)),
            bound("hops at r = 3 by those at r = 2", "less useful", exact(hops[6] / hops[4]), least=1.5),
        ),
        f"Square grids of {means.size(1600):,} to {means.size(102_400):,} pages, one long-range contact each; 1,500 "
        "trips, seed 1.",
        "Kleinberg proved log² n, and on grids of these sizes hops grow faster still, but far slower than any power "
        "that r "
        f"≠ 2 gives in the limit, such as n^{routing_exponent(2, 0.0) / 2:.2f} at r = 0. Theory's best r = 2 shows "
        "only on far "
        "larger grids: here a smaller r is as good or better.",
        (
            plot(
                line(f"{means.size(102_400):,} pages", r, hops),
                title="Beyond r = 2 messages take far longer",
                x="r, exponent of long-range contacts",
                y="mean hops",
            ),
            plot(
                points("r = 2", logs**2, ends),
                title="At r = 2 hops grow somewhat faster than log² n",
                x="log² n",
                y="mean hops",
            ),
        ),
    )


def _hops(n: int, r: float, trips: int) -> float:
    graph = kleinberg(n, r=r, seed=1)
    return greedy_routing(graph, positions(graph.nodes, 2), trips=trips, seed=1).mean_hops


# -- related pages -------------------------------------------------------------------------------------------


@claim(
    "deo-gupta.figure-18",
    "§7.6, figures 18(b), (c)",
    "m₁ links from one host to a page weigh 1/m₁ each as authority, m₂ links of a page to one host 1/m₂ each as hub.",
)
def figure_18(means: Means) -> Outcome:
    hosts = np.array([0, 0, 0, 0, 1, 2, 2, 2])
    many = web([(0, 5), (1, 5), (2, 5), (3, 5), (4, 6)], 8)
    plain = web([(0, 5), (4, 6)], 8)
    voices = [weighted_hits(graph, hosts=hosts).values for graph in (many, plain)]
    shares = [float(each[5] / (each[5] + each[6])) for each in voices]
    return Outcome(
        (
            number(
                "authority of a page with four links of one host, by one",
                "1",
                exact(shares[0] / shares[1]),
                means=(0.999, 1.001),
            ),
            holds("95 % in common and more than 10 links make copies", "> 95 %, > 10", *_copies()),
        ),
        "Four pages of one host link to a page, one page of another host to its neighbour; and lists of 20 to 40 "
        "links.",
        pictures=(net(many, "Four voices of one host, and one of another", labels="aaaabccc"),),
    )


def _copies() -> tuple[str, bool]:
    base = np.arange(40, dtype=np.uint32)
    alike = near_duplicates(base, np.append(base[:-1], 99).astype(np.uint32))
    apart = near_duplicates(base, np.append(base[:-4], [96, 97, 98, 99]).astype(np.uint32))
    few = near_duplicates(base[:10], base[:10])
    return f"39 of 40: {alike}; 36 of 40: {apart}; 10 of 10: {few}", alike and not apart and not few


@claim(
    "deo-gupta.companion",
    "§7.6",
    "The Companion algorithm finds pages on the same topic as a given one by links alone.",
    data=("wikispeedia",),
)
def related(means: Means) -> Outcome:
    graph, subjects = _schools(means.data)
    usable = np.flatnonzero((graph.in_degrees >= 3) & (graph.out_degrees >= 3))
    asked = np.random.default_rng(1).choice(usable, min(len(usable), means.size(60)), replace=False)
    found = {}
    for name, method in (("Companion", companion(graph)), ("Cocitation", cocitation(graph))):
        found[name] = [_right(method.nearest(int(page), 10).pages, int(page), subjects) for page in asked]
    chance = float((np.bincount(subjects) / len(subjects)) @ (np.bincount(subjects) / len(subjects)))
    known = {name: mean_of([each for each in values if each >= 0]) for name, values in found.items()}
    both = [(a, b) for a, b in zip(*found.values(), strict=True) if a >= 0 and b >= 0]
    gain = mean_of([a - b for a, b in both])
    return Outcome(
        (
            bound(
                "Companion: of ten, on the same subject",
                "same topic",
                known["Companion"],
                least=2 * chance,
                another=True,
            ),
            bound(
                "Cocitation: of ten, on the same subject",
                "same topic",
                known["Cocitation"],
                least=2 * chance,
                another=True,
            ),
            bound("Companion less Cocitation", "better (Dean and Henzinger)", gain, least=0.0, another=True),
        ),
        f"The Schools Wikipedia, {graph.nodes:,} articles of {subjects.max() + 1} subjects; {len(asked)} asked, seed "
        "1. By "
        f"chance {chance:.0%} would be of the same subject.",
        "An encyclopaedia is one site, on which every page counts as a host of its own; Dean and Henzinger's "
        "judges, on the "
        "Web of 1998, put Companion 73 % above Netscape's service and Cocitation 51 %.",
    )


def _right(pages: list[int], asked: int, subjects: Offsets) -> float:
    """The share of pages on the subject of the page asked; −1 where nothing was found."""
    return float((subjects[pages] == subjects[asked]).mean()) if pages else -1.0


def _schools(data: Data) -> tuple[Graph, Offsets]:
    """The links of the Schools Wikipedia, and the first subject of each article."""
    names = [row[0] for row in data.lines("wikispeedia", "articles.tsv.xz")]
    ids = {name: page for page, name in enumerate(names)}
    pairs = [(ids[a], ids[b]) for a, b in data.lines("wikispeedia", "links.tsv.xz")]
    kinds: dict[str, int] = {}
    subjects = np.full(len(names), -1)
    for name, category in data.lines("wikispeedia", "categories.tsv.xz"):
        if subjects[ids[name]] < 0:
            subjects[ids[name]] = kinds.setdefault(category.split(".")[1], len(kinds))
    subjects[subjects < 0] = len(kinds)
    return web(pairs, len(names)), subjects


@claim(
    "deo-gupta.vicinity",
    "§7.6, figure 18(a)",
    "The vicinity graph has up to B predecessors of U, B_F successors of each, F successors, F_B predecessors of each.",
)
def vicinity_graph(means: Means) -> Outcome:
    graph = random_web(400, 4000, 9)
    method = companion(graph, back=3, back_forward=2, forward=3, forward_back=3, stop_share=1.0)
    sizes = [len(vicinity(method.links, [page], method.reach)) for page in range(40)]
    most = 1 + 3 + 3 * 2 + 3 + 3 * 3
    return Outcome(
        (bound("pages of the largest vicinity", f"at most {most}", exact(max(sizes)), least=2, most=most),),
        "B = 3, B_F = 2, F = 3, F_B = 3 as in the figure, forty pages of a random web of 400; seed 9.",
    )
