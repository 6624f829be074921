"""Reputation: what is this page known for? (Rafiei and Mendelzon 2000; Deo and Gupta 7.4.2)

*One level.* A surfer who looks for term τ jumps, with probability p, to one of the N_τ pages that hold τ, and otherwise
follows a random link. R(w, τ) is the probability of finding the surfer on page w:

    R(w, τ) = [τ in w]·p/N_τ + (1−p) Σ_{x→w} R(x, τ)/d⁺(x)

that is PageRank with damping 1 − p and the preference spread over the pages with τ; with one topic that stands on all
pages it *is* PageRank. As printed, the walk ends on a page without links; dividing by what is left is the same as
letting it jump again, so each R(·, τ) sums to one.

*Two levels.* The surfer goes forwards and backwards by turns, and is counted as an authority or as a hub visit:

    R_a(w, τ) = [τ in w]·p/(2N_τ) + (1−p) Σ_{x→w} R_h(x, τ)/d⁺(x)
    R_h(w, τ) = [τ in w]·p/(2N_τ) + (1−p) Σ_{w→x} R_a(x, τ)/d⁻(x)                              R_a + R_h sums to one

*All terms at once.* `all_reputations` computes R for every term of a sparse terms × pages matrix by local pushing: a
term's surfer starts on its pages and rank is pushed on along links only where enough of it lies, until what has not
been pushed is certified to be at most the tolerance in ℓ1. A rare term touches few pages, whatever the size of the
graph, and R comes out sparse. Read by rows it answers the inverse question, `known_for(page)`: the terms for which the
page would be found first. Cost: O(links of the pages touched) a term, on both cores; the same result on any number.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array

from periplus.catalog import Parameter, checked
from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.given import is_whole, kind_of
from periplus.numeric.stop import Stop, Tol
from periplus.rank.eigen.lanczos import ROUNDING
from periplus.rank.eigen.operator import LinkOperator
from periplus.rank.linear.passes import UNIT_ROUNDOFF
from periplus.rank.methods.pagerank import DEFAULT_STOP, distribution, pagerank
from periplus.rank.methods.push import Ball, new_ball, place_residue, push_above
from periplus.rank.methods.randomised import alternate
from periplus.rank.table import DAMPING, RANKERS
from periplus.record import Scores, more_to_allow

_WORKERS = 2
_TERMS_A_TASK = 64
# The next threshold aims a little below the tolerance; of one step, how far it falls at least and at most.
AIM, SMALLEST_FALL, LARGEST_FALL = 0.8, 0.5, 0.05


@checked(RANKERS["reputation"])
def reputation(
    graph: Graph, *, topic: AnyArray | None = None, damping: float = 0.85, stop: Stop = DEFAULT_STOP
) -> Scores:
    """One-level reputation on one topic; `topic` marks its pages (any weights ≥ 0), all pages when not given."""
    distribution(topic, graph.nodes, "topic")  # refused under its own name here, not as PageRank's preference
    ranked = pagerank(graph, damping=damping, preference=topic, dangling="preference", stop=stop)
    return Scores(
        method="reputation",
        values=ranked.values,
        parameters={"topic": "all" if topic is None else "given", "damping": damping, "tolerance": stop.tolerance},
        iterations=ranked.iterations,
        residual=ranked.residual,
        error_bound=ranked.error_bound,
        converged=ranked.converged,
        graph_digest=graph.digest,
        urls=graph.urls,
    )


@checked(RANKERS["two-level-reputation"])
def two_level_reputation(
    graph: Graph, *, topic: AnyArray | None = None, damping: float = 0.85, stop: Stop = DEFAULT_STOP
) -> Scores:
    """Two-level reputation on one topic: authorities (`values`) and hubs (`extra["hubs"]`), together summing to one."""
    base = distribution(topic, graph.nodes, "topic") * ((1 - damping) / 2)
    if graph.nodes == 0:
        found_a, found_h, passes, change, error = base, base, 0, 0.0, 0.0
    else:
        found = alternate(LinkOperator(graph), base, damping, stop)
        total = float(found.authorities.sum() + found.hubs.sum())
        found_a, found_h = found.authorities / total, found.hubs / total
        passes, change, error = found.passes, found.change, 3 * found.error / total
    return Scores(
        method="two-level-reputation",
        values=found_a,
        parameters={"topic": "all" if topic is None else "given", "damping": damping, "tolerance": stop.tolerance},
        iterations=passes,
        residual=change,
        error_bound=error,
        converged=stop.tolerance == 0 or error <= stop.tolerance,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"hubs": found_h, "hubs_error_bound": error},
    ).or_raise(spent=passes >= stop.max_iterations)


@dataclass(frozen=True, slots=True)
class Reputation:
    """R for many terms: `matrix` is pages × terms (authorities when there are two levels), `hubs` the other level.

    `error_bound` is the largest ℓ1 error of any term.
    """

    method: str
    parameters: Mapping[str, Any]
    matrix: Any
    hubs: Any
    error_bound: float
    graph_digest: str

    def known_for(self, page: int, count: int = 10) -> list[tuple[int, float]]:
        """The terms for which the page has the highest reputation, with it; best first, equal ones by number."""
        if not (is_whole(page) and 0 <= page < self.matrix.shape[0]):
            raise ParameterError("page", page, f"0 ≤ page < {self.matrix.shape[0]}")
        if count < 0:
            raise ParameterError("count", count, "≥ 0")
        row = slice(self.matrix.indptr[page], self.matrix.indptr[page + 1])
        terms, values = self.matrix.indices[row], self.matrix.data[row]
        order = np.lexsort((terms, -values))[:count]
        return [(int(terms[at]), float(values[at])) for at in order]


@checked(DAMPING, Parameter("levels", "int", 1, "One level or two.", 1, 2))
def all_reputations(
    graph: Graph, terms: Any, *, levels: int = 1, damping: float = 0.85, tolerance: float = 1e-4
) -> Reputation:
    """The reputation of every page on every term of `terms` (sparse, terms × pages, weights ≥ 0, usually 0 or 1)."""
    stop = Tol(tolerance)
    topics = _checked(terms, graph.nodes)
    walk = _one_level(graph) if levels == 1 else _two_level(graph)
    tasks = [range(at, min(at + _TERMS_A_TASK, topics.shape[0])) for at in range(0, topics.shape[0], _TERMS_A_TASK)]
    with ThreadPoolExecutor(_WORKERS) as pool:
        done = list(pool.map(lambda task: _push_terms(walk, topics, task, damping, stop.tolerance), tasks))
    columns = [column for block in done for column in block]
    states, values = ([column[part] for column in columns] for part in (0, 1))
    offsets = np.concatenate(([0], np.cumsum([len(column[0]) for column in columns], dtype=np.int64)))
    shape = (len(walk[0]) - 1, topics.shape[0])
    empty = np.empty(0)
    whole = csc_array(
        (np.concatenate([empty, *values]), np.concatenate([empty, *states]).astype(np.int64), offsets), shape
    )
    rows = csr_array(whole)
    found = Reputation(
        method="reputation" if levels == 1 else "two-level-reputation",
        parameters={"levels": levels, "damping": damping, "tolerance": tolerance},
        matrix=rows[: graph.nodes],
        hubs=rows[graph.nodes :] if levels == 2 else None,
        error_bound=max((column[2] for column in columns), default=0.0),
        graph_digest=graph.digest,
    )
    if found.error_bound > tolerance:
        raise NotConvergedError(
            f"{found.method} of all terms has an error bound of {found.error_bound:.3g}: allow {more_to_allow(False)}",
            found,
        )
    return found


def _checked(terms: Any, nodes: int) -> Any:
    try:
        topics = csr_array(terms, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError("terms", kind_of(terms), "a terms × pages matrix of numbers") from error
    if topics.ndim != 2 or topics.shape[1] != nodes:
        raise ParameterError("terms", topics.shape, f"a terms × pages matrix with {nodes} columns")
    if not np.all(np.isfinite(topics.data)) or (len(topics.data) and topics.data.min() < 0):
        raise ParameterError("terms", "a matrix with NaN, infinite or negative entries", "finite numbers ≥ 0")
    topics.eliminate_zeros()
    return topics


def _one_level(graph: Graph) -> tuple[Offsets, Ids]:
    return graph.out_offsets, graph.out_targets


def _two_level(graph: Graph) -> tuple[Offsets, Ids]:
    """States 0 … n−1 are authority visits (next: back to a hub), n … 2n−1 hub visits (next: forwards)."""
    offsets = np.concatenate((graph.in_offsets, graph.out_offsets[1:] + graph.links))
    return offsets, np.concatenate((graph.in_sources.astype(np.int64) + graph.nodes, graph.out_targets))


Column = tuple[AnyArray, Floats, float]


def _push_terms(
    walk: tuple[Offsets, AnyArray], topics: Any, task: range, damping: float, tolerance: float
) -> list[Column]:
    """The columns of R for a run of terms: states touched, their values, and the certified error."""
    levels = (len(walk[0]) - 1) // max(topics.shape[1], 1)
    ball = new_ball(len(walk[0]) - 1)
    columns: list[Column] = []
    for term in task:
        row = slice(topics.indptr[term], topics.indptr[term + 1])
        pages, weights = topics.indices[row].astype(np.int64), topics.data[row]
        if len(pages) == 0:
            columns.append((np.empty(0, np.int64), np.empty(0), 0.0))
            continue
        weights = weights / weights.max()  # the sum of very large ones, or of very small, is out of range
        start = np.concatenate([pages + level * topics.shape[1] for level in range(levels)])
        reached = place_residue(ball, start, np.tile(weights / (levels * weights.sum()), levels))
        reached, error = _push_to(walk, damping, tolerance, ball, reached)
        found = np.sort(ball.touched[:reached])
        values = ball.rank[found]
        for array in (ball.rank, ball.residue, ball.state):
            array[found] = 0
        columns.append((found[values > 0].astype(np.int64), values[values > 0] / values.sum(), error))
    return columns


def _push_to(
    walk: tuple[Offsets, AnyArray], damping: float, tolerance: float, ball: Ball, reached: int
) -> tuple[int, float]:
    """Push until what is left can change the normalised answer by at most `tolerance`: states touched, the error.

    The answer is the rank pushed plus what the residue would still bring, no more than there is of it: the walk ends on
    a page without links. Each threshold aims at the tolerance, as if what is left fell with it.
    """
    seeds = ball.touched[:0]
    threshold, stored = tolerance / reached, 1.0
    while True:
        reached, _, _, sums = push_above(walk, seeds, damping, (threshold, False), ball, reached)
        stored += sums
        touched = ball.touched[:reached]
        left, total = float(ball.residue[touched].sum()), float(ball.rank[touched].sum())
        if 2 * left <= tolerance * total or left <= 2 * UNIT_ROUNDOFF * stored:
            return reached, 2 * (left + 2 * UNIT_ROUNDOFF * stored) / total + ROUNDING
        threshold *= min(max(AIM * tolerance * total / (2 * left), LARGEST_FALL), SMALLEST_FALL)
