from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.numeric.pairs import ROWS, SHORT, count_buckets, group_pairs, merge_rows, sort_buckets, sort_row

columns = st.lists(st.integers(0, 2**32 - 1), max_size=120)


@given(columns, st.booleans())
@settings(max_examples=80, derandomize=True, deadline=None)
def test_sort_row_sorts_its_stretch_and_nothing_else(values: list[int], presorted: bool) -> None:
    inner = sorted(values) if presorted else values
    array = np.array([9, *inner, 1], np.uint32)
    sort_row(array, 1, len(array) - 1, np.empty(SHORT, np.uint32), np.empty(SHORT, np.uint32))
    assert array.tolist() == [9, *sorted(values), 1]


def test_grouping_keeps_the_order_within_a_bucket() -> None:
    rows = np.array([ROWS + 5, 3, 3, ROWS, 2**32 - 1], np.uint32)
    values = np.array([1, 2, 2**32 - 1, 4, 5], np.uint32)
    counts = np.zeros(ROWS, np.int64)
    assert count_buckets(rows, values, counts) == (2**32 - 1, 2**32 - 1)
    assert (counts[0], counts[1], counts[-1], counts.sum()) == (2, 2, 1, 5)
    cursors = np.cumsum(counts) - counts
    low, grouped = np.empty(5, np.uint16), np.empty(5, np.uint32)
    group_pairs(rows, values, cursors, low, grouped)
    assert low.tolist() == [3, 3, 5, 0, ROWS - 1]
    assert grouped.tolist() == [2, 2**32 - 1, 1, 4, 5]


def test_no_pairs_have_no_largest_row() -> None:
    assert count_buckets(np.empty(0, np.uint32), np.empty(0, np.uint32), np.zeros(1, np.int64)) == (-1, -1)


def test_sorting_unites_the_runs_of_two_buckets() -> None:
    low = np.array([1, 1, 0, 7, 7, 1], np.uint16)
    grouped = np.array([5, 4, 9, 3, 3, 5], np.uint32)
    starts = np.array([[0, 3, 4], [4, 5, 6]])  # run 0: 3 pairs of bucket 0, 1 of bucket 1; run 1: one of each
    degrees, kept_columns = np.zeros(2 * ROWS, np.uint32), np.empty(6, np.uint32)
    kept = sort_buckets(low, grouped, starts, degrees, kept_columns)
    assert kept_columns[:kept].tolist() == [9, 4, 5, 3, 5, 3]
    assert {row: int(degrees[row]) for row in np.flatnonzero(degrees)} == {0: 1, 1: 2, 7: 1, ROWS + 1: 1, ROWS + 7: 1}


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_merging_is_union_row_by_row(parts: int) -> None:
    random = np.random.default_rng(parts)
    rows = [[sorted(set(random.integers(0, 9, 4).tolist())) for _ in range(5)] for _ in range(parts)]
    part_degrees = np.array([[len(row) for row in part] for part in rows], np.uint32)
    flat = np.array([column for part in rows for row in part for column in row], np.uint32)
    degrees, merged = np.empty(5, np.uint32), np.empty(len(flat), np.uint32)
    kept = merge_rows(flat, part_degrees, degrees, merged)
    expected = [sorted(set().union(*(part[row] for part in rows))) for row in range(5)]
    assert degrees.tolist() == [len(row) for row in expected]
    assert merged[:kept].tolist() == [column for row in expected for column in row]
