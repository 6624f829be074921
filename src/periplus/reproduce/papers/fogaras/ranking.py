"""Fogaras 3.1 and 3.2: simple PageRank and its trap, PageRank, hubs and authorities; three formulas misprinted."""

from __future__ import annotations

from itertools import islice

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.rank import hits, monte_carlo, pagerank, simple_pagerank
from periplus.reproduce.checks import bound, exact, holds, number, share_of
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import QUERIES
from periplus.reproduce.pictures import line, net, plot
from periplus.reproduce.tools import dense, power_steps, random_web, row_normalised, sparse, web

RING = 20


def trap(chain: int) -> Graph:
    """Figure 2: a ring of pages, one of which leads into a chain whose every page also leads back to its first."""
    first = RING
    links = [(k, (k + 1) % RING) for k in range(RING)] + [(0, first)]
    links += [(first + k, first + k + 1) for k in range(chain - 1)]
    links += [(first + k, first) for k in range(1, chain)]
    links.append((first + chain - 1, 1))
    return web(links)


@claim(
    "fogaras.definition-3",
    "§3.1, definition 3",
    "Simple PageRank shares each page's rank among the pages it links to. The printed 1/|d⁻(v)| takes the mean of the "
    "pages that link to v instead.",
    misprint=True,
)
def definition_3(means: Means) -> Outcome:
    tried, constant, right = means.size(50), 0.0, 0.0
    for seed in range(tried):
        graph = random_web(30, 60, seed)
        matrix, walk = dense(graph), simple_pagerank(graph).values
        averaged = row_normalised(matrix.T)  # row v: the mean over the pages that link to v
        constant = max(constant, float(np.abs(averaged @ np.ones(30) - 1).max()))
        right = max(right, float(np.abs(walk @ row_normalised(matrix) - walk).max()))
    flat = f"every page 1/n solves it, on {tried} of {tried} webs"
    return Outcome(
        (
            holds("as printed, it tells pages apart", "s = Σ s_w / |d⁻(v)|", flat, constant > 1e-12),
            holds("with the out-degree of w", "s = Σ s_w / |d⁺(w)|", f"left over at most {right:.0e}", right < 1e-12),
        ),
        f"{tried} strongly connected random webs of 30 pages, seeds 0 to {tried - 1}; our simple PageRank put in.",
        "A mean of equal numbers is that number, so the printed equation ranks all pages alike.",
    )


@claim(
    "fogaras.figure-2-leaving",
    "§3.1, figure 2",
    "A walk at the left end of the chain U leaves it without coming back with a probability that halves by the page.",
)
def leaving(means: Means) -> Outcome:
    chains = np.array([2, 5, 10, 20, 30])
    chance = np.array([_leaving(int(chain)) for chain in chains])
    off = np.abs(chance * 2.0 ** (chains - 1) - 1).max()
    as_read = np.abs(chance * (2.0 * chains - 1) - 1).max()
    other = np.abs(chance * (2.0**chains - 1) - 1).min()
    return Outcome(
        (
            holds("1/2^(|U|−1)", "1/2^(|U|−1)", f"off by {off:.0e} at most, |U| = 2 to 30", off < 1e-12),
            holds("not 1/(2^|U|−1)", "1/(2^|U|−1)", f"off by {other:.0%} at least", other > 0.1),
            holds("not 1/(2|U|−1), as scanned text has it", "1/(2|U|−1)", f"off by {as_read:.0%}", as_read > 0.1),
        ),
        "The picture is not in our text. Each page of our chain links to the next and back to the first; exact.",
        "Our text has lost the exponent: the figure may print 2^|U|−1 or 2^(|U|−1). The chain gives the second.",
        (
            net(trap(6), "A ring of pages, and a chain of six that leads back to its first page"),
            plot(
                line("our chain", chains, chance),
                line("1/(2|U|−1)", chains, 1 / (2.0 * chains - 1), muted=True),
                title="A walk gets out of a chain of 30 pages once in half a billion visits",
                x="pages of the chain",
                y="chance to leave without returning",
                log="y",
            ),
        ),
    )


def _leaving(chain: int) -> float:
    """From visits: the walk enters once for each time that it leaves."""
    walk = simple_pagerank(trap(chain)).values
    return float(walk[0] / 2 / walk[RING])


@claim(
    "fogaras.figure-2-rank",
    "§3.1, figure 2",
    "Without jumps the chain holds nearly all rank, though one page alone leads into it; jumps eliminate the "
    "difficulty.",
)
def trapped_rank(means: Means) -> Outcome:
    graph = trap(30)
    simple, damped = simple_pagerank(graph).values, pagerank(graph).values
    chain = slice(RING, None)
    return Outcome(
        (
            bound("simple rank held by the chain", "can be very high", exact(simple[chain].sum()), least=0.99),
            bound("damped rank of its last page, by the mean", "small", exact(damped[-1] * graph.nodes), most=1),
            bound(
                "damped rank held by the chain, by its pages", "eliminates", exact(damped[chain].sum() / 0.6), most=1
            ),
        ),
        "A ring of 20 pages and a chain of 30; damping 0.85, error certified below 1e-9.",
        f"Jumps open the trap, but the chain keeps more than its share, and its first page {damped[RING]:.2f} of all "
        "rank: 29 "
        "pages link to it, and the chain leads out by one link only.",
    )


@claim(
    "fogaras.google-matrix",
    "§3.1, below definition 4",
    "PageRank is the principal left vector of (1−ε)P + (ε/n)J. The text prints εJ, and calls it a singular vector.",
    misprint=True,
)
def google_matrix(means: Means) -> Outcome:
    graph, damping = random_web(40, 120, 5), 0.85
    ranks, walk = pagerank(graph, damping=damping).values, row_normalised(dense(graph))
    printed, right = damping * walk + (1 - damping), damping * walk + (1 - damping) / 40
    off, sums = float(np.abs(ranks @ right - ranks).sum()), printed.sum(axis=1)
    vector = _principal_left(printed)
    told = f"rows sum to {sums[0]:.2f}; ℓ1 from PageRank {np.abs(vector - ranks).sum():.2f}"
    singular = np.abs(np.linalg.svd(right)[0][:, 0])
    return Outcome(
        (
            holds("(1−ε)P + εJ", "εJ", told, bool(np.abs(vector - ranks).sum() < 1e-6)),
            holds("(1−ε)P + (ε/n)J", "(ε/n)J", f"ℓ1 left over {off:.0e}", off < 1e-8),
            holds(
                "its principal singular vector",
                "left singular vector",
                f"ℓ1 from PageRank {np.abs(singular / singular.sum() - ranks).sum():.2f}: an eigenvector is meant",
                bool(np.abs(singular / singular.sum() - ranks).sum() < 1e-6),
            ),
        ),
        "A strongly connected random web of 40 pages, seed 5, ε = 0.15; dense eigenvectors.",
        "J is all ones, so εJ adds εn to every row; and the left singular vectors are those of MMᵀ, not of M.",
    )


def _principal_left(matrix: Floats) -> Floats:
    values, vectors = np.linalg.eig(matrix.T)
    vector = np.abs(vectors[:, np.argmax(np.abs(values))].real)
    return np.asarray(vector / vector.sum())


@claim(
    "fogaras.iterations",
    "§3.1",
    "With ε of 0.1 to 0.2, 50 to 100 passes of the power method are enough.",
    data=("cnr-2000",),
)
def iterations(means: Means) -> Outcome:
    graph = means.data.graph("cnr-2000")
    steps = {epsilon: _steps(graph, 1 - epsilon, 100) for epsilon in (0.1, 0.15, 0.2)}
    google = next(at for at, step in enumerate(steps[0.15], 1) if step < 1e-6)
    return Outcome(
        (
            bound("step left after 50 passes, ε = 0.2", "enough", exact(steps[0.2][49]), most=1e-6, another=True),
            number("passes to a step of 10⁻⁶, ε = 0.15", "50–100", exact(google), another=True),
            bound("step left after 100 passes, ε = 0.1", "enough", exact(steps[0.1][99]), most=1e-6, another=True),
        ),
        f"cnr-2000, {graph.nodes:,} pages, from the uniform vector; the ℓ1 norm of the step.",
        "How many are enough depends on the accuracy asked, which the paper does not name; here 10⁻⁶.",
        (
            plot(
                *(line(f"ε = {epsilon:g}", np.arange(1, 101), each) for epsilon, each in steps.items()),
                title="The larger ε is, the sooner the power method is done",
                x="passes",
                y="ℓ1 norm of the step",
                log="y",
            ),
        ),
    )


def _steps(graph: Graph, damping: float, count: int) -> list[float]:
    """The size of each step of the power method."""
    before, found = np.full(graph.nodes, 1.0 / graph.nodes), []
    for now in islice(power_steps(graph, damping), count):
        found.append(float(np.abs(now - before).sum()))
        before = now
    return found


@claim(
    "fogaras.walk-length",
    "§3.3, after theorem 9",
    "A page's rank is the chance that a walk from a random page ends there, if its length is exponential with "
    "parameter ε.",
)
def walk_length(means: Means) -> Outcome:
    graph, epsilon = random_web(300, 900, 2), 0.15
    ranks = pagerank(graph).values
    walks = means.size(2000)
    found = monte_carlo(graph, walks=walks, estimate="end-point", seed=3)
    kept = int((np.abs(found.values - ranks) <= found.extra["half_width"]).sum())
    floored = pagerank(graph, damping=float(np.exp(-epsilon))).values
    off = float(np.abs(floored - ranks).sum())
    return Outcome(
        (
            number(
                "pages whose 95 % interval holds their rank, length geometric",
                "the rank",
                share_of(kept, graph.nodes),
                means=(0.92, 0.98),
            ),
            holds("length exponential, rounded down", "parameter ε", f"ℓ1 {off:.3f} from PageRank", off < 1e-6),
        ),
        f"{walks:,} walks from each of 300 pages, seed 3; the second by exact PageRank with damping e^−ε.",
        "A whole-numbered length that stops with chance ε each step is geometric. An exponential length rounded down "
        "goes on with e^−0.15 = 0.861, not 0.85: the same only to first order in ε.",
    )


@claim(
    "fogaras.hits-matrices",
    "§3.2",
    "Authorities are the principal eigenvector of AᵀA and hubs that of AAᵀ. The paper has the two swapped.",
    misprint=True,
    data=("tsaparas-query-graphs",),
)
def hits_matrices(means: Means) -> Outcome:
    graph = means.data.query("randomized-algorithms")
    found, links = hits(graph), sparse(graph)
    a, h = found.values, found.extra["hubs"]
    right = max(_off(links.T @ (links @ a), a), _off(links @ (links.T @ h), h))
    swapped = min(_off(links @ (links.T @ a), a), _off(links.T @ (links @ h), h))
    return Outcome(
        (
            holds("authorities from AAᵀ", "a ← A Aᵀ a", f"left over {swapped:.2f}", swapped < 1e-6),
            holds("authorities from AᵀA", "a ← Aᵀ A a", f"left over {right:.0e}", right < 1e-6),
        ),
        f"The base set “randomized algorithms”, {graph.nodes} pages; the part of Mv that does not point along v.",
        "With A[v, w] = 1 for v → w, a = Aᵀh and h = Aa, so a = AᵀAa.",
    )


def _off(image: Floats, vector: Floats) -> float:
    """How far Mv is from the direction of v, as a share of its length (1 where it is nothing)."""
    length = float(np.linalg.norm(image))
    return float(np.linalg.norm(image - (vector @ image) * vector)) / length if length else 1.0


@claim(
    "fogaras.theorem-7",
    "§3.2, theorem 7",
    "From any start that is not negative, the iterated scores converge to the principal eigenvectors, if λ₁ > λ₂.",
    data=("tsaparas-query-graphs",),
)
def theorem_7(means: Means) -> Outcome:
    rng, far, curves = np.random.default_rng(1), [], []
    for name in QUERIES:
        graph = means.data.query(name)
        limit, gap = hits(graph).values, hits(graph).extra
        runs = [_distances(graph, rng.random(graph.nodes), limit) for _ in range(5)]
        far.append(max(run[-1] for run in runs))
        curves.append(line(f"{name}, λ₂/λ₁ = {gap['second_eigenvalue'] / gap['eigenvalue']:.2f}", *_curve(runs[0])))
    return Outcome(
        (bound("distance from the limit", "0", exact(max(far)), most=1e-6),),
        "Three base sets of real queries, five random starts each, 400 passes; seed 1.",
        pictures=(
            plot(
                *curves,
                title="Hubs and authorities converge as fast as the eigengap lets them",
                x="passes",
                y="distance from the limit",
                log="y",
            ),
        ),
    )


@claim(
    "fogaras.theorem-7-start",
    "§3.2, definition 6",
    "The start h⁽⁰⁾ may be any vector that is not negative and not zero.",
    misprint=True,
)
def theorem_7_start(means: Means) -> Outcome:
    """Two communities; one start knows only the smaller one, the other knows both."""
    graph = web([(0, 3), (1, 3), (2, 3), (4, 6), (5, 6)])
    limit = hits(graph).values
    stuck = _distances(graph, np.array([0.0, 0, 0, 0, 1, 1, 0]), limit)[-1]
    reached = _distances(graph, np.array([1e-9, 0, 0, 0, 1, 1, 0]), limit)[-1]
    return Outcome(
        (
            holds("any start that is not negative", "arbitrary", f"distance {stuck:.3f} for ever", stuck < 1e-6),
            holds("any start not orthogonal to the limit", "", f"distance {reached:.0e}", reached < 1e-6),
        ),
        "Three fans of one authority beside two fans of another; 400 passes.",
        "A start that is zero on the whole principal community never reaches it; one part in 10⁹ there is enough.",
    )


def _distances(graph: Graph, start: Floats, limit: Floats) -> list[float]:
    """How far the authorities are from the limit after each pass."""
    links, hubs, found = sparse(graph), start, []
    back = links.T.tocsr()
    for _ in range(400):
        authorities = back @ hubs
        authorities /= np.linalg.norm(authorities)
        hubs = links @ authorities
        hubs /= np.linalg.norm(hubs)
        found.append(float(np.linalg.norm(authorities - limit)))
    return found


def _curve(run: list[float]) -> tuple[list[int], list[float]]:
    picked = [at for at in range(0, 120, 4) if run[at] > 1e-12]
    return [at + 1 for at in picked], [run[at] for at in picked]
