"""Pushes from the last id down: one round on a graph that grew, and the exact residual on any other."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.graph import Graph
from periplus.rank.updating.forward import settle


def test_a_graph_that_grew_is_settled_in_one_round_and_only_below_the_change() -> None:
    rng = np.random.default_rng(2)
    sources = rng.integers(1, 300, 1500)
    graph = Graph.from_edges(sources, (rng.random(1500) * sources).astype(np.int64), 300)
    residual = np.zeros(300)
    residual[40] = 1.0
    settled = settle(graph, np.zeros(300), residual, 0.85, 1e-12)
    assert settled.rounds == 1
    assert settled.links_read <= graph.out_offsets[41]


@pytest.mark.parametrize("trial", range(10))
def test_what_is_taken_and_what_is_left_add_up_to_the_residual(trial: int) -> None:
    """values − α Hᵀ values + left = residual, cycles or not, settled or given up."""
    rng = np.random.default_rng(trial)
    graph = Graph.from_edges(rng.integers(0, 50, 200), rng.integers(0, 50, 200), 50)
    values, residual = np.zeros(50), rng.random(50) - 0.5
    wanted = residual.copy()
    settled = settle(graph, values, residual, 0.85, 1e-3)
    matrix = np.zeros((50, 50))
    for page in range(50):
        matrix[graph.successors(page), page] = 0.85 / max(graph.out_degrees[page], 1)
    np.testing.assert_allclose(values - matrix @ values + residual, wanted, atol=1e-14)
    assert settled.left == pytest.approx(np.abs(residual).sum())
