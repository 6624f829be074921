"""The largest eigenpair of a symmetric non-negative operator S, with a certificate for its vector.

The vector x with Ritz value θ₁ and residual r is within √2·r/g of the eigenvector, g the distance from θ₁ to the rest
of the spectrum (Davis and Kahan). The run that found x does not know g. So a second run, from noise and orthogonal to
x, looks for the next eigenvalue, until none can hide above a level some way below θ₁. The next Ritz vector of the first
run, x₂, saves most of that work. Where this leaves too little, the first run is made again to the last bit; then either
the two eigenvalues are told apart, or λ₁ is multiple as far as float64 goes (`SAME_EIGENVALUE`) and x is the projection
of `start` on its eigenspace. The bounds, and the chance that noise misses an eigenvector
(`MISS_CHANCE`), are derived in `docs/theory/eigenvectors.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from periplus.numeric.arrays import Bools, Floats
from periplus.numeric.stop import Stop
from periplus.rank.eigen.basis import inner, norm, remove, scale
from periplus.rank.eigen.lanczos import (
    ROUNDING,
    SAME_EIGENVALUE,
    Enough,
    LanczosRun,
    Product,
    Ritz,
    basis_memory,
    lanczos,
    measured,
    noise,
)

# A run ends a little below the tolerance: the residual is measured afterwards, and may be a little more.
MARGIN = 0.9
# The residual, relative to the eigenvalue, up to which a vector is one of an eigenspace and no mixture of two.
CLEAN = 1e-12
# The ε of the module docstring.
MISS_CHANCE = 0.01
# A second eigenvalue that the noise finds itself is found to this, relative to its distance from θ₁.
SECOND_TOLERANCE = 1e-5
# The residual, relative to the first eigenvalue, below which no run for the second one is sent.
LEAST_RESIDUAL = 1e-14


@dataclass(frozen=True, slots=True)
class Effort:
    """How far an attempt goes: the part of the gap from θ₂ to θ₁ in which an eigenvalue may still hide, the residual of
    x₂ relative to that gap up to which it is taken for known, and the products that smooth x in the end."""

    lost: float
    settled: float
    smoothing: int


USUAL, UTMOST = Effort(lost=0.5, settled=0.01, smoothing=0), Effort(lost=0.1, settled=1e-6, smoothing=3)


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


def distance(residual: float, gap: float) -> float:
    """√2·r/g; infinite without a gap."""
    return float(np.sqrt(2) * residual / gap) if gap > 0 else float("inf")


def principal_pair(apply: Product, start: Floats, width: float, stop: Stop) -> Principal:
    """The eigenpair that the power method from `start` ≥ 0 finds, its vector within stop.tolerance / `width`."""
    found = _with_neighbour(apply, start, _within(width, stop), stop, USUAL)
    left = stop.max_iterations - found.passes
    if stop.tolerance == 0 or width * found.distance <= stop.tolerance or left <= 0:
        return found
    again = _with_neighbour(apply, start, _to_the_last_bit, Stop(stop.tolerance, left), UTMOST)
    return replace(again, passes=found.passes + again.passes)


def quick_pair(apply: Product, start: Floats, width: float, stop: Stop) -> Principal:
    """The same by the first run alone: no second eigenvalue and no certificate."""
    first = lanczos(apply, start, _within(width, stop), max_products=stop.max_iterations)
    residual, none = measured(apply, first.vector, first.value), float("nan")
    return Principal(first.vector, first.value, none, none, residual, none, first.products + 1, first.finished)


def _within(width: float, stop: Stop) -> Enough:
    """Whether the vector is as near as it should be, if the run has seen the next eigenvalue."""

    def enough(ritz: Ritz) -> bool:
        gap = (1 - USUAL.lost) * (ritz.value - ritz.second) - float(ritz.residuals[1])
        return width * distance(ritz.residual + ROUNDING * ritz.value, gap) <= MARGIN * stop.tolerance

    return enough


def _to_the_last_bit(_: Ritz) -> bool:
    """Never enough: a run also ends where rounding leaves nothing to gain."""
    return False


def _with_neighbour(apply: Product, start: Floats, enough: Enough, stop: Stop, effort: Effort) -> Principal:
    """One run for the first eigenpair, one for what else there is, and what the two certify."""
    memory = basis_memory(len(start))
    first = lanczos(apply, start, enough, max_products=stop.max_iterations, vectors=2, memory=memory)
    value, residual = _smoothed(apply, first, effort.smoothing)
    search = _NoiseRun(value, first, start > 0, effort)
    second_run = search.run(apply, max(stop.max_iterations - first.products, 16), memory)
    gap = value - second_run.level
    if same_value(value, second_run.second):
        clean = residual <= CLEAN * value and not same_value(value, first.ritz.second)
        gap = value - first.ritz.second if clean else 0.0
    return Principal(
        vector=first.vector,
        value=value,
        second=second_run.second,
        second_error=second_run.error,
        residual=residual,
        distance=distance(residual, gap),
        passes=first.products + second_run.products + 1 + (effort.smoothing + 2 if effort.smoothing else 0),
        finished=first.finished and second_run.finished,
    )


def _smoothed(apply: Product, run: LanczosRun, products: int) -> tuple[float, float]:
    """Value and residual of the vector after some products, in place: they shrink what lies along small eigenvalues."""
    vector, value, residual = run.vector, run.value, measured(apply, run.vector, run.value)
    if products:
        image = apply(vector)
        for _ in range(products):
            np.multiply(image, 1.0 / norm(image), out=vector)
            image = apply(vector)
        value = float(inner(vector[None, :], image)[0])
        residual = measured(apply, vector, value)
    return value, residual


@dataclass(frozen=True, slots=True)
class SecondRun:
    """The eigenvalues but the first: one within `error` of `second`, and none above `level`, infinite if any may be."""

    second: float
    error: float
    level: float
    products: int
    finished: bool


class _NoiseRun:
    """The run from noise, orthogonal to the `first` run's vector and, if it is settled, to its next Ritz vector."""

    def __init__(self, value: float, first: LanczosRun, support: Bools, effort: Effort) -> None:
        self.value, self.lost = value, effort.lost
        self.locked, self.start = first.vectors[:1], noise(support, seed=0)
        self.part = MISS_CHANCE / float(np.sqrt(np.count_nonzero(support)))
        self.known, self.coupling = 0.0, 0.0
        for row in first.vectors[1:]:
            length = remove(inner(self.locked, row), self.locked, row)
            if first.ritz.residuals[1] <= effort.settled * (value - first.ritz.second) and length > 0.5:
                scale(row, 1.0 / length)
                self.locked = first.vectors
                self.known, self.coupling = first.ritz.second, float(first.ritz.residuals[1])
            else:
                self.start += row
                self.part *= 0.5  # noise is still half of the start, or more

    def run(self, apply: Product, max_products: int, memory: Floats) -> SecondRun:
        run = lanczos(
            apply, self.start, self.enough, locked=self.locked, max_products=max_products, vectors=0, memory=memory
        )
        level, found = self.level(run.ritz), self.coupled(run.value)
        error = run.ritz.residual + found - run.value if run.value > self.known else self.coupling
        return SecondRun(
            second=max(self.known, run.value),
            error=error + ROUNDING * self.value,
            level=float("inf") if run.ritz.may_hide(level, self.part) else self.coupled(level),
            products=run.products,
            finished=run.finished,
        )

    def coupled(self, value: float) -> float:
        """The larger eigenvalue of (θ₂ r₂; r₂ value)."""
        middle, half = (self.known + value) / 2, abs(value - self.known) / 2
        return middle + float(np.hypot(half, self.coupling))

    def level(self, ritz: Ritz) -> float:
        """What no eigenvalue is to exceed."""
        second = max(self.known, ritz.value)
        return second + self.lost * max(self.value - second, 0.0)

    def enough(self, ritz: Ritz) -> bool:
        told = ritz.value <= self.known or ritz.residual <= SECOND_TOLERANCE * (self.value - ritz.value)
        shown = told and not ritz.may_hide(self.level(ritz), self.part)
        return shown or ritz.residual <= LEAST_RESIDUAL * self.value
