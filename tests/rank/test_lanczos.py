"""The eigensolver alone: multiple eigenvalues, restarts, locked vectors, exhausted spaces."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.rank.lanczos import lanczos, leading_eigenpairs, next_eigenpair


def symmetric(values: list[float], seed: int = 0) -> np.ndarray:
    basis = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(values), len(values))))[0]
    return basis @ np.diag(values) @ basis.T


def tight(value: float, second: float, residual: float) -> bool:
    return residual <= 1e-12 * value


def test_finds_the_projection_of_the_start_on_a_multiple_eigenvalue():
    matrix = symmetric([5.0] * 3 + [2.0, 1.0, 0.5] + [0.1] * 30)
    start = np.random.default_rng(1).random(36)
    pair = lanczos(lambda x: matrix @ x, start, tight)
    values, vectors = np.linalg.eigh(matrix)
    top = vectors[:, values > 4.9]
    wanted = top @ top.T @ start
    np.testing.assert_allclose(pair.vector, wanted / np.linalg.norm(wanted), atol=1e-10)
    assert pair.value == pytest.approx(5.0)


def test_many_restarts_still_converge_on_a_small_gap(monkeypatch):
    monkeypatch.setattr("periplus.rank.lanczos.basis_size", lambda dimension: 24)
    diagonal = np.linspace(0, 1, 1000)
    diagonal[-1] = 1.01
    pair = lanczos(lambda x: diagonal * x, np.ones(1000), tight, max_products=3000)
    assert pair.finished
    assert pair.products > 60, "no restart was tried"
    assert pair.vector[-1] == pytest.approx(1, abs=1e-10)
    assert pair.value == pytest.approx(1.01, abs=1e-12)


@pytest.mark.parametrize("size", [24, 40, 160])
@pytest.mark.parametrize("length", [1000, 40_000])
@pytest.mark.parametrize("top", [1.01, 1.5, 30.0])
def test_the_residual_reported_is_the_residual(size, length, top, monkeypatch):
    """Whether orthogonality was left to the recurrence or not, and over restarts."""
    monkeypatch.setattr("periplus.rank.lanczos.basis_size", lambda dimension: size)
    diagonal = np.linspace(0, 1, length)
    diagonal[-1] = top
    for tolerance in (1e-3, 1e-6, 1e-9, 1e-12):
        pair = lanczos(
            lambda x: diagonal * x, np.ones(length), lambda value, _, r, t=tolerance: r <= t * value, max_products=3000
        )
        measured = np.linalg.norm(diagonal * pair.vector - pair.value * pair.vector)
        assert measured == pytest.approx(pair.residual, rel=0.01, abs=2e-14 * top)
        assert abs(pair.value - top) <= pair.residual + 1e-14 * top
        assert pair.second <= np.sort(diagonal)[-2] * (1 + 1e-12)


def test_next_pair_is_orthogonal_and_meets_the_second_copy():
    matrix = symmetric([4.0, 4.0, 1.0] + [0.0] * 20)
    first = lanczos(lambda x: matrix @ x, np.ones(23), tight, rest=True)
    locked = first.vector[None, :]
    second = next_eigenpair(lambda x: matrix @ x, locked, first.rest, np.ones(23, bool), tight, 0, 100)
    assert second.value == pytest.approx(4.0)
    assert abs(second.vector @ first.vector) < 1e-12


def test_leading_pairs_come_sorted_with_their_multiplicity_and_stop_at_the_rank():
    matrix = symmetric([9.0, 4.0, 4.0, 4.0, 1.0] + [0.0] * 10)
    values, vectors, residuals, _ = leading_eigenpairs(lambda x: matrix @ x, np.ones(15), 12, 1e-12, 500)
    np.testing.assert_allclose(values, [9, 4, 4, 4, 1], atol=1e-9)
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(5), atol=1e-9)
    for value, vector, residual in zip(values, vectors, residuals, strict=True):
        assert np.linalg.norm(matrix @ vector - value * vector) <= residual + 1e-9


def test_stops_after_the_products_allowed():
    diagonal = np.linspace(0, 1, 5000)
    pair = lanczos(lambda x: diagonal * x, np.ones(5000), tight, max_products=7)
    assert pair.products == 7
    assert not pair.finished
