"""The further eigenvectors of HITS: other communities, and the stable sum over several of them.

With AᵀA = Σ λ_k a_k a_kᵀ, AAᵀ = Σ λ_k h_k h_kᵀ, h_k = A a_k / √λ_k and λ₁ ≥ λ₂ ≥ …:

*Non-principal vectors* (Gibson, Kleinberg and Raghavan 1998; Deo and Gupta 7.1). a_k for k ≥ 2 has entries of both
signs, and each end, the pages with the largest and with the smallest entries, together with the same end of h_k, is a
community of hubs and authorities of its own. The sign of a vector means nothing; here the entry of largest modulus is
positive (of equal ones, that of the smaller id).

*Subspace HITS* (Ng, Zheng and Jordan 2001; Fogaras 4) looks at no single vector, which a small change can turn round
inside its neighbours' space, but at the whole subspace of the first k:

    a(j) = Σ_{i ≤ k} λ_i^p · a_i(j)²

p = `power`. With k = n and p = 1 this is (AᵀA)_jj, the in-degree; with k = 1 it orders pages as HITS does. Where λ_k
is multiple the sum over a part of its eigenspace would depend on the basis, so the whole eigenspace is taken in, and
`extra["dimensions"]` tells how many vectors that made.

The error bound follows from the measured residuals (docs/theory/eigenvectors.md). It takes for granted that the runs,
which start from noise, have found the k + 1 largest eigenvalues.

Cost: some ten passes of O(n + m) for each vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from periplus.catalog import Parameter, checked
from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids
from periplus.numeric.given import is_whole
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.lanczos import DENSE_BELOW, NO_EIGENVALUE, ROUNDING, SAME_EIGENVALUE, leading_eigenpairs
from periplus.rank.eigen.operator import LinkOperator, dense_eigenpairs
from periplus.rank.linear.passes import UNIT_ROUNDOFF
from periplus.rank.table import RANKERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-7) | MaxIter(1000)
# A run that asks for less than this may miss an eigenvalue between those that it finds, or one of two equal ones.
ROUGHEST = 1e-8
# How often smaller residuals are asked for, in all, until the error is within the tolerance.
ATTEMPTS = 4


@dataclass(frozen=True, slots=True)
class SingularVectors:
    """The leading eigenpairs of AᵀA and AAᵀ: row k of `authorities` and of `hubs` belongs to `eigenvalues[k]`.

    `residuals[k]` = ‖AᵀA a_k − λ_k a_k‖₂. `degenerate[k]` is true where another eigenvalue equals λ_k, so that only
    the space of its vectors has a meaning.
    """

    method: str
    parameters: Mapping[str, Any]
    eigenvalues: Floats
    authorities: Floats
    hubs: Floats
    residuals: Floats
    degenerate: tuple[bool, ...]
    iterations: int
    graph_digest: str

    def end(self, index: int, end: str = "positive", count: int = 10) -> tuple[Ids, Ids]:
        """Authorities and hubs, at most `count` of each, of one end of vector `index` (1 is the principal one)."""
        sign = _sign(end)
        if not (is_whole(index) and 1 <= index <= len(self.eigenvalues)):
            raise ParameterError("index", index, f"a whole number from 1 to {len(self.eigenvalues)}")
        return tuple(  # type: ignore[return-value]
            _largest(sign * vectors[index - 1], count) for vectors in (self.authorities, self.hubs)
        )


def _sign(end: str) -> int:
    if end not in ("positive", "negative"):
        raise ParameterError("end", end, "positive or negative")
    return 1 if end == "positive" else -1


def _largest(values: Floats, count: int) -> Ids:
    order = np.lexsort((np.arange(len(values)), -values))[:count]
    return order[values[order] > ROUNDING].astype(np.uint32)


@checked(Parameter("count", "int", 6, "How many eigenvectors.", 1))
def singular_vectors(graph: Graph, *, count: int = 6, stop: Stop = DEFAULT_STOP) -> SingularVectors:
    """The `count` leading eigenvectors of AᵀA (fewer where the rank is less), with their hub vectors.

    `stop.tolerance`, or 1e-8 where it is larger, bounds the residuals relative to λ₁; `stop.max_iterations` the passes
    for one vector.
    """
    if not graph.links:
        raise ParameterError("graph", graph, "at least one link (singular vectors without links are undefined)")
    links = LinkOperator(graph)
    start = graph.in_degrees.astype(np.float64)
    count = min(count, int(np.count_nonzero(start)))
    tolerance = min(max(stop.tolerance, 8 * ROUNDING), ROUGHEST)
    if np.count_nonzero(start) < DENSE_BELOW:
        values, vectors, residuals, passes = _dense(graph, count)
    else:
        values, vectors, residuals, passes = leading_eigenpairs(
            links.cocitation, start, count, tolerance, stop.max_iterations
        )
    found = _record(links, values, vectors, residuals, passes, {"count": count, "tolerance": stop.tolerance})
    # A measured residual holds also what the others are off along this vector, and the rounding of the product.
    if residuals.max() > np.sqrt(len(values) + 1) * max(tolerance, ROUNDING * np.sqrt(graph.nodes)) * values[0]:
        raise NotConvergedError(
            f"singular vectors: a residual of {residuals.max():.3g} is left after {stop.max_iterations} passes "
            "a vector: allow more passes or a larger tolerance",
            found,
        )
    return found


def _dense(graph: Graph, count: int) -> tuple[Floats, Floats, Floats, int]:
    """The same by LAPACK."""
    linked, values, vectors, residuals = dense_eigenpairs(graph)
    count = min(count, int(np.count_nonzero(values > NO_EIGENVALUE * values[0])))
    whole = np.zeros((count, graph.nodes))
    whole[:, linked] = vectors[:, :count].T
    return values[:count].copy(), whole, residuals[:count], 1


def _record(
    links: LinkOperator, values: Floats, vectors: Floats, residuals: Floats, passes: int, parameters: Mapping[str, Any]
) -> SingularVectors:
    hubs = np.empty_like(vectors)
    for row, vector in enumerate(vectors):
        vector *= np.sign(vector[np.argmax(np.abs(vector) > np.abs(vector).max() * (1 - 1e-9))])
        hubs[row] = links.hubs(vector) / np.sqrt(values[row])
    same = SAME_EIGENVALUE * values[0]
    close = np.diff(values) > -max(same, 4 * residuals.max())
    degenerate = np.append(close, False) | np.insert(close, 0, False)
    return SingularVectors(
        method="singular-vectors",
        parameters=parameters,
        eigenvalues=values,
        authorities=vectors,
        hubs=hubs,
        residuals=residuals,
        degenerate=tuple(bool(flag) for flag in degenerate),
        iterations=passes,
        graph_digest=links.graph.digest,
    )


def _within(stop: Stop, scores: Callable[[Stop], Scores]) -> Scores:
    """The scores for residuals of stop.tolerance, or for as much smaller ones as a larger error bound asks for."""
    found = scores(stop)
    parameters, asked, attempts = found.parameters, min(stop.tolerance, ROUGHEST), 1
    while 0 < stop.tolerance < found.error_bound and asked > 8 * ROUNDING and attempts < ATTEMPTS:
        # A run may have gone far below what it was asked for: always ask for clearly less than the last time.
        asked = max(asked * min(0.1, 0.3 * stop.tolerance / found.error_bound), 8 * ROUNDING)
        try:
            again = scores(Stop(asked, stop.max_iterations))
        except NotConvergedError:
            break
        found, attempts = replace(again, iterations=found.iterations + again.iterations), attempts + 1
    reached = stop.tolerance == 0 or not found.error_bound > stop.tolerance
    return replace(found, parameters=parameters, converged=reached).or_raise(spent=False)


@checked(RANKERS["hits-vector"])
def hits_vector(graph: Graph, *, index: int = 2, end: str = "positive", stop: Stop = DEFAULT_STOP) -> Scores:
    """One end of the `index`-th eigenvector: its entries of that sign as scores, the others zero."""
    return _within(stop, lambda stop: _one_vector(graph, index, end, stop))


def _one_vector(graph: Graph, index: int, end: str, stop: Stop) -> Scores:
    sign, at = _sign(end), index - 1
    found = singular_vectors(graph, count=index + 1, stop=stop)
    if index > len(found.eigenvalues):
        raise ParameterError("index", index, f"at most {len(found.eigenvalues)}, the rank of this graph's matrix")
    gaps = np.abs(np.delete(found.eigenvalues, at) - found.eigenvalues[at])
    gap = min(float(gaps.min()) if len(gaps) else np.inf, float(found.eigenvalues[at]))
    residual = float(found.residuals[at]) + ROUNDING * float(found.eigenvalues[0])
    error = float("nan") if found.degenerate[at] else float(np.sqrt(2 * graph.nodes) * residual / gap)
    return Scores(
        method="hits-vector",
        values=np.maximum(sign * found.authorities[at], 0.0),
        parameters={"index": index, "end": end, "tolerance": stop.tolerance},
        iterations=found.iterations,
        residual=float(found.residuals[at]),
        error_bound=error,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={
            "hubs": np.maximum(sign * found.hubs[at], 0.0),
            "eigenvalue": float(found.eigenvalues[at]),
            "degenerate": found.degenerate[at],
        },
    )


@checked(RANKERS["subspace-hits"])
def subspace_hits(graph: Graph, *, dimensions: int = 20, power: float = 2.0, stop: Stop = DEFAULT_STOP) -> Scores:
    """HITS over the first `dimensions` eigenvectors at once; see the module docstring.

    Values are divided by λ₁^p, so that they lie between 0 and the number of dimensions.
    """
    return _within(stop, lambda stop: _subspace(graph, dimensions, power, stop))


def _subspace(graph: Graph, dimensions: int, power: float, stop: Stop) -> Scores:
    found, used = _whole_eigenspaces(graph, dimensions, stop)
    weights = (found.eigenvalues[:used] / found.eigenvalues[0]) ** power
    error = _subspace_error(found, used, power) + _basis_error(found.authorities[:used], weights)
    return Scores(
        method="subspace-hits",
        values=weights @ found.authorities[:used] ** 2,
        parameters={"dimensions": dimensions, "power": power, "tolerance": stop.tolerance},
        iterations=found.iterations,
        residual=float(found.residuals[:used].max()),
        error_bound=error,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"hubs": weights @ found.hubs[:used] ** 2, "dimensions": used, "eigenvalues": found.eigenvalues[:used]},
    )


def _subspace_error(found: SingularVectors, used: int, power: float) -> float:
    """The certificate of the module docstring, in units of λ₁^p; infinite where the residuals leave no gap."""
    values = found.eigenvalues / found.eigenvalues[0]
    residuals = found.residuals / found.eigenvalues[0] + ROUNDING
    moved = float(np.sqrt(2) * np.linalg.norm(residuals[:used]))
    following = float(values[used] + residuals[used]) if used < len(values) else NO_EIGENVALUE
    gap = float(values[used - 1]) - following - 2 * moved
    if gap <= 0:
        return float("inf")
    lowest, highest = float(values[used - 1]) - moved, 1.0 + moved
    steepest = power * max(lowest ** (power - 1), highest ** (power - 1))
    return float(np.sqrt(2 * used) * max(highest**power / gap, steepest) * moved)


def _basis_error(vectors: Floats, weights: Floats) -> float:
    """What the sums are off by because the vectors are orthogonal up to rounding only, and are squared and added."""
    defect = float(np.linalg.norm(vectors @ vectors.T - np.eye(len(vectors))))
    return float(np.sqrt(len(vectors)) * defect * 1.01 + UNIT_ROUNDOFF * (len(vectors) + 2) * weights.sum())


def _whole_eigenspaces(graph: Graph, dimensions: int, stop: Stop) -> tuple[SingularVectors, int]:
    """Enough vectors that the last eigenspace touched is complete, and how many of them to use."""
    asked = dimensions + 1
    while True:
        found = singular_vectors(graph, count=asked, stop=stop)
        values = found.eigenvalues
        if len(values) <= dimensions:
            return found, len(values)
        same = max(SAME_EIGENVALUE * values[0], 4 * float(found.residuals.max()))
        used = int(np.count_nonzero(values >= values[dimensions - 1] - same))
        if used < len(values) or len(values) < asked:
            return found, used
        asked *= 2
