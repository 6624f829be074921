"""The Markov-chain rank of Zhang and Dong (Deo and Gupta 7.4.3), without its dense matrix.

A surfer among n results tends from page i to page j by

    W[i, j] = ω·sim(i)  if i = j        stay: relevance, weighed by the similarity of the page to the query
              μ         if i → j        follow a link: authority
              θ         if j → i        go back along a link: integrativity (only where i → j does not hold)
              ε         otherwise       pick another result: novelty

with ω + μ + θ + ε = 1; T divides each row by its sum s_i, and the rank is D with D T = D.

W is ε·11ᵀ plus a sparse matrix, so with y_i = D_i / s_i a product costs O(n + m):

    (Wᵀy)_j = ε·(Σy − y_j) + (μ−ε) Σ_{i→j} y_i + (θ−ε) Σ_{j→i, not i→j} y_i + ω sim(j) y_j          (i ≠ j throughout)

Staying put does not change where the surfer goes next. So the chain that always moves is solved, x = x W'/s' with
W' = W without its diagonal and s' its row sums, and D_j ∝ x_j·s_j/s'_j follows. Every step shrinks the ℓ1 error by
1 − κ, κ = (n−2)·min(μ, θ, ε)/max s': certified, and fast, whatever the links (docs/theory/rankings.md). "Without any
iteration", as the paper has it, would mean an n × n elimination. Memory: O(n + m).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.given import real_numbers
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.operator import SMALL
from periplus.rank.linear.passes import UNIT_ROUNDOFF, chunk_bounds
from periplus.rank.table import RANKERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-9) | MaxIter(10_000)


@checked(RANKERS["markov"])
def markov_chain(
    graph: Graph,
    *,
    relevance: float = 0.25,
    authority: float = 0.4,
    integrativity: float = 0.2,
    novelty: float = 0.15,
    similarity: AnyArray | None = None,
    stop: Stop = DEFAULT_STOP,
) -> Scores:
    """The stationary distribution of the surfer; `similarity` is one number in [0, 1] a page, 1 when not given.

    The paper names no tendencies. Four equal ones would not see the links at all, so following is the strongest here.
    """
    tendencies = {
        "relevance": relevance,
        "authority": authority,
        "integrativity": integrativity,
        "novelty": novelty,
    }
    _check(tendencies)
    near = _similarity(similarity, graph.nodes)
    if graph.nodes > 2:
        values, passes, change, error = _moving(graph, tendencies, near, stop)
    else:
        values, passes, change, error = _tiny(graph, tendencies, near), 0, 0.0, 2.0**-50
    return Scores(
        method="markov",
        values=values,
        parameters={
            **tendencies,
            "similarity": "one" if similarity is None else "given",
            "tolerance": stop.tolerance,
        },
        iterations=passes,
        residual=change,
        error_bound=error,
        converged=error <= stop.tolerance or stop.tolerance == 0,
        graph_digest=graph.digest,
        urls=graph.urls,
    ).or_raise(spent=passes >= stop.max_iterations)


def _check(tendencies: dict[str, float]) -> None:
    total = sum(tendencies.values())
    if abs(total - 1) > 1e-9:
        raise ParameterError(" + ".join(tendencies), total, "a sum of 1")


def _similarity(similarity: AnyArray | None, nodes: int) -> Floats:
    if similarity is None:
        return np.ones(nodes)
    values = real_numbers(similarity, "similarity")
    if values.shape != (nodes,):
        raise ParameterError("similarity", values.shape, f"one number per page: shape ({nodes},)")
    if not np.all((values >= 0) & (values <= 1)):
        raise ParameterError("similarity", "a vector with entries outside [0, 1]", "0 ≤ similarity ≤ 1")
    return values


def _tiny(graph: Graph, tendencies: dict[str, float], similarity: Floats) -> Floats:
    """No page, one page or two: two pages exchange at rates that are read off."""
    if graph.nodes < 2:
        return np.ones(graph.nodes)
    links = [set(graph.successors(page).tolist()) for page in range(2)]
    moves = np.empty(2)
    for page in range(2):
        kind = "authority" if 1 - page in links[page] else "integrativity" if page in links[1 - page] else "novelty"
        move = tendencies[kind]
        moves[page] = move / (move + tendencies["relevance"] * similarity[page])
    return moves[::-1] / moves.sum()


class _Tendencies:
    """The sparse part of W and of Wᵀ: products in O(n + m)."""

    def __init__(self, graph: Graph, follow: float, back: float) -> None:
        self.follow, self.back = follow, back
        self.out = (graph.out_offsets, graph.out_targets)
        self.into = (graph.in_offsets, graph.in_sources)
        self.bounds = chunk_bounds(graph.in_offsets + graph.out_offsets)
        self.small = graph.links < SMALL

    def rows(self, given: Floats) -> Floats:
        """follow·Σ_{i→j} given_j + back·Σ_{j→i, not i→j} given_j."""
        return self._product(self.out, self.into, given)

    def columns(self, given: Floats) -> Floats:
        """The transpose of `rows`."""
        return self._product(self.into, self.out, given)

    def _product(self, ahead: tuple[Offsets, Ids], behind: tuple[Offsets, Ids], given: Floats) -> Floats:
        result = np.empty(len(given))
        if self.small:
            _tend_rows(ahead, behind, (0, len(given)), self.follow, self.back, given, result)
        else:
            _tend_chunks(ahead, behind, self.bounds, self.follow, self.back, given, result)
        return result


def _moving(
    graph: Graph, tendencies: dict[str, float], similarity: Floats, stop: Stop
) -> tuple[Floats, int, float, float]:
    """The chain that always moves, then the time it stays: values, passes, last change, certified error."""
    follow, back, any_ = tendencies["authority"], tendencies["integrativity"], tendencies["novelty"]
    sparse = _Tendencies(graph, follow - any_, back - any_)
    rows = sparse.rows(np.ones(graph.nodes)) + any_ * (graph.nodes - 1)
    contraction = 1 - (graph.nodes - 2) * min(follow, back, any_) / rows.max()
    stay = (rows + tendencies["relevance"] * similarity) / rows
    current = rows / rows.sum()  # exact where W is symmetric
    # Links are added up one after the other; where a coefficient is negative its sum is taken from a larger one.
    terms, taken = graph.in_degrees + graph.out_degrees + 8.0, 2 * max(any_ - follow, any_ - back, 0.0)
    passes, before, change, error = 0, np.inf, np.inf, np.inf
    while passes < stop.max_iterations and error > stop.tolerance:
        given = current / rows
        following = sparse.columns(given) + any_ * (given.sum() - given)
        following /= following.sum()
        before, change = change, float(np.abs(following - current).sum())
        current, passes = following, passes + 1
        rounding = 2 * UNIT_ROUNDOFF * float(terms @ current + taken * given.sum() * terms.sum())
        moved = (change * contraction + rounding) / (1 - contraction)
        error = float(2 * stay.max() / (current @ stay) * moved)
        if change >= before:  # every step contracts: what does not is rounding
            break
    values = current * stay
    return values / values.sum(), passes, change, error


@njit(cache=True, nogil=True)
def _tend_rows(ahead, behind, rows, follow, back, given, result):  # type: ignore[no-untyped-def]
    """result_i = follow·Σ given over the row of i + back·Σ given over its back row less the row; i itself left out.

    Both rows are sorted: a merge finds the pages that stand in both.
    """
    (offsets, targets), (back_offsets, back_sources) = ahead, behind
    for row in range(rows[0], rows[1]):
        forwards, backwards = 0.0, 0.0
        at, end = offsets[row], offsets[row + 1]
        for link in range(at, end):
            if targets[link] != row:
                forwards += given[targets[link]]
        for link in range(back_offsets[row], back_offsets[row + 1]):
            page = back_sources[link]
            while at < end and targets[at] < page:
                at += 1
            if page != row and not (at < end and targets[at] == page):
                backwards += given[page]
        result[row] = follow * forwards + back * backwards


@njit(cache=True, nogil=True, parallel=True)
def _tend_chunks(ahead, behind, bounds, follow, back, given, result):  # type: ignore[no-untyped-def]
    for chunk in prange(len(bounds) - 1):
        _tend_rows(ahead, behind, (bounds[chunk], bounds[chunk + 1]), follow, back, given, result)
