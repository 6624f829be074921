"""Erdős–Rényi against the binomial law, exact counts, uniformity, and the giant component's equation."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from periplus.models import theory
from periplus.models.generators.erdos_renyi import erdos_renyi, erdos_renyi_links
from periplus.structure.connectivity.components import weak_components


@pytest.mark.parametrize("directed", [True, False])
def test_degrees_are_binomial(directed: bool) -> None:
    n, p = 4000, 0.002
    degrees = erdos_renyi(n, p=p, directed=directed, seed=3).out_degrees
    k = np.arange(0, 25)
    expected = theory.erdos_renyi_degrees(n, p, k) * n
    observed = np.bincount(degrees, minlength=26)
    keep = expected > 5
    observed, expected = observed[:25][keep], expected[keep]
    rest = n - observed.sum(), n - expected.sum()
    chi2 = ((observed - expected) ** 2 / expected).sum() + (rest[0] - rest[1]) ** 2 / max(rest[1], 1e-9)
    assert stats.chi2.sf(chi2, keep.sum()) > 1e-3


def test_the_law_sums_to_one_and_handles_the_ends() -> None:
    assert theory.erdos_renyi_degrees(50, 0.3, np.arange(50)).sum() == pytest.approx(1.0)
    assert theory.erdos_renyi_degrees(50, 1.0, np.array([49])) == 1.0
    assert erdos_renyi(40, p=1.0, seed=1).links == 40 * 39
    assert erdos_renyi(40, p=0.0, seed=1).links == 0


@pytest.mark.parametrize("directed", [True, False])
def test_number_of_links(directed: bool) -> None:
    n, p = 500, 0.01
    pairs = n * (n - 1) if directed else n * (n - 1) // 2
    counts = [erdos_renyi(n, p=p, directed=directed, seed=s).links // (1 if directed else 2) for s in range(100)]
    error = np.sqrt(pairs * p * (1 - p) / len(counts))
    assert abs(np.mean(counts) - pairs * p) < 4 * error
    assert np.std(counts) == pytest.approx(np.sqrt(pairs * p * (1 - p)), rel=0.3)


@pytest.mark.parametrize(
    ("n", "m", "directed"), [(100, 0, True), (100, 750, True), (40, 1500, True), (30, 400, False), (2, 1, False)]
)
def test_exactly_m_links_and_no_self_links(n: int, m: int, directed: bool) -> None:
    graph = erdos_renyi_links(n, m=m, directed=directed, seed=4)
    assert graph.links == m * (1 if directed else 2)
    assert all(page not in graph.successors(page) for page in range(n))


@pytest.mark.parametrize("m", [2, 4])
def test_every_graph_of_m_links_is_equally_likely(m: int) -> None:
    """n = 4, undirected: 15 graphs of two links, 15 of four."""
    seen = Counter(erdos_renyi_links(4, m=m, directed=False, seed=seed).digest for seed in range(900))
    assert len(seen) == 15
    assert stats.chisquare(list(seen.values())).pvalue > 1e-3


@pytest.mark.parametrize("directed", [True, False])
def test_every_pair_is_as_often_among_m_links(directed: bool) -> None:
    """Large enough that links are drawn by jumps and the excess is taken away: no pair is favoured, none left out."""
    n, m, runs = 40, 60, 500
    seen = np.zeros((n, n))
    for seed in range(runs):
        graph = erdos_renyi_links(n, m=m, directed=directed, seed=seed)
        seen[np.repeat(np.arange(n), graph.out_degrees), graph.out_targets] += 1
    places = ~np.eye(n, dtype=bool) if directed else np.triu(np.ones((n, n), dtype=bool), 1)
    observed = seen[places]
    share = m / observed.size
    # Links of one graph hold each other off, so counts vary a little less than independent ones.
    chi2 = ((observed - runs * share) ** 2).sum() / (runs * share * (1 - share))
    assert abs(chi2 - observed.size) < 4 * np.sqrt(2 * observed.size)


@pytest.mark.parametrize("c", [0.5, 1.5, 3.0])
def test_giant_component(c: float) -> None:
    n = 20_000
    share = weak_components(erdos_renyi(n, p=c / n, directed=False, seed=8)).sizes.max() / n
    assert share == pytest.approx(theory.giant_share(c), abs=0.02)


def test_figure_2_ten_nodes_nine_edges() -> None:
    """D figure 2: n = 10, p = 0.2 gives m = p·n(n−1)/2 = 9 edges."""
    assert erdos_renyi_links(10, m=int(0.2 * 10 * 9 / 2), directed=False, seed=1).links == 18
