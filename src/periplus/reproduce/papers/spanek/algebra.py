"""Špánek 2 to 4: HITS as a power method, the matrices H, S and G of six pages, the second eigenvalue, the cost."""

from __future__ import annotations

from itertools import islice

import numpy as np

from periplus.numeric.arrays import Floats
from periplus.rank import hits, pagerank
from periplus.reproduce.checks import bound, exact, holds, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import QUERIES
from periplus.reproduce.pictures import line, net, plot, points
from periplus.reproduce.tools import core_of, dense, power_steps, random_web, row_normalised, sparse, web
from periplus.structure.connectivity.components import strong_components

# Figure 3.1 as its matrix gives it: page 3 also links to itself, page 5 to nobody.
SIX = web([(0, 1), (0, 2), (1, 2), (1, 5), (2, 2), (2, 4), (2, 5), (3, 0), (3, 2), (3, 4), (5, 4)], 6)
_H: list[list[float]] = [
    [0, 1 / 2, 1 / 2, 0, 0, 0],
    [0, 0, 1 / 2, 0, 0, 1 / 2],
    [0, 0, 1 / 3, 0, 1 / 3, 1 / 3],
    [1 / 3, 0, 1 / 3, 0, 1 / 3, 0],
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0],
]


def stochastic(walk: Floats) -> Floats:
    """S: rows of zeros become rows of 1/n."""
    return np.where(walk.sum(axis=1, keepdims=True) == 0, 1 / len(walk), walk)


def google(walk: Floats, alpha: float) -> Floats:
    """G = αS + (1−α) eeᵀ/n."""
    return alpha * stochastic(walk) + (1 - alpha) / len(walk)


@claim(
    "spanek.hits-names",
    "§2, equation 2.4",
    "LᵀL makes authorities and LLᵀ hubs. The text calls LᵀL the hub matrix and LLᵀ the authority matrix.",
    misprint=True,
    data=("tsaparas-query-graphs",),
)
def hits_names(means: Means) -> Outcome:
    graph = means.data.query("vintage-cars")
    links, found = sparse(graph), hits(graph)
    a, h, value = found.values, found.extra["hubs"], found.extra["eigenvalue"]
    right = np.linalg.norm(links.T @ (links @ a) - value * a) / value
    printed = np.linalg.norm(links.T @ (links @ h) - value * h) / value
    return Outcome(
        (
            holds("hubs from LᵀL, “the hub matrix”", "LᵀL h = λ₁h", f"left over {printed:.2f}", bool(printed < 1e-5)),
            holds("authorities from LᵀL", "LᵀL a = λ₁a", f"left over {right:.0e}", bool(right < 1e-5)),
        ),
        f"The base set “vintage cars”, {graph.nodes:,} pages; ‖Mv − λ₁v‖/λ₁. Equation 2.5 itself is right.",
        "Only the names are exchanged: L[i, j] = 1 for i → j, so LᵀL counts common in-links of two authorities.",
    )


@claim("spanek.matrices", "§3, figure 3.1", "H, S and G of six pages, printed in full.")
def matrices(means: Means) -> Outcome:
    walk = row_normalised(dense(SIX))
    mended, whole = stochastic(walk), google(walk, 0.85)
    ranks = pagerank(SIX, damping=0.85).values
    off, left = float(np.abs(walk - _H).max()), float(np.abs(ranks @ whole - ranks).sum())
    printed = np.array(_H)
    printed[4] = 1 / 6
    shown = ", ".join(f"{rank:.3f}" for rank in ranks)
    return Outcome(
        (
            holds("H from the links", "6 × 6", f"off by {off:.0e}", off < 1e-15),
            holds(
                "S: row 5 becomes 1/6",
                "6 × 6",
                f"off by {np.abs(mended - printed).max():.0e}",
                bool((mended == printed).all()),
            ),
            holds("π G = π for our PageRank", "stationary", f"left over {left:.0e}", left < 1e-8),
        ),
        f"The graph that the printed H implies; α = 0.85, π = ({shown}).",
        pictures=(net(SIX, "The six pages of figure 3.1", labels=[f"W{page + 1}" for page in range(6)]),),
    )


@claim(
    "spanek.stochastic",
    "§3",
    "A matrix of a walk is stochastic when every row is a distribution. The definition sums over rows, so that every "
    "column would be one.",
    misprint=True,
)
def rows_not_columns(means: Means) -> Outcome:
    mended = stochastic(row_normalised(dense(SIX)))
    columns, rows = mended.sum(axis=0), mended.sum(axis=1)
    told = f"from {columns.min():.2f} to {columns.max():.2f}"
    return Outcome(
        (
            holds("columns of the printed S sum to", "1", told, bool(np.allclose(columns, 1))),
            holds(
                "rows of the printed S sum to",
                "1",
                f"from {rows.min():.2f} to {rows.max():.2f}",
                bool(np.allclose(rows, 1)),
            ),
        ),
        "S of the six pages, as printed.",
        "π is a row vector here, and page i gives along row i.",
    )


@claim("spanek.irreducible", "§3, equation 3.2", "G is stochastic and irreducible whatever the links; S need not be.")
def irreducible(means: Means) -> Outcome:
    tried, least, off, apart = means.size(300), np.inf, 0.0, 0
    for seed in range(tried):
        rng = np.random.default_rng(seed)
        graph = web([(int(a), int(b)) for a, b in rng.integers(0, 12, (16, 2))], 12)
        whole = google(row_normalised(dense(graph)), 0.85)
        least, off = min(least, float(whole.min())), max(off, float(np.abs(whole.sum(axis=1) - 1).max()))
        apart += len(strong_components(graph).sizes) > 1
    return Outcome(
        (
            holds("rows of G sum to one", "stochastic", f"off by {off:.0e}", off < 1e-12),
            bound("smallest entry of G", "irreducible", exact(least), least=0.15 / 12 - 1e-12),
            bound("webs of them that are not strongly connected", "no strong connectivity", exact(apart), least=1),
        ),
        f"{tried} random webs of 12 pages and 16 links, α = 0.85, seeds 0 to {tried - 1}.",
    )


@claim(
    "spanek.eigenvalue",
    "§4",
    "The second eigenvalue of G is at most α, whatever the web; so it is 0.85 at most.",
)
def second_eigenvalue(means: Means) -> Outcome:
    tried, alphas, found = means.size(400), (0.5, 0.85, 0.95), []
    for seed in range(tried):
        rng = np.random.default_rng(seed)
        pages = int(rng.integers(3, 30))
        ends = rng.integers(0, pages, (int(rng.integers(1, 3 * pages)), 2))
        walk = row_normalised(dense(web([(int(a), int(b)) for a, b in ends], pages)))
        for alpha in alphas:
            values = np.sort(np.abs(np.linalg.eigvals(google(walk, alpha))))
            found.append((alpha, values[-2] / alpha))
    ratios = np.array([ratio for _, ratio in found])
    two = web([(0, 1), (1, 0), (2, 3), (3, 2)], 4)
    tight = np.sort(np.abs(np.linalg.eigvals(google(row_normalised(dense(two)), 0.85))))[-2]
    return Outcome(
        (
            bound("largest |λ₂|/α", "≤ 1", exact(float(ratios.max())), most=1 + 1e-6),
            number("|λ₂| of a web of two closed parts, α = 0.85", "0.85", exact(float(tight))),
        ),
        f"{tried} random webs of 3 to 29 pages, each with α = 0.5, 0.85, 0.95; dense eigenvalues.",
        "It is exactly α as soon as two parts of the web cannot be left, which every real web has.",
        (
            plot(
                points("|λ₂|/α", np.arange(1, 201), np.sort(ratios)[:: max(1, len(ratios) // 200)][:200]),
                title="The second eigenvalue comes up to α and never passes it",
                x="webs, sorted",
                y="|λ₂|/α",
            ),
        ),
    )


@claim(
    "spanek.rate",
    "§3, §4",
    "The speed of the power method is set by the second eigenvalue.",
)
def rate(means: Means) -> Outcome:
    seen, wanted = [], []
    for seed in range(means.size(20)):
        graph = random_web(40, 4 + seed, seed)
        values = np.sort(np.abs(np.linalg.eigvals(google(row_normalised(dense(graph)), 0.85))))
        limit = _stationary(google(row_normalised(dense(graph)), 0.85))
        start = np.random.default_rng(seed).dirichlet(np.ones(40))
        errors = [float(np.linalg.norm(step - limit)) for step in islice(power_steps(graph, 0.85, start), 120)]
        last = max(at for at, error in enumerate(errors) if error > 1e-11)
        first = last // 3
        seen.append((errors[last] / errors[first]) ** (1 / (last - first)))
        wanted.append(values[-2])
    ratio = np.array(seen) / np.array(wanted)
    return Outcome(
        (number("factor a pass over |λ₂|, mean", "1", exact(float(ratio.mean())), means=(0.95, 1.05)),),
        f"{len(ratio)} random webs of 40 pages, α = 0.85; errors over the last two thirds of the passes.",
        pictures=(
            plot(
                points("webs", wanted, seen),
                line("equal", [min(wanted), max(wanted)], [min(wanted), max(wanted)]),
                title="A pass shrinks the error by the second eigenvalue",
                x="|λ₂| of G",
                y="factor per pass",
            ),
        ),
    )


def _stationary(matrix: Floats) -> Floats:
    """πG = π, Σπ = 1, densely."""
    n = len(matrix)
    system = np.vstack((matrix.T - np.eye(n), np.ones(n)))
    return np.asarray(np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0])


@claim(
    "spanek.any-start",
    "§3, §4",
    "From any start the power method on G ends at the same vector; on H alone it does not.",
)
def any_start(means: Means) -> Outcome:
    limit, rng, far = pagerank(SIX).values, np.random.default_rng(2), 0.0
    for _ in range(means.size(100)):
        last = next(islice(power_steps(SIX, 0.85, rng.dirichlet(np.ones(6))), 200, None))
        far = max(far, float(np.abs(last - limit).sum()))
    plain = np.full(6, 1 / 6)
    for _ in range(500):
        plain = plain @ np.array(_H)
    return Outcome(
        (
            bound("farthest end from PageRank", "always converges", exact(far), most=1e-8),
            bound("what H alone leaves of the rank", "convergence problems", exact(float(plain.sum())), most=1e-12),
        ),
        f"The six pages, {means.size(100)} random starts, 200 passes, seed 2; H from the uniform vector, 500 passes.",
        "H loses what reaches page 5, which links to nobody: it ends at zero.",
    )


@claim(
    "spanek.sparse-form",
    "§4",
    "A pass with the sparse H and two sums equals one with the dense G; G and S need never be formed.",
)
def sparse_form(means: Means) -> Outcome:
    graph = core_of(random_web(200, 500, 9))
    whole = google(row_normalised(dense(graph)), 0.85)
    start = np.random.default_rng(1).dirichlet(np.ones(graph.nodes))
    off = float(np.abs(next(power_steps(graph, 0.85, start)) - start @ whole).max())
    stored = graph.links / graph.nodes**2
    return Outcome(
        (
            holds("πG = απH + (απa + 1−α)vᵀ", "equal", f"off by {off:.0e}", off < 1e-15),
            bound("numbers held, as a share of G", "extremely sparse", exact(stored), most=0.05),
        ),
        f"A random web of {graph.nodes} pages and {graph.links} links, seed 9.",
    )


@claim(
    "spanek.row-length",
    "§4",
    "A row of H has fewer than ten entries on the mean, so that a pass costs O(n).",
    data=("cnr-2000", "wb-cs-stanford", "kleinberg-california", "tsaparas-query-graphs"),
)
def row_length(means: Means) -> Outcome:
    webs = {name: means.data.graph(name) for name in ("cnr-2000", "wb-cs-stanford", "kleinberg-california")}
    webs |= {name: means.data.query(name) for name in QUERIES}
    return Outcome(
        tuple(
            bound(name, "fewer than 10", exact(graph.links / graph.nodes), most=10, unit="links a page", another=True)
            for name, graph in webs.items()
        ),
        "Six webs crawled from 1997 to 2003, links counted once.",
        "Pages of today bear many more.",
    )


@claim("spanek.passes", "§4, §5", "50 to 100 passes of the power method are enough.", data=("cnr-2000",))
def passes(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    limit, places = pagerank(graph).values, 100
    best, errors, same = np.argsort(-limit)[:places], [], []
    for step in islice(power_steps(graph, 0.85), 100):
        errors.append(float(np.abs(step - limit).sum()))
        same.append(len(np.intersect1d(best, np.argsort(-step)[:places])))
    return Outcome(
        (
            bound("ℓ1 error after 50 passes", "enough", exact(errors[49]), most=1e-3, another=True),
            bound("ℓ1 error after 100 passes", "enough", exact(errors[99]), most=1e-6, another=True),
            bound("of the 100 best pages, found after 50", "enough", exact(same[49]), least=100, another=True),
        ),
        f"cnr-2000, {graph.nodes:,} pages, α = 0.85, from the uniform vector.",
        "What “enough” means is not said; here: the best hundred pages are known.",
    )


@claim(
    "spanek.yahoo",
    "§3",
    "A page that only one page links to, which links to a thousand, is given a thousandth of its rank.",
)
def thousandth(means: Means) -> Outcome:
    graph = web([(0, page) for page in range(1, 1001)] + [(page, 0) for page in range(1, 1001)])
    ranks = pagerank(graph, damping=0.85).values
    given = (ranks[1] - 0.15 / graph.nodes) / (0.85 * ranks[0])
    return Outcome(
        (number("rank handed on, by the giver's", "1/1000", exact(float(given)), means=(0.001 - 1e-9, 0.001 + 1e-9)),),
        "One page linked both ways with a thousand; α = 0.85, the jump taken off.",
    )
