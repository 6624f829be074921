"""Fogaras 3.3: what a few changed links do to HITS and to PageRank."""

from __future__ import annotations

import numpy as np

from periplus.graph.graph import Graph
from periplus.rank import pagerank, simple_pagerank, singular_vectors, stability
from periplus.rank.study.stability import Perturbation
from periplus.reproduce.checks import bound, exact, give_or_take, holds, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import QUERIES
from periplus.reproduce.pictures import line, net, plot, points
from periplus.reproduce.tools import random_web, sparse, web
from periplus.wording import ordinal

# Three hubs of one authority; two hubs of two authorities with one of the four links, the dashed one, missing.
_LEFT = [(0, 3), (1, 3), (2, 3), (4, 6), (4, 7), (5, 6)]
_DASHED = (5, 7)
_PLACES = [(0.0, 2.0), (1.0, 2.0), (2.0, 2.0), (1.0, 0.0), (4.0, 2.0), (5.0, 2.0), (4.0, 0.0), (5.0, 0.0)]


@claim(
    "fogaras.figure-3",
    "§3.3, figure 3",
    "One dashed link turns the hub and authority scores over; PageRank hardly moves.",
)
def figure_3(means: Means) -> Outcome:
    graph = web(_LEFT)
    dashed = Perturbation(added=(np.array([_DASHED[0]]), np.array([_DASHED[1]])))
    turned, kept = stability(graph, "hits", dashed), stability(graph, "pagerank", dashed)
    across = float(turned.before.values @ turned.after.values)
    gap = turned.extra["eigengap_before"]
    return Outcome(
        (
            holds("scores before and after", "significantly different", f"inner product {across:.3f}", across < 0.01),
            bound("eigengap of the left graph", "small", exact(gap), most=0.5),
            holds("PageRank keeps its first page", "stable", f"moves by {kept.distance:.3f} of 1", kept.top_kept),
            bound("move of PageRank", "theorem 9", exact(kept.distance), most=kept.bound),
        ),
        "The picture is not in our text; two communities of the kind it tells of, three hubs to one authority and two "
        "hubs to two.",
        pictures=tuple(
            net(
                change,
                title,
                places=_PLACES,
                labels=[f"{hub or authority:.2f}" for hub, authority in zip(hubs, scores, strict=True)],
                caption="Authority scores stand above, hub scores below.",
            )
            for change, title, scores, hubs in (
                (graph, "Before: all weight on the left", turned.before.values, turned.before.extra["hubs"]),
                (
                    dashed.apply(graph),
                    "After: all weight on the right",
                    turned.after.values,
                    turned.after.extra["hubs"],
                ),
            )
        ),
    )


@claim(
    "fogaras.theorem-8",
    "§3.3, theorem 8",
    "For every symmetric S there is a change no larger than 2δ that turns its principal eigenvector by √2, a right "
    "angle; δ is the eigengap.",
    data=("tsaparas-query-graphs",),
)
def theorem_8(means: Means) -> Outcome:
    checks, gaps = [], []
    for name in QUERIES:
        graph = means.data.query(name)
        found = singular_vectors(graph, count=2)
        (first, second), (u, w) = found.eigenvalues, found.authorities
        delta = float(first - second)
        size = 1.5 * delta  # the Frobenius norm of −1.5 δ u uᵀ
        links = sparse(graph)
        image = links.T @ (links @ w)
        changed = image - size * u * (u @ w)
        value = float(w @ changed)
        left = float(np.linalg.norm(changed - value * w)) / value
        below = float(u @ (links.T @ (links @ u))) - size
        true = left < 1e-5 and below < value and size <= 2 * delta
        angle = float(np.linalg.norm(u - w))
        checks.append(number(f"‖u − ũ‖, {name}", "√2", give_or_take(angle, 1e-6), means=(2**0.5 - 1e-6, 2**0.5 + 1e-6)))
        checks.append(holds(f"‖S − S̃‖_F, {name}", "≤ 2δ", f"1.5 δ = {size:.3g}; λ̃₁ = {value:.4g}", true))
        gaps.append(delta)
    return Outcome(
        tuple(checks),
        "S = AᵀA of three real base sets. S̃ = S − 1.5 δ u uᵀ lowers the first eigenvalue by 1.5 δ, below the second; "
        "eigenvectors by our singular_vectors.",
        "Any factor above 1 does it, so the theorem's 2δ is not tight. S̃ need not be AᵀA of any graph.",
    )


@claim(
    "fogaras.theorem-9",
    "§3.3, theorem 9",
    "Changing the links of pages v₁ … v_k moves PageRank by at most 2 Σ r(v_i)/ε in the ℓ1 norm.",
)
def theorem_9(means: Means) -> Outcome:
    tried, graph, rng = means.size(1000), random_web(120, 480, 4), np.random.default_rng(4)
    changes = [change for _ in range(tried) if (change := _rewritten(graph, rng)).size]
    found = [stability(graph, "pagerank", change) for change in changes]
    moved, allowed = (np.array([getattr(one, name) for one in found]) for name in ("distance", "bound"))
    ratio = moved / allowed
    return Outcome(
        (
            bound("largest move as a share of the bound", "≤ 1", exact(ratio.max()), most=1.0),
            holds(
                "changes within the bound", "all", f"{(ratio <= 1).sum():,} of {len(ratio):,}", bool((ratio <= 1).all())
            ),
        ),
        f"{len(ratio):,} times all links of one to ten pages were replaced at random in a strongly connected web of "
        "120 pages; ε = 0.15, seed 4.",
        f"On the mean a change moves {ratio.mean():.1%} of what is allowed. The proof gives (1−ε) times the bound.",
        (
            plot(
                points("random changes", allowed, moved),
                line("the bound", [allowed.min(), 2.0], [allowed.min(), 2.0]),
                title="What happened stays far below what theorem 9 allows",
                x="the bound, 2 Σ r/ε",
                y="ℓ1 distance moved",
                log="xy",
            ),
        ),
    )


def _rewritten(graph: Graph, rng: np.random.Generator) -> Perturbation:
    """One to ten pages get as many links as they had, to other pages; the circle through all pages stays."""
    pages = rng.choice(graph.nodes, rng.integers(1, 11), replace=False)
    old = {
        (int(page), int(to)) for page in pages for to in graph.successors(int(page)) if to != (page + 1) % graph.nodes
    }
    new = {(a, int(rng.integers(graph.nodes))) for a, _ in old} - old
    new = {(a, b) for a, b in new if not graph.has_edge(a, b)}
    ends = [np.array(sorted(one), dtype=np.int64).reshape(-1, 2).T for one in (new, old)]
    return Perturbation(added=(ends[0][0], ends[0][1]), removed=(ends[1][0], ends[1][1]))


@claim(
    "fogaras.theorem-9-farm",
    "§3.3, after theorem 9",
    "A set of low-ranked pages cannot force PageRank to raise their ranks much by changing their own links.",
)
def link_farm(means: Means) -> Outcome:
    graph = random_web(600, 3000, 6)
    before = pagerank(graph).values
    low = np.argsort(before)[:12]
    new = np.array([(page, low[0]) for page in low[1:] if not graph.has_edge(int(page), int(low[0]))]).T
    old = np.array([(int(page), int(to)) for page in low[1:] for to in graph.successors(int(page))]).T
    farm = Perturbation(added=(new[0], new[1]), removed=(old[0], old[1]))
    found = stability(graph, "pagerank", farm)
    rise = float(found.after.values[low].sum() - before[low].sum())
    best = int(found.after.places[low].min())
    return Outcome(
        (
            bound("rise of their ranks together", "not biased much", exact(rise), most=found.bound),
            bound("best place of one of them after", "low", exact(best), least=10),
        ),
        f"The 12 lowest of 600 pages hold {before[low].sum():.2%} of the rank; 11 of them link to the lowest alone.",
        f"Together they may gain {found.bound:.2%} by the theorem, 13 times what they had, and gained {rise:.2%}. All "
        f"of it goes to one page, which climbs from the last place to the {ordinal(best)} of 600: among pages that are "
        "all alike, 2/ε is room enough.",
    )


@claim(
    "fogaras.simple-unstable",
    "§3.1 and 3.3",
    "Jumps are what makes PageRank stable: without them one link can trap the walk.",
)
def simple_unstable(means: Means) -> Outcome:
    ring, chain = 30, 12
    links = [(k, (k + 1) % ring) for k in range(ring)] + [(ring + k, ring + k + 1) for k in range(chain - 1)]
    links += [(ring + k, ring) for k in range(1, chain)] + [(ring + chain - 1, 1), (0, ring)]
    graph = web(links)
    shortcut = Perturbation(added=(np.array([ring]), np.array([1])))
    both = [float(np.abs(rank(graph) - rank(shortcut.apply(graph))).sum()) for rank in (_simple, _damped)]
    return Outcome(
        (
            bound("ℓ1 move without jumps", "large", exact(both[0]), least=0.5),
            bound("ℓ1 move with jumps", "small", exact(both[1]), most=0.5),
        ),
        "A ring of 30 pages with a chain of 12 that leads back; one link is added, from the chain's first page out.",
    )


def _simple(graph: Graph) -> np.ndarray:
    return simple_pagerank(graph).values


def _damped(graph: Graph) -> np.ndarray:
    return pagerank(graph).values
