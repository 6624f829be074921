"""Near-duplicates against sets compared pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.library.audit.alike import alike


def likeness(first, second) -> float:
    a, b = set(first.tolist()), set(second.tolist())
    return len(a & b) / len(a | b)


def oracle(rows, threshold):
    """Every row against every row that is kept, by sets."""
    leaders, kept = [], []
    for at, row in enumerate(rows):
        near = [(likeness(row, rows[other]), -other) for other in kept if likeness(row, rows[other]) >= threshold]
        leaders.append(-max(near)[1] if near else at)
        if not near:
            kept.append(at)
    return leaders


@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.9, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_equals_the_comparison_of_all_pairs(seed: int, threshold: float) -> None:
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(60):
        if rows and random.random() < 0.6:  # a page made of an earlier one, with some of it changed
            base = rows[random.integers(len(rows))]
            kept = base[random.random(len(base)) > random.choice([0.0, 0.02, 0.1, 0.4])]
            made = np.concatenate((kept, random.integers(0, 400, random.integers(0, 4)).astype(np.uint64)))
        else:
            made = random.integers(0, 400, random.integers(1, 60)).astype(np.uint64)
        rows.append(np.unique(made))
    found = alike(rows, threshold=threshold)
    assert found.leaders.tolist() == oracle(rows, threshold)
    for at, leader in enumerate(found.leaders.tolist()):
        assert found.likeness[at] == likeness(rows[at], rows[leader])


def test_none_and_one() -> None:
    assert alike([]).leaders.tolist() == []
    assert alike([np.arange(3, dtype=np.uint64)]).leaders.tolist() == [0]
