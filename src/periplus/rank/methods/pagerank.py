"""PageRank, with the formula named, the error certified and the solver chosen.

A surfer on page i follows one of its d⁺(i) links with probability α (the damping), and jumps to a page drawn from the
preference v with probability 1 − α. With H the row-normalised adjacency matrix (H[i, j] = 1/d⁺(i) when i links to j),
a the indicator of the dangling pages (no out-link), and vectors as rows,

    π = α π H + α (π·a) u + (1 − α) v                            (Špánek §4; Litvak; Brin and Page 1998)

where u says what a surfer does on a dangling page. LAW's three modes, by our names:

    dangling="preference"   u = v       strongly preferential: leaves as if jumping            (the default)
    dangling="uniform"      u = 1/n     weakly preferential: goes anywhere
    dangling="none"         u = 0       pseudo-rank: the walk ends there; Σ π ≤ 1 is what is left

(Fogaras 3.1 prints the jump as εJ; it is (ε/n)J, and the dangling rows have to be mended first. Špánek 3 calls a matrix
stochastic when every column is a distribution; it is the rows of H that are.)
`normalised=False` multiplies by n: the form (1−η)·n·v + η Σ … of Deo and Gupta, whose values average 1
(with `dangling="none"` it is their equation to the letter). Their 7.4.1 calls η the probability of *not* following a
link; as their equation has it, η is the probability of following one, our α, and 1 − η that of jumping.

**Solving.** All three modes reduce to the pseudo-rank system y = α Hᵀ y + b; `SOLVERS` lists the ways to solve it.

**Certificate.** One pass of its own measures the residual ρ = ‖α π H + α (π·a) u + (1−α) v − π‖₁ of the vector that is
returned; `error_bound` = (ρ + rounding) / (1 − α) ≥ ‖π − π*‖₁ (docs/theory/rankings.md).

Cost: O(m + n) per pass; memory beside the graph: about four vectors with most solvers, eight with `krylov`; `scc` has
also its reduced copy of the links, and passes through bins ten bytes per link.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats
from periplus.numeric.given import real_numbers
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.linear.passes import UNIT_ROUNDOFF, chunk_bounds, link_weights, residual_sums, threads_for
from periplus.rank.linear.system import Solution, System
from periplus.rank.table import RANKERS, SOLVERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-9) | MaxIter(1000)
# Certified bounds hold for the normalised vector, whose residual is at most twice that of the system, over its mass;
# the margin keeps the solver's own sums from landing a hair above the certificate.
MARGIN = 0.45
# The relative step that rounding alone may leave in a sweep over all pages.
LEAST_STEP = 4e-16
# With less than this no link moves a bit of any rank, and the shares of links would fall out of the range of float64.
NO_DAMPING = 1e-200


@checked(RANKERS["pagerank"])
def pagerank(
    graph: Graph,
    *,
    damping: float = 0.85,
    preference: AnyArray | None = None,
    dangling: str = "preference",
    solver: str = "auto",
    stop: Stop = DEFAULT_STOP,
    start: AnyArray | None = None,
    normalised: bool = True,
) -> Scores:
    """PageRank of every page, within a certified ℓ1 error; see the module docstring for the formula.

    `preference` is any non-negative vector (it is divided by its sum), uniform when not given. `start` is a vector to
    start from, such as the scores before a few links changed. An empty graph has an empty answer; without links the
    answer is the preference itself. Raises `NotConvergedError`, with the partial record, when `stop` allows too few
    passes.
    """
    v = distribution(preference, graph.nodes, "preference")
    v_is_uniform = preference is None
    guess = None if start is None else _guess(start, graph.nodes, dangling, normalised)
    # Without a preference the weak form is the strong one, and takes one system instead of two.
    mode = "preference" if dangling == "uniform" and v_is_uniform else dangling
    with threads_for(graph.links):
        values, passes, residual, error_bound, taken = certified(graph, damping, v, mode, solver, stop, guess)
    scale = 1.0 if normalised else float(graph.nodes)
    return Scores(
        method="pagerank",
        values=values * scale if scale != 1.0 else values,
        parameters={
            "damping": damping,
            "preference": "uniform" if v_is_uniform else "given",
            "dangling": dangling,
            "solver": taken,
            "tolerance": stop.tolerance,
            "normalised": normalised,
        },
        iterations=passes,
        residual=residual * scale,
        error_bound=error_bound * scale,
        converged=stop.tolerance == 0 or error_bound <= stop.tolerance,
        graph_digest=graph.digest,
        urls=graph.urls,
    ).or_raise(spent=passes >= stop.max_iterations)


def certified(
    graph: Graph, damping: float, v: Floats, dangling: str, solver: str, stop: Stop, guess: Floats | None
) -> tuple[Floats, int, float, float, str]:
    """(values, passes, residual, error bound, solver): solved, measured, gone on with where the measure asks for it."""
    tolerance, passes, best, taken = stop.tolerance, 0, (np.empty(0), 0.0, np.inf), ""
    while True:
        left = Stop(tolerance, max(stop.max_iterations - passes, 1))
        values, more, by = solve(graph, damping, v, dangling, solver, left, guess)
        passes, taken = passes + more, taken or by
        residual, rounding = certify(graph, damping, v, dangling, values)
        error_bound = min((residual + rounding) / (1 - damping), 2.0)
        if error_bound <= best[2] or not len(best[0]):
            best = values, residual, error_bound
        done = stop.tolerance == 0 or more == 0 or best[2] <= stop.tolerance
        if done or passes >= stop.max_iterations or tolerance < 0.01 * stop.tolerance:
            return best[0], passes, best[1], best[2], taken
        tolerance, guess = 0.3 * tolerance, values


def distribution(vector: AnyArray | None, nodes: int, name: str) -> Floats:
    """`vector` checked and divided by its sum; uniform when there is none."""
    if vector is None:
        return np.broadcast_to(1.0 / max(nodes, 1), (nodes,))  # one number, whatever the number of pages
    values = real_numbers(vector, name)
    if values.shape != (nodes,):
        raise ParameterError(name, values.shape, f"one number per page: shape ({nodes},)")
    if not np.all(np.isfinite(values)) or (nodes and values.min() < 0):
        raise ParameterError(name, "a vector with NaN, infinite or negative entries", "finite and non-negative numbers")
    with np.errstate(over="ignore"):  # a sum that is too large for a float64 is refused right here
        total = values.sum()
    if nodes and not 0 < total < np.inf:
        raise ParameterError(name, f"a vector with sum {total}", "a positive finite sum")
    return values / total if nodes else values


def _guess(start: AnyArray, nodes: int, dangling: str, normalised: bool) -> Floats:
    """The vector to start from, as the solvers want it: of sum one, but for the pseudo-rank, whose sum is its own."""
    guess = distribution(start, nodes, "start")
    if dangling == "none" and nodes:
        guess = guess * min(1.0, float(np.sum(start)) / (1 if normalised else nodes))
    return guess


def solve(
    graph: Graph, damping: float, v: Floats, dangling: str, solver: str, stop: Stop, guess: Floats | None
) -> tuple[Floats, int, str]:
    """The PageRank vector in the given mode, the passes that it took, and the solver that took them."""
    if graph.nodes == 0 or graph.links == 0 or damping < NO_DAMPING:
        return (1 - damping) * v if dangling == "none" else _without_links(damping, v, dangling), 0, solver
    # No sum of a step comes out below its rounding; a solver that is asked for less would never end.
    target = max(MARGIN * stop.tolerance * (1 - damping), LEAST_STEP) if stop.tolerance > 0 else 0.0

    def pseudo_rank(base: Floats, start: Floats) -> Solution:
        system = System(graph, damping, base, start, target, stop.max_iterations)
        solution: Solution = SOLVERS[solver].function()(system)
        return solution if solution.solver else replace(solution, solver=solver)

    base = _scaled(v, 1 - damping)
    free = graph.dangling
    start = base if guess is None else guess
    if guess is not None and dangling != "none":
        # At the solution ‖y‖₁ = (1−α) / (1−α + α π·a), which turns a guess of π into one of y.
        start = guess * ((1 - damping) / (1 - damping + damping * guess[free].sum()))
    jump = pseudo_rank(base, start)
    values, passes = jump.values, jump.passes
    np.maximum(values, 0.0, out=values)  # what is extrapolated from a start that is off may fall below by rounding
    if dangling == "none":
        return values, passes, jump.solver
    if dangling == "uniform":
        uniform = np.broadcast_to((1 - damping) / graph.nodes, (graph.nodes,))
        fall = pseudo_rank(uniform, uniform)
        ratio, passes = damping / (1 - damping), passes + fall.passes
        on_dangling = values[free].sum() / (1 - ratio * fall.values[free].sum())
        values += ratio * on_dangling * fall.values
    values /= values.sum()
    return values, passes, jump.solver


def _scaled(vector: Floats, factor: float) -> Floats:
    """factor · vector; of a vector that is one number, again one number."""
    return np.broadcast_to(factor * vector[0], vector.shape) if vector.strides == (0,) else factor * vector


def _without_links(damping: float, v: Floats, dangling: str) -> Floats:
    return v.copy() if dangling == "preference" or damping == 0 else (1 - damping) * v + damping / max(len(v), 1)


def certify(graph: Graph, damping: float, v: Floats, dangling: str, values: Floats) -> tuple[float, float]:
    """The ℓ1 residual of `values` in the PageRank equation, and the rounding error that may hide in it."""
    if graph.nodes == 0:
        return 0.0, 0.0
    lost = damping * float(values[graph.dangling].sum())
    base = (1 - damping + (lost if dangling == "preference" else 0.0)) * v
    if dangling == "uniform":
        base += lost / graph.nodes
    bounds = chunk_bounds(graph.in_offsets)
    sums = np.zeros((len(bounds) - 1, 2))
    given = values * link_weights(graph, damping)
    residual_sums(graph.in_offsets, graph.in_sources, bounds, given, base, values, sums)
    residual, rounding = sums.sum(axis=0)
    return float(residual), float(UNIT_ROUNDOFF * rounding)
