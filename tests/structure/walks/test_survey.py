"""The survey by walks against the counts of the whole web."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import data_path

from periplus.graph import Graph
from periplus.graph.formats import read_graph
from periplus.graph.urls.table import UrlTable
from periplus.structure.studies.words import survey_words
from periplus.structure.walks.sampling import sample
from periplus.structure.walks.shares import Walks
from periplus.structure.walks.survey import NO_DOMAIN, survey, top_level_domain


def web() -> Graph:
    rng = np.random.default_rng(4)
    ends = ["com"] * 500 + ["edu"] * 300 + ["org"] * 200
    urls = UrlTable.from_urls([f"http://h{k % 50}.example.{end}:80/{k}" for k, end in enumerate(ends)])
    ring = np.arange(1000)
    sources, targets = rng.integers(0, 1000, (2, 4000))
    return Graph.from_edges(np.r_[sources, ring], np.r_[targets, np.roll(ring, 1)], 1000, urls=urls)


def test_domains_and_links_a_page_are_within_their_intervals() -> None:
    graph = web()
    found = survey(graph, seed=2)
    assert (found.pages, found.components, found.walked, found.others) == (1000, 1, 1000, "none")
    truth = {".com": 0.5, ".edu": 0.3, ".org": 0.2}
    assert list(found.domains) == [".com", ".edu", ".org"]
    for name, share in truth.items():
        half = (found.domains[name].high - found.domains[name].low) / 2
        assert abs(found.domains[name].value - share) <= 1.6 * half
    half = (found.links_a_page.high - found.links_a_page.low) / 2
    assert abs(found.links_a_page.value - graph.links / graph.nodes) <= 1.6 * half
    assert found.dangling.value == 0.0


def test_without_urls_and_with_one_page() -> None:
    alone = survey(Graph.from_edges([], [], 1))
    assert alone.domains == {}
    assert (alone.components, alone.others) == (0, "all")
    assert (
        survey_words(alone.to_dict())
        == "Shares of all 1 pages, by 1 visits: 1 pages of small components all looked at."
    )
    assert alone.links_a_page.value == 0.0
    assert (alone.dangling.value, alone.dangling.low, alone.dangling.high) == (1.0, 1.0, 1.0)


def test_two_cliques_joined_by_one_link_mix_slowly() -> None:
    first = [(a, b) for a in range(40) for b in range(40) if a != b]
    pairs = np.array([*first, *((a + 40, b + 40) for a, b in first), (0, 40)])
    found = survey(Graph.from_edges(pairs[:, 0], pairs[:, 1]), visits=20)
    assert found.mixing is not None
    assert found.mixing.visits > 1000


@pytest.mark.parametrize("name", ["kleinberg-california", "polblogs", "wb-cs-stanford"])
@pytest.mark.filterwarnings("ignore:.*of another")  # one URL of this web stands twice
def test_shares_are_those_of_all_pages_of_real_webs(name: str) -> None:
    """Webs of hundreds of components, whose largest alone would answer 19 % where 48 % of all pages have no links."""
    files = {"polblogs": "polblogs.gml.xz"}
    graph = read_graph(data_path(name) / files.get(name, "edges.tsv.xz"))
    links, without = graph.links / graph.nodes, float((graph.out_degrees == 0).mean())
    out = graph.out_degrees.tolist()
    inside = np.zeros(2)
    for seed in range(60):
        seen = sample(graph, walks=400, visits=20, seed=seed)
        for at, share, truth in (
            (0, seen.mean(lambda page: float(out[page])), links),
            (1, seen.share(lambda page: not out[page]), without),
        ):
            inside[at] += share.low <= truth <= share.high
    assert inside.min() >= 0.85 * 60, "of sixty runs, fewer than 51 would be met in one of 500 if 95 % hold"
    assert survey(graph).to_dict()["of"] == f"all {graph.nodes:,} pages"


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://www.example.org/a.b", ".org"), ("https://example.co.uk:80/", ".uk"), ("http://u@example.net.", ".net"),
        ("http://127.0.0.1:8080/x", NO_DOMAIN), ("http://[::1]:80/", NO_DOMAIN), ("http://[2001:db8::1]/", NO_DOMAIN),
        ("example.com/blog", ".com"),
    ],
)  # fmt: skip
def test_ip_addresses_are_in_no_domain(url: str, domain: str) -> None:
    assert top_level_domain(url) == domain


def test_the_interval_of_a_mean_holds_no_negative_number() -> None:
    """Two walks that disagree as much as they can, where mean ± t·s would begin at −28."""
    found = Walks([["few"] * 5, ["many"] * 5, ["few"] * 5], [[1] * 5] * 3, 15, 15).mean(
        lambda page: 45.0 if page == "many" else 0.0
    )
    assert 0.0 < found.low < found.value < found.high
    nothing = Walks([["few"] * 5] * 2, [[1] * 5] * 2, 10, 10).mean(lambda page: 0.0)
    assert (nothing.low, nothing.value, nothing.high) == (0.0, 0.0, 0.0)
