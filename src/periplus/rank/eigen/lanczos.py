"""Largest eigenpairs of a symmetric positive operator S by Lanczos with thick restart (Wu and Simon 2000).

The Krylov space of a start vector b holds, of every eigenspace, exactly the projection of b and nothing else. So
where the largest eigenvalue is multiple, Lanczos from b finds the very vector that the power method from b converges
to, and finds it in about √ of the passes. `lanczos` is that one run; it can be kept orthogonal to `locked` vectors, and
`leading_eigenpairs` locks one vector after another, each run from a fresh start, so that multiple eigenvalues are
found as often as they occur.

The unit vector found is within √2·r/g of the eigenvector, r its residual and g the distance to the next eigenvalue that
b has a part in (Davis and Kahan). What a run may have missed is bounded by `may_hide`; from where on the basis must be
made orthogonal again, by `LOOSE`. The proofs are in `docs/theory/eigenvectors.md`.

Cost: one product and about four vectors read per step, 4·k·n flops in the late steps, (k + 1)·n floats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from periplus.numeric.arrays import Bools, Floats
from periplus.rank.eigen.basis import LONG, combine, inner, norm, remove, scale

# Numbers below these are rounding, for unit vectors and for eigenvalues relative to the largest.
ROUNDING = 4 * 2.0**-52
# Two eigenvalues closer than this, relatively, are one as far as float64 and any affordable number of passes go.
SAME_EIGENVALUE = 1e-9
# What is below this, relative to the largest eigenvalue, is not looked for.
NO_EIGENVALUE = 1e-12
# With fewer pages than this LAPACK is faster, and a Krylov space soon fills all there is.
DENSE_BELOW = 257
# How far basis vectors may be from orthogonal.
LOOSE = 1e-6
_BASIS_FLOATS = 2**25
# With long vectors the first restart comes after this many products, each later one after half as many again: an easy
# problem is solved in little memory (fresh memory costs half as much as the products), a hard one gets a large basis.
_FIRST_BASIS = 24
_PIECE = 2**14


@runtime_checkable
class Operator(Protocol):
    """S, as a product and as a step of the recurrence, in which a product can save reading its vectors again.

    `rounding` bounds what the product loses of a unit vector, relative to the largest eigenvalue.
    """

    rounding: float

    def __call__(self, vector: Floats, /) -> Floats:
        """S·vector; the next call may use the memory of the result again."""

    def step(self, current: Floats, previous: Floats, beta: float, following: Floats) -> tuple[float, float]:
        """following ← S·current − α·current − β·previous with α = current·S·current; returns α and ‖following‖₂."""


class Plain:
    """Any product as an operator."""

    def __init__(self, product: Callable[[Floats], Floats], rounding: float = ROUNDING) -> None:
        self.product, self.rounding = product, rounding

    def __call__(self, vector: Floats, /) -> Floats:
        return self.product(vector)

    def step(self, current: Floats, previous: Floats, beta: float, following: Floats) -> tuple[float, float]:
        np.copyto(following, self.product(current))
        alpha = inner(current[None, :], following)
        remove(alpha, current[None, :], following)
        return float(alpha[0]), remove(np.array([beta]), previous[None, :], following)


Product = Operator | Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Ritz:
    """The Ritz values of a run, falling, the residuals of their vectors, and how long the start is along each.

    After a restart the last is unknown; it is set to one, its upper bound.
    """

    values: Floats
    residuals: Floats
    weights: Floats

    @property
    def value(self) -> float:
        return float(self.values[0])

    @property
    def second(self) -> float:
        return float(self.values[1]) if len(self.values) > 1 else 0.0

    @property
    def residual(self) -> float:
        return float(self.residuals[0])

    def may_hide(self, level: float, part: float) -> bool:
        """Whether an eigenvalue ≥ `level` may have escaped the run, if the start is as long as `part` along its vector.

        See the module docstring. The bound grows with the eigenvalue, so checking the level is enough.
        """
        above = level - self.value
        if above <= 0:
            return True
        with np.errstate(divide="ignore", over="ignore"):
            growth = np.prod((level - self.values[1:]) / (self.value - self.values[1:]))
        return bool((self.residual + ROUNDING * self.value) * self.weights[0] >= above * growth * part)


Enough = Callable[[Ritz], bool]


@dataclass(frozen=True, slots=True)
class LanczosRun:
    """How a run ended, and the unit vectors (rows) of its first Ritz values, as many as were asked for."""

    ritz: Ritz
    vectors: Floats
    products: int
    finished: bool

    @property
    def value(self) -> float:
        return self.ritz.value

    @property
    def vector(self) -> Floats:
        return self.vectors[0]


def basis_size(dimension: int) -> int:
    """The most vectors kept: as many as fit in 256 MB, within 16 … 160."""
    return int(min(max(_BASIS_FLOATS // max(dimension, 1), 16), 160, dimension))


def basis_memory(dimension: int) -> Floats:
    """Room for the basis of a run; what a run does not get to is not touched."""
    return np.empty((basis_size(dimension) + 1, dimension))


def lanczos(
    apply: Product,
    start: Floats,
    enough: Enough,
    *,
    locked: Floats | None = None,
    max_products: int = 1000,
    vectors: int = 1,
    memory: Floats | None = None,
) -> LanczosRun:
    """The largest eigenpair that `start` has a part in, orthogonal to the rows of `locked`; zero where nothing is left.

    `enough` says when the accuracy will do; the run also ends when the residual is rounding (`finished` is true either
    way) or after `max_products` products. The first of the `vectors` points the way of `start`. `memory` is that of an
    earlier run (`basis_memory`): fresh memory costs as much as a product.
    """
    operator = apply if isinstance(apply, Operator) else Plain(apply)
    fixed = np.empty((0, len(start))) if locked is None else locked
    basis = basis_memory(len(start)) if memory is None else memory
    size = len(basis) - 1
    projected = np.zeros((size, size))
    length, basis[0] = norm(start), start
    left = remove(inner(fixed, basis[0]), fixed, basis[0])
    if left <= 1e-8 * length:
        return LanczosRun(Ritz(np.zeros(1), np.zeros(1), np.ones(1)), np.zeros((vectors, len(start))), 0, True)
    scale(basis[0], 1.0 / left)
    kept, products, loose, full = 0, 0, True, min(_FIRST_BASIS, size) if len(start) >= LONG else size
    while True:
        for step in range(kept, full):
            spread, exhausted = _extend(operator, basis, projected, fixed, step, kept, loose)
            products += 1
            if not loose and _look_later(step, full, len(start)) and products < max_products and not exhausted:
                continue
            ritz, mixtures = _look(projected[: step + 1, : step + 1], spread, begun=kept == 0)
            exact = exhausted or ritz.residual <= ROUNDING * ritz.value
            finished = exact or (step > 0 and enough(ritz))
            if finished or products >= max_products:
                return LanczosRun(ritz, _ritz_vectors(basis, mixtures[:, :vectors], start), products, finished)
            loose = loose and ROUNDING * ritz.value <= LOOSE * ritz.residuals.min()
        kept, loose = max(1, full // 2), False
        _restart(basis, projected, ritz.values[:kept], mixtures[:, :kept], spread)
        full = min(full + full // 2, size)


def _look_later(step: int, full: int, dimension: int) -> bool:
    """Whether to go on without a look at the Ritz values: on short vectors it costs as much as a step."""
    return step >= 16 and step % 4 != 3 and step + 1 < full and dimension < LONG


def _look(projected: Floats, spread: float, *, begun: bool) -> tuple[Ritz, Floats]:
    """The Ritz values, and in the columns of the matrix what of each basis vector makes up their vectors."""
    values, mixtures = np.linalg.eigh(projected)
    values, mixtures = values[::-1], mixtures[:, ::-1]
    weights = np.abs(mixtures[0]) if begun else np.ones(len(values))
    return Ritz(values, spread * np.abs(mixtures[-1]), weights), mixtures


def _extend(
    operator: Operator, basis: Floats, projected: Floats, fixed: Floats, step: int, kept: int, loose: bool
) -> tuple[float, bool]:
    """One Lanczos step: row `step` + 1 of the basis, column `step` of the projected matrix.

    In exact arithmetic the product has parts along the last two rows only (after a restart, along all that were kept):
    these are taken out first, and then, unless `loose`, what rounding has left along any row. Where little is left of
    the product rounding is a large part of it and may point anywhere, back along the basis too: then it is always taken
    out. Returns the norm before scaling, and whether that is only rounding: the Krylov space does not grow any more.
    """
    new, known = basis[step + 1], projected[:step, step]
    before, beta = (step - 1, float(known[-1])) if step > kept else (step, 0.0)
    alpha, spread = operator.step(basis[step], basis[before], beta, new)
    if 0 < kept == step:
        spread = remove(known, basis[:step], new)
    projected[step, step] = alpha
    size = float(np.hypot(np.linalg.norm(projected[: step + 1, step]), spread))
    thorough = not loose or spread <= LOOSE * size
    for _ in range(1 + thorough if len(fixed) else 0):
        spread = remove(inner(fixed, new), fixed, new)
    if thorough:
        spread = remove(inner(basis[: step + 1], new), basis[: step + 1], new)
    if step + 1 < len(projected):
        projected[step, step + 1] = projected[step + 1, step] = spread
    scale(new, 1.0 / spread if spread > 0 else 0.0)
    return spread, spread <= ROUNDING * np.sqrt(len(new)) * size


def _restart(basis: Floats, projected: Floats, values: Floats, best: Floats, spread: float) -> None:
    """Keep the best Ritz vectors and the direction in which the Krylov space was going to grow."""
    full, kept = best.shape
    for first in range(0, basis.shape[1], _PIECE):  # no second basis beside this one
        piece = slice(first, first + _PIECE)
        basis[:kept, piece] = best.T @ basis[:full, piece]
    basis[kept] = basis[full]
    basis[kept] /= remove(inner(basis[:kept], basis[kept]), basis[:kept], basis[kept])
    projected[:] = 0.0
    projected[range(kept), range(kept)] = values
    projected[kept, :kept] = projected[:kept, kept] = spread * best[-1]


def _ritz_vectors(basis: Floats, mixtures: Floats, start: Floats) -> Floats:
    """The unit Ritz vectors, one per column of `mixtures`; the first points the way of `start`."""
    vectors = combine(mixtures.T, basis[: len(mixtures)])
    for vector in vectors:
        scale(vector, 1.0 / norm(vector))
    if len(vectors) and inner(vectors[:1], start)[0] < 0:
        scale(vectors[0], -1.0)
    return vectors


def measured(apply: Product, vector: Floats, value: float) -> float:
    """‖S x − θ x‖₂, or a little more, by a product of its own: what a recurrence says of it may be wrong.

    The rounding of the product is counted in, which the recurrence has made in the same way and cannot see.
    """
    rounding = apply.rounding if isinstance(apply, Operator) else ROUNDING
    return remove(np.array([value]), vector[None, :], apply(vector)) + rounding * value


def noise(support: Bools, seed: int) -> Floats:
    """A vector of norm one that meets every eigenspace, drawn evenly from a cube over the pages of `support`.

    These are the pages that the operator does not send to zero; noise elsewhere would only blur the start. However a
    unit vector u lies, P(|u·noise| < ε/√N) ≤ 0.82 ε for N pages: no section of a cube of side one is larger than √2
    (Ball 1986).
    """
    vector: Floats = np.random.default_rng(seed).random(len(support))
    vector -= 0.5
    vector *= support
    scale(vector, 1.0 / max(norm(vector), 1e-300))
    return vector


def leading_eigenpairs(
    apply: Product, start: Floats, count: int, tolerance: float, max_products: int
) -> tuple[Floats, Floats, Floats, int]:
    """The `count` largest eigenpairs, multiple ones included: values, unit vectors (rows), residuals, products.

    Stops early where the rest of the spectrum is zero. Each run goes on until its residual is at most `tolerance` times
    the largest value; the residuals given are measured at the end, with the parts along the other vectors.
    """

    def enough(ritz: Ritz) -> bool:
        return ritz.residual <= tolerance * max(largest, ritz.value)

    largest, memory = 0.0, basis_memory(len(start))
    run = lanczos(apply, start, enough, max_products=max_products, vectors=2, memory=memory)
    largest, found, products = run.value, [(run.value, run.vector)], run.products
    while len(found) < count:
        rows = np.stack([vector for _, vector in found])
        # The next Ritz vector of the last run as a hint, with noise that meets what it may have missed.
        hint = sum((3.0 * vector for vector in run.vectors[1:]), start=noise(start > 0, len(found)))
        run = lanczos(apply, hint, enough, locked=rows, max_products=max_products, vectors=2, memory=memory)
        products += run.products
        if run.value <= NO_EIGENVALUE * largest:
            break
        found.append((run.value, run.vector))
    # Equal ones stay in the order in which they were found: first the one that `start` points to.
    found.sort(key=lambda pair: -round(pair[0] / (SAME_EIGENVALUE * largest)))
    return (
        np.array([value for value, _ in found]),
        np.stack([vector for _, vector in found]),
        np.array([measured(apply, vector, value) for value, vector in found]),
        products + len(found),
    )
