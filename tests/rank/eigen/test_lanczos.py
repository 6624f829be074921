"""The eigensolver alone: multiple eigenvalues, restarts, locked vectors, exhausted spaces."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.rank.eigen.lanczos import Ritz, lanczos, leading_eigenpairs, noise


def symmetric(values: list[float], seed: int = 0) -> np.ndarray:
    basis = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(values), len(values))))[0]
    return basis @ np.diag(values) @ basis.T


def tight(ritz: Ritz) -> bool:
    return ritz.residual <= 1e-12 * ritz.value


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
    monkeypatch.setattr("periplus.rank.eigen.lanczos.basis_size", lambda dimension: 24)
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
    monkeypatch.setattr("periplus.rank.eigen.lanczos.basis_size", lambda dimension: size)
    diagonal = np.linspace(0, 1, length)
    diagonal[-1] = top
    for tolerance in (1e-3, 1e-6, 1e-9, 1e-12):
        pair = lanczos(
            lambda x: diagonal * x,
            np.ones(length),
            lambda ritz, t=tolerance: ritz.residual <= t * ritz.value,
            max_products=3000,
        )
        measured = np.linalg.norm(diagonal * pair.vector - pair.value * pair.vector)
        assert measured == pytest.approx(pair.ritz.residual, rel=0.01, abs=2e-14 * top)
        assert abs(pair.value - top) <= pair.ritz.residual + 1e-14 * top
        assert pair.ritz.second <= np.sort(diagonal)[-2] * (1 + 1e-12)


def test_next_pair_is_orthogonal_and_meets_the_second_copy():
    matrix = symmetric([4.0, 4.0, 1.0] + [0.0] * 20)
    first = lanczos(lambda x: matrix @ x, np.ones(23), tight, vectors=2)
    locked = first.vector[None, :]
    start = noise(np.ones(23, bool), seed=0) + first.vectors[1]
    second = lanczos(lambda x: matrix @ x, start, tight, locked=locked)
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


def test_what_a_run_has_not_seen_shows_in_its_residual():
    """(μ − θ) Π (μ − θ_j)/(θ − θ_j) |u·b| / w ≤ r for every eigenvalue μ above the first Ritz value, at every step."""
    rng, met = np.random.default_rng(7), 0
    for seed in range(60):
        values = np.sort(rng.random(40) ** rng.integers(1, 5) * 10)
        vectors = np.linalg.qr(rng.standard_normal((40, 40)))[0]
        matrix, start = vectors @ np.diag(values) @ vectors.T, np.random.default_rng(seed).standard_normal(40)
        start += 1e-4 * rng.standard_normal() * vectors[:, -1] - (vectors[:, -1] @ start) * vectors[:, -1]
        parts = np.abs(vectors.T @ start) / np.linalg.norm(start)

        def look(ritz: Ritz, values=values, parts=parts) -> bool:
            nonlocal met
            for value, part in zip(values, parts, strict=True):
                if value > ritz.value * (1 + 1e-9):
                    assert ritz.may_hide(value, part * (1 - 1e-6))
                    met += 1
            return False

        lanczos(lambda x, matrix=matrix: matrix @ x, start, look, max_products=25)
    assert met > 500


def test_nothing_hides_from_a_run_that_has_seen_all():
    diagonal = np.repeat([9.0, 5.0, 4.0, 1.0], 500)
    seen: list[Ritz] = []
    run = lanczos(lambda x: diagonal * x, noise(np.ones(2000, bool), 1), lambda ritz: seen.append(ritz))
    assert not run.ritz.may_hide(9.1, 1e-3)
    assert run.ritz.may_hide(8.9, 1e-3)
    assert seen[0].may_hide(9.1, 1e-6)


def test_a_second_vector_that_converges_first_does_not_spoil_the_basis():
    """Of two close eigenvalues the start sees the smaller one far better: the run finds it, then parts the two."""
    rng = np.random.default_rng(0)
    diagonal = 10 * rng.random(4000) ** 6
    diagonal[[0, 1]] = 30.0, 30.0 * (1 - 2e-5)
    start = rng.random(4000) + 0.01
    start[0] = 7e-4
    pair = lanczos(lambda x: diagonal * x, start, tight, max_products=300)
    assert pair.finished
    assert pair.value == pytest.approx(30.0, rel=1e-12)
    assert np.count_nonzero(pair.ritz.values > 29) == 2, "a third is a ghost of the other two"


def test_noise_meets_any_vector():
    """P(|u·noise| < ε/√N) ≤ 0.82 ε, for a vector of one page, of two, and of all; 20,000 draws."""
    pages = 400
    drawn = np.stack([noise(np.ones(pages, bool), seed) for seed in range(20_000)])
    for u in (np.eye(pages)[0], (np.eye(pages)[0] + np.eye(pages)[1]) / 2**0.5, np.full(pages, pages**-0.5)):
        part = np.abs(drawn @ u) * np.sqrt(pages)
        for least in (0.05, 0.2):
            assert np.mean(part < least) <= 0.82 * least + 3 * np.sqrt(0.82 * least / len(drawn))
