"""Broder's reach experiment against the sets that networkx finds."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from tests.oracles.structure_graphs import random_graphs, to_networkx

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.structure.connectivity.reach import reach_experiment
from periplus.structure.connectivity.sweeps import as_bools, reach


def test_reached_pages_are_descendants_and_ancestors() -> None:
    for graph in random_graphs(60, seed=6):
        twin = to_networkx(graph)
        found = reach_experiment(graph, starts=10, seed=1)
        assert len(set(found.starts.tolist())) == min(10, graph.nodes)
        for page, forward, backward in zip(found.starts, found.forward, found.backward, strict=True):
            assert forward == 1 + len(nx.descendants(twin, int(page)))
            assert backward == 1 + len(nx.ancestors(twin, int(page)))


def test_sweeps_from_several_pages() -> None:
    for graph in random_graphs(40, seed=7):
        twin = to_networkx(graph)
        starts = [0, graph.nodes - 1]
        for forward, reached in ((True, nx.descendants), (False, nx.ancestors)):
            expected = set(starts).union(*(reached(twin, page) for page in starts))
            bits = reach(graph, starts, forward=forward)
            assert set(np.flatnonzero(as_bools(bits, graph.nodes)).tolist()) == expected


def test_a_cycle_explodes_both_ways() -> None:
    cycle = Graph.from_edges(np.arange(500), np.roll(np.arange(500), 1))
    assert reach_experiment(cycle, starts=20).exploding == (1.0, 1.0, 1.0)


def test_empty_graph_and_bad_number_of_starts() -> None:
    empty = Graph.from_edges([], [], 0)
    assert reach_experiment(empty).to_dict()["starts"] == 0
    with pytest.raises(ParameterError):
        reach_experiment(empty, starts=0)
