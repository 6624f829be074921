"""Diameters against networkx; bounds that always hold."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from tests.conftest import data_path
from tests.oracles.structure_graphs import random_graphs, to_networkx

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.graph.formats import read_graph
from periplus.structure.connectivity.bowtie import bowtie
from periplus.structure.paths.diameter import diameter
from periplus.structure.paths.distances import distances


def cores(count: int, seed: int) -> list[Graph]:
    found = []
    for graph in random_graphs(count, seed=seed, largest=60):
        core = graph.subgraph(np.flatnonzero(bowtie(graph).regions == 1))
        found.append(core)
    return found


def test_exact_with_the_usual_budget() -> None:
    for core in cores(120, seed=21):
        found = diameter(core)
        assert found.exact
        assert found.lower == nx.diameter(to_networkx(core))


def test_bounds_hold_within_every_budget() -> None:
    exact = 0
    for core in cores(60, seed=22):
        truth = nx.diameter(to_networkx(core))
        for passes in (0, 4, 8, 40):
            found = diameter(core, budget=passes * core.links)
            assert found.lower <= truth <= found.upper
            assert found.links_read <= max(2 * core.links, (passes + 64) * core.links)
            exact += found.exact
    assert 0 < exact < 240, "some are closed within the budget, some are not"


@pytest.mark.parametrize("seed", range(6))
def test_pages_left_over_are_searched_64_at_a_time(seed: int) -> None:
    """Random digraphs of equal degrees: all pages are about as far out, and hardly any can be ruled out by bounds."""
    rng = np.random.default_rng(seed)
    pages = np.arange(700)
    sources = np.r_[pages, np.repeat(pages, 2)]
    core = Graph.from_edges(sources, np.r_[np.roll(pages, 1), rng.integers(0, 700, 1400)], 700)
    found = diameter(core)
    assert found.exact
    assert found.searches > 64
    assert found.lower == nx.diameter(to_networkx(core))


def test_a_cycle_and_nothing() -> None:
    cycle = Graph.from_edges(np.arange(500), np.roll(np.arange(500), 1))
    expected = {"lower": 499, "upper": 499, "exact": True, "searches": 2, "links_read": 1000}
    assert diameter(cycle).to_dict() == expected
    assert diameter(Graph.from_edges([], [], 0)).exact
    assert diameter(Graph.from_edges([], [], 1)).upper == 0


def test_what_is_not_strongly_connected_is_refused() -> None:
    with pytest.raises(ParameterError, match="strongly connected"):
        diameter(Graph.from_edges([0], [1]))
    with pytest.raises(ParameterError):
        diameter(Graph.from_edges([0, 1], [1, 0]), budget=-1)


def test_the_core_of_cnr_2000(cnr: Graph) -> None:
    core = cnr.subgraph(np.flatnonzero(bowtie(cnr).regions == 1))
    found = diameter(core)
    assert found.lower <= found.upper
    assert found.exact


@pytest.mark.parametrize(("name", "truth"), [("polblogs/polblogs.gml.xz", 8), ("wb-cs-stanford/edges.tsv.xz", 20)])
def test_cores_of_real_webs_are_exact(name: str, truth: int) -> None:
    folder, file = name.split("/")
    graph = read_graph(data_path(folder) / file)
    core = graph.subgraph(np.flatnonzero(bowtie(graph).regions == 1))
    assert distances(core, method="exact").diameter_lower == truth
    found = diameter(core)
    assert (found.lower, found.upper) == (truth, truth)
    assert found.links_read <= 200 * core.links
