"""WebWalker: uniform in the long run, intervals that keep their promise, the gap against dense eigenvalues."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import chisquare

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.structure.connectivity.components import weak_components
from periplus.structure.paths.undirected import undirected
from periplus.structure.walks.sampling import Share, mixing, sample, sample_live, tally


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
        share = sample(graph, seed=seed, **options).share(lambda page: bool(marked[page]))
        inside += share.low <= truth <= share.high
    return inside / runs


def test_intervals_cover_the_truth_93_to_97_percent_of_400_runs() -> None:
    """In equilibrium from the first visit on; and from one page, thrown away until it is forgotten.

    Of 400 runs, chance alone would put 95 % outside once in fifteen times: five times 400 are run.
    """
    assert 0.93 <= coverage(web(), 2000, walks=40, visits=60) <= 0.97
    assert 0.93 <= coverage(web(), 2000, start=0, walks=40, visits=60, mixing=150) <= 0.97


def parts(sizes: Sequence[int]) -> Graph:
    """Webs that no link joins; the small ones have fewer links per page, so that the large do not speak for them."""
    sources, targets, first = [], [], 0
    for at, size in enumerate(sizes):
        rng = np.random.default_rng(at)
        ring, extra = np.arange(size), 3 * size if size > 300 else size // 4
        sources += [first + ring[:-1], first + rng.integers(0, size, extra)]
        targets += [first + ring[1:], first + rng.integers(0, size, extra)]
        first += size
    return Graph.from_edges(np.concatenate(sources), np.concatenate(targets), first + 300)


def test_intervals_cover_the_truth_of_a_web_in_several_parts() -> None:
    """Two large components, two hundred small ones and three hundred lonely pages."""
    graph = parts([1500, 700, *[8] * 200])
    assert weak_components(graph).count == 502
    assert 0.93 <= coverage(graph, 2000, walks=40, visits=20) <= 0.97
    strata = sample(graph, walks=40, visits=20).strata
    assert [(one.walked, one.whole) for one in strata] == [(True, False), (True, False), (False, False)]
    assert sum(one.weight for one in strata) == pytest.approx(1.0)


def test_small_components_are_taken_whole_where_they_are_few() -> None:
    graph = parts([1500, *[8] * 10])
    found = sample(graph, walks=40, visits=60)
    assert [(one.walked, one.whole) for one in found.strata] == [(True, False), (False, True)]
    lonely = np.diff(undirected(graph)[0]) == 0
    share = found.share(lambda page: bool(lonely[page]))
    assert share.value == pytest.approx(lonely.mean())
    assert share.low == pytest.approx(lonely.mean())
    assert share.high - share.low < 0.1, "in the large component no lonely page was met, which leaves some room"
    twins = sample(Graph.from_edges([0, 1, 2, 3], [1, 0, 3, 2]))
    assert twins.share(lambda page: page < 2) == Share(0.5, 0.5, 0.5)
    assert sample(Graph.from_edges([], [], 7)).share(lambda page: page < 2) == Share(2 / 7, 2 / 7, 2 / 7)


def test_intervals_of_shares_stay_within_0_and_1() -> None:
    graph = web(800)
    for rare in (1, 3, 10, 790, 799):
        for seed in range(20):
            share = sample(graph, walks=10, visits=20, seed=seed).share(lambda page, rare=rare: page < rare)
            assert 0.0 <= share.low <= share.value <= share.high <= 1.0
            assert share.low < share.high, "ten short walks know nothing for certain"


def test_walks_that_mix_slowly_still_cover_the_truth() -> None:
    """Two cliques of forty joined by one link: from one page per walk would need thousands of visits."""
    one = [(a, b) for a in range(40) for b in range(40) if a != b]
    pairs = np.array([*one, *((a + 40, b + 40) for a, b in one), (0, 40)])
    graph = Graph.from_edges(pairs[:, 0], pairs[:, 1])
    shares = [sample(graph, walks=60, visits=10, seed=seed).share(lambda page: page < 40) for seed in range(1000)]
    assert 0.93 <= np.mean([share.low <= 0.5 <= share.high for share in shares]) <= 0.97


@pytest.mark.long
@pytest.mark.parametrize("nodes", [3000, 20_000])
def test_coverage_on_larger_webs(nodes: int) -> None:
    assert 0.93 <= coverage(web(nodes, seed=9), 400, start=0, walks=60, visits=100, mixing=300) <= 0.97


def test_visits_weighted_by_stay_are_uniform_over_pages() -> None:
    graph = web(40, seed=2)
    degrees = np.diff(undirected(graph)[0])
    found = sample(graph, start=0, walks=4000, visits=1, mixing=400, seed=3)
    visits = np.bincount([seen[0] for seen in found.pages], minlength=40)
    # A visit is as likely as the degree; undone by the stay, 1/degree, every page is as likely as any other.
    assert chisquare(visits, degrees / degrees.sum() * visits.sum()).pvalue > 0.001
    weights = visits / degrees
    assert np.corrcoef(weights, degrees)[0, 1] < 0.4


def test_walks_begin_in_equilibrium() -> None:
    graph = web(40, seed=2)
    degrees = np.diff(undirected(graph)[0])
    starts = np.bincount([seen[0] for seen in sample(graph, walks=4000, visits=1, seed=3).pages], minlength=40)
    assert chisquare(starts, degrees / degrees.sum() * 4000).pvalue > 0.001


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
    with pytest.raises(ParameterError, match="at least one page"):
        sample(Graph.from_edges([], [], 0))
