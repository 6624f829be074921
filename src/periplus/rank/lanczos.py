"""Largest eigenpairs of a symmetric positive operator by Lanczos with thick restart (Wu and Simon 2000).

The Krylov space of a start vector b holds, of every eigenspace, exactly the projection of b and nothing else. So
where the largest eigenvalue is multiple, Lanczos from b finds the very vector that the power method from b converges
to, and finds it in about √ of the passes. `lanczos` is that one run; it can be kept orthogonal to `locked` vectors, and
`leading_eigenpairs` locks one vector after another, each run from a fresh start, so that multiple eigenvalues are
found as often as they occur.

Error. With θ the Ritz value, r the residual ‖S x − θ x‖₂ and g the distance from θ to the next eigenvalue *that b has
a part in*, the unit vector x is within √2·r/g of the eigenvector (Davis and Kahan), and some eigenvalue lies within
r of θ. The next eigenvalue is itself known from its Ritz value, which only grows: g is resolved when that one is.

Cost: one product a step, 4·k·n flops for keeping k basis vectors orthogonal, (k + 1)·n floats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from periplus.numeric.arrays import Bools, Floats
from periplus.rank.rows import combine, inner, norm, remove

Operator = Callable[[Floats], Floats]
Enough = Callable[[float, float, float], bool]

# Numbers below these are rounding, for unit vectors and for eigenvalues relative to the largest.
ROUNDING = 4 * 2.0**-52
# Two eigenvalues closer than this, relatively, are one as far as float64 and any affordable number of passes go.
SAME_EIGENVALUE = 1e-9
_BASIS_FLOATS = 2**24


@dataclass(frozen=True, slots=True)
class RitzPair:
    """One eigenpair as far as it was computed; `rest` is what the run knew about the next one."""

    value: float
    vector: Floats
    residual: float
    second: float
    rest: Floats
    products: int
    finished: bool


def basis_size(dimension: int) -> int:
    """More vectors mean fewer passes: as many as fit in 128 MB, within 16 … 160."""
    return int(min(max(_BASIS_FLOATS // max(dimension, 1), 16), 160, dimension))


def lanczos(
    apply: Operator, start: Floats, enough: Enough, *, locked: Floats | None = None, max_products: int = 1000
) -> RitzPair:
    """The largest eigenpair that `start` has a part in, orthogonal to the rows of `locked`.

    `enough(value, second, residual)` says when the accuracy will do; the run also ends when the residual is rounding
    (`finished` is true either way) or after `max_products` products. The vector points the way of `start`.
    """
    fixed = np.empty((0, len(start))) if locked is None else locked
    size = basis_size(len(start))
    basis = np.empty((size + 1, len(start)))
    projected = np.zeros((size, size))
    basis[0] = start
    basis[0] /= remove(inner(fixed, basis[0]), fixed, basis[0])
    kept, products = 0, 0
    while True:
        for step in range(kept, size):
            spread = _extend(apply, basis, projected, fixed, step, kept)
            products += 1
            exhausted = spread <= ROUNDING * np.trace(projected)
            if step >= 16 and step % 4 != 3 and step + 1 < size and products < max_products and not exhausted:
                continue  # looking costs as much as a step by now
            values, vectors = np.linalg.eigh(projected[: step + 1, : step + 1])
            residual = spread * abs(vectors[-1, -1])
            second = float(values[-2]) if step else 0.0
            exact = exhausted or residual <= ROUNDING * values[-1]
            finished = exact or (step > 0 and enough(float(values[-1]), second, float(residual)))
            if finished or products >= max_products:
                pair = _pair(basis, values, vectors, residual, second, products, finished)
                return pair if inner(pair.vector[None, :], start)[0] >= 0 else replace(pair, vector=-pair.vector)
        kept = max(1, size // 2)
        _restart(basis, projected, values, vectors, spread, kept)


def _extend(apply: Operator, basis: Floats, projected: Floats, fixed: Floats, step: int, kept: int) -> float:
    """One Lanczos step: row `step` + 1 of the basis, column `step` of the projected matrix; the norm before scaling.

    In exact arithmetic the product has parts along the last two rows only (after a restart, along all that were kept):
    these are taken out first, and then, of what is left, the rounding errors along all rows: twice is enough.
    """
    new = apply(basis[step])
    if len(fixed):
        remove(inner(fixed, new), fixed, new)
    near = slice(max(step - 1, 0), step + 1) if step > kept else slice(0, step + 1)
    local = inner(basis[near], new)
    remove(local, basis[near], new)
    along = inner(basis[: step + 1], new)
    spread = remove(along, basis[: step + 1], new)
    along[near] += local
    projected[: step + 1, step] = projected[step, : step + 1] = along
    np.multiply(new, 1.0 / spread if spread > 0 else 0.0, out=basis[step + 1])
    return spread


def _restart(basis: Floats, projected: Floats, values: Floats, vectors: Floats, spread: float, kept: int) -> None:
    """Keep the best Ritz vectors and the direction in which the Krylov space was going to grow."""
    best = vectors[:, -kept:]
    basis[:kept] = best.T @ basis[:-1]
    basis[kept] = basis[-1]
    projected[:] = 0.0
    projected[range(kept), range(kept)] = values[-kept:]
    projected[kept, :kept] = projected[:kept, kept] = spread * best[-1]


def _pair(
    basis: Floats, values: Floats, vectors: Floats, residual: float, second: float, products: int, finished: bool
) -> RitzPair:
    used = basis[: len(values)]
    vector = combine(vectors[:, -1], used)
    rest = combine(vectors[:, -2], used) if len(values) > 1 else np.zeros_like(vector)
    vector *= 1.0 / norm(vector)
    return RitzPair(float(values[-1]), vector, float(residual), second, rest, products, finished)


def next_eigenpair(
    apply: Operator, locked: Floats, hint: Floats, support: Bools, enough: Enough, seed: int, max_products: int
) -> RitzPair:
    """The largest eigenpair orthogonal to the rows of `locked`, from `hint` and noise of norm one.

    The noise meets every eigenspace. A strong hint saves products, but where little accuracy is asked for the run may
    end before it has noticed a larger eigenvalue than the hint's: then give none (zeros). `support` marks the pages
    that the operator does not send to zero; noise elsewhere would only blur the start.
    """
    start: Floats = np.random.default_rng(seed).random((len(hint),)) - 0.5
    start *= support
    start /= max(norm(start), 1e-300)
    start += hint
    if remove(inner(locked, start), locked, start) <= 1e-8:
        return RitzPair(0.0, np.zeros(len(hint)), 0.0, 0.0, np.zeros(len(hint)), 0, True)
    return lanczos(apply, start, enough, locked=locked, max_products=max_products)


def leading_eigenpairs(
    apply: Operator, start: Floats, count: int, tolerance: float, max_products: int
) -> tuple[Floats, Floats, Floats, int]:
    """The `count` largest eigenpairs, multiple ones included: values, unit vectors (rows), residuals, products.

    Stops early where the rest of the spectrum is zero; every residual is at most `tolerance` times the largest value.
    """

    def enough(value: float, second: float, residual: float) -> bool:
        return residual <= tolerance * max(largest, value)

    largest = 0.0
    first = lanczos(apply, start, enough, max_products=max_products)
    largest, found, products = first.value, [first], first.products
    while len(found) < count:
        rows = np.stack([pair.vector for pair in found])
        hint = 3.0 * found[-1].rest
        pair = next_eigenpair(apply, rows, hint, start > 0, enough, len(found), max_products)
        products += pair.products
        if pair.value <= 1e-12 * largest:
            break
        found.append(pair)
    found.sort(key=lambda pair: -pair.value)
    return (
        np.array([pair.value for pair in found]),
        np.stack([pair.vector for pair in found]),
        np.array([pair.residual for pair in found]),
        products,
    )
