"""Sites over time: the last moment is the model of today, and single steps add up to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from periplus.errors import ParameterError
from periplus.models.generators.sites import drift_of, read_mixture, site_growth, site_histories, site_sizes


def test_the_last_moment_is_distributed_as_the_sizes_of_today() -> None:
    today = site_sizes(40_000, seed=1)
    grown = site_histories(40_000, times=np.arange(0, 121, 10), seed=2)
    assert stats.ks_2samp(np.log(today), np.log(grown.sizes[-1])).pvalue > 1e-3
    assert (np.diff(grown.founded) >= 0).all()


def test_sites_are_founded_at_an_exponential_rate() -> None:
    found = site_histories(200_000, times=[0, 20, 40], founding=0.05, seed=3)
    assert found.sites[-1] == 200_000
    assert found.sites[1] / found.sites[2] == pytest.approx(np.exp(-1.0), rel=0.02)
    assert found.sites[0] / found.sites[1] == pytest.approx(np.exp(-1.0), rel=0.03)
    assert ((found.sizes > 0).sum(axis=1) == found.sites).all()
    assert (found.sizes.sum(axis=1) == found.pages).all()


def test_one_step_multiplies_by_one_plus_g() -> None:
    """ln N gains a normal amount of drift μ and deviation s in a step, whatever the size was."""
    found = site_histories(200_000, times=[60, 61], growth=0.3, deviation=0.2, founding=0.02, seed=4)
    before, after = found.sizes
    large = (before > 3000) & (before < 10**8)  # whole pages do not matter, and the cap on sizes is far
    gains = np.log(after[large] / before[large])
    drift, spread = drift_of(0.3, 0.2)
    assert large.sum() > 5000
    assert gains.mean() == pytest.approx(float(drift), abs=4 * float(spread) / np.sqrt(large.sum()))
    assert gains.std() == pytest.approx(float(spread), rel=0.05)


def test_single_rate_log_normal_at_one_age_mixture_by_its_shares() -> None:
    found = site_histories(100_000, times=[50], growth=0.2, deviation=0.1, founding=0.05, seed=5)
    age = found.times[-1] - found.founded
    drift, spread = drift_of(0.2, 0.1)
    old = (age > 40) & (age < 60)
    standard = (np.log(found.sizes[-1][old]) - float(drift) * age[old]) / (float(spread) * np.sqrt(age[old]))
    assert stats.kstest(standard, "norm").pvalue > 1e-3
    mixed = site_histories(50_000, times=[50], mixture=((0.05, 3.0), (0.1, 1.0)), seed=6)
    assert (mixed.rates == 0.1).mean() == pytest.approx(0.25, abs=0.01)
    fast = mixed.rates == 0.1
    assert np.log(mixed.sizes[-1][fast]).mean() > np.log(mixed.sizes[-1][~fast]).mean()


def test_one_seed_one_history() -> None:
    first, same, other = (site_histories(500, times=[5, 10], seed=seed).sizes for seed in (1, 1, 2))
    assert (first == same).all()
    assert (first != other).any()


def test_a_mixture_as_text_and_as_pairs() -> None:
    assert read_mixture("0.05:0.7, 0.1:0.3") == ((0.05, 0.7), (0.1, 0.3))
    assert read_mixture("") == ()
    text = site_growth(2000, mixture="0.05:0.7,0.1:0.3", seed=1)
    assert text.digest == site_growth(2000, mixture=((0.05, 0.7), (0.1, 0.3)), seed=1).digest
    assert text.digest != site_growth(2000, seed=1).digest


@pytest.mark.parametrize("bad", ["fast", "0.1", "0.1:0", "-0.1:1", "0.1:0.5:2", "nan:1", "11:1", "0.1:inf", 7])
def test_a_mixture_that_is_none(bad: object) -> None:
    with pytest.raises(ParameterError, match="rate:share"):
        site_growth(100, mixture=bad)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"sites": 0}, "sites"),
        ({"times": []}, "times"),
        ({"times": [-1, 3]}, "times"),
        ({"growth": -0.1}, "growth"),
        ({"deviation": 0.0}, "deviation"),
        ({"founding": float("nan")}, "founding"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_histories_are_refused_by_name(given: dict[str, object], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        site_histories(**{"sites": 10, "times": [1, 2], **given})


@pytest.mark.parametrize(("name", "value"), [("sites", 0), ("seed", -1), ("growth", -0.1), ("founding", 0.0)])
def test_sizes_alone_refuse_what_histories_refuse(name: str, value: float) -> None:
    given: dict[str, Any] = {"sites": 10, name: value}
    with pytest.raises(ParameterError, match=name):
        site_sizes(given.pop("sites"), **given)
