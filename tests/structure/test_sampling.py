"""WebWalker: uniform in the long run, intervals that keep their promise, the gap against dense eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.structure.sampling import mixing, sample, sample_live, tally
from periplus.structure.undirected import undirected


def web(nodes: int = 1500, seed: int = 5) -> Graph:
    """A connected web with a hub of 300 links: the plain walk would see the hub far too often."""
    rng = np.random.default_rng(seed)
    ring = np.arange(nodes)
    sources = np.r_[rng.integers(0, nodes, 3 * nodes), np.zeros(300, np.int64), ring]
    targets = np.r_[rng.integers(0, nodes, 3 * nodes), rng.integers(0, nodes, 300), (ring + 1) % nodes]
    return Graph.from_edges(sources, targets, nodes)


def known_property(graph: Graph) -> np.ndarray:
    """True more often for pages with many links, so that a sample biased by degree would be caught."""
    degrees = np.diff(undirected(graph)[0])
    return (degrees > 8) | (np.random.default_rng(1).random(graph.nodes) < 0.2)


def coverage(graph: Graph, runs: int, **options: int) -> float:
    marked = known_property(graph)
    truth = marked.mean()
    inside = 0
    for seed in range(runs):
        share = sample(graph, seed=seed, **options).mean(lambda page: float(marked[page]))
        inside += share.low <= truth <= share.high
    return inside / runs


def test_intervals_cover_the_truth_93_to_97_percent_of_400_runs() -> None:
    assert 0.93 <= coverage(web(), 400, walks=40, visits=60, mixing=150) <= 0.97


@pytest.mark.long
@pytest.mark.parametrize("nodes", [3000, 20_000])
def test_coverage_on_larger_webs(nodes: int) -> None:
    assert 0.93 <= coverage(web(nodes, seed=9), 400, walks=60, visits=100, mixing=300) <= 0.97


def test_visits_weighted_by_stay_are_uniform_over_pages() -> None:
    graph = web(40, seed=2)
    degrees = np.diff(undirected(graph)[0])
    found = sample(graph, walks=4000, visits=1, mixing=400, seed=3)
    visits = np.bincount([seen[0] for seen in found.pages], minlength=40)
    # A visit is as likely as the degree; undone by the stay, 1/degree, every page is as likely as any other.
    assert chisquare(visits, degrees / degrees.sum() * visits.sum()).pvalue > 0.001
    weights = visits / degrees
    assert np.corrcoef(weights, degrees)[0, 1] < 0.4


def test_live_and_stored_walks_agree_and_pages_are_fetched_once() -> None:
    graph = web(300, seed=4)
    offsets, neighbours = undirected(graph)
    fetched: list[int] = []

    def fetch(page: int) -> list[int]:
        fetched.append(page)
        return neighbours[offsets[page] : offsets[page + 1]].tolist()

    marked = known_property(graph)
    live = sample_live(fetch, 7, walks=30, visits=60, mixing=100, seed=1).mean(lambda page: float(marked[page]))
    stored = sample(graph, start=7, walks=30, visits=60, mixing=100, seed=1).mean(lambda page: float(marked[page]))
    assert len(fetched) == len(set(fetched))
    assert abs(live.value - stored.value) <= (live.high - live.low) / 2 + (stored.high - stored.low) / 2


def test_self_loops_are_skipped_not_walked() -> None:
    graph = web(500)
    found = sample(graph, walks=10, visits=50, mixing=50)
    degrees = np.diff(undirected(graph)[0])
    assert found.moves == 10 * 100
    expected = found.moves * degrees.max() / degrees.mean()  # at stationarity, a move every D/k̄ steps
    assert found.steps == pytest.approx(expected, rel=0.25)


def test_shares_by_label_add_up_to_one() -> None:
    graph = web(200)
    labels = np.arange(200) % 4
    shares = tally(sample(graph, walks=20, visits=100, mixing=50), labels, ["com", "edu", "org", "net"])
    assert set(shares) == {"com", "edu", "org", "net"}
    assert sum(share.value for share in shares.values()) == pytest.approx(1.0)
    values = [share.value for share in shares.values()]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("nodes", [5, 60, 400])
def test_the_gap_is_that_of_the_dense_matrix(nodes: int) -> None:
    graph = web(nodes)
    offsets, neighbours = undirected(graph)
    degrees = np.diff(offsets)
    walk = np.eye(nodes) - np.diag(degrees / degrees.max())
    walk[np.repeat(np.arange(nodes), degrees), neighbours] += 1 / degrees.max()
    values = np.sort(np.linalg.eigvalsh(walk))
    found = mixing(graph, iterations=200)
    assert found.converged
    assert found.gap == pytest.approx(1 - values[-2], rel=1e-4)
    assert found.steps == pytest.approx(np.log(nodes) / found.gap)


def test_a_lonely_page_and_bad_parameters() -> None:
    lonely = sample(Graph.from_edges([1], [2], 3), start=0, walks=2, visits=3)
    assert lonely.mean(lambda page: float(page == 0)).value == 1.0
    assert sample_live(lambda page: [], "here", walks=2, visits=2, mixing=0).mean(lambda page: 3.0).value == 3.0
    graph = web(50)
    for options in ({"walks": 1}, {"visits": 0}, {"mixing": -1}, {"start": 50}):
        with pytest.raises(ParameterError):
            sample(graph, **options)
    with pytest.raises(ParameterError, match="at least 49"):
        sample_live(lambda page: range(50), 0, most_links=10)
    with pytest.raises(ParameterError):
        mixing(graph, start=-1)
