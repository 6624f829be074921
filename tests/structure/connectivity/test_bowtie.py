"""The bow-tie: the fixture of 16 links, hundreds of random graphs by definition, and Broder's counts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.structure_graphs import bowtie_by_definition, composed_bowtie, letters, random_graphs

from periplus.graph import Graph
from periplus.structure.connectivity.bowtie import REGION_NAMES, REGION_WORDS, bowtie, regions

FIXTURE = "A>B B>C C>D C>A C>G E>F G>C G>H I>H I>K L>D M>A M>N N>D O>A P>G"
BRODER = {"scc": 56_463_993, "in": 43_343_168, "out": 43_166_185, "tendrils": 43_797_944, "disconnected": 16_777_756}


def test_the_sixteen_links() -> None:
    graph, ids = letters(FIXTURE)
    tie = bowtie(graph)
    named = {name: {letter for letter, page in ids.items() if tie.region(page) == name} for name in REGION_NAMES}
    assert named == {
        "scc": set("ABCG"),
        "in": set("MOP"),
        "out": set("DH"),
        "tubes": {"N"},
        "tendrils_from_in": set(),
        "tendrils_into_out": set("IL"),
        "tendrils_other": {"K"},
        "disconnected": set("EF"),
    }
    assert {name: tie.to_dict()[name] for name in ("scc", "in", "out", "tendrils", "tubes", "disconnected")} == {
        "scc": 4, "in": 3, "out": 2, "tendrils": 3, "tubes": 1, "disconnected": 2,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_random_graphs_by_definition(seed: int) -> None:
    methods = set()
    for graph in random_graphs(150, seed=seed, largest=30):
        tie = bowtie(graph)
        methods.add(tie.found_by)
        expected = bowtie_by_definition(graph)
        found = {name: set(np.flatnonzero(tie.regions == code).tolist()) for code, name in enumerate(REGION_NAMES)}
        assert found == expected
        assert np.array_equal(regions(graph), tie.regions)
        assert sum(tie.counts.values()) == graph.nodes
    assert methods == {"sweeps", "components"}, "both ways of finding the core must have been taken"


@pytest.mark.parametrize("scale", [1 / 5000, 1 / 300])
def test_a_web_composed_to_broders_counts_returns_them(scale: float) -> None:
    sizes = {name: round(count * scale) for name, count in BRODER.items()}
    graph, truth = composed_bowtie(sizes, seed=7)
    tie = bowtie(graph)
    assert np.array_equal(tie.regions, truth)
    measured = tie.to_dict()
    assert {"scc": measured["scc"], "in": measured["in"], "out": measured["out"]} == {
        name: sizes[name] for name in ("scc", "in", "out")
    }
    assert measured["tendrils"] + measured["tubes"] == sizes["tendrils"]
    assert measured["disconnected"] == sizes["disconnected"]


def test_turning_all_links_round_swaps_in_and_out() -> None:
    for graph in random_graphs(60, seed=11):
        if (tie := bowtie(graph)).ties > 1:
            continue
        sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
        turned = bowtie(Graph.from_edges(graph.out_targets, sources, graph.nodes))
        assert turned.counts["in"] == tie.counts["out"]
        assert turned.counts["tendrils_from_in"] == tie.counts["tendrils_into_out"]
        assert turned.counts["tubes"] == tie.counts["tubes"]


def test_empty_graph_and_no_links() -> None:
    assert bowtie(Graph.from_edges([], [], 0)).to_dict()["scc"] == 0
    tie = bowtie(Graph.from_edges([], [], 5))
    assert tie.counts["scc"] == 1
    assert tie.counts["disconnected"] == 4
    assert (tie.core_page, tie.ties) == (0, 5)


def test_one_giant_cycle_is_all_core() -> None:
    pages = np.arange(50_000)
    tie = bowtie(Graph.from_edges(pages, np.roll(pages, 1)))
    assert tie.counts["scc"] == 50_000
    assert tie.ties == 1


def test_of_two_equal_giants_the_one_with_the_smallest_page_is_the_core() -> None:
    first, second = np.arange(1, 101, 2), np.arange(0, 100, 2)
    ring = [np.r_[first, second], np.r_[np.roll(first, 1), np.roll(second, 1)]]
    graph = Graph.from_edges(np.r_[ring[0], 51], np.r_[ring[1], 50], 100)
    tie = bowtie(graph)
    assert tie.ties == 2
    assert tie.core_page == 0
    assert tie.counts["scc"] == 50
    assert tie.counts["in"] == 50


def test_undirected_input_has_no_wings() -> None:
    graph = Graph.from_edges([0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3], 6)
    assert bowtie(graph).to_dict()["scc"] == 3
    assert bowtie(graph).counts["disconnected"] == 3


def test_cnr_2000(cnr: Graph) -> None:
    tie = bowtie(cnr)
    assert tie.counts["scc"] == 112_023
    assert tie.counts["disconnected"] == 0
    assert sum(tie.counts.values()) == 325_557


def test_every_region_has_words() -> None:
    assert len(REGION_WORDS) == len(REGION_NAMES)
