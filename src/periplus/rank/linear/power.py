"""Power iteration: balanced, through bins, and extrapolated.

    y ← α Hᵀ y + c b,     c = Σ_i (1 − α [i has links]) y_i / Σ b

At the solution of y = α Hᵀ y + b what the pages do not hand on is what b brings in, and c = 1. Iterates are vectors of
any scale: with this c a pass keeps their sum, it *is* the PageRank chain with its jumps (Špánek §4) up to that scale,
and the residual shrinks by α|λ₂| per pass, with λ₂ the second eigenvalue of the link matrix; |λ₂| ≤ 1. With c = 1
throughout it would shrink by α only, as the error of the sum does. Where links lead everywhere (random graphs, R-MAT,
links both ways) that is 20 passes instead of 130; on web graphs λ₂ is nearly one, and it is 115.

The rows are shared by both cores, each link is read once per pass, and nothing depends on the order of the pages.
**Blocking** is the same through `bins`, for graphs whose links lead anywhere: no read at random.

**Extrapolation.** After some passes the error lies close to the span of a few eigenvectors, and so do the last
differences of iterates. Every `PERIOD` passes the iterate is replaced by the combination of the last ones whose
residual is least in ℓ2 (reduced-rank extrapolation; with two differences this is Kamvar et al.'s quadratic
extrapolation, 2003). Where that does not help, the next passes mend it: the stopping test looks at a plain pass only.
`auto` never takes it: on cnr-2000 it saves an eighth of the passes of `power`, a quarter at α = 0.99, and `scc` saves
nearly all. It is here for those who compare the accelerations of the power method that the literature proposes.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from periplus.numeric.arrays import Floats
from periplus.rank.linear.bins import Bins
from periplus.rank.linear.pace import Pace
from periplus.rank.linear.passes import Pull, hand_out, link_weights
from periplus.rank.linear.system import Solution, System

PERIOD = 5
DEPTH = 3


def power(system: System, patience: float = np.inf) -> Solution:
    """Balanced passes until the step is small enough; given up once more than `patience` of them are foreseen."""
    return _iterated(system, Balanced(system, Pull(system.graph)), patience)


def blocking(system: System, patience: float = np.inf) -> Solution:
    """The same through bins."""
    return _iterated(system, Balanced(system, Bins(system.graph)), patience)


def _iterated(system: System, one_pass: Balanced, patience: float) -> Solution:
    values, pace = system.start.copy(), Pace(system.target, patience)
    for passes in range(1, system.max_passes + 1):
        residual = one_pass(values)
        if residual <= system.target or pace.too_slow(residual):
            return Solution(one_pass.to_scale(values), passes, ended=residual <= system.target)
    return Solution(one_pass.to_scale(values), system.max_passes)


def extrapolation(system: System) -> Solution:
    """Power iteration with a reduced-rank extrapolation now and then; one that made things worse is taken back."""
    values = plain = system.start.copy()
    one_pass = Balanced(system, Pull(system.graph))
    history: deque[Floats] = deque(maxlen=DEPTH + 1)
    wait, next_try, reached = PERIOD, PERIOD, np.inf
    for passes in range(1, system.max_passes + 1):
        history.append(values.copy())
        residual = one_pass(values)
        if residual <= system.target:
            return Solution(one_pass.to_scale(values), passes)
        if residual > reached:
            values, reached = plain, np.inf
            history.clear()
            wait *= 2
            next_try = passes + wait
        elif passes >= next_try:
            plain, reached = values, residual
            values = reduced_rank(np.array([*history, values]))
            history.clear()
            next_try = passes + wait
    return Solution(one_pass.to_scale(values), system.max_passes)


class Balanced:
    """One balanced pass in place; returns the relative ℓ1 residual that the new vector has at most."""

    def __init__(self, system: System, links: Pull | Bins) -> None:
        self.damping, self.links = system.damping, links
        self.weights = link_weights(system.graph, system.damping)
        self.given, self.base = np.empty(system.graph.nodes), system.full_base
        self.total = float(self.base.sum())

    def __call__(self, values: Floats) -> float:
        jump = self.balance(values)
        change, mass = self.links(self.given, self.base, values, jump)
        # The step is the residual of the vector that came in; a pass shrinks what sums to zero by α at least.
        return self.damping * change / mass if mass > 0.0 else np.inf

    def balance(self, values: Floats) -> float:
        """c, with what every page gives in `given`."""
        balance = hand_out(values, self.weights, self.damping, self.given) / self.total
        return balance if 0.0 < balance < np.inf else 1.0

    def to_scale(self, values: Floats) -> Floats:
        """The vector of any scale as one for which c = 1."""
        values /= self.balance(values)
        return values


def reduced_rank(iterates: Floats) -> Floats:
    """Σ γ_k x_k with Σ γ_k = 1 whose first difference Σ γ_k (x_{k+1} − x_k) is least in ℓ2."""
    steps = np.diff(iterates, axis=0)
    bends = np.diff(steps, axis=0)
    gram = bends @ bends.T
    mixing = np.linalg.lstsq(gram, bends @ steps[-1], rcond=1e-12)[0]
    return np.maximum(iterates[-1] - mixing @ steps[1:], 0.0)
