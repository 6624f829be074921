"""HITS: hubs and authorities (Kleinberg 1999; Fogaras 3.2, Deo and Gupta 7.2, Špánek 2.4).

    a = Aᵀ h,   h = A a,   ‖a‖₂ = ‖h‖₂ = 1          A[i, j] = 1 when page i links to page j

so that a is the principal eigenvector of AᵀA and h of AAᵀ, both with eigenvalue λ₁ = σ₁(A)². (Fogaras and Špánek print
the two matrices the other way round, and Deo and Gupta print h = M·Mᵀ·a for h = M·Mᵀ·h.)

`hits` returns the limit of Kleinberg's iteration from all ones. Where λ₁ is a multiple eigenvalue that choice is an
accident of the start, so `extra["degenerate"]` is true and `extra["eigengap"]` zero. `extra` holds the eigengap
λ₁ − λ₂ with every result: it tells how small a change can turn the answer over (Fogaras, Theorem 8).

    >>> from periplus.graph import Graph
    >>> scores = hits(Graph.from_edges([0, 1, 2, 0], [3, 3, 3, 4], 5))
    >>> scores.values.round(3).tolist()
    [0.0, 0.0, 0.0, 0.924, 0.383]
    >>> scores.extra["hubs"].round(3).tolist()
    [0.707, 0.5, 0.5, 0.0, 0.0]
    >>> round(scores.extra["eigengap"], 3)
    2.828

Solved by Lanczos from the in-degrees, by LAPACK where at most 256 pages have an in-link; O(n + m) per pass. The
certificate ‖a − a*‖₁ ≤ √N·√2·r/g, with r the residual, g the distance to the next eigenvalue and N the pages with an
in-link, is proved in `docs/theory/eigenvectors.md`.
"""

from __future__ import annotations

import numpy as np

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.basis import norm
from periplus.rank.eigen.lanczos import DENSE_BELOW, ROUNDING, SAME_EIGENVALUE
from periplus.rank.eigen.operator import LinkOperator, dense_eigenpairs
from periplus.rank.eigen.principal import Principal, distance, principal_pair, quick_pair
from periplus.rank.table import RANKERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-7) | MaxIter(2000)


@checked(RANKERS["hits"])
def hits(graph: Graph, *, gap: bool = True, stop: Stop = DEFAULT_STOP) -> Scores:
    """Authorities (`values`) and hubs (`extra["hubs"]`), each of 2-norm one; see the module docstring.

    `extra` also holds eigenvalue, second_eigenvalue, eigengap, eigengap_error, degenerate and hubs_error_bound.
    `gap=False` leaves the second eigenvalue out (NaN), and with it the certificate: the run ends when it takes itself
    to be within the tolerance. That saves about a third of the time.
    """
    links = LinkOperator(graph)
    start = graph.in_degrees.astype(np.float64)
    width, height = (float(np.sqrt(np.count_nonzero(degrees))) for degrees in (start, graph.out_degrees))
    found = principal(links, start, max(width, height), stop, gap=gap)
    authorities = non_negative(found.vector)
    hubs = non_negative(links.hubs(authorities))
    # ‖AAᵀh − λh‖ for h = Aa/‖Aa‖ is no larger than a's own residual, and the gap the same; its product is rounded.
    error, hubs_error = width * found.distance, height * (found.distance + ROUNDING)
    return Scores(
        method="hits",
        values=authorities,
        parameters={"tolerance": stop.tolerance},
        iterations=found.passes,
        residual=found.residual,
        error_bound=error,
        converged=found.finished and (stop.tolerance == 0 or not max(error, hubs_error) > stop.tolerance),
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={
            "hubs": hubs,
            "hubs_error_bound": hubs_error,
            "eigenvalue": found.value,
            "second_eigenvalue": found.second,
            "eigengap": 0.0 if found.degenerate else found.value - found.second,
            "eigengap_error": found.second_error,
            "degenerate": found.degenerate,
        },
    ).or_raise(spent=found.passes >= stop.max_iterations)


def non_negative(vector: Floats) -> Floats:
    """The vector, in place, of 2-norm one and with what is only rounding set to zero: the exact one is ≥ 0."""
    vector[vector <= ROUNDING * vector.max()] = 0.0
    vector *= 1.0 / norm(vector)
    return vector


def principal(links: LinkOperator, start: Floats, width: float, stop: Stop, *, gap: bool = True) -> Principal:
    """The limit of Kleinberg's iteration from the in-degrees, within stop.tolerance / `width`, and (with `gap`) λ₂."""
    if np.count_nonzero(start) < DENSE_BELOW:
        return _dense(links.graph)
    return (principal_pair if gap else quick_pair)(links.cocitation, start, width, stop)


def _dense(graph: Graph) -> Principal:
    """LAPACK on the few pages that have an in-link."""
    linked, values, vectors, residuals = dense_eigenpairs(graph)
    below = values[values < values[0] * (1 - SAME_EIGENVALUE)].max(initial=0.0)
    whole = np.zeros(graph.nodes)
    whole[linked] = vectors[:, 0]
    residual, rounding = float(residuals[0]), ROUNDING * len(linked) * values[0]
    return Principal(
        vector=whole,
        value=float(values[0]),
        second=float(values[1]) if len(values) > 1 else 0.0,
        second_error=float(rounding),
        residual=residual,
        distance=distance(residual + rounding, float(values[0] - below)),
        passes=1,
        finished=True,
    )
