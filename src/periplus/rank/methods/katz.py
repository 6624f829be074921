"""Katz's index: the number of walks that end at a page, a walk of k links weighing αᵏ (Katz 1953).

    x = α Aᵀ x + 1        x_j = Σ_k αᵏ · (walks of k links that end at j),   the empty walk included

It converges for α < 1/ρ(A), ρ the spectral radius. `attenuation=None` takes 0.85/σ₁, with σ₁ ≥ ρ(A) the largest
singular value, which always converges and is nearly as far as one may go; α → 0 orders pages as in-degree does.

Certificate. If the residual e = α Aᵀx + 1 − x satisfies |e_j| ≤ c < 1 for all j, then α Aᵀx < x, so that ρ(αA) < 1 is
proven (Collatz and Wielandt) and |x − x*| ≤ c·x* page by page: ‖x − x*‖₁ ≤ c/(1−c)·‖x‖₁. The tolerance is relative
to ‖x‖₁, since the values grow with the graph. O(n + m) per pass.
"""

from __future__ import annotations

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.lanczos import lanczos
from periplus.rank.eigen.operator import LinkOperator
from periplus.rank.linear.passes import UNIT_ROUNDOFF, row_rounding
from periplus.rank.table import RANKERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-9) | MaxIter(1000)
_OVERFLOW = 1e200


@checked(RANKERS["katz"])
def katz(graph: Graph, *, attenuation: float | None = None, stop: Stop = DEFAULT_STOP) -> Scores:
    """Katz's index of every page; values are at least 1."""
    links = LinkOperator(graph)
    alpha = _default(links) if attenuation is None else float(attenuation)
    if alpha == np.inf:
        raise ParameterError("attenuation", attenuation, "a number > 0, below 1 over the spectral radius")
    values, terms = np.ones(graph.nodes), row_rounding(graph.in_degrees)
    passes, change, error = 0, 0.0, 0.0 if graph.links == 0 else np.inf
    while passes < stop.max_iterations and error > stop.tolerance:
        following = 1.0 + alpha * links.authorities(values)
        difference = np.abs(following - values)
        change = float(difference.sum())
        # From 1 the iterates grow, so the residual of the old vector is not negative, and the new one, which lies
        # between the old one and the answer, is at least as near: measure the old, keep the new.
        largest = float(difference.max())
        # The sum over the links of a page, its product with α, and one more; 1 + … is rounded once.
        rounding = UNIT_ROUNDOFF * float(((following - 1) * terms + 2 * following).max(initial=0.0))
        worst = largest + rounding
        values, passes = following, passes + 1
        error = worst / (1 - worst) if worst < 1 else np.inf
        if values.max() > _OVERFLOW:
            raise ParameterError(
                "attenuation", alpha, "below 1 over the spectral radius of the graph: the sum diverges"
            )
        if largest <= rounding:
            break
    return Scores(
        method="katz",
        values=values,
        parameters={"attenuation": alpha, "tolerance": stop.tolerance},
        iterations=passes,
        residual=change,
        error_bound=error * float(values.sum()),
        converged=error <= stop.tolerance or stop.tolerance == 0,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"relative_error_bound": error},
    ).or_raise(spent=passes >= stop.max_iterations)


def _default(links: LinkOperator) -> float:
    if links.graph.links == 0:
        return 0.85
    start = links.graph.in_degrees.astype(np.float64)
    top = lanczos(links.cocitation, start, lambda ritz: ritz.residual <= 0.01 * ritz.value)
    return 0.85 / float(np.sqrt(top.value))
