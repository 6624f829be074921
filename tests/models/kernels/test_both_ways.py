"""Both directions in one pass against a set of pairs, and rows that promise to come out sorted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.graph import Graph
from periplus.models.generators.preferential import growth_only, preferential_attachment
from periplus.models.kernels import both_ways as module
from periplus.models.kernels.both_ways import FarEnds, both_ways

rows_of_pages = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=6), min_size=n, max_size=n)
)


def as_rows(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return offsets, np.array([page for row in rows for page in row], dtype=np.uint32)


def pairs(graph: Graph) -> list[tuple[int, int]]:
    return [(page, int(other)) for page in range(graph.nodes) for other in graph.successors(page)]


@settings(derandomize=True, max_examples=80, deadline=None)
@given(rows_of_pages, st.sampled_from([1, 1 << 28]), st.sampled_from(["1", "3"]))
def test_any_rows_become_the_set_of_both_directions(rows: list[list[int]], many: int, threads: str) -> None:
    expected = sorted({pair for a, row in enumerate(rows) for b in row for pair in ((a, b), (b, a))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MANY", many)  # 1: the way of the largest graphs
        patch.setenv("PERIPLUS_THREADS", threads)
        graph = both_ways(*as_rows(rows))
        assert pairs(graph) == expected
        assert graph.in_sources.tolist() == graph.out_targets.tolist()


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.integers(2, 20), st.integers(0, 2**32), st.booleans())
def test_triangles_come_out_sorted(n: int, bits: int, later: bool) -> None:
    chosen = np.random.default_rng(bits).random((n, n)) < 0.4
    chosen = np.triu(chosen, 1) if later else np.tril(chosen, -1)
    rows = [np.flatnonzero(row).tolist() for row in chosen]
    graph = both_ways(*as_rows(rows), "later" if later else "earlier")
    assert pairs(graph) == [(int(a), int(b)) for a, b in np.argwhere(chosen | chosen.T)]
    graph.check()


@pytest.mark.parametrize("few", [1, 1 << 22])
@pytest.mark.parametrize("far_ends", ["any", "earlier", "later"])
def test_links_across_many_pieces(few: int, far_ends: FarEnds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 2¹⁴ and of 2¹⁶ pages, the last of them short, against a sort of all pairs."""
    nodes, links = 150_000, 400_000
    monkeypatch.setattr(module, "_FEW", few)
    ends = np.unique(np.sort(np.random.default_rng(7).integers(0, nodes, (links, 2)), axis=1), axis=0)
    ends = ends[ends[:, 0] < ends[:, 1]]
    near, far = (ends[:, 1], ends[:, 0]) if far_ends == "earlier" else (ends[:, 0], ends[:, 1])
    order = np.lexsort((far, near))
    offsets = np.searchsorted(near[order], np.arange(nodes + 1))
    graph = both_ways(offsets, far[order].astype(np.uint32), far_ends)
    graph.check()
    assert graph == Graph.from_edges(np.concatenate((near, far)), np.concatenate((far, near)), nodes=nodes)


@pytest.mark.parametrize("m0", [1, 7, 8, 9, 79, 80, 81, 150])
def test_growth_with_wide_rows_keeps_different_earlier_pages(m0: int) -> None:
    for graph in (preferential_attachment(400, m0=m0, seed=3), growth_only(400, m0=m0, seed=3)):
        graph.check()
        assert graph.links == 2 * m0 * (400 - m0)
        assert all((graph.successors(page) < page).sum() == m0 for page in range(m0, 400))
