"""The whole study: its JSON, its edges, its page."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from tests.oracles.structure_graphs import letters
from tests.structure.connectivity.test_bowtie import FIXTURE

from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.structure.studies.report import figures, html_report
from periplus.structure.studies.study import study
from periplus.structure.studies.words import table


def web(nodes: int = 400) -> Graph:
    rng = np.random.default_rng(2)
    urls = UrlTable.from_urls([f"http://site{k // 100}.org/{k % 100:03d}" for k in range(nodes)])
    targets = (nodes * rng.random(4 * nodes) ** 3).astype(np.int64)
    return Graph.from_edges(rng.integers(0, nodes, 4 * nodes), targets, nodes, urls=urls)


def test_the_json_has_the_promised_shape() -> None:
    found = study(web(), pagerank=np.random.default_rng(0).pareto(1.2, 400) + 0.001).to_dict()
    assert {"count", "largest", "singletons"} <= set(found["scc"])
    assert {"count", "largest"} <= set(found["wcc"])
    assert {"scc", "in", "out", "tendrils", "tubes", "disconnected"} <= set(found["bowtie"])
    for kind in ("in_degree", "out_degree"):
        assert {"alpha", "xmin", "sigma", "p", "verdict"} <= set(found[kind])
        assert found[kind]["alpha"] > 1
        assert 0 <= found[kind]["p"] <= 1
    assert {"connected_share", "mean", "effective_diameter", "diameter_lower"} <= set(found["distances"])
    assert {"scc_sizes", "wcc_sizes", "pages_a_site", "pagerank"} == set(found["laws"])
    json.dumps(found, allow_nan=False)


def test_the_sixteen_links_in_json() -> None:
    found = study(letters(FIXTURE)[0]).to_dict()
    tie = found["bowtie"]
    assert [tie[name] for name in ("scc", "in", "out", "tendrils", "tubes", "disconnected")] == [4, 3, 2, 3, 1, 2]
    assert found["scc"]["largest"] == 4
    assert found["scc"]["count"] == 12
    assert found["wcc"] == {"count": 2, "largest": 13, "singletons": 0, "ties": 1}


def test_the_same_seed_gives_the_same_study() -> None:
    first, second = study(web(), seed=4).to_dict(), study(web(), seed=4).to_dict()
    first.pop("seconds")
    second.pop("seconds")
    assert first == second


EDGE_CASES = {
    "empty": Graph.from_edges([], [], 0),
    "one page": Graph.from_edges([], [], 1),
    "no links": Graph.from_edges([], [], 60),
    "a link to itself": Graph.from_edges([0], [0], 1),
    "one giant cycle": Graph.from_edges(np.arange(300), np.roll(np.arange(300), 1)),
    "two equal giants": Graph.from_edges([0, 1, 2, 3], [1, 0, 3, 2]),
    "undirected": Graph.from_edges([0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3], 6),
}


@pytest.mark.parametrize("name", EDGE_CASES)
def test_odd_graphs_are_studied_and_drawn(name: str) -> None:
    graph = EDGE_CASES[name]
    found = study(graph).to_dict()
    tie = found["bowtie"]
    assert sum(tie[region] for region in ("scc", "in", "out", "tendrils", "tubes", "disconnected")) == graph.nodes
    assert len(table(found)) > 15
    assert html_report(found, name=name).count("<svg") == 2 * len(figures(found))  # for a screen and for a phone


def test_two_equal_giants_are_stated() -> None:
    found = study(EDGE_CASES["two equal giants"]).to_dict()
    assert found["bowtie"]["equal_largest"] == 2
    assert "one of 2 equally large" in html_report(found, name="twins")
    rows = {row[0]: row[1] for row in table(found)}
    assert rows["equally large strong components"] == "2; the core is the one with the page of smallest id"
    assert "equally large strong components" not in {row[0] for row in table(study(web()).to_dict())}


def test_nothing_is_expected_of_a_web_without_paths() -> None:
    for name in ("empty", "no links"):
        names = {row[0] for row in table(study(EDGE_CASES[name]).to_dict())}
        assert "mean distance" in names
        assert not any("Albert" in name or "ten times" in name for name in names)


def test_the_small_world_stands_beside_both_comparisons() -> None:
    found = study(web()).to_dict()
    rows = {row[0]: row[1] for row in table(found)}
    for figure in ("clustering", "path length, links both ways"):
        assert re.fullmatch(r"[\d.e-]+; random graph [\d.e-]+, Watts–Strogatz [\d.e-]+", rows[figure])
    drawn = {one.name: one for one in figures(found)}["small_world"]
    assert "mall world" in drawn.svg
    assert "Watts–Strogatz" in drawn.csv


def test_the_page_is_self_contained() -> None:
    page = html_report(study(web()).to_dict(), name="a <b> & web")
    assert "a &lt;b&gt; &amp; web" in page
    assert "<script" not in page
    assert "style=" not in page
    references = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert references
    assert all(link.startswith("data:text/csv;base64,") for link in references)
    assert "27.7 %" in page, "Broder's figures stand beside ours"


def test_titles_state_the_findings() -> None:
    drawn = {one.name: one.svg for one in figures(study(web()).to_dict())}
    assert "of the pages form the core" in drawn["bowtie"]
    assert re.search(r"exponent \d\.\d", drawn["in_degree"])
    assert "clicks long on average" in drawn["distances"]


@pytest.mark.long
def test_cnr_2000_whole(cnr: Graph) -> None:
    found = study(cnr).to_dict()
    assert found["scc"]["count"] == 100_977
    assert found["distances"]["mean"] == pytest.approx(17.5, abs=0.8)


def test_progress_is_told_the_parts_as_they_begin() -> None:
    told: list[str] = []
    found = study(Graph.from_edges([0, 1, 2], [1, 2, 0], 4), fast=True, progress=told.append)
    assert told == list(found.seconds)
    assert told[0] == "components"
