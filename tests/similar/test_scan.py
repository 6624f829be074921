"""The exact scan against numpy, in float32 and through int8."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.similar.scan import Scan


def vectors(rows: int, k: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    made = rng.standard_normal((rows, k)).astype(np.float32)
    return made[rng.integers(0, rows // 20, rows)] + 0.3 * made  # clusters, as of subjects


@pytest.mark.parametrize("exact", [10**6, 100])
@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_are_those_of_a_full_sort(exact: int, seed: int) -> None:
    found = vectors(3000, 48, seed)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    scan = Scan(found, exact=exact)
    for page in (0, 17, 2999):
        near, cosines = scan.best(found[page], 10)
        expected = np.argsort(-(unit.astype(np.float64) @ unit[page]), kind="stable")[:10]
        assert near.tolist() == expected.tolist()
        assert cosines == pytest.approx((unit[expected] @ unit[page]).tolist(), abs=1e-5)


def test_ties_come_by_id_and_nothing_is_near_a_vector_of_zeros() -> None:
    scan = Scan(np.array([[1, 0], [0, 1], [2, 0], [0, 0], [1, 0]], dtype=np.float32))
    assert scan.best(np.array([3.0, 0.0]), 2)[0].tolist() == [0, 2]
    assert scan.best(np.array([3.0, 0.0]), 9)[0].tolist() == [0, 2, 4]
    assert len(scan.best(np.zeros(2), 3)[0]) == 0
    assert len(Scan(np.zeros((3, 2)), exact=0).best(np.ones(2), 3)[0]) == 0
    assert len(Scan(np.zeros((0, 2))).best(np.ones(2), 3)[0]) == 0
