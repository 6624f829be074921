"""Growing graphs against their master equations and exponents."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.graph import Graph
from periplus.models import theory
from periplus.models.generators import preferential
from periplus.models.generators.alpha_beta import alpha_beta, alpha_of, degree_sequence, expected_pages
from periplus.models.generators.copying import linear_copying
from periplus.models.generators.exponential_copying import exponential_copying
from periplus.models.generators.exponential_copying import in_degree_exponent as exponential_exponent
from periplus.models.generators.preferential import (
    directed_scale_free,
    growth_only,
    preference_only,
    preferential_attachment,
)
from periplus.models.generators.sites import mixture_exponent, site_growth, site_sizes, size_exponent


def shares(degrees, largest: int) -> np.ndarray:
    return np.bincount(degrees, minlength=largest + 1)[: largest + 1] / len(degrees)


def assert_law(graphs: list[Graph], law: np.ndarray, degrees_of) -> None:
    """Each share of the law lies within four standard errors of the mean over the runs (and 2 % for finite size)."""
    observed = np.array([shares(degrees_of(graph), len(law) - 1) for graph in graphs])
    pages = sum(graph.nodes for graph in graphs)
    error = np.sqrt(law * (1 - law) / pages)
    assert (np.abs(observed.mean(axis=0) - law) <= 4 * error + 0.02 * law + 2e-4).all()


def tail_exponent(values, least: int) -> tuple[float, float]:
    """Discrete maximum likelihood (Clauset et al. 2009, eq. 3.7) with its standard error."""
    tail = values[values >= least]
    alpha = 1 + len(tail) / np.log(tail / (least - 0.5)).sum()
    return alpha, (alpha - 1) / np.sqrt(len(tail))


@pytest.mark.parametrize("m", [1, 2, 4, 7])
def test_the_corrected_formula_solves_the_master_equation(m: int) -> None:
    k = np.arange(0, 400)
    assert theory.preferential_degrees(m, k[1:]) == pytest.approx(theory.master_equation(m, 399)[1:], rel=1e-12)
    tail = 2 * m * (m + 1) / (2 * 400 * 401)  # Σ_{k≥400} telescopes
    assert theory.preferential_degrees(m, k[1:]).sum() + tail == pytest.approx(1.0, rel=1e-2)


@pytest.mark.parametrize("start", ["null", "one"])
def test_preferential_attachment_follows_the_master_equation(start: str) -> None:
    graphs = [preferential_attachment(40_000, m0=3, start=start, seed=seed) for seed in range(5)]
    law = theory.preferential_degrees(3, np.arange(30))
    assert_law(graphs, law, lambda graph: graph.out_degrees)
    alpha, error = tail_exponent(np.concatenate([graph.out_degrees for graph in graphs]), 40)
    assert abs(alpha - 3.0) < 4 * error + 0.1


@pytest.mark.parametrize(("m0", "start"), [(1, "null"), (3, "one"), (5, "null"), (20, "null")])
def test_pages_filled_in_at_once_are_those_filled_in_turn(m0: int, start: str, monkeypatch) -> None:
    at_once = preferential_attachment(40_000, m0=m0, start=start, seed=11)
    monkeypatch.setattr(preferential, "_ROWS_A_BLOCK", 100)  # many small blocks
    assert preferential_attachment(40_000, m0=m0, start=start, seed=11) == at_once
    monkeypatch.setattr(preferential, "_ROWS_A_BLOCK", 40_000)  # a single one, in which all but the first rows wait
    assert preferential_attachment(40_000, m0=m0, start=start, seed=11) == at_once


def test_figure_5_first_steps() -> None:
    """D figure 5: four pages without links, a new page of degree three a step."""
    graph = preferential_attachment(8, m0=3, n0=4, seed=1)
    assert graph.links == 2 * 3 * 4
    assert all((np.sort(graph.successors(page)) < page).sum() == 3 for page in range(4, 8))


def test_growth_without_preference_is_exponential() -> None:
    graphs = [growth_only(40_000, m0=3, seed=seed) for seed in range(5)]
    assert_law(graphs, theory.uniform_growth_degrees(3, np.arange(20)), lambda graph: graph.out_degrees)


def test_preference_without_growth_has_no_power_law() -> None:
    degrees = preference_only(20_000, m=60_000, seed=1).out_degrees
    assert degrees.max() < 40 * degrees.mean()  # preferential attachment of this size passes a hundred times


def test_directed_generalisation_reaches_the_web_exponents() -> None:
    graph = directed_scale_free(400_000, seed=1)
    assert graph.links / graph.nodes == pytest.approx(7.5, rel=0.3)  # repeats are one link
    assert tail_exponent(graph.in_degrees, 30)[0] == pytest.approx(2.1, abs=0.1)
    assert tail_exponent(graph.out_degrees, 60)[0] == pytest.approx(2.7, abs=0.15)


@pytest.mark.parametrize("rho", [0.3, 0.7, 1.0])
def test_copying_follows_its_master_equation(rho: float) -> None:
    graphs = [linear_copying(60_000, rho=rho, out_degree=3, seed=seed) for seed in range(5)]
    law = theory.copying_in_degrees(rho, 3, 20)
    assert_law(graphs, law, lambda graph: graph.in_degrees)


def test_copying_exponent() -> None:
    rho = 0.3
    graph = linear_copying(1_000_000, rho=rho, out_degree=5, seed=4)
    alpha, error = tail_exponent(graph.in_degrees, 60)
    assert abs(alpha - theory.copying_exponent(rho)) < 4 * error + 0.06
    law = theory.copying_in_degrees(rho, 5, 4000)
    assert -np.log(law[4000] / law[2000]) / np.log(2) == pytest.approx(theory.copying_exponent(rho), abs=0.02)


def reference_copying(n: int, rho: float, d: int, rng) -> list[list[int]]:
    """The model as D tells it: a table of links, read when copying."""
    links: list[list[int]] = [[] for _ in range(d)]
    for page in range(d, n):
        prototype = int(rng.integers(page))
        row = []
        for i in range(d):
            if rng.random() < rho or not links[prototype]:
                row.append(int(rng.integers(page)))
            else:
                row.append(links[prototype][i])
        links.append(row)
    return links


def test_copying_without_a_table_is_copying_with_one() -> None:
    """Mean in-degree of the first pages: the two ways agree within their errors."""
    rng = np.random.default_rng(1)
    n, rho, d, runs = 60, 0.4, 3, 400
    table = np.zeros((runs, n))
    ours = np.zeros((runs, n))
    for run in range(runs):
        for row in reference_copying(n, rho, d, rng):
            for target in set(row):
                table[run, target] += 1
        ours[run] = linear_copying(n, rho=rho, out_degree=d, seed=run).in_degrees
    error = np.sqrt((table.var(axis=0) + ours.var(axis=0)) / runs) + 1e-9
    assert (np.abs(table.mean(axis=0) - ours.mean(axis=0)) / error < 4.5).all()


def test_figure_7_out_degree_three_from_three_pages() -> None:
    graph = linear_copying(6, rho=0.66, out_degree=3, seed=2)
    assert graph.out_degrees[:3].tolist() == [0, 0, 0]
    assert (graph.out_degrees[3:] >= 1).all()
    assert (graph.out_degrees[3:] <= 3).all()


def test_exponential_copying_grows_as_printed() -> None:
    n, g, chi, kappa = 200_000, 0.1, 2, 5.0
    graphs = [exponential_copying(n, g=g, chi=chi, kappa=kappa, seed=seed) for seed in range(3)]
    alpha = np.mean([tail_exponent(graph.in_degrees, 40)[0] for graph in graphs])
    assert alpha == pytest.approx(exponential_exponent(g, chi, kappa), abs=0.25)
    for graph in graphs:
        assert graph.nodes == n
        # (κ+χ)N links with multiplicity; the χ self-links of a page are one link of the graph.
        assert graph.links / n == pytest.approx(kappa + 1, rel=0.35)


@pytest.mark.parametrize(("alpha", "beta"), [(8.0, 2.5), (9.0, 3.2), (6.0, 1.5)])
def test_alpha_beta_degrees_are_the_prescribed_ones(alpha: float, beta: float) -> None:
    sequence = degree_sequence(alpha, beta)
    counts = np.bincount(sequence)
    for degree in range(1, int(np.exp(alpha / beta)) + 1):
        assert abs(counts[degree] - np.floor(np.exp(alpha) / degree**beta + 1e-9)) <= 1
    assert sequence.sum() % 2 == 0
    degrees = np.sort(alpha_beta(1, beta=beta, alpha=alpha, seed=3).out_degrees)[::-1]
    assert (degrees <= sequence).all()  # erased repeats only take away
    assert degrees.sum() > 0.8 * sequence.sum()


def test_alpha_beta_pages_and_links() -> None:
    alpha = alpha_of(100_000, 2.6)
    graph = alpha_beta(100_000, beta=2.6, seed=1)
    assert graph.nodes == pytest.approx(100_000, rel=1e-3)
    assert expected_pages(alpha, 2.6) == pytest.approx(graph.nodes, rel=0.02)
    assert graph.links / 2 == pytest.approx(theory.alpha_beta_links(alpha, 2.6), rel=0.15)
    assert pytest.approx(3.478, abs=1e-3) == theory.ALPHA_BETA_GIANT


def test_site_sizes_follow_the_mixture_over_ages() -> None:
    sizes = site_sizes(400_000, seed=2)
    alpha, error = tail_exponent(sizes, 60)
    expected = size_exponent(0.05, 0.2, 0.035)
    assert 1.65 < expected < 1.91  # Huberman & Adamic's range
    assert abs(alpha - expected) < 4 * error + 0.03


def test_a_mixture_of_rates_has_the_smallest_exponent() -> None:
    mixture = ((0.02, 0.5), (0.08, 0.5))
    sizes = site_sizes(400_000, mixture=mixture, deviation=0.15, founding=0.06, seed=2)
    expected = mixture_exponent(mixture, 0.15, 0.06)
    assert expected == size_exponent(0.08, 0.15, 0.06)
    assert tail_exponent(sizes, 100)[0] == pytest.approx(expected, abs=0.1)


def test_sites_of_one_age_are_log_normal() -> None:
    """Without growth of their number all ages would differ; at a fixed age ln N is normal, not a power law."""
    from scipy import stats

    rng = np.random.default_rng(3)
    grown = np.ones(4000)
    for _ in range(60):
        grown *= 1 + 0.05 + 0.2 * rng.standard_normal(4000)
    assert stats.kstest((np.log(grown) - np.log(grown).mean()) / np.log(grown).std(), "norm").pvalue > 1e-3


def test_site_growth_is_a_forest() -> None:
    graph = site_growth(5000, seed=4)
    from periplus.structure.connectivity.components import weak_components

    assert graph.links / 2 == graph.nodes - weak_components(graph).count
