"""Solves through the factors against a dense one: whole, restricted, divided among threads."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.rank.linear.triangles import Triangles, triangles


def sites(rng: np.random.Generator, count: int, size: int) -> np.ndarray:
    """M of sites that are trees, joined by a few links between their first pages, and of pages that hang from them."""
    pages = count * size
    matrix = np.zeros((pages, pages))
    for page in range(pages):
        site = page // size * size
        parent = site + (page - site) // 2
        matrix[page, parent] = matrix[parent, page] = rng.random()
    for site in range(count):
        if site < count // 2:  # the second half only reads
            matrix[rng.integers(0, count // 2) * size, site * size + 1] += 1.0
        matrix[site * size, rng.integers(0, count // 2) * size] += 1.0
    sums = np.maximum(matrix.sum(axis=0), 1e-300)
    return 0.85 * matrix / sums


def rows_of(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    loops = np.diag(matrix).copy()
    rest = matrix - np.diag(loops)
    rows, columns = np.nonzero(rest)
    offsets = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(matrix))))).astype(np.int64)
    return offsets, columns.astype(np.uint32), rest[rows, columns], loops


def factored(matrix: np.ndarray) -> tuple[Triangles, np.ndarray]:
    found = triangles(*rows_of(matrix))
    assert found is not None
    return found


@pytest.mark.parametrize("trial", range(30))
def test_a_solve_is_the_inverse(trial: int) -> None:
    rng = np.random.default_rng(trial)
    matrix = sites(rng, int(rng.integers(2, 12)), int(rng.integers(2, 40)))
    size = len(matrix)
    inverse, rank = factored(matrix)
    right = rng.random(size) * (rng.random(size) < 0.3)
    x, far = np.zeros(size + 1), np.zeros(size + 1)
    exact = np.linalg.solve(np.eye(size) - matrix, right)
    for wanted in (None, rng.choice(size, 3).astype(np.uint32)):
        x[:] = 0.0
        x[rank] = right
        given = inverse.everything if wanted is None else inverse.needed(rank[wanted])
        inverse.solve(given, x, far)
        asked = np.arange(size) if wanted is None else wanted
        np.testing.assert_allclose(x[rank[asked]], exact[asked], rtol=1e-11, atol=1e-15)
        assert not far.any()


def test_the_largest_component_is_divided() -> None:
    """Thirty sites in one component: both sides and the top have work, and so have the parts of what hangs from it."""
    inverse, _ = factored(sites(np.random.default_rng(1), 60, 40))
    begin, middle, top, end = inverse.sides
    assert begin < middle < top < end
    assert end - begin > 600
    assert np.count_nonzero(np.diff(inverse.parts)) >= 3


def test_edge_cases() -> None:
    for size in (0, 1, 2, 3):
        inverse, rank = factored(np.diag(np.full(size, 0.5)))
        x, far = np.append(np.ones(size), 0.0), np.zeros(size + 1)
        inverse.solve(inverse.everything, x, far)
        np.testing.assert_allclose(x[:size], 2.0)
        assert sorted(rank) == list(range(size))
    cycle = np.roll(np.eye(5) * 0.5, 1, axis=0)
    inverse, rank = factored(cycle)
    x, far = np.append(np.ones(5), 0.0), np.zeros(6)
    inverse.solve(inverse.everything, x, far)
    np.testing.assert_allclose(x[:5], 2.0)


def test_what_fills_in_is_given_up() -> None:
    rng = np.random.default_rng(3)
    matrix = (rng.random((1200, 1200)) < 0.01) * 0.05
    np.fill_diagonal(matrix, 0.0)
    assert triangles(*rows_of(matrix)) is None
