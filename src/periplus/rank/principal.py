"""The largest eigenpair of a symmetric non-negative operator S, with a certificate for its vector.

x with Ritz value θ₁ and residual r = ‖S x − θ₁ x‖₂ is within √2·r/g of the eigenvector, g the distance from θ₁ to the
rest of the spectrum (Davis and Kahan). A run from `start` does not know g: as long as r is not small beside it, x may
be a mixture of two eigenvectors that the run has not told apart. So a second run, from noise and orthogonal to x,
looks for the next eigenvalue and finds θ₂, with residual r₂ in the space orthogonal to x; the largest eigenvalue
there is no less than λ₂ (Cauchy). It may have missed a larger one, μ with eigenvector u: then r₂ ≥ (μ − θ₂)|u·q|, with
q the unit vector that it began with. Of noise over N pages |u·q| is below ε/√N with probability 0.8 ε, so that but for
bad luck of 0.8 ε (`BAD_LUCK`) λ₂ ≤ θ₂ + r₂ √N/ε, and g = θ₁ − θ₂ − r₂ √N/ε. The run goes on until the last term is
small. Both residuals are measured by products of their own.

Where this leaves too little, the first run is made again to the last bit that rounding leaves. Then either the two are
told apart, or λ₁ is a multiple eigenvalue as far as float64 goes (`SAME_EIGENVALUE`): the vector is the projection of
`start` on its eigenspace, which is what the power method converges to, and g the distance to the next eigenvalue that
`start` has a part in; no bound is given if x is not clearly an eigenvector itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from periplus.numeric.arrays import Floats
from periplus.numeric.stop import Stop
from periplus.rank.lanczos import (
    ROUNDING,
    SAME_EIGENVALUE,
    Enough,
    Operator,
    RitzPair,
    lanczos,
    measured,
    next_eigenpair,
)
from periplus.rank.rows import inner, norm, remove

# A run ends a little below the tolerance: the residual is measured afterwards, and may be a little more.
MARGIN = 0.9
# The residual, relative to the eigenvalue, up to which a vector is one of an eigenspace and no mixture of two.
CLEAN = 1e-12
# The ε of the module docstring, and the part of the gap that may be lost to it.
BAD_LUCK, GAP_LOST = 0.01, 0.2
# The residual, relative to the first eigenvalue, below which no run for the second one is sent.
LEAST_RESIDUAL = 1e-14
# Products that smooth a vector in which rounding is all that is left to take away.
SMOOTHING = 3


@dataclass(frozen=True, slots=True)
class Principal:
    """The eigenvector with what is known about its surroundings; `distance` bounds its error in 2-norm."""

    vector: Floats
    value: float
    second: float
    second_error: float
    residual: float
    distance: float
    passes: int
    finished: bool

    @property
    def degenerate(self) -> bool:
        return same_value(self.value, self.second)


def same_value(value: float, second: float) -> bool:
    """Whether two eigenvalues are one as far as can be told."""
    return abs(value - second) <= SAME_EIGENVALUE * value


def distance(value: float, residual: float, gap: float) -> float:
    """√2·r/g, rounding and all; infinite without a gap."""
    return float(np.sqrt(2) * (residual + ROUNDING * value) / gap) if gap > 0 else float("inf")


def principal_pair(apply: Operator, start: Floats, width: float, stop: Stop) -> Principal:
    """The eigenpair that the power method from `start` ≥ 0 finds, its vector within stop.tolerance / `width`."""
    found = _with_neighbour(apply, start, _within(width, stop), stop, smoothing=0)
    left = stop.max_iterations - found.passes
    if stop.tolerance == 0 or width * found.distance <= stop.tolerance or left <= 0:
        return found
    again = _with_neighbour(apply, start, lambda *_: False, Stop(stop.tolerance, left), smoothing=SMOOTHING)
    return replace(again, passes=found.passes + again.passes)


def quick_pair(apply: Operator, start: Floats, width: float, stop: Stop) -> Principal:
    """The same by the first run alone: no second eigenvalue and no certificate."""
    first = lanczos(apply, start, _within(width, stop), max_products=stop.max_iterations)
    residual, none = measured(apply, first), float("nan")
    return Principal(first.vector, first.value, none, none, residual, none, first.products + 1, first.finished)


def _within(width: float, stop: Stop) -> Enough:
    """Whether the vector is as near as it should be, if the run has seen the next eigenvalue."""

    def enough(value: float, second: float, residual: float) -> bool:
        return width * distance(value, residual, value - second) <= MARGIN * stop.tolerance

    return enough


def _with_neighbour(apply: Operator, start: Floats, enough: Enough, stop: Stop, *, smoothing: int) -> Principal:
    """One run for the first eigenpair, one for the next, and what the two certify."""
    first = lanczos(apply, start, enough, max_products=stop.max_iterations, rest=True)
    vector, value, residual = _smoothed(apply, first, smoothing)
    # A hint as long as the noise makes of |u·q| no less than 1/√2 of what noise alone would.
    hint = np.zeros(len(start)) if first.rest is None else first.rest
    missed = np.sqrt(2 * np.count_nonzero(start)) / BAD_LUCK

    def resolved(next_value: float, _: float, next_residual: float) -> bool:
        return next_residual <= max(GAP_LOST * (value - next_value) / missed, LEAST_RESIDUAL * value)

    left = max(stop.max_iterations - first.products, 16)
    following = next_eigenpair(apply, vector[None, :], hint, start > 0, resolved, 0, left)
    second, left_over = max(following.value, first.second), apply(following.vector) - following.value * following.vector
    second_error = norm(left_over)
    gap = value - second - missed * remove(inner(vector[None, :], left_over), vector[None, :], left_over)
    if same_value(value, second):
        clean = residual <= CLEAN * value and not same_value(value, first.second)
        gap = value - first.second if clean else 0.0
    return Principal(
        vector=vector,
        value=value,
        second=second,
        second_error=second_error,
        residual=residual,
        distance=distance(value, residual, gap),
        passes=first.products + following.products + (smoothing + 1 if smoothing else 0) + 2,
        finished=first.finished and following.finished,
    )


def _smoothed(apply: Operator, pair: RitzPair, products: int) -> tuple[Floats, float, float]:
    """(vector, value, residual) after some products: they shrink what lies along the far, small eigenvalues."""
    vector, value, residual = pair.vector, pair.value, measured(apply, pair)
    if products:
        image = apply(vector)
        for _ in range(products):
            vector = image / norm(image)
            image = apply(vector)
        value = float(inner(vector[None, :], image)[0])
        residual = norm(image - value * vector)
    return vector, value, residual
