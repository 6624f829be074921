"""Randomised HITS: hubs and authorities with jumps, so that no small change turns them over (Ng et al. 2001).

`matrix="walk"`, as Ng, Zheng and Jordan define it. A surfer who is on a hub follows a random out-link, one who is on an
authority goes back along a random in-link, and with probability ε (`jump`) either jumps to any page instead:

    a = ε/n + (1−ε) A_rowᵀ h,      h = ε/n + (1−ε) A_col a

A_row (A_col) is A with its rows (columns) divided by their sums. It is PageRank on the two-sided graph; as ε → 0 it
tends to SALSA where that graph is connected. Both vectors are divided by their sums (mass leaks on pages without
out-links or in-links). One double step contracts the error by (1−ε)² in ℓ1, which certifies the bound.

`matrix="links"` puts the same jump on HITS itself: hubs and authorities of B = (1−ε) A/σ₁ + (ε/n) 11ᵀ, the principal
singular vectors of a matrix with no zero entry: simple, positive, and equal to HITS in the limit ε → 0. 2-norm one.

Cost: two passes of O(n + m) an iteration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.rank.eigen.lanczos import ROUNDING, Plain, lanczos
from periplus.rank.eigen.operator import LinkOperator
from periplus.rank.eigen.principal import principal_pair
from periplus.rank.linear.passes import UNIT_ROUNDOFF, row_rounding
from periplus.rank.methods.hits import non_negative
from periplus.rank.table import RANKERS
from periplus.record import Scores

DEFAULT_STOP = Tol(1e-9) | MaxIter(2000)


@checked(RANKERS["randomised-hits"])
def randomised_hits(graph: Graph, *, jump: float = 0.15, matrix: str = "walk", stop: Stop = DEFAULT_STOP) -> Scores:
    """Authorities (`values`) and hubs (`extra["hubs"]`) of the walk, or of the links, with jumps."""
    solve = _walk if matrix == "walk" else _links
    authorities, hubs, passes, residual, error, hubs_error = solve(LinkOperator(graph), jump, stop)
    return Scores(
        method="randomised-hits",
        values=authorities,
        parameters={"jump": jump, "matrix": matrix, "tolerance": stop.tolerance},
        iterations=passes,
        residual=residual,
        error_bound=error,
        converged=stop.tolerance == 0 or error <= stop.tolerance,
        graph_digest=graph.digest,
        urls=graph.urls,
        extra={"hubs": hubs, "hubs_error_bound": hubs_error},
    ).or_raise(spent=passes >= stop.max_iterations)


def _walk(links: LinkOperator, jump: float, stop: Stop) -> tuple[Floats, Floats, int, float, float, float]:
    base = np.full(links.graph.nodes, jump / links.graph.nodes)
    found = alternate(links, base, 1 - jump, stop)
    authorities, hubs = found.authorities / found.authorities.sum(), found.hubs / found.hubs.sum()
    # Dividing by the sum at most doubles the distance, relative to the sum.
    error, hubs_error = (2 * found.error / float(vector.sum()) for vector in (found.authorities, found.hubs))
    return authorities, hubs, found.passes, found.change, error, hubs_error


@dataclass(frozen=True, slots=True)
class Alternation:
    """The solution of a = base + f·A_rowᵀ h, h = base + f·A_col a, and a certified ℓ1 bound that holds for each."""

    authorities: Floats
    hubs: Floats
    passes: int
    change: float
    error: float


def alternate(links: LinkOperator, base: Floats, follow: float, stop: Stop) -> Alternation:
    """Forwards along out-links from hubs, backwards along in-links from authorities, by turns, until certain.

    A double step contracts the ℓ1 error by `follow`². `stop.tolerance` is relative to the mass of the authorities,
    with room for what dividing by the mass of both vectors adds: three times the error of one.
    """
    out_degrees, in_degrees = links.graph.out_degrees, links.graph.in_degrees
    out, into = follow / np.maximum(out_degrees, 1), follow / np.maximum(in_degrees, 1)
    rows, columns = row_rounding(out_degrees), row_rounding(in_degrees)
    authorities = hubs = base / base.sum()
    passes, before, change, error = 0, np.inf, np.inf, np.inf
    while passes < stop.max_iterations and 3 * error > stop.tolerance * authorities.sum():
        hubs = base + links.hubs(authorities * into)
        following = base + links.authorities(hubs * out)
        before, change = change, float(np.abs(following - authorities).sum())
        authorities, passes = following, passes + 1
        rounding = UNIT_ROUNDOFF * float(rows @ hubs + columns @ authorities)
        error = (change * follow + rounding) / (1 - follow**2)
        if change >= before:  # every step contracts: what does not is rounding
            break
    return Alternation(authorities, hubs, passes, change, error)


def _links(links: LinkOperator, jump: float, stop: Stop) -> tuple[Floats, Floats, int, float, float, float]:
    nodes = links.graph.nodes
    start = links.graph.in_degrees.astype(np.float64)
    top = lanczos(links.cocitation, start, lambda ritz: ritz.residual <= 1e-12 * ritz.value).value
    scale = (1 - jump) / np.sqrt(top)

    def jumping(authorities: Floats) -> Floats:
        hubs = scale * links.hubs(authorities) + jump / nodes * authorities.sum()
        return scale * links.authorities(hubs) + jump / nodes * hubs.sum()

    # Two more roundings for each of the two products, and one for each of their sums.
    operator = Plain(jumping, links.cocitation.rounding + 8 * UNIT_ROUNDOFF)
    pair = principal_pair(operator, np.ones(nodes), float(np.sqrt(nodes)), stop)
    authorities = non_negative(pair.vector)
    hubs = non_negative(scale * links.hubs(authorities) + jump / nodes * authorities.sum())
    error = float(np.sqrt(nodes)) * pair.distance if pair.finished else float("inf")
    return authorities, hubs, pair.passes, pair.residual, error, error + float(np.sqrt(nodes)) * ROUNDING
