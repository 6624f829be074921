"""Orders whose runs do not depend on each other."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.rank.linear.sharing import in_parts, in_sides, shared_out


@pytest.mark.parametrize("trial", range(20))
def test_parts_do_not_depend_on_each_other(trial: int) -> None:
    rng = np.random.default_rng(trial)
    count = int(rng.integers(1, 200))
    ends = np.sort(rng.integers(0, count, (int(rng.integers(0, 2 * count)), 2)), axis=1)
    heads, tails = ends[ends[:, 0] < ends[:, 1]].T
    work = rng.random(count) ** 4
    places, parts = in_parts(work, heads, tails)
    assert sorted(places) == list(range(count))
    assert (places[heads] < places[tails]).all()  # still a topological order
    assert places[np.argmax(work)] == parts[1] - 1
    part = np.searchsorted(parts, places, side="right")
    beyond = part[heads] > 1
    assert (part[heads][beyond] == part[tails][beyond]).all()


def test_equal_groups_are_shared_out_evenly() -> None:
    """One large component feeds eight pairs: two pairs a part."""
    heads = np.array([0] * 8 + list(range(1, 16, 2)))
    tails = np.array([*range(1, 16, 2), *range(2, 17, 2)])
    _, parts = in_parts(np.array([100.0] + [1.0] * 16), heads, tails)
    assert parts.tolist() == [0, 1, 5, 9, 13, 17]


def test_loads_are_shared_out_largest_first() -> None:
    assert shared_out(np.array([1.0, 5.0, 2.0, 4.0]), 2).tolist() == [0, 0, 1, 1]
    assert shared_out(np.empty(0), 2).tolist() == []


def lines_of(ends: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *(len(line) for line in ends)])
    flat = np.array([end for line in ends for end in line], np.uint32)
    return offsets, flat, np.ones(len(flat))


@pytest.mark.parametrize("trial", range(20))
def test_no_entry_leads_from_side_to_side(trial: int) -> None:
    """Lines whose ends come later: mostly to the last few, some nearer by."""
    rng = np.random.default_rng(trial)
    size = int(rng.integers(64, 400))
    late = size - (size >> 4)
    ends = [
        sorted({int(rng.integers(max(place + 1, late), size))} | {place + 1} if rng.random() < 0.5 else set())
        for place in range(size - 1)
    ] + [[]]
    lower, upper = lines_of(ends), lines_of([line[:1] for line in ends])
    work, every = np.diff(lower[0]) + 1, np.arange(size)
    side = in_sides(work, every, every, lower, upper)
    heads = np.repeat(every, np.diff(lower[0]))
    assert (side[lower[1]] >= side[heads])[side[heads] == 2].all()  # nothing comes down from the top
    assert (side[lower[1]] == side[heads])[side[lower[1]] < 2].all()
    assert {0, 1, 2} == set(side.tolist())
    assert np.bincount(side, work).max() <= 2 / 3 * work.sum()


def test_what_hangs_together_is_not_divided() -> None:
    chain = lines_of([[place + 1] for place in range(99)] + [[]])
    assert set(in_sides(np.ones(100), np.arange(100), np.arange(100), chain, chain).tolist()) == {2}
