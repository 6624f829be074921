"""The columns in which two graphs differ, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.graph import Graph
from periplus.rank.updating.edits import edits


def dense(graph: Graph, nodes: int, damping: float) -> np.ndarray:
    """α Hᵀ, with the graph's pages among `nodes`."""
    matrix = np.zeros((nodes, nodes))
    for page in range(graph.nodes):
        row = graph.successors(page)
        matrix[row, page] = damping / max(len(row), 1)
    return matrix


def two_graphs(rng: np.random.Generator, nodes: int, more: int) -> tuple[Graph, Graph, np.ndarray]:
    """A graph, the same with three pages' links drawn again and some new pages, and the pages that differ."""
    before = Graph.from_edges(rng.integers(0, nodes, 4 * nodes), rng.integers(0, nodes, 4 * nodes), nodes)
    pages = np.sort(rng.choice(nodes, 3, replace=False))
    sources, targets = np.repeat(np.arange(nodes), before.out_degrees), before.out_targets.astype(np.int64)
    drawn = np.isin(sources, pages) & (rng.random(len(sources)) < 0.5)
    targets[drawn] = rng.integers(0, nodes + more, np.count_nonzero(drawn))
    new = np.arange(nodes, nodes + more)
    after = Graph.from_edges(np.append(sources, new), np.append(targets, new - 1), nodes + more)
    return before, after, np.append(pages, new).astype(np.uint32)


@pytest.mark.parametrize("trial", range(20))
def test_the_columns_are_the_difference_of_the_matrices(trial: int) -> None:
    rng = np.random.default_rng(trial)
    before, after, pages = two_graphs(rng, 20, trial % 3)
    found = edits(before, after, pages, 0.85)
    difference = dense(after, after.nodes, 0.85) - dense(before, after.nodes, 0.85)
    amounts, result = rng.random(len(pages)) - 0.5, np.zeros(after.nodes)
    found.spread(amounts, result)
    bound = found.moved(amounts)
    np.testing.assert_allclose(result, difference[:, pages] @ amounts, atol=1e-15)
    assert np.abs(result).sum() <= bound + 1e-15
    assert len(found.targets) == np.count_nonzero(difference[:, pages])


def test_links_that_stay_are_no_entries() -> None:
    before = Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 0], 5)
    after = Graph.from_edges([0, 0, 0, 1], [1, 2, 4, 0], 5)
    found = edits(before, after, np.array([0, 1], np.uint32), 0.9)
    assert found.targets.tolist() == [3, 4]
    assert found.shares.tolist() == pytest.approx([-0.3, 0.3])
    assert found.offsets.tolist() == [0, 2, 2]
    assert found.differing == 1
    assert edits(before, before, np.empty(0, np.uint32), 0.9).moved(np.empty(0)) == 0.0
