"""The linear system behind PageRank, and what a solver returns.

    y = α Hᵀ y + b                                                                    (pseudo-rank system)

H is the row-normalised adjacency matrix with zero rows where a page is dangling, b ≥ 0. Every solver takes a `System`
and aims at a `Solution` with ‖b + α Hᵀ y − y‖₁ ≤ target · ‖y‖₁ (`pagerank` measures it, and asks again). The inverse of
I − α Hᵀ has ℓ1 norm at most 1/(1−α), so such a y is within target · ‖y‖₁ / (1−α) of the solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats


@dataclass(frozen=True, slots=True)
class System:
    """y = α Hᵀ y + b over `graph`, to be solved from `start` to a relative ℓ1 residual of `target`.

    `base` (and `start`) may be one number that only looks like a vector; `full_base` lies in memory as kernels want it.
    """

    graph: Graph
    damping: float
    base: Floats
    start: Floats
    target: float
    max_passes: int

    @property
    def full_base(self) -> Floats:
        return np.ascontiguousarray(self.base)


@dataclass(frozen=True, slots=True)
class Solution:
    """The vector reached, and the work it took in passes over all links (links read / links, rounded up).

    `ended` is false where the solver gave up early, because another one would be done sooner.
    """

    values: Floats
    passes: int
    ended: bool = True
    solver: str = ""  # the one that `auto` took
