"""The spectral rankings on real web graphs: what is known of them, and the bounds kept."""

from __future__ import annotations

import lzma

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds
from tests.conftest import data_path

from periplus.graph.graph import Graph
from periplus.rank import hits, hits_vector, indegree, overturn, rank_biased_overlap, salsa, simple_pagerank, stability
from periplus.rank.study.stability import random_perturbation
from periplus.record import rounded


def load(folder: str, name: str = "") -> Graph:
    path = data_path(folder) / f"{name}edges.tsv.xz"
    with lzma.open(path, "rt") as lines:
        ends = np.loadtxt(lines, dtype=np.int64)
    return Graph.from_edges(ends[:, 0], ends[:, 1])


@pytest.mark.parametrize("folder", ["kleinberg-california", "wb-cs-stanford"])
def test_hits_is_the_principal_singular_vector(folder):
    graph = load(folder)
    found = hits(graph)
    matrix = csr_array((np.ones(graph.links), graph.out_targets.astype(np.int64), graph.out_offsets))
    matrix.resize((graph.nodes, graph.nodes))
    hubs, values, authorities = svds(matrix, k=2, tol=1e-13, random_state=0)
    assert np.abs(found.values - np.abs(authorities[1])).sum() <= found.error_bound + 1e-9
    assert np.abs(found.extra["hubs"] - np.abs(hubs[:, 1])).sum() <= found.extra["hubs_error_bound"] + 1e-9
    gap = values[1] ** 2 - values[0] ** 2
    assert abs(found.extra["eigengap"] - gap) <= found.extra["eigengap_error"] + 1e-6


@pytest.mark.parametrize("query", ["vintage-cars", "amusement-parks", "randomized-algorithms"])
def test_hits_drifts_and_salsa_does_not(query):
    """Near to in-degree, as SALSA is, is not near to one tightly knit community."""
    graph = load("tsaparas-query-graphs", f"{query}.")
    counted = indegree(graph).values
    assert rank_biased_overlap(hits(graph).values, counted) < 0.3
    assert rank_biased_overlap(salsa(graph).values, counted) > 0.6


def test_ties_that_the_guide_tells_of():
    """docs/rankers.md: SALSA's place of the page most linked to, and the three that lead HITS together."""
    graph = load("tsaparas-query-graphs", "amusement-parks.")
    ranked, counted = salsa(graph), int(indegree(graph).best(1)[0])
    same = rounded(ranked.values) == rounded(ranked.values)[counted]
    better = rounded(ranked.values) > rounded(ranked.values)[counted]
    assert (int(better.sum()), int(same.sum()) - 1) == (462, 55)
    assert ranked.best(graph.nodes).tolist().index(counted) + 1 == 480
    graph = load("tsaparas-query-graphs", "randomized-algorithms.")
    best = rounded(hits(graph).values)
    assert np.count_nonzero(best == best.max()) == 3
    turned = overturn(graph)
    assert turned.lead == 0
    assert len(turned.changes) == 1


def test_theorem_9_on_the_stanford_web():
    graph = load("wb-cs-stanford")
    for share in (0.01, 0.1, 0.3):
        found = stability(graph, "pagerank", random_perturbation(graph, share=share))
        assert found.distance <= found.sharper_bound
        assert found.distance > 0


def test_simple_pagerank_of_the_stanford_core():
    graph = load("wb-cs-stanford")
    found = simple_pagerank(graph)
    assert found.extra["component"] > 2000
    assert found.residual <= 1e-9
    assert found.values.sum() == pytest.approx(1)


def test_simple_pagerank_of_the_core_of_cnr_2000():
    """112,023 pages that a walk without jumps crosses so slowly that thousands of passes do not settle it."""
    graph = load("cnr-2000")
    found = simple_pagerank(graph)
    assert found.extra["component"] == 112_023
    assert found.error_bound <= 1e-9
    assert found.residual <= 1e-14


@pytest.mark.parametrize("name", ["kleinberg-california", "wb-cs-stanford"])
@pytest.mark.parametrize("index", [1, 2, 5])
def test_further_vectors_come_within_the_usual_tolerance(name, index):
    assert hits_vector(load(name), index=index).error_bound <= 1e-7
