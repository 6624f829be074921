"""The composed web: exactly the planned bow-tie, sites that are ranges, links that stay where they may."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.models import MODELS
from periplus.models.generators.webmodel import BRODER, REGIONS, plan_pages, region_shares, web_model
from periplus.structure.connectivity.bowtie import REGION_NAMES, bowtie, regions


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


@pytest.mark.parametrize(
    ("scc", "into", "out", "tendrils"),
    [(0.5, 0.2, 0.2, 0.05), (0.4, 0.39, 0.1, 0.1), (1.0, 0.0, 0.0, 0.0), (0.3, 0.0, 0.29, 0.2), (0.6, 0.1, 0.0, 0.2)],
)
def test_a_bow_tie_of_any_shape(scc: float, into: float, out: float, tendrils: float) -> None:
    n = 5000
    shares = {"scc_share": scc, "in_share": into, "out_share": out, "tendrils_share": tendrils}
    found = bowtie(web_model(n, seed=2, **shares)).to_dict()
    plan = plan_pages(n, shares=region_shares(*shares.values()), seed=2)
    for region, name in enumerate(REGIONS):
        if "tendrils" not in name:
            assert found[name] == np.diff(plan.region_starts)[region], name
    assert found["in"] / n == pytest.approx(into, abs=1e-3)
    assert found["out"] / n == pytest.approx(out, abs=1e-3)


def test_shares_that_make_no_bow_tie() -> None:
    with pytest.raises(ParameterError, match=r"at most 1 \(it is 1.1402\)"):
        web_model(1000, scc_share=0.5)
    with pytest.raises(ParameterError, match=r"scc_share = '0.1' is not allowed: more than .*in has 0.4"):
        web_model(1000, scc_share=0.1, in_share=0.4, out_share=0.1, tendrils_share=0.1)
    with pytest.raises(ParameterError, match=r"disconnected has 0.8"):
        web_model(1000, scc_share=0.2, in_share=0.0, out_share=0.0, tendrils_share=0.0)


def test_the_default_shares_are_broders() -> None:
    given = {parameter.name: parameter.default for parameter in MODELS["web"].parameters}
    assert region_shares(*(given[f"{name}_share"] for name in ("scc", "in", "out", "tendrils"))) == BRODER
