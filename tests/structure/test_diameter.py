"""Diameters against networkx; bounds that always hold."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from tests.oracles.structure_graphs import random_graphs, to_networkx

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.structure.bowtie import bowtie
from periplus.structure.diameter import diameter


def cores(count: int, seed: int) -> list[Graph]:
    found = []
    for graph in random_graphs(count, seed=seed, largest=60):
        core = graph.subgraph(np.flatnonzero(bowtie(graph).regions == 1))
        found.append(core)
    return found


def test_exact_after_enough_rounds() -> None:
    for core in cores(120, seed=21):
        found = diameter(core, rounds=100)
        assert found.exact
        assert found.lower == nx.diameter(to_networkx(core))


def test_bounds_hold_after_every_number_of_rounds() -> None:
    for core in cores(60, seed=22):
        truth = nx.diameter(to_networkx(core))
        for rounds in (1, 2, 4):
            found = diameter(core, rounds=rounds)
            assert found.lower <= truth <= found.upper
            assert found.searches <= 2 * rounds


def test_a_cycle_and_nothing() -> None:
    cycle = Graph.from_edges(np.arange(500), np.roll(np.arange(500), 1))
    assert diameter(cycle).to_dict() == {"lower": 499, "upper": 499, "exact": True, "searches": 2}
    assert diameter(Graph.from_edges([], [], 0)).exact
    assert diameter(Graph.from_edges([], [], 1)).upper == 0


def test_what_is_not_strongly_connected_is_refused() -> None:
    with pytest.raises(ParameterError, match="strongly connected"):
        diameter(Graph.from_edges([0], [1]))
    with pytest.raises(ParameterError):
        diameter(Graph.from_edges([0, 1], [1, 0]), rounds=0)


def test_the_core_of_cnr_2000(cnr: Graph) -> None:
    core = cnr.subgraph(np.flatnonzero(bowtie(cnr).regions == 1))
    found = diameter(core)
    assert found.lower <= found.upper
    assert found.exact
