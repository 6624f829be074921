"""What a tail could be instead of a power law, and which of the two the data prefer.

All are fitted by maximum likelihood to the same values x ≥ xmin. Discrete forms (continuous in brackets):

    exponential   P(x) = (1 − e^−λ) e^(−λ(x − xmin))                     [λ e^(−λ(x − xmin))]
    log-normal    P(x) ∝ Φ((ln(x+½) − μ)/s) − Φ((ln(x−½) − μ)/s)         [density of ln x ~ N(μ, s²), from xmin on]
    cut-off       P(x) ∝ x^−a e^(−λx)                                     [the same as a density]

Vuong's test: with lᵢ the difference of log-likelihoods of value i, R = Σ lᵢ; R > 0 favours the power law, and
2Φ(−|R|/(√n·sd(l))) is the probability of so large an |R| when neither is better. The power law is the cut-off law
with λ = 0, so there 2|R| is compared with χ² of one degree instead.
Vuong, Econometrica 57 (1989); Clauset, Shalizi, Newman, SIAM Review 51 (2009), section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import special
from scipy.optimize import minimize

from periplus.numeric.arrays import Floats
from periplus.record import Findings
from periplus.structure.laws.tails import Tail


@dataclass(frozen=True, slots=True)
class LawComparison(Findings):
    """The power law against one alternative: `ratio` > 0 favours the power law, `p` says how surely."""

    alternative: str = field(metadata={"json": None})
    ratio: float
    p: float

    @property
    def alternative_is_better(self) -> bool:
        return self.ratio < 0 and self.p < 0.1

    @property
    def power_law_is_better(self) -> bool:
        return self.ratio > 0 and self.p < 0.1


def compare(tail: Tail, values: Floats, counts: Floats) -> tuple[LawComparison, ...]:
    """The fitted tail against log-normal, exponential and cut-off."""
    kept = values >= tail.xmin
    x, weight = values[kept], counts[kept]
    power = _power_law(tail, x)
    return tuple(_vuong(name, power, fit(tail, x, weight), weight) for name, fit in _ALTERNATIVES.items())


def _vuong(name: str, power: Floats, other: Floats, weight: Floats) -> LawComparison:
    difference = power - other
    total = weight.sum()
    ratio = float((weight * difference).sum())
    if name == "cut-off":
        return LawComparison(name, min(ratio, 0.0), float(special.chdtrc(1, 2.0 * max(-ratio, 0.0))))
    spread = float(np.sqrt((weight * (difference - ratio / total) ** 2).sum()))
    p = float(special.erfc(abs(ratio) / (np.sqrt(2.0) * spread))) if spread > 0 else 1.0
    return LawComparison(name, ratio, p)


def _power_law(tail: Tail, x: Floats) -> Floats:
    if tail.discrete:
        return -tail.alpha * np.log(x) - float(np.log(special.zeta(tail.alpha, tail.xmin)))
    return np.log((tail.alpha - 1.0) / tail.xmin) - tail.alpha * np.log(x / tail.xmin)


def _exponential(tail: Tail, x: Floats, weight: Floats) -> Floats:
    excess = max(float(np.average(x, weights=weight)) - tail.xmin, 1e-300)
    if tail.discrete:
        rate = np.log1p(1.0 / excess)
        return np.log(-np.expm1(-rate)) - rate * (x - tail.xmin)
    return -np.log(excess) - (x - tail.xmin) / excess


def _log_normal(tail: Tail, x: Floats, weight: Floats) -> Floats:
    logs = np.log(x)

    def likelihood(parameters: Floats) -> Floats:
        mean, spread = parameters[0], np.exp(parameters[1])
        if tail.discrete:
            upper, lower = (np.log(x - 0.5) - mean) / spread, (np.log(x + 0.5) - mean) / spread
            cells = _log_difference(special.log_ndtr(-upper), special.log_ndtr(-lower))
            return cells - special.log_ndtr(-(np.log(tail.xmin - 0.5) - mean) / spread)
        z = (logs - mean) / spread
        whole = special.log_ndtr(-(np.log(tail.xmin) - mean) / spread)
        return -0.5 * z * z - logs - np.log(spread * np.sqrt(2.0 * np.pi)) - whole

    mean = float(np.average(logs, weights=weight))
    spread = float(np.sqrt(np.average((logs - mean) ** 2, weights=weight))) or 1.0
    # A truncated log-normal can mimic a power law by a far-off mean; without a floor the search never ends.
    starts = [np.array([mean, np.log(spread)]), np.array([mean - 4 * spread, np.log(2 * spread)])]
    return _maximise(likelihood, weight, starts, [(mean - 60 * spread - 20, mean + 20), (-3.0, 5.0)])


def _cut_off(tail: Tail, x: Floats, weight: Floats) -> Floats:
    nodes, factors = _quadrature(tail.xmin, float(x[-1]), discrete=tail.discrete)
    log_nodes, logs = np.log(nodes), np.log(x)

    def likelihood(parameters: Floats) -> Floats:
        exponent, rate = parameters[0], np.exp(parameters[1])
        whole = special.logsumexp(-exponent * log_nodes - rate * nodes, b=factors)
        return -exponent * logs - rate * x - whole

    scale = float(np.log(1.0 / np.average(x, weights=weight)))
    starts = [np.array([tail.alpha, scale - 4.0]), np.array([max(tail.alpha - 1.0, 0.1), scale])]
    return _maximise(likelihood, weight, starts, [(-3.0, 25.0), (scale - 30.0, scale + 6.0)])


def _quadrature(xmin: float, largest: float, *, discrete: bool) -> tuple[Floats, Floats]:
    """Points and weights for Σ f(x) over integers from xmin (or ∫ f from xmin) to far beyond the data.

    The first 1,000 integers are summed one by one; the rest is the midpoint rule's integral from the last half on,
    by Simpson's rule in equal steps of ln x. A heavy tail is cut at 10⁶ times the largest value.
    """
    head = np.arange(xmin, xmin + 1000) if discrete else np.empty(0)
    start = xmin + 999.5 if discrete else xmin
    steps = 2000
    grid = np.linspace(np.log(start), np.log(max(largest, start) * 1e6), steps + 1)
    simpson = np.where(np.arange(steps + 1) % 2 == 1, 4.0, 2.0)
    simpson[0] = simpson[-1] = 1.0
    far = np.exp(grid)
    return np.concatenate([head, far]), np.concatenate([np.ones(len(head)), (grid[1] - grid[0]) / 3.0 * simpson * far])


def _maximise(
    likelihood: Callable[[Floats], Floats], weight: Floats, starts: list[Floats], bounds: list[tuple[float, float]]
) -> Floats:
    """The log-likelihood of each value at the best parameters found from the starts."""

    def loss(parameters: Floats) -> float:
        terms = likelihood(parameters)
        total = float(-(weight * terms).sum())
        return total if np.isfinite(total) else 1e300

    low, high = np.array(bounds).T
    inside = [np.clip(start, low, high) for start in starts]
    ends = [minimize(loss, start, method="Nelder-Mead", bounds=bounds, options={"maxiter": 400}) for start in inside]
    return likelihood(min(ends, key=lambda end: float(end.fun)).x)


def _log_difference(larger: Floats, smaller: Floats) -> Floats:
    """ln(e^a − e^b) for a > b without loss; −745 where the two cannot be told apart."""
    gap = np.minimum(smaller - larger, -1e-16)
    return larger + np.log(np.maximum(-np.expm1(gap), 5e-324))


_ALTERNATIVES: dict[str, Callable[[Tail, Floats, Floats], Floats]] = {
    "log-normal": _log_normal,
    "exponential": _exponential,
    "cut-off": _cut_off,
}
