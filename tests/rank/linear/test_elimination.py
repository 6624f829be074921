"""Sparse elimination against a dense solve, and the bounds at which it gives up."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.rank.linear.elimination import eliminate


def rows_of(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Offsets, sources and weights of all entries off the diagonal, and the diagonal."""
    off = matrix - np.diag(np.diag(matrix))
    rows, columns = np.nonzero(off)
    offsets = np.append(0, np.cumsum(np.bincount(rows, minlength=len(matrix))))
    return offsets, columns.astype(np.uint32), off[rows, columns], np.diag(matrix).copy()


@pytest.mark.parametrize("trial", range(20))
def test_it_solves_what_a_dense_elimination_solves(trial: int) -> None:
    rng = np.random.default_rng(trial)
    size = int(rng.integers(1, 40))
    matrix = rng.random((size, size)) * (rng.random((size, size)) < 0.15)
    matrix *= 0.95 / max(matrix.sum(axis=0).max(), 1e-9)
    factors = eliminate(*rows_of(matrix), fill=100, work=10_000)
    assert factors is not None
    assert sorted(factors.order) == list(range(size))
    right = rng.random(size) - 0.5
    kept = right.copy()
    np.testing.assert_allclose(factors.solve(right), np.linalg.solve(np.eye(size) - matrix, right), atol=1e-12)
    np.testing.assert_array_equal(right, kept)


def test_a_tree_does_not_fill_in() -> None:
    """From the leaves inwards nothing new is read: the factors have as many entries as the system."""
    size = 500
    matrix = np.zeros((size, size))
    child = np.arange(1, size)
    matrix[child, child // 2] = matrix[child // 2, child] = 0.25
    offsets, sources, weights, diagonal = rows_of(matrix)
    factors = eliminate(offsets, sources, weights, diagonal)
    assert factors is not None
    assert len(factors.lower.ends) + len(factors.upper.ends) == len(sources)


def test_it_gives_up_at_its_bounds() -> None:
    """Thirty unknowns that all read each other: no order saves anything."""
    system = rows_of(np.full((30, 30), 0.02))
    assert eliminate(*system) is not None
    assert eliminate(*system, fill=0) is None
    assert eliminate(*system, work=0) is None


def test_a_graph_that_fills_in_is_given_up() -> None:
    rng = np.random.default_rng(3)
    matrix = (rng.random((600, 600)) < 0.02) * 0.05
    assert eliminate(*rows_of(matrix)) is None
