"""Sets that grow together, against sets of Python."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.numeric.unionfind import root


@pytest.mark.parametrize("kind", [np.uint32, np.int64])
def test_the_roots_tell_the_sets_apart(kind: type) -> None:
    rng = np.random.default_rng(1)
    parent, sets = np.arange(60).astype(kind), [{k} for k in range(60)]
    for a, b in rng.integers(0, 60, (45, 2)).tolist():
        parent[root(parent, a)] = root(parent, b)
        if sets[a] is not sets[b]:
            sets[a] |= sets[b]
            for member in sets[a]:
                sets[member] = sets[a]
        for member in range(60):
            assert (root(parent, member) == root(parent, a)) == (sets[member] is sets[a])


def test_a_long_path_is_halved() -> None:
    parent = np.maximum(np.arange(100) - 1, 0)
    assert root(parent, 99) == 0
    assert parent[99] == 97
    assert all(root(parent, place) == 0 for place in range(100))
