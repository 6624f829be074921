"""Formulas against what they stand for: drawn graphs, sums that must be one, ranges in which they hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from periplus.dynamics.epidemics import spread
from periplus.errors import ParameterError
from periplus.models import theory
from periplus.models.generators.alpha_beta import alpha_beta, degree_sequence
from periplus.models.generators.erdos_renyi import erdos_renyi, erdos_renyi_links
from periplus.models.generators.preferential import preference_only
from periplus.models.generators.rmat import rmat


def agrees(degrees: np.ndarray, law: np.ndarray, *, slack: float = 1.0) -> bool:
    """χ² of degrees against shares p_0 …, the tail taken together so that every class expects 10 pages."""
    expected = law * len(degrees)
    observed = np.bincount(np.minimum(degrees, len(law) - 1), minlength=len(law)).astype(float)
    keep = expected >= 10.0
    rest = max(1e-9, len(degrees) - expected[keep].sum())
    pairs = np.append(observed[keep], observed[~keep].sum()), np.append(expected[keep], rest)
    value = ((pairs[0] - pairs[1]) ** 2 / pairs[1])[pairs[1] >= 10.0].sum()
    return bool(value < slack * stats.chi2.ppf(0.999, int((pairs[1] >= 10.0).sum()) - 1))


@pytest.mark.parametrize("directed", [True, False])
def test_degrees_of_exactly_m_links_are_hypergeometric(directed: bool) -> None:
    n, m = 20_000, 80_000
    law = theory.erdos_renyi_link_degrees(n, m, np.arange(60), directed=directed)
    assert law.sum() == pytest.approx(1.0)
    assert (law * np.arange(60)).sum() == pytest.approx(m / n * (1 if directed else 2))
    assert agrees(erdos_renyi_links(n, m=m, directed=directed, seed=1).in_degrees, law)
    # A small case by counting: 3 pages, 2 of the 6 ordered pairs; a page has 0, 1 or 2 links in with 6, 8, 1 of 15.
    assert theory.erdos_renyi_link_degrees(3, 2, np.arange(3)) == pytest.approx([6 / 15, 8 / 15, 1 / 15])


def test_degrees_without_growth() -> None:
    n, m = 200_000, 600_000
    law = theory.preference_only_degrees(n, m, 200)
    assert law.sum() == pytest.approx(1.0)
    assert (law * np.arange(201)).sum() == pytest.approx(2 * m / n)
    assert agrees(preference_only(n, m=m, seed=3).out_degrees, law)
    assert theory.preference_only_degrees(10, 0, 3) == pytest.approx([1, 0, 0, 0])


def test_without_growth_by_the_master_equation() -> None:
    """Link by link, n large: p_d gains (1/n + d/(n+2k))p_{d−1} and loses (1/n + (d+1)/(n+2k))p_d."""
    n, m, largest = 4000, 8000, 60
    p, d = np.zeros(largest + 1), np.arange(largest + 1)
    p[0] = 1.0
    for k in range(m):
        rate = 1.0 / n + (d + 1.0) / (n + 2.0 * k)
        flow = rate * p
        p -= flow
        p[1:] += flow[:-1]
    assert theory.preference_only_degrees(n, m, largest) == pytest.approx(p, abs=2e-4)


def test_in_degrees_of_rmat() -> None:
    n, degree, a, b, c = 1 << 15, 4, 0.4, 0.25, 0.2
    k = np.arange(400)
    law = theory.rmat_in_degrees(n, degree, a + c, k)
    assert law.sum() == pytest.approx(1.0)
    assert (law * k).sum() == pytest.approx(degree, rel=1e-6)
    graph = rmat(n, degree=degree, a=a, b=b, c=c, seed=1)
    assert graph.links > 0.995 * degree * n  # hardly a repeat, so that the law of what is drawn holds
    # The bits of a page, not chance, decide its mean, so the classes are not independent draws: twice the slack.
    assert agrees(graph.in_degrees, law, slack=2.0)


def test_the_links_of_alpha_beta_only_where_the_sum_converges() -> None:
    alpha, beta = 9.0, 2.8
    assert theory.alpha_beta_links(alpha, beta) == pytest.approx(degree_sequence(alpha, beta).sum() / 2, rel=0.1)
    assert alpha_beta(100, alpha=alpha, beta=beta).links / 2 == pytest.approx(
        theory.alpha_beta_links(alpha, beta), rel=0.12
    )
    for beta in (2.0, 1.5, float("nan")):
        with pytest.raises(ParameterError, match="beta"):
            theory.alpha_beta_links(5.0, beta)


def test_the_threshold_by_degrees() -> None:
    """Of Poisson degrees of mean c it is 1/c; a ring has none; SIR on a random graph takes off past it."""
    graph = erdos_renyi(20_000, p=4 / 20_000, directed=False, seed=1)
    assert theory.degree_threshold(graph.out_degrees) == pytest.approx(1 / 4, rel=0.03)
    assert theory.degree_threshold(np.full(10, 2)) == 1.0
    assert theory.degree_threshold(np.zeros(3)) == 1.0
    below, above = (spread(graph, infection=T, recovery=1.0, runs=60, seed=1).sizes.max() for T in (0.15, 0.5))
    assert below < 0.02 * graph.nodes < 0.3 * graph.nodes < above


def test_transmissibility() -> None:
    assert theory.transmissibility(0.3, 1.0) == pytest.approx(0.3)
    assert theory.transmissibility(0.3, 0.0) == pytest.approx(1.0)
    assert theory.transmissibility(0.0, 0.0) == 0.0
    tries = np.random.default_rng(1).geometric(0.2, 100_000)  # steps for which a page is sick
    assert theory.transmissibility(0.1, 0.2) == pytest.approx((1 - 0.9**tries).mean(), abs=0.005)
