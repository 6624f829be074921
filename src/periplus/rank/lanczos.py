"""Largest eigenpairs of a symmetric positive operator by Lanczos with thick restart (Wu and Simon 2000).

The Krylov space of a start vector b holds, of every eigenspace, exactly the projection of b and nothing else. So
where the largest eigenvalue is multiple, Lanczos from b finds the very vector that the power method from b converges
to, and finds it in about √ of the passes. `lanczos` is that one run; it can be kept orthogonal to `locked` vectors, and
`leading_eigenpairs` locks one vector after another, each run from a fresh start, so that multiple eigenvalues are
found as often as they occur.

Error. With θ the Ritz value, r the residual ‖S x − θ x‖₂ and g the distance from θ to the next eigenvalue *that b has
a part in*, the unit vector x is within √2·r/g of the eigenvector (Davis and Kahan), and some eigenvalue lies within
r of θ. The next eigenvalue is itself known from its Ritz value, which only grows: g is resolved when that one is.

Orthogonality. The three-term recurrence keeps neighbouring basis vectors orthogonal; along a Ritz vector of residual r
the others lose it like ε·θ/r (Paige 1980) and no faster. Up to `LOOSE` that moves the projected matrix by its square
and the Ritz vector by `LOOSE` times its last, tiny coefficients, so only from there on every step is made orthogonal
to the whole basis (partial reorthogonalisation, Simon 1984), and always after a restart, which would carry the loss
on. The residual is that of the recurrence, which holds, up to rounding, whether or not the basis is orthogonal.

Cost: one product and about eight vectors read a step, 4·k·n flops in the late steps, (k + 1)·n floats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from periplus.numeric.arrays import Bools, Floats
from periplus.rank.rows import LONG, combine, inner, norm, remove

Operator = Callable[[Floats], Floats]
Enough = Callable[[float, float, float], bool]

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
_BASIS_FLOATS = 2**24
# With long vectors the first restart comes after this many products, each later one after half as many again: an easy
# problem is solved in little memory (fresh memory costs half as much as the products), a hard one gets a large basis.
_FIRST_BASIS = 16
_PIECE = 2**14


@dataclass(frozen=True, slots=True)
class RitzPair:
    """One eigenpair as far as it was computed; `rest`, if asked for, is the next Ritz vector of the run."""

    value: float
    vector: Floats
    residual: float
    second: float
    products: int
    finished: bool
    rest: Floats | None = None


def basis_size(dimension: int) -> int:
    """The most vectors kept: as many as fit in 128 MB, within 16 … 160."""
    return int(min(max(_BASIS_FLOATS // max(dimension, 1), 16), 160, dimension))


def lanczos(
    apply: Operator,
    start: Floats,
    enough: Enough,
    *,
    locked: Floats | None = None,
    max_products: int = 1000,
    rest: bool = False,
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
    kept, products, loose, full = 0, 0, True, min(_FIRST_BASIS, size) if len(start) >= LONG else size
    while True:
        for step in range(kept, full):
            spread, exhausted = _extend(apply, basis, projected, fixed, step, kept, loose)
            products += 1
            if _look_later(step, full, len(start)) and products < max_products and not exhausted:
                continue
            values, vectors = np.linalg.eigh(projected[: step + 1, : step + 1])
            residual = spread * abs(vectors[-1, -1])
            second = float(values[-2]) if step else 0.0
            exact = exhausted or residual <= ROUNDING * values[-1]
            finished = exact or (step > 0 and enough(float(values[-1]), second, float(residual)))
            if finished or products >= max_products:
                vector = _ritz_vector(basis, vectors, 1)
                vector *= 1.0 if inner(vector[None, :], start)[0] >= 0 else -1.0
                following = _ritz_vector(basis, vectors, 2) if rest else None
                return RitzPair(float(values[-1]), vector, float(residual), second, products, finished, following)
            loose = loose and ROUNDING * values[-1] <= LOOSE * residual
        kept, loose = max(1, full // 2), False
        _restart(basis, projected, values, vectors, spread, kept)
        full = min(full + full // 2, size)


def _look_later(step: int, full: int, dimension: int) -> bool:
    """Whether to go on without a look at the Ritz values: on short vectors it costs as much as a step."""
    return step >= 16 and step % 4 != 3 and step + 1 < full and dimension < LONG


def _extend(
    apply: Operator, basis: Floats, projected: Floats, fixed: Floats, step: int, kept: int, loose: bool
) -> tuple[float, bool]:
    """One Lanczos step: row `step` + 1 of the basis, column `step` of the projected matrix.

    In exact arithmetic the product has parts along the last two rows only (after a restart, along all that were kept):
    these are taken out first, and then, unless `loose`, what rounding has left along any row. Where little is left of
    the product rounding is a large part of it and may point anywhere, back along the basis too: then it is always taken
    out. Gives the norm before scaling, and whether that is only rounding: the Krylov space does not grow any more.
    """
    new = apply(basis[step])
    if len(fixed):
        remove(inner(fixed, new), fixed, new)
    near = slice(max(step - 1, 0), step + 1) if step > kept else slice(0, step + 1)
    along = inner(basis[near], new)
    spread = remove(along, basis[near], new)
    projected[near, step] = projected[step, near] = along
    size = float(np.hypot(np.linalg.norm(along), spread))
    if not loose or spread <= LOOSE * size:
        if len(fixed):
            remove(inner(fixed, new), fixed, new)
        spread = remove(inner(basis[: step + 1], new), basis[: step + 1], new)
    np.multiply(new, 1.0 / spread if spread > 0 else 0.0, out=basis[step + 1])
    return spread, spread <= ROUNDING * np.sqrt(len(new)) * size


def _restart(basis: Floats, projected: Floats, values: Floats, vectors: Floats, spread: float, kept: int) -> None:
    """Keep the best Ritz vectors and the direction in which the Krylov space was going to grow."""
    best, full = vectors[:, -kept:], len(vectors)
    for first in range(0, basis.shape[1], _PIECE):  # no second basis beside this one
        piece = slice(first, first + _PIECE)
        basis[:kept, piece] = best.T @ basis[:full, piece]
    basis[kept] = basis[full]
    basis[kept] /= remove(inner(basis[:kept], basis[kept]), basis[:kept], basis[kept])
    projected[:] = 0.0
    projected[range(kept), range(kept)] = values[-kept:]
    projected[kept, :kept] = projected[:kept, kept] = spread * best[-1]


def _ritz_vector(basis: Floats, vectors: Floats, rank: int) -> Floats:
    """The unit Ritz vector of the largest (second largest, …) Ritz value; zero where there is none."""
    if rank > len(vectors):
        return np.zeros(basis.shape[1])
    vector = combine(vectors[:, -rank], basis[: len(vectors)])
    vector *= 1.0 / norm(vector)
    return vector


def measured(apply: Operator, pair: RitzPair) -> float:
    """‖S x − θ x‖₂ by a product of its own: what a recurrence says of it may be wrong."""
    return norm(apply(pair.vector) - pair.value * pair.vector)


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
        return RitzPair(0.0, np.zeros(len(hint)), 0.0, 0.0, 0, True)
    return lanczos(apply, start, enough, locked=locked, max_products=max_products, rest=True)


def leading_eigenpairs(
    apply: Operator, start: Floats, count: int, tolerance: float, max_products: int
) -> tuple[Floats, Floats, Floats, int]:
    """The `count` largest eigenpairs, multiple ones included: values, unit vectors (rows), residuals, products.

    Stops early where the rest of the spectrum is zero. Each run goes on until its residual is at most `tolerance` times
    the largest value; the residuals given are measured at the end, with the parts along the other vectors.
    """

    def enough(value: float, second: float, residual: float) -> bool:
        return residual <= tolerance * max(largest, value)

    largest = 0.0
    first = lanczos(apply, start, enough, max_products=max_products, rest=True)
    largest, found, products = first.value, [first], first.products
    while len(found) < count:
        rows = np.stack([pair.vector for pair in found])
        near = found[-1].rest
        hint = np.zeros_like(start) if near is None else 3.0 * near
        pair = next_eigenpair(apply, rows, hint, start > 0, enough, len(found), max_products)
        products += pair.products
        if pair.value <= NO_EIGENVALUE * largest:
            break
        found.append(pair)
    # Equal ones stay in the order in which they were found: first the one that `start` points to.
    found.sort(key=lambda pair: -round(pair.value / (SAME_EIGENVALUE * largest)))
    return (
        np.array([pair.value for pair in found]),
        np.stack([pair.vector for pair in found]),
        np.array([measured(apply, pair) for pair in found]),
        products + len(found),
    )
