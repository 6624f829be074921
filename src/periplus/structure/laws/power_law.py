"""Is it a power law? The exponent, a test of the fit, the alternatives, and the answer in plain words.

1. α and xmin by maximum likelihood and the smallest Kolmogorov–Smirnov distance (`tails`).
2. Goodness of fit: p is the share of samples from the fitted model, each fitted anew, that lie farther from their
   own fit than the data from theirs. p < 0.1 means that a power law is not plausible. Its own standard error is
   √(p(1−p)/samples).
3. Likelihood ratios against log-normal, exponential and cut-off power law (`alternatives`).
4. The tail must span a factor of ten from xmin to the largest value: the far end of any smooth law, seen through
   too narrow a window, looks straight, and the search for xmin finds that window.

A straight line on log–log paper is no evidence; most web data fail step 2 once there are enough of them (Meusel et
al. 2014), and the verdict says so. Clauset, Shalizi, Newman, SIAM Review 51 (2009).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats
from periplus.record import Findings
from periplus.structure.laws.alternatives import LawComparison, compare
from periplus.structure.laws.tails import SMALLEST_TAIL, Tail, distinct, fit_tail, resample

PLAUSIBLE_FROM = 0.1
SMALLEST_SPAN = 10.0  # a law of scale is only seen over a range of scales; shorter tails fit anything


@dataclass(frozen=True, slots=True)
class Law(Findings):
    """What the tail of some values follows. `alpha`, `xmin`, `sigma`, `p` are NaN where nothing could be fitted."""

    name: str = field(metadata={"json": None})
    alpha: float
    xmin: float
    sigma: float
    p: float
    distance: float
    tail: int
    values: int
    discrete: bool = field(metadata={"json": None})
    comparisons: tuple[LawComparison, ...] = field(metadata={"json": None})
    plausible: bool
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, with the alternatives by name."""
        against = {one.alternative: one.to_dict() for one in self.comparisons}
        return Findings.to_dict(self) | {"against": against}


@checked
def fit_law(
    data: AnyArray,
    *,
    name: str = "values",
    discrete: bool = True,
    xmin: float | None = None,
    samples: int = 200,
    seed: int = 0,
) -> Law:
    """The law of the positive values of `data`; `samples=0` leaves the test of the fit out."""
    if samples < 0:
        raise ParameterError("samples", samples, "0 (no test) or more")
    if xmin is not None and not xmin > 0:
        raise ParameterError("xmin", xmin, "above 0")
    values, counts = distinct(data, discrete=discrete)
    return fit_law_of_counts(values, counts, name=name, discrete=discrete, xmin=xmin, samples=samples, seed=seed)


@checked
def fit_law_of_counts(
    values: Floats,
    counts: Floats,
    *,
    name: str = "values",
    discrete: bool = True,
    xmin: float | None = None,
    samples: int = 200,
    seed: int = 0,
) -> Law:
    """As `fit_law`, from distinct values in increasing order and how often each occurs."""
    total = int(counts.sum())
    tail = fit_tail(values, counts, discrete=discrete, xmin=xmin)
    if tail is None:
        nan = float("nan")
        words = f"too few to tell: a fit needs {SMALLEST_TAIL} values and 2 different ones"
        return Law(name, nan, nan, nan, nan, nan, 0, total, discrete, (), False, words)
    p = _goodness(tail, values, counts, xmin, samples, seed)
    comparisons = compare(tail, values, counts)
    plausible, verdict = _verdict(p, comparisons, float(values[-1]) / tail.xmin)
    return Law(
        name, tail.alpha, tail.xmin, tail.sigma, p, tail.distance, tail.count, total, discrete, comparisons,
        plausible, verdict,
    )  # fmt: skip


def _goodness(tail: Tail, values: Floats, counts: Floats, xmin: float | None, samples: int, seed: int) -> float:
    """The share of fitted samples from the model that fit no better than the data do."""
    if samples == 0:
        return float("nan")
    rng = np.random.default_rng(seed)
    farther = 0
    for _ in range(samples):
        drawn = fit_tail(*resample(tail, values, counts, rng), discrete=tail.discrete, xmin=xmin)
        farther += drawn is not None and drawn.distance >= tail.distance
    return farther / samples


def _verdict(p: float, comparisons: tuple[LawComparison, ...], span: float) -> tuple[bool, str]:
    """Whether a power law is plausible, and why; `span` is the largest value over xmin."""
    better = [c.alternative for c in comparisons if c.alternative_is_better]
    as_good = [c.alternative for c in comparisons if not c.alternative_is_better and not c.power_law_is_better]
    if np.isnan(p):
        if better:
            return False, f"a power law is not the best description: {_listed(better)} fits better (fit not tested)"
        return True, "a power law describes it best of those compared (fit not tested)"
    if p < PLAUSIBLE_FROM:
        shown = f"p = {p:.2g}" if p > 0 else "p = 0"
        also = f"; {_listed(better)} fits better" if better else ""
        return False, f"not a power law: the misfit is larger than chance allows ({shown}){also}"
    if better:
        return False, f"a power law cannot be excluded (p = {p:.2g}), but {_listed(better)} fits better"
    if span < SMALLEST_SPAN:
        return False, f"cannot be called a power law: the tail spans a factor of {span:.1f} only, less than ten"
    rivals = [name for name in as_good if name != "cut-off"]
    also = f"; {_listed(rivals)} would do as well" if rivals else ""
    return True, f"a power law is plausible (p = {p:.2g}){also}"


def _listed(names: list[str]) -> str:
    articles = {"exponential": "an exponential", "log-normal": "a log-normal", "cut-off": "a power law with a cut-off"}
    return " or ".join(articles[name] for name in names)
