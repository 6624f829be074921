"""BiCGStab on (I − α Hᵀ) y = b, for damping near 1 where stationary iterations crawl.

Van der Vorst's stabilised bi-conjugate gradients (1992): two passes per step (through `bins` where links lead far),
eight vectors, no parameter. The power method gains α per pass: at α = 0.99, nine digits take 2,000 passes, and a Krylov
space a third of that on cnr-2000. BiCGStab can break down or wander. So the stopping test looks at the true ℓ1
residual, the best vector so far is kept, and a step that makes it much worse restarts from there after a few plain
passes.
"""

from __future__ import annotations

import numpy as np

from periplus.numeric.arrays import Floats
from periplus.rank.linear.bins import Bins, pays
from periplus.rank.linear.passes import Pull, link_weights
from periplus.rank.linear.system import Solution, System

SMOOTHING = 5
TOO_MUCH_WORSE = 1e4


class _Operator:
    """y ↦ y − α Hᵀ y, counting its passes."""

    def __init__(self, system: System) -> None:
        graph = system.graph
        self.links = Bins(graph) if pays(graph) else Pull(graph)
        self.weights = link_weights(graph, system.damping)
        self.zero = np.zeros(graph.nodes)
        self.passes = 0

    def __call__(self, vector: Floats) -> Floats:
        image = np.zeros_like(vector)
        self.links(vector * self.weights, self.zero, image)
        self.passes += 1
        return vector - image


def krylov(system: System) -> Solution:
    """BiCGStab, restarted after a few power steps whenever it wanders off."""
    apply = _Operator(system)
    best = system.start.copy()
    while True:
        for _ in range(min(SMOOTHING, system.max_passes - apply.passes)):
            best += system.base - apply(best)
        if apply.passes + 2 > system.max_passes:
            return Solution(best, apply.passes)
        best = _bicgstab(system, apply, best, system.base - apply(best))
        residual = system.base - apply(best)
        if np.abs(residual).sum() <= system.target * np.abs(best).sum() or apply.passes >= system.max_passes:
            return Solution(best, apply.passes)


def _bicgstab(system: System, apply: _Operator, start: Floats, residual: Floats) -> Floats:
    """Steps until the recurred residual meets the target, breaks down or wanders off; the best point met."""
    point, best = start.copy(), start
    shadow, direction = residual.copy(), residual.copy()
    rho = float(shadow @ residual)
    size = least = np.abs(residual).sum()
    while size > system.target * np.abs(point).sum() and apply.passes + 3 <= system.max_passes:
        image = apply(direction)
        along = float(shadow @ image)
        if rho == 0.0 or along == 0.0:
            break
        alpha = rho / along
        half = residual - alpha * image
        turned = apply(half)
        square = float(turned @ turned)
        omega = float(turned @ half) / square if square > 0.0 else 0.0
        point += alpha * direction + omega * half
        residual = half - omega * turned
        size = np.abs(residual).sum()
        if size < least:
            least, best = size, point.copy()
        if omega == 0.0 or not size < TOO_MUCH_WORSE * least:
            break
        new_rho = float(shadow @ residual)
        direction = residual + (new_rho / rho) * (alpha / omega) * (direction - omega * image)
        rho = new_rho
    return best
