"""Tall inner products: the pieces give what BLAS gives, on both sides of the size where they take over."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.rank.eigen.basis import LONG, combine, inner, remove, scale


@pytest.mark.parametrize("length", [1, LONG - 1, LONG, LONG + 1, 3 * LONG + 7])
def test_pieces_agree_with_blas(length):
    rng = np.random.default_rng(length)
    rows, vector = rng.standard_normal((3, length)), rng.standard_normal(length)
    along = inner(rows, vector)
    np.testing.assert_allclose(along, rows @ vector, atol=1e-9)
    wanted = vector - along @ rows
    norm = remove(along, rows, vector)
    np.testing.assert_allclose(vector, wanted, atol=1e-8)
    assert norm == pytest.approx(np.linalg.norm(vector))
    mixtures = rng.standard_normal((2, 3))
    mixed = combine(mixtures, rows)
    np.testing.assert_allclose(mixed, mixtures @ rows, atol=1e-12)
    assert np.array_equal(combine(mixtures[:1], rows), mixed[:1]), "the same with another beside it"
    scaled = vector.copy()
    scale(scaled, -0.25)
    assert np.array_equal(scaled, -0.25 * vector)


def test_the_same_whatever_the_number_of_threads():
    from numba import get_num_threads, set_num_threads

    rng = np.random.default_rng(0)
    rows, vector = rng.standard_normal((4, 5 * LONG)), rng.standard_normal(5 * LONG)
    before = get_num_threads()
    try:
        answers = []
        for threads in (1, before):
            set_num_threads(threads)
            answers.append(inner(rows, vector))
    finally:
        set_num_threads(before)
    assert np.array_equal(*answers)
