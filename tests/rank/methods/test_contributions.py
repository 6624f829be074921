"""Contributions against the dense inverse, within the bound that is certified, for graphs of every shape."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.rank.methods.contributions import contributions


def dense(graph: Graph, damping: float) -> np.ndarray:
    """(1−α)(I − αP)⁻¹; rows of pages without links are zero."""
    links = np.zeros((graph.nodes, graph.nodes))
    links[graph.sources, graph.out_targets] = 1.0
    walk = links / np.maximum(links.sum(axis=1, keepdims=True), 1)
    return (1 - damping) * np.linalg.inv(np.eye(graph.nodes) - damping * walk)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("tolerance", [1e-2, 1e-5])
def test_each_value_is_within_the_bound(seed: int, tolerance: float) -> None:
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(1, 60))
    links = int(rng.integers(0, 5 * nodes))
    graph = Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)
    damping = float(rng.choice([0.0, 0.5, 0.85, 0.95]))
    wanted = dense(graph, damping)
    for page in range(0, nodes, 7):
        found = contributions(graph, page, damping=damping, tolerance=tolerance)
        gap = wanted[:, page] - found.values
        assert found.error_bound <= tolerance
        assert gap.min() >= -1e-12
        assert gap.max() <= found.error_bound + 1e-12


def test_work_is_bounded_and_the_bound_says_what_was_left() -> None:
    nodes = 2000
    graph = Graph.from_edges(np.arange(1, nodes), np.zeros(nodes - 1, int), nodes)
    found = contributions(graph, 0, most=100)
    assert found.links_read == 0
    assert found.error_bound == 1.0
    whole = contributions(graph, 0)
    assert whole.values[1:] == pytest.approx(0.85 * 0.15, abs=whole.error_bound)


@pytest.mark.parametrize("given", [{"page": 3}, {"page": -1}, {"tolerance": 0.0}, {"most": 0}, {"damping": 1.0}])
def test_bad_parameters_are_refused(given: dict) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], 3)
    with pytest.raises(ParameterError):
        contributions(graph, **{"page": 0, **given})
