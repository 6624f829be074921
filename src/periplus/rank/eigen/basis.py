"""Inner products with the rows of a tall basis, and their removal, on the threads that the link passes use.

BLAS would do both, but on a pool of its own: its threads and those of the link kernels then wait for each other's cores
at every step. So long vectors are cut into fixed pieces for numba's threads (the sums do not depend on how many there
are); short ones go to BLAS, which needs no threads for them.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.numeric.arrays import Floats

# Shorter vectors are done before a second core has woken up.
LONG = 2**15
_PIECE = 2**13


def inner(rows: Floats, vector: Floats) -> Floats:
    """rows @ vector."""
    if len(vector) < LONG:
        return rows @ vector
    sums = np.empty((-(-len(vector) // _PIECE), len(rows)))
    _inner_pieces(rows, vector, sums)
    return sums.sum(axis=0)


def remove(coefficients: Floats, rows: Floats, vector: Floats) -> float:
    """vector −= coefficients @ rows, in place; the 2-norm of what is left."""
    if len(vector) < LONG:
        vector -= coefficients @ rows
        return float(np.linalg.norm(vector))
    squares = np.empty(-(-len(vector) // _PIECE))
    _remove_pieces(coefficients, rows, vector, squares)
    return float(np.sqrt(squares.sum()))


def combine(coefficients: Floats, rows: Floats) -> Floats:
    """coefficients @ rows, for a few rows of coefficients: the basis is read once for all of them."""
    results = np.empty((len(coefficients), rows.shape[1]))
    if rows.shape[1] < LONG:
        for result, mixture in zip(results, coefficients, strict=True):
            result[:] = mixture @ rows  # one by one: each is the same, to the bit, whatever else is asked for
        return results
    _combine_pieces(np.ascontiguousarray(coefficients), rows, results)
    return results


def scale(vector: Floats, factor: float) -> None:
    """vector *= factor, in place."""
    if len(vector) < LONG:
        vector *= factor
    else:
        _scale_pieces(vector, factor)


def norm(vector: Floats) -> float:
    """The 2-norm."""
    return float(np.sqrt(inner(vector[None, :], vector)[0]))


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def l1(vector: Floats) -> float:
    """The 1-norm, without a vector of moduli."""
    total = 0.0
    for at in range(len(vector)):
        total += abs(vector[at])
    return total


# Letting the compiler reorder one sum makes it use the vector unit; the order is fixed when it compiles.
@njit(cache=True, nogil=True, parallel=True, fastmath={"reassoc", "contract"})
def _inner_pieces(rows, vector, sums):  # type: ignore[no-untyped-def]
    for piece in prange(len(sums)):
        first, last = piece * _PIECE, min((piece + 1) * _PIECE, len(vector))
        for row in range(len(rows)):
            total = 0.0
            for at in range(first, last):
                total += rows[row, at] * vector[at]
            sums[piece, row] = total


@njit(cache=True, nogil=True, parallel=True, fastmath={"reassoc", "contract"})
def _remove_pieces(coefficients, rows, vector, squares):  # type: ignore[no-untyped-def]
    for piece in prange(len(squares)):
        first, last = piece * _PIECE, min((piece + 1) * _PIECE, len(vector))
        for row in range(len(rows)):
            factor = coefficients[row]
            for at in range(first, last):
                vector[at] -= factor * rows[row, at]
        total = 0.0
        for at in range(first, last):
            total += vector[at] * vector[at]
        squares[piece] = total


@njit(cache=True, nogil=True, parallel=True, fastmath={"contract"})
def _combine_pieces(coefficients, rows, results):  # type: ignore[no-untyped-def]
    pages = rows.shape[1]
    for piece in prange((pages + _PIECE - 1) // _PIECE):
        first, last = piece * _PIECE, min((piece + 1) * _PIECE, pages)
        for result in range(len(coefficients)):
            for at in range(first, last):
                results[result, at] = 0.0
        for row in range(len(rows)):
            for result in range(len(coefficients)):
                factor = coefficients[result, row]
                for at in range(first, last):
                    results[result, at] += factor * rows[row, at]


@njit(cache=True, nogil=True, parallel=True)
def _scale_pieces(vector, factor):  # type: ignore[no-untyped-def]
    for at in prange(len(vector)):
        vector[at] *= factor
