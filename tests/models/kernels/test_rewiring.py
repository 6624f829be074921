"""Moved links found on all threads against the round robin itself, link by link."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.models.generators.small_world import watts_strogatz
from periplus.models.kernels import rewiring
from periplus.models.kernels.rewiring import rewired
from periplus.numeric.random import below_at, stream_key, uniform_at


def by_turns(n: int, half: int, p: float, seed: int) -> tuple[list[tuple[int, int]], set[tuple[int, int]]]:
    """The definition: all pages in turn for step 1, then for step 2 …; pairs are kept in a set."""
    ends = {(i, j): (i + j) % n for j in range(1, half + 1) for i in range(n)}
    pairs = {frozenset((i, far)) for (i, _), far in ends.items()}
    moved, coin = [], np.uint64(stream_key(seed, 0))
    for j in range(1, half + 1):
        for i in range(n):
            if uniform_at(coin, i * half + j - 1) >= p:
                continue
            key = np.uint64(stream_key(seed, i * half + j))
            tried = (below_at(key, attempt, n) for attempt in range(16 * n))
            far = next((far for far in tried if far != i and frozenset((i, far)) not in pairs), None)
            if far is not None:
                pairs.remove(frozenset((i, ends[i, j])))
                pairs.add(frozenset((i, far)))
                ends[i, j] = far
                moved.append((i, j))
    return sorted(moved), {(min(pair), max(pair)) for pair in pairs}


def links(n: int, half: int, p: float, seed: int) -> set[tuple[int, int]]:
    graph = watts_strogatz(n, d=2 * half, p=p, seed=seed)
    graph.check()
    return {(page, int(other)) for page in range(n) for other in graph.successors(page) if page < other}


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(1, 3), st.integers(64, 80), st.sampled_from([0.0, 0.05, 0.5, 1.0]), st.integers(0, 2**40))
def test_sparse_lattices_are_rewired_as_by_turns(half: int, times: int, p: float, seed: int) -> None:
    n = half * times
    moved, pairs = by_turns(n, half, p, seed)
    near, steps, starts = rewired(n, half, p, seed)[0]
    assert list(zip(near.tolist(), steps.tolist(), strict=True)) == moved
    assert starts.tolist() == np.searchsorted([i for i, _ in moved], np.arange(n + 1)).tolist()
    assert links(n, half, p, seed) == pairs


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 30), st.sampled_from([0.1, 0.6, 1.0]), st.integers(0, 2**40))
def test_dense_lattices_are_rewired_as_by_turns(half: int, more: int, p: float, seed: int) -> None:
    n = 2 * half + more
    assert links(n, half, p, seed) == by_turns(n, half, p, seed)[1]


def test_links_that_fall_together_are_among_the_cases() -> None:
    """Else the tests above would not see how they give way: first draws differ from the end in most such graphs."""
    differ = 0
    for seed in range(20):
        first = rewiring._drawn(512, 4, 1.0, seed)[1]
        end = rewiring._one_by_one(512, 4, 1.0, seed)[1]
        assert len(first) == len(end)
        differ += bool((first != end).any())
    assert differ > 15


@pytest.mark.parametrize("threads", ["1", "3"])
def test_pieces_and_threads_do_not_matter(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = watts_strogatz(30_000, d=6, p=0.4, seed=3)
    monkeypatch.setenv("PERIPLUS_THREADS", threads)
    monkeypatch.setattr(rewiring, "_LINKS_A_PIECE", 1000)
    monkeypatch.setattr(rewiring, "_ROWS_A_PIECE", 777)
    assert watts_strogatz(30_000, d=6, p=0.4, seed=3) == whole
