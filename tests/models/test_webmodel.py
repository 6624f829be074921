"""The composed web: exactly the planned bow-tie, sites that are ranges, links that stay where they may."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.models.webmodel import BRODER, REGIONS, plan_pages, web_model
from periplus.structure.bowtie import REGION_NAMES, bowtie, regions


@pytest.mark.parametrize(("n", "seed"), [(10, 0), (50, 1), (700, 2), (20_000, 3)])
def test_the_bow_tie_is_the_planned_one_page_by_page(n: int, seed: int) -> None:
    plan = plan_pages(n, seed=seed)
    names = np.array(REGION_NAMES)[regions(web_model(n, seed=seed))]
    assert names.tolist() == np.array(REGIONS)[plan.page_regions()].tolist()


def test_broders_shares_come_back() -> None:
    n = 100_000
    found = bowtie(web_model(n, seed=5)).to_dict()
    shares = dict(zip(REGIONS, BRODER, strict=True))
    for name in ("in", "scc", "out", "tubes", "disconnected"):
        assert found[name] / n == pytest.approx(shares[name] / sum(BRODER), abs=1e-3)


def test_addresses_are_in_the_order_of_ids_and_sites_are_ranges() -> None:
    n = 2000
    plan = plan_pages(n, seed=4)
    graph = web_model(n, seed=4, urls=True)
    urls = [graph.urls[page] for page in range(n)]
    assert len(set(urls)) == n
    sites = np.repeat(np.arange(len(plan.site_starts) - 1), np.diff(plan.site_starts))
    for page in range(0, n, 97):
        assert graph.urls.find(urls[page]) == page
        assert f"//s{sites[page]:07d}.example/" in urls[page]


def test_dead_ends_and_external_links() -> None:
    graph = web_model(30_000, dead_ends=0.5, external=6.0, seed=1)
    assert 0.1 < graph.dangling.mean() < 0.25
    assert not web_model(3000, dead_ends=0.0, seed=1).dangling[: plan_pages(3000, seed=1).region_starts[2]].any()
    more = web_model(30_000, external=12.0, seed=1)
    assert more.links > 1.3 * graph.links


def test_copying_makes_a_heavy_tail() -> None:
    """Apart from the first pages of sites, on which trees hang, only copying makes pages that many others link to."""
    n = 60_000
    roots = plan_pages(n, seed=2).site_starts[:-1]
    often = [
        (np.delete(web_model(n, rho=rho, dead_ends=0.0, seed=2).in_degrees, roots) >= 60).sum() for rho in (0.1, 1.0)
    ]
    assert often[0] > 50
    assert often[1] == 0
