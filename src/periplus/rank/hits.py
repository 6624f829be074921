"""HITS: hubs and authorities (Kleinberg 1999; Fogaras 3.2, Deo and Gupta 7.2, Špánek 2.4).

    a = Aᵀ h,   h = A a,   ‖a‖₂ = ‖h‖₂ = 1          A[i, j] = 1 when page i links to page j

so that a is the principal eigenvector of AᵀA and h of AAᵀ, both with eigenvalue λ₁ = σ₁(A)². (Fogaras and Špánek print
the two matrices the other way round, and Deo and Gupta print h = M·Mᵀ·a for h = M·Mᵀ·h.)

Kleinberg's iteration starts from all ones, that is a ∝ Aᵀ1, the in-degrees. Where λ₁ is a multiple eigenvalue every
vector of its eigenspace would do; the iteration still has one limit, the projection of the in-degrees on that
eigenspace, and that is what `hits` returns: one answer, non-negative, the same on every machine. The choice is then an
accident of the start, so it is reported: `extra["degenerate"]` is true, `extra["eigengap"]` zero.

Stability. δ = λ₁ − λ₂ is the eigengap; a change of AᵀA by no more than 2δ in the Frobenius norm can turn the
answer over completely (Fogaras, Theorem 8). `extra` holds it with every result, beside λ₁ and λ₂ and how well λ₂ is
known.

Solved by Lanczos from the in-degrees (the power method's limit in far fewer passes; see `lanczos`), by LAPACK where at
most 256 pages have an in-link. Certificate: ‖a − a*‖₁ ≤ √N·√2·r/g, with r the residual, measured by a product of its
own, g the distance to the next eigenvalue that the in-degrees have a part in, as far as the run has found it, and N the
pages with an in-link. A pass costs O(n + m).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Bools, Floats, Offsets
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.lanczos import DENSE_BELOW, ROUNDING, SAME_EIGENVALUE, RitzPair, lanczos, measured, next_eigenpair
from periplus.rank.links import LinkOperator, dense_eigenpairs, require_links
from periplus.rank.rows import norm
from periplus.rank.scores import Scores

DEFAULT_STOP = Tol(1e-7) | MaxIter(2000)
# A run ends a little below the tolerance: the residual is measured afterwards, and may be a little more.
MARGIN = 0.9


@dataclass(frozen=True, slots=True)
class Principal:
    """The principal authority vector with what is known about its surroundings."""

    authorities: Floats
    value: float
    second: float
    second_error: float
    residual: float
    distance: float
    passes: int
    finished: bool

    @property
    def degenerate(self) -> bool:
        return self.value - self.second <= SAME_EIGENVALUE * self.value


def hits(graph: Graph, *, gap: bool = True, stop: Stop = DEFAULT_STOP) -> Scores:
    """Authorities (`values`) and hubs (`extra["hubs"]`), each of 2-norm one; see the module docstring.

    `extra` also holds eigenvalue, second_eigenvalue, eigengap, eigengap_error, degenerate and hubs_error_bound.
    `gap=False` leaves the second eigenvalue out (NaN), which takes more than half of the time.
    """
    require_links(graph, "hits")
    links = LinkOperator(graph)
    found = principal(links, stop, gap=gap)
    authorities = non_negative(found.authorities)
    hubs = non_negative(links.hubs(authorities))
    width = np.sqrt(_rows_in_use(graph.in_offsets))
    height = np.sqrt(_rows_in_use(graph.out_offsets))
    error = float(width * found.distance)
    return Scores(
        method="hits",
        values=authorities,
        parameters={"tolerance": stop.tolerance},
        iterations=found.passes,
        residual=found.residual,
        error_bound=error,
        converged=found.finished and (stop.tolerance == 0 or error <= stop.tolerance),
        graph_digest=graph.digest,
        extra={
            "hubs": hubs,
            "hubs_error_bound": float(2 * height * found.distance),
            "eigenvalue": found.value,
            "second_eigenvalue": found.second,
            "eigengap": 0.0 if found.degenerate else found.value - found.second,
            "eigengap_error": found.second_error,
            "degenerate": found.degenerate,
        },
    ).or_raise()


def _rows_in_use(offsets: Offsets) -> int:
    return int(np.count_nonzero(offsets[1:] != offsets[:-1]))


def non_negative(vector: Floats) -> Floats:
    """The vector, in place, of 2-norm one and with what is only rounding set to zero: the exact one is ≥ 0."""
    vector[vector <= ROUNDING * vector.max()] = 0.0
    vector *= 1.0 / norm(vector)
    return vector


def principal(links: LinkOperator, stop: Stop, *, gap: bool = True) -> Principal:
    """The limit of Kleinberg's iteration for authorities, and (with `gap`) the second eigenvalue."""
    start = links.graph.in_degrees.astype(np.float64)
    return _dense(links.graph) if np.count_nonzero(start) < DENSE_BELOW else _iterative(links, start, stop, gap)


def _dense(graph: Graph) -> Principal:
    """LAPACK on the few pages that have an in-link."""
    linked, values, vectors, residuals = dense_eigenpairs(graph)
    below = values[values < values[0] * (1 - SAME_EIGENVALUE)].max(initial=0.0)
    whole = np.zeros(graph.nodes)
    whole[linked] = vectors[:, 0]
    residual, rounding = float(residuals[0]), ROUNDING * len(linked) * values[0]
    return Principal(
        authorities=whole,
        value=float(values[0]),
        second=float(values[1]) if len(values) > 1 else 0.0,
        second_error=float(rounding),
        residual=residual,
        distance=float(np.sqrt(2) * (residual + rounding) / (values[0] - below)),
        passes=1,
        finished=True,
    )


def _iterative(links: LinkOperator, start: Floats, stop: Stop, gap: bool) -> Principal:
    width = np.sqrt(2 * np.count_nonzero(start))

    def certain(value: float, second: float, residual: float) -> bool:
        rounding = ROUNDING * value
        return bool(width * (residual + rounding) <= MARGIN * stop.tolerance * (value - second))

    first = lanczos(links.cocitation, start, certain, max_products=stop.max_iterations)
    residual = measured(links.cocitation, first)
    second, second_error, more = _second(links, first, start > 0, stop) if gap else (np.nan, np.nan, 0)
    apart = max(first.value - first.second, np.finfo(float).tiny)
    return Principal(
        authorities=first.vector,
        value=first.value,
        second=second,
        second_error=second_error,
        residual=residual,
        distance=float(np.sqrt(2) * (residual + ROUNDING * first.value) / apart),
        passes=first.products + 1 + more,
        finished=first.finished,
    )


def _second(links: LinkOperator, first: RitzPair, support: Bools, stop: Stop) -> tuple[float, float, int]:
    """λ₂, counted with multiplicity, to a twentieth of the gap; the residual that bounds its error; the products."""

    def resolved(value: float, second: float, residual: float) -> bool:
        return residual <= max(0.05 * (first.value - value), 1e-10 * first.value)

    left = max(stop.max_iterations - first.products, 16)
    none = np.zeros(len(support))
    found = next_eigenpair(links.cocitation, first.vector[None, :], none, support, resolved, 0, left)
    return found.value, measured(links.cocitation, found), found.products + 1
