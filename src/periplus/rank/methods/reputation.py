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
from numba import njit
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
from periplus.rank.methods.randomised import alternate
from periplus.rank.table import DAMPING, RANKERS
from periplus.record import Scores, more_to_allow

_WORKERS = 2
_TERMS_A_TASK = 64


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
    states = len(walk[0]) - 1
    levels = states // max(topics.shape[1], 1)
    space = (np.zeros(states), np.zeros(states), np.zeros(states, np.uint8), np.empty(states + 1, np.int64))
    touched = np.empty(states, np.int64)
    columns: list[Column] = []
    for term in task:
        row = slice(topics.indptr[term], topics.indptr[term + 1])
        pages, weights = topics.indices[row].astype(np.int64), topics.data[row]
        if len(pages) == 0:
            columns.append((np.empty(0, np.int64), np.empty(0), 0.0))
            continue
        weights = weights / weights.max()  # the sum of very large ones, or of very small, is out of range
        start = np.concatenate([pages + level * topics.shape[1] for level in range(levels)])
        mass = np.tile((1 - damping) * weights / (levels * weights.sum()), levels)
        count, left, stored = _push(*walk, start, mass, damping, tolerance, *space, touched)
        found = np.sort(touched[:count])
        values = space[0][found].copy()
        for array in space[:3]:
            array[found] = 0
        error = float(2 * (left + UNIT_ROUNDOFF * stored) / values.sum() + ROUNDING)
        columns.append((found[values > 0], values[values > 0] / values.sum(), error))
    return columns


@njit(cache=True, nogil=True)
def _push(offsets, targets, start, mass, damping, tolerance, done, waiting, queued, queue, touched):  # type: ignore[no-untyped-def]
    """Push until the rank not yet pushed can change the normalised answer by at most `tolerance` in ℓ1.

    Invariant: the answer is `done` plus what `waiting` would still bring, at most Σ waiting / (1 − damping).
    A state enters the queue when its share of what may be left is exceeded. Returns the states touched, that bound, and
    the sum of all that was stored, each of which may be off by half a unit of its last place: of what waits, over
    1 − damping, as it is handed on.
    """
    room = len(queue)
    count, head, tail, left, total, kept, handed = 0, 0, 0, 0.0, 0.0, 0.0, 0.0
    for at in range(len(start)):
        state = start[at]
        waiting[state] += mass[at]
        left += mass[at]
        if queued[state] == 0:
            queued[state] = 2
            touched[count] = state
            count += 1
            queue[tail] = state
            tail += 1
    while True:
        while head != tail:
            state = queue[head]
            head = (head + 1) % room
            queued[state] = 1
            given = waiting[state]
            waiting[state] = 0.0
            done[state] += given
            kept += done[state]
            total += given
            first, last = offsets[state], offsets[state + 1]
            left -= given
            if last == first or damping == 0.0:
                continue
            left += damping * given
            share = damping * given / (last - first)
            least = 0.4 * tolerance * (1.0 - damping) * total / (count + 1)
            for link in range(first, last):
                other = targets[link]
                waiting[other] += share
                handed += waiting[other] + 2.0 * share
                if queued[other] == 0:
                    touched[count] = other
                    count += 1
                    queued[other] = 1
                if queued[other] == 1 and waiting[other] > least:
                    queued[other] = 2
                    queue[tail] = other
                    tail = (tail + 1) % room
        left = 0.0
        for at in range(count):
            left += waiting[touched[at]]
        if 2.0 * left / (1.0 - damping) <= tolerance * total:
            return count, left / (1.0 - damping), kept + handed / (1.0 - damping)
        least = 0.4 * tolerance * (1.0 - damping) * total / (count + 1)
        for at in range(count):
            if waiting[touched[at]] > least:
                queued[touched[at]] = 2
                queue[tail] = touched[at]
                tail = (tail + 1) % room
