"""Simple PageRank: the random walk without jumps, on the largest strongly connected component (Fogaras, definition 3).

    s_v = Σ_{w→v} s_w / d⁺(w),     Σ s = 1                (links inside the component; all other pages score zero)

(Fogaras prints 1/|d⁻(v)| Σ s_w: the share belongs to the page that gives, not to the one that receives.)

The walk exists and is unique because the component is strongly connected, but nothing bounds how slowly it mixes:
Fogaras' figure 2, a chain of k pages whose every page also leads back to the first, is left with probability
2^(1−k) only. (The text extraction shows 1/(2|U|−1); the chain gives 1/2^(|U|−1).) A power iteration would creep there,
and on a cycle never end. So

* up to 600 pages: elimination after Grassmann, Taksar and Heyman (1985), which never subtracts and is therefore
  exact to rounding in every entry, traps or not. The error bound is the smaller one of 2n³u (O'Cinneide 1993) and what
  the measured residual leaves by the chain's fundamental matrix;
* beyond, where a sparse elimination fills in little, as on web graphs: without the links of one page k, and with b the
  pages that these led to, y = y H + b has one solution, the visits to every page between two visits to k, and s = y/Σy.
  `elimination` solves it, and the same equation with the residual in place of b bounds the error;
* otherwise: Arnoldi with the eigenvalue known to be one (Golub and Greif 2006): of all vectors of the Krylov space
  the one with the smallest ‖sP − s‖₂, restarted. The tolerance bounds the residual ‖sP − s‖₁; the error itself
  depends on how the walk mixes, so `error_bound` is NaN.

The bounds are proved in docs/theory/rankings.md.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.operator import LinkOperator
from periplus.rank.linear.elimination import Elimination, eliminate
from periplus.rank.linear.passes import PIECE, UNIT_ROUNDOFF, link_weights, residual_of, row_rounding
from periplus.rank.methods.pagerank import pagerank
from periplus.rank.table import RANKERS
from periplus.record import Scores
from periplus.structure.connectivity.components import strong_components

DEFAULT_STOP = Tol(1e-9) | MaxIter(10_000)
ELIMINATE_UP_TO = 600
_BASIS = 24
# Solves through the factors, each for what the one before has left.
REFINED = 3
LARGE = 1e200


@checked(RANKERS["simple-pagerank"])
def simple_pagerank(graph: Graph, *, stop: Stop = DEFAULT_STOP) -> Scores:
    """The stationary walk on the largest strong component; `extra["component"]` is how many pages that has."""
    components = strong_components(graph)
    members = components.members(components.largest_label)
    inside = _induced(graph, members)
    walk, passes, residual, error = _stationary(inside, stop)
    reached = residual if np.isnan(error) else error
    values = np.zeros(graph.nodes)
    values[members] = walk
    return Scores(
        method="simple-pagerank",
        values=values,
        parameters={"tolerance": stop.tolerance},
        iterations=passes,
        residual=residual,
        error_bound=error,
        converged=stop.tolerance == 0 or reached <= stop.tolerance,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"component": len(members)},
    ).or_raise(spent=passes + _BASIS > stop.max_iterations)


def _stationary(inside: Graph, stop: Stop) -> tuple[Floats, int, float, float]:
    """The walk, the passes, the ℓ1 residual and the error bound, by the first of the ways above that works."""
    if inside.nodes <= ELIMINATE_UP_TO:
        walk = _eliminate(_transitions(inside))
        residual = _residual(inside, walk)
        moved = _moved(_transitions(inside), walk, residual)
        return walk, 0, residual, min(2.0 * inside.nodes**3 * UNIT_ROUNDOFF, moved)
    found = _between_visits(inside)
    if found is None:
        return *_arnoldi(inside, stop), float("nan")
    visits, off = found
    walk = visits / visits.sum()
    return walk, REFINED + 1, _residual(inside, walk), off


def _between_visits(inside: Graph) -> tuple[Floats, float] | None:
    """The visits to each page between two to a page of high rank, and how far off their shares may be; None where the
    elimination fills in."""
    root = int(pagerank(inside, damping=0.99, stop=MaxIter(50)).best(1)[0])  # any page that many walks pass will do
    sources = np.repeat(np.arange(inside.nodes), inside.out_degrees)
    cut = Graph.from_edges(sources[sources != root], inside.out_targets[sources != root], inside.nodes)
    if (factors := _factors(cut)) is None:
        return None
    base = np.zeros(inside.nodes)
    base[inside.successors(root)] = 1.0 / inside.out_degrees[root]

    def solved(base: Floats, rounds: int) -> tuple[Floats, Floats]:
        values, residual = np.zeros(inside.nodes), base
        for _ in range(rounds):
            values += factors.solve(residual)
            residual = residual_of(cut, 1.0, values, base)
        return values, residual

    rounding = UNIT_ROUNDOFF * row_rounding(cut.in_degrees)
    visits, residual = solved(base, REFINED)
    left = np.abs(residual) + rounding * visits
    bound, miss = solved(left, 1)
    share = float(((np.abs(miss) + rounding * np.abs(bound)) / left).max())
    off = 2 * float(bound.sum()) / (1 - share) / float(visits.sum()) + 8 * UNIT_ROUNDOFF
    return visits, off if share < 0.5 and bound.min() >= 0 and np.isfinite(off) else float("inf")


def _factors(cut: Graph) -> Elimination | None:
    """The factors of I − Hᵀ, whose row j lists the pages that link to page j; its own link stands on the diagonal."""
    pages, weights = np.repeat(np.arange(cut.nodes), cut.in_degrees), link_weights(cut, 1.0)
    own = cut.in_sources == pages
    diagonal = np.zeros(cut.nodes)
    diagonal[pages[own]] = weights[pages[own]]
    offsets = np.append(0, np.cumsum(np.bincount(pages[~own], minlength=cut.nodes)))
    return eliminate(offsets, cut.in_sources[~own], weights[cut.in_sources[~own]], diagonal)


def _moved(transitions: Floats, walk: Floats, residual: float) -> float:
    """How far a walk with this residual may be off: s − s̃ = ρ Z with ρ = s̃P − s̃ and Z = (I − P + 1 s̃ᵀ)⁻¹.

    ‖ρ‖₁ is measured up to the rounding of a sum; the norm of Z, the largest row sum, is needed roughly only.
    """
    size = len(walk)
    rounding = UNIT_ROUNDOFF * (min(size, PIECE) + 6)
    try:
        fundamental = np.linalg.inv(np.eye(size) - transitions + walk)
    except np.linalg.LinAlgError:  # a walk that mixes so badly that float64 cannot tell
        return float("inf")
    return float(2.0 * (residual + rounding) * np.abs(fundamental).sum(axis=1).max())


def _induced(graph: Graph, members: Ids) -> Graph:
    """The links among `members`, renumbered in their order."""
    place = np.full(graph.nodes, -1, dtype=np.int64)
    place[members] = np.arange(len(members))
    sources = np.repeat(place, graph.out_degrees)
    targets = place[graph.out_targets]
    kept = (sources >= 0) & (targets >= 0)
    return Graph.from_edges(sources[kept], targets[kept], len(members))


def _transitions(graph: Graph) -> Floats:
    matrix = np.zeros((graph.nodes, graph.nodes))
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    matrix[sources, graph.out_targets] = 1.0 / np.maximum(graph.out_degrees, 1)[sources]
    return matrix


def _step(graph: Graph) -> tuple[LinkOperator, Floats]:
    return LinkOperator(graph), 1.0 / np.maximum(graph.out_degrees, 1)


def _residual(graph: Graph, walk: Floats) -> float:
    links, share = _step(graph)
    return float(np.abs(links.authorities(walk * share) - walk).sum()) if graph.links else 0.0


def _arnoldi(graph: Graph, stop: Stop) -> tuple[Floats, int, float]:
    """Restarted Arnoldi for sP = s: the walk, the passes, the ℓ1 residual."""
    links, share = _step(graph)
    walk = graph.in_degrees / graph.links
    passes, residual = 0, np.inf
    while residual > stop.tolerance and passes + _BASIS <= max(stop.max_iterations, _BASIS):
        basis = np.zeros((_BASIS + 1, graph.nodes))
        hessenberg = np.zeros((_BASIS + 1, _BASIS))
        basis[0] = walk / np.linalg.norm(walk)
        used = _BASIS
        for step in range(_BASIS):
            new = links.authorities(basis[step] * share)
            for _ in range(2):
                inner = basis[: step + 1] @ new
                new -= inner @ basis[: step + 1]
                hessenberg[: step + 1, step] += inner
            hessenberg[step + 1, step] = np.linalg.norm(new)
            if hessenberg[step + 1, step] <= 1e-14:
                used = step + 1
                break
            basis[step + 1] = new / hessenberg[step + 1, step]
        shifted = hessenberg[: used + 1, :used] - np.eye(used + 1, used)
        best = np.linalg.svd(shifted)[2][-1] @ basis[:used]
        walk = np.abs(best) / np.abs(best).sum()
        residual = float(np.abs(links.authorities(walk * share) - walk).sum())
        passes += used + 1
    return walk, passes, residual


@njit(cache=True, nogil=True)
def _eliminate(matrix):  # type: ignore[no-untyped-def]
    """Grassmann–Taksar–Heyman: censor the chain on ever fewer states, then build the distribution up again."""
    size = len(matrix)
    for last in range(size - 1, 0, -1):
        leaving = matrix[last, :last].sum()
        for row in range(last):
            matrix[row, last] /= leaving
            for column in range(last):
                matrix[row, column] += matrix[row, last] * matrix[last, column]
    walk = np.zeros(size)
    walk[0] = 1.0
    for state in range(1, size):
        for before in range(state):
            walk[state] += walk[before] * matrix[before, state]
        if walk[state] > LARGE:  # a walk may leave its first state for good, as far as float64 goes
            walk[: state + 1] /= walk[state]
    return walk / walk.sum()
