"""The k largest singular triples of a sparse matrix, by block Krylov iteration in float32 (Golub and Underwood 1977).

With A the matrix and n its shorter side, a basis Q of the block Krylov space of A Aᵀ (or Aᵀ A, the smaller one),

    span { X, (A Aᵀ) X, (A Aᵀ)² X, … },   X random, of b columns,

is kept orthogonal in full; the eigenvectors of T = Qᵀ A Aᵀ Q give the singular vectors, and T comes with the products
that the iteration makes anyway. Blocks are added until the energy Σσᵢ² of the first k stops growing.

A small matrix, or a k near its rank, is solved densely in float64. Singular values below `TINY` of the first are the
rounding of float32 and are left out: a matrix of rank r < k gives r.

Cost: a product with A and one with Aᵀ for each block of b columns; memory for A both ways, and 4 n bytes for each of
some 3k columns. Sums over rows run in the order of the entries whatever the threads; BLAS decides for the rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from scipy.linalg import eigh
from scipy.sparse import csr_array

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats

TINY = 5e-4
_DENSE = 400  # a Gram matrix of this side is solved in a tenth of a second
_SETTLED = 1e-3  # what is still missing then is less than a thousandth, of noise too
_ROUNDING = 1e-6
_EACH = 5  # a block has a fifth of k columns, rounded up to what the registers of a core hold
_LANES = 16
_LOOK = 2  # the energy is looked at after every other block


class Svd(NamedTuple):
    """A ≈ left · diag(values) · rightᵀ; columns by falling singular value. `energy` is Σσᵢ² over the sum of squares."""

    left: AnyArray
    values: Floats
    right: AnyArray
    energy: float
    blocks: int


def svd(matrix: Any, k: int, *, seed: int = 0, settled: float = _SETTLED) -> Svd:
    """The k largest singular triples, or fewer where the rank is smaller."""
    if k < 1:
        raise ParameterError("k", k, "at least 1")
    wide = matrix.shape[0] > matrix.shape[1]
    short = csr_array(matrix.T if wide else matrix, dtype=np.float32)
    if not short.count_nonzero():
        empty = Svd(np.zeros((short.shape[0], 0)), np.zeros(0), np.zeros((short.shape[1], 0)), 1.0, 0)
        return _turned(empty) if wide else empty
    dense = short.shape[0] <= max(_DENSE, 2 * k)
    found = _dense(short, k) if dense else _krylov(short, k, seed, settled)
    return _turned(found) if wide else found


def _turned(found: Svd) -> Svd:
    return found._replace(left=found.right, right=found.left)


def _dense(matrix: Any, k: int) -> Svd:
    exact = matrix.astype(np.float64)
    values, vectors = eigh((exact @ exact.T).toarray())
    return _finished(exact, np.maximum(values, 0), vectors, k, blocks=1)


def _krylov(matrix: Any, k: int, seed: int, settled: float) -> Svd:
    """Blocks until the energy of the first k settles; then one product more for the other side."""
    back = csr_array(matrix.T)
    width = _LANES * max(1, -(-k // (_EACH * _LANES)))
    block = np.random.default_rng(seed).standard_normal((matrix.shape[0], width), dtype=np.float32)
    basis, energy, blocks = _Basis(matrix.shape[0], 3 * k + 2 * width), 0.0, 0
    while (block := basis.add(block)).shape[1]:
        blocks += 1
        block = product(matrix, product(back, block))
        basis.project(block)
        if basis.size >= k + 2 * width and blocks % _LOOK == 0:
            before, energy = energy, float(np.sum(_first(basis.gram(), k, eigvals_only=True)))
            if energy - before <= settled * energy:
                break
    values, vectors = _first(basis.gram(), k)
    return _finished(matrix, np.maximum(values, 0), basis.columns @ vectors.astype(np.float32), k, blocks)


def _first(gram: Floats, k: int, **more: Any) -> Any:
    """The largest k eigenvalues of a symmetric matrix, and their vectors."""
    size = len(gram)
    return eigh(gram, subset_by_index=(max(0, size - k), size - 1), check_finite=False, **more)


def _finished(matrix: Any, squares: Floats, vectors: AnyArray, k: int, blocks: int) -> Svd:
    order = np.argsort(-squares)[:k]
    order = order[squares[order] > (TINY**2) * squares[order[0]]]
    values, left = np.sqrt(squares[order]), vectors[:, order]
    right = product(csr_array(matrix.T), np.ascontiguousarray(left)) / values.astype(left.dtype)
    total = float(np.sum(matrix.data.astype(np.float64) ** 2))
    return Svd(left, values, right, float(np.sum(squares[order])) / total, blocks)


class _Basis:
    """Orthonormal columns, and the products of A Aᵀ with them seen from inside: T = Qᵀ A Aᵀ Q."""

    def __init__(self, rows: int, columns: int) -> None:
        self._room = np.empty((rows, columns), np.float32, order="F")
        self._gram = np.zeros((columns, columns))
        self.size = 0
        self._last = 0

    @property
    def columns(self) -> AnyArray:
        return self._room[:, : self.size]

    def gram(self) -> Floats:
        """T, symmetric."""
        inside = self._gram[: self.size, : self.size]
        return (inside + inside.T) / 2

    def add(self, block: AnyArray) -> AnyArray:
        """Take up what is new in a block, orthonormal; returns it, empty where nothing is."""
        least = _ROUNDING * float(np.linalg.norm(block))
        for _ in range(2):  # once leaves the rounding of the subtraction
            block = _orthonormal(block - self.columns @ (self.columns.T @ block), least)
            least = 0.5
        new = block.shape[1]
        self._make_room(new)
        self._room[:, self.size : self.size + new] = block
        self._last, self.size = self.size, self.size + new
        return np.ascontiguousarray(block)

    def project(self, products: AnyArray) -> None:
        """Enter the products of A Aᵀ with the columns added last into T."""
        inside = self.columns.T @ products
        self._gram[: self.size, self._last : self.size] = inside
        self._gram[self._last : self.size, : self.size] = inside.T

    def _make_room(self, more: int) -> None:
        have = self._room.shape[1]
        if self.size + more > have:
            wider = np.empty((self._room.shape[0], 2 * have), np.float32, order="F")
            wider[:, : self.size] = self.columns
            gram = np.zeros((2 * have, 2 * have))
            gram[: self.size, : self.size] = self._gram[: self.size, : self.size]
            self._room, self._gram = wider, gram


def _orthonormal(block: AnyArray, least: float) -> AnyArray:
    """Orthonormal columns of the same span, but for directions in which it is no longer than `least`.

    By the eigenvectors of blockᵀ block in float64: two products where a QR decomposition sends many short ones.
    """
    exact = block.astype(np.float64)
    values, vectors = np.linalg.eigh(exact.T @ exact)
    kept = values > least**2
    return (exact @ (vectors[:, kept] / np.sqrt(values[kept]))).astype(np.float32)


def product(matrix: Any, columns: AnyArray) -> AnyArray:
    """A sparse matrix times a block of columns, rows on all cores."""
    if columns.dtype != np.float32:
        return matrix @ columns
    result = np.zeros((matrix.shape[0], columns.shape[1]), np.float32)
    bounds = _chunks(matrix.indptr)
    _multiply(matrix.indptr, matrix.indices, matrix.data, np.ascontiguousarray(columns), bounds, result)
    return result


def _chunks(indptr: AnyArray) -> AnyArray:
    """Pieces of rows with about as many entries each, cut by the size of the work alone."""
    pieces = int(min(64, max(1, indptr[-1] >> 14)))
    wanted = np.arange(1, pieces) * (int(indptr[-1]) // pieces)
    return np.unique(np.concatenate(([0], np.searchsorted(indptr, wanted), [len(indptr) - 1])))


@njit(cache=True, nogil=True, parallel=True, fastmath={"contract", "nsz"})
def _multiply(indptr, indices, data, columns, bounds, result):  # type: ignore[no-untyped-def]
    """result_i = Σ_j a_ij · columns_j."""
    for chunk in prange(len(bounds) - 1):
        for row in range(bounds[chunk], bounds[chunk + 1]):
            for at in range(indptr[row], indptr[row + 1]):
                value, other = data[at], indices[at]
                for column in range(columns.shape[1]):
                    result[row, column] += value * columns[other, column]
