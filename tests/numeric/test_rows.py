from __future__ import annotations

import numpy as np
import pytest

from periplus.numeric.rows import count_loops, first_fault, kept_offsets, largest_count, log_gaps

OFFSETS, COLUMNS = np.array([0, 2, 2, 4]), np.array([0, 2, 0, 2], np.uint32)


def test_counts() -> None:
    assert count_loops(OFFSETS, COLUMNS) == 2
    assert largest_count(COLUMNS, 3) == 2
    assert largest_count(COLUMNS[:0], 3) == 0
    assert kept_offsets(OFFSETS, np.array([True, False, False, True])).tolist() == [0, 1, 1, 2]
    assert log_gaps(OFFSETS, COLUMNS) == pytest.approx(np.log2(1) + np.log2(3) + np.log2(3) + np.log2(3))


@pytest.mark.parametrize(
    ("offsets", "columns", "row"),
    [
        ([0, 2, 2, 4], [0, 2, 0, 2], -1),
        ([0, 2, 1, 4], [0, 2, 0, 2], 1),
        ([0, 2, 9, 4], [0, 2, 0, 2], 1),
        ([0, 2, 2, 4], [0, 2, 2, 2], 2),
        ([0, 2, 2, 4], [2, 0, 0, 2], 0),
        ([0, 2, 2, 4], [0, 3, 0, 2], 0),
    ],
)
def test_the_first_fault_is_found(offsets: list[int], columns: list[int], row: int) -> None:
    assert first_fault(np.array(offsets), np.array(columns, np.uint32)) == row
