"""The block Krylov SVD against a dense one, and the identity of Fogaras 4."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array
from tests.similar.conftest import ordered_web

from periplus.errors import ParameterError
from periplus.rank import hits
from periplus.similar import lsi_links
from periplus.similar.lsi import out_matrix
from periplus.similar.svd import product, svd


def sparse(rows: int, columns: int, seed: int, density: float = 0.02) -> csr_array:
    """A matrix whose singular values fall as those of text do: a few topics, and noise."""
    rng = np.random.default_rng(seed)
    topics = rng.random((rows, 12)) ** 6 @ rng.random((12, columns)) ** 6
    noise = random_array((rows, columns), density=density, rng=rng).toarray()
    return csr_array(np.where(rng.random((rows, columns)) < 0.1, topics, 0) + noise, dtype=np.float32)


@pytest.mark.parametrize("shape", [(450, 700), (700, 450), (60, 2000), (2000, 60)])
@pytest.mark.parametrize("k", [1, 12, 30])
def test_singular_values_and_energy_are_those_of_a_dense_svd(shape: tuple[int, int], k: int) -> None:
    matrix = sparse(*shape, seed=k)
    exact = np.linalg.svd(matrix.toarray().astype(np.float64), compute_uv=False)
    found = svd(matrix, k)
    best = np.sum(exact[:k] ** 2)
    assert np.sum(found.values**2) == pytest.approx(best, rel=1e-3)
    assert np.sum(found.values**2) <= best * (1 + 1e-4)
    assert found.energy == pytest.approx(best / np.sum(exact**2), rel=1e-3)
    assert found.left.shape == (shape[0], k)
    assert found.right.shape == (shape[1], k)


@pytest.mark.parametrize("shape", [(450, 700), (700, 450), (50, 70)])
def test_the_product_of_the_three_is_the_best_approximation(shape: tuple[int, int]) -> None:
    matrix = sparse(*shape, seed=3)
    found = svd(matrix, 12, settled=1e-6)
    left, values, right = np.linalg.svd(matrix.toarray().astype(np.float64), full_matrices=False)
    exact = left[:, :12] * values[:12] @ right[:12]
    rest = np.linalg.norm(matrix.toarray() - (found.left * found.values) @ found.right.T)
    assert rest <= np.linalg.norm(matrix.toarray() - exact) * 1.0005
    for side in (found.left, found.right):
        assert np.allclose(side.T @ side, np.eye(12), atol=2e-4)


def test_k_beyond_the_rank_gives_the_rank() -> None:
    rng = np.random.default_rng(0)
    low = csr_array(rng.random((450, 5)) @ rng.random((5, 600)), dtype=np.float32)
    for matrix in (low, csr_array(low.T), low[:20]):
        found = svd(matrix, 40)
        assert len(found.values) == 5
        assert found.energy == pytest.approx(1, abs=1e-5)
        assert np.allclose((found.left * found.values) @ found.right.T, matrix.toarray(), atol=1e-3)


def test_nothing_has_no_singular_values() -> None:
    for shape in ((0, 0), (3, 0), (0, 3), (3, 4), (450, 500)):
        found = svd(csr_array(shape, dtype=np.float32), 3)
        assert (found.left.shape, found.right.shape) == ((shape[0], 0), (shape[1], 0))
    with pytest.raises(ParameterError, match="k = 0"):
        svd(sparse(10, 10, 0), 0)


def test_the_same_seed_gives_the_same_bits() -> None:
    matrix = sparse(450, 700, 5)
    first, again = svd(matrix, 10), svd(matrix, 10)
    assert np.array_equal(first.left, again.left)


def test_the_kernel_multiplies() -> None:
    matrix, columns = sparse(300, 500, 8), np.random.default_rng(1).random((500, 7), dtype=np.float32)
    assert np.allclose(product(matrix, columns), matrix @ columns, rtol=1e-4, atol=1e-4)
    assert product(csr_array((4, 500), dtype=np.float32), columns).tolist() == np.zeros((4, 7)).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_rank_one_is_hits(seed: int) -> None:
    """Fogaras 4: A₁ = σ₁ h aᵀ, with h and a the hubs and authorities of HITS."""
    graph, _, _ = ordered_web(60, 12, seed)
    scores = hits(graph)
    hubs, authorities = scores.extra["hubs"], scores.values
    found = svd(out_matrix(graph), 1)
    one = (found.left * found.values) @ found.right.T
    sigma = np.linalg.svd(out_matrix(graph).toarray(), compute_uv=False)[0]
    unit = [vector / np.linalg.norm(vector) for vector in (hubs, authorities)]
    assert np.allclose(one, sigma * np.outer(*unit), atol=1e-5)
    assert np.allclose(np.abs(lsi_links(graph, k=1).vectors[:, 0]), sigma * unit[0], atol=1e-5)
