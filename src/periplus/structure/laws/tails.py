"""Power-law tails by maximum likelihood: the exponent, where the tail begins, and samples from the fit.

Discrete: P(X = x) = x^−α / ζ(α, xmin) for integers x ≥ xmin, ζ the Hurwitz zeta function. The likelihood is largest
where −(d/dα) ln ζ(α, xmin) equals the mean of ln x; Newton's method finds it. Continuous: P(X > x) = (x/xmin)^(1−α),
α = 1 + n / Σ ln(x/xmin). Standard error: σ = 1/√(n·I(α)) with I = (d²/dα²) ln ζ, or (α−1)/√n.

xmin is the candidate whose fit has the smallest Kolmogorov–Smirnov distance D = max |P̂(X ≥ x) − P(X ≥ x)| over all
x ≥ xmin, taken over *all* integers, also those between two observed values.
Clauset, Shalizi, Newman, "Power-law distributions in empirical data", SIAM Review 51 (2009).

Data are pairs (distinct value, how often), ascending: a web of 200 million pages has some ten thousand distinct
degrees, so a fit costs the same there as here. Cost: candidates × distinct values, one exponential each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Floats

SMALLEST_TAIL = 50  # Clauset et al.: below about 50 values the exponent and the test mean little
_CANDIDATES = 200
_STEEPEST = 25.0
_CONTINUOUS, _ROUNDING = 20_000, 1e-3
_FAR = 20.0  # from here on five terms of Euler–Maclaurin are enough for ζ


@dataclass(frozen=True, slots=True)
class Tail:
    """A fitted tail: `values ≥ xmin` follow x^−alpha; `distance` is the Kolmogorov–Smirnov statistic."""

    alpha: float
    sigma: float
    xmin: float
    distance: float
    count: int
    share: float
    discrete: bool


def distinct(data: AnyArray, *, discrete: bool = True) -> tuple[Floats, Floats]:
    """The distinct positive values in increasing order, and how often each occurs.

    More than 20,000 continuous values are first rounded to one part in a thousand (and so are the samples that
    test the fit), which moves an exponent by less than its standard error and bounds the work.
    """
    data = np.asarray(data)
    data = data[data > 0]
    if discrete and data.dtype.kind in "iu" and len(data) and int(data.max()) < 16 * len(data) + 1024:
        every = np.bincount(data)
        values = np.flatnonzero(every)
        return values.astype(np.float64), every[values].astype(np.float64)
    if not discrete and len(data) > _CONTINUOUS:
        data = np.exp(np.round(np.log(data) / _ROUNDING) * _ROUNDING)
    values, counts = np.unique(data, return_counts=True)
    return values.astype(np.float64), counts.astype(np.float64)


def fit_tail(values: Floats, counts: Floats, *, discrete: bool, xmin: float | None = None) -> Tail | None:
    """The best tail, or the tail from a given xmin on; None where fewer than 50 values or 2 distinct ones remain."""
    behind = np.cumsum(counts[::-1])[::-1]  # how many values are this large or larger
    usable = int(np.count_nonzero(behind[:-1] >= SMALLEST_TAIL)) if len(values) > 1 else 0
    if xmin is not None:
        start = int(np.searchsorted(values, xmin))
        candidates = np.array([start] if start < usable else [], np.int64)
    else:
        candidates = _spaced(0, usable, _CANDIDATES)
    if not len(candidates):
        return None
    logs = np.log(values)
    fits = _fits(values, logs, counts, behind, candidates, discrete, 0.0 if xmin is None else xmin)
    best = int(np.argmin(fits[:, 1]))
    if xmin is None and len(candidates) < usable:  # look closely between the neighbours of the best one
        low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
        candidates = _spaced(int(low), int(high) + 1, _CANDIDATES)
        fits = _fits(values, logs, counts, behind, candidates, discrete, 0.0)
        best = int(np.argmin(fits[:, 1]))
    at = candidates[best]
    alpha, distance = float(fits[best, 0]), float(fits[best, 1])
    return Tail(
        alpha=alpha,
        sigma=float(_sigma(alpha, values[at] if xmin is None else xmin, behind[at], discrete)),
        xmin=float(values[at] if xmin is None else xmin),
        distance=distance,
        count=int(behind[at]),
        share=float(behind[at] / behind[0]),
        discrete=discrete,
    )


def _spaced(low: int, high: int, most: int) -> AnyArray:
    """At most `most` indices from low to high, evenly spread."""
    if high - low <= most:
        return np.arange(low, high)
    return np.unique(np.linspace(low, high - 1, most).astype(np.int64))


def resample(tail: Tail, values: Floats, counts: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A data set of the same size from the fitted model: the tail drawn from the law, the body from the data itself."""
    body = values < tail.xmin
    total = int(counts.sum())
    in_tail = int(rng.binomial(total, tail.share))
    drawn_values, drawn_counts = draw_tail(tail, in_tail, rng)
    shares = counts[body] / max(counts[body].sum(), 1.0)
    body_counts = rng.multinomial(total - in_tail, shares) if body.any() else np.zeros(0)
    kept = body_counts > 0
    return (
        np.concatenate([values[body][kept], drawn_values]),
        np.concatenate([body_counts[kept], drawn_counts]).astype(np.float64),
    )


def draw_tail(tail: Tail, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """`size` values from the tail as distinct values and counts.

    Discrete: the first 2,000 integers by their exact probabilities, beyond them by rounding the continuous law,
    whose relative error there is below 10⁻⁷.
    """
    if not tail.discrete:
        drawn = tail.xmin * (1.0 - rng.random(size)) ** (-1.0 / (tail.alpha - 1.0))
        return distinct(drawn, discrete=False)
    first = int(tail.xmin)
    head = np.arange(first, first + 2000, dtype=np.float64)
    shares = head**-tail.alpha / _zeta(tail.alpha, float(first))
    beyond = max(1.0 - shares.sum(), 0.0)
    counts = rng.multinomial(size, np.append(shares, beyond) / (shares.sum() + beyond))
    uniform = 1.0 - rng.random(int(counts[-1]))
    far = np.floor((first + 2000 - 0.5) * uniform ** (-1.0 / (tail.alpha - 1.0)) + 0.5)
    far_values, far_counts = np.unique(far, return_counts=True)
    kept = counts[:-1] > 0
    return np.concatenate([head[kept], far_values]), np.concatenate([counts[:-1][kept], far_counts]).astype(np.float64)


@njit(cache=True, nogil=True)
def _zeta(s: float, q: float) -> float:
    """Hurwitz ζ(s, q) for s > 1, q > 0 by Euler–Maclaurin from q ≥ 20 on: relative error below 10⁻¹²."""
    head = 0.0
    while q < _FAR:
        head += q**-s
        q += 1.0
    return head + q**-s * _zeta_factor(s, q)


@njit(cache=True, nogil=True)
def _zeta_factor(s: float, q: float) -> float:
    """ζ(s, q)·q^s for q ≥ 20."""
    r = 1.0 / (q * q)
    third = s * (s + 1.0) * (s + 2.0)
    fifth = third * (s + 3.0) * (s + 4.0)
    seventh = fifth * (s + 5.0) * (s + 6.0)
    ninth = seventh * (s + 7.0) * (s + 8.0)
    series = s / 12.0 - r * (third / 720.0 - r * (fifth / 30240.0 - r * (seventh / 1209600.0 - r * ninth / 47900160.0)))
    return q / (s - 1.0) + 0.5 + series / q


@njit(cache=True, nogil=True)
def _exponent(mean_log: float, xmin: float, discrete: bool) -> float:
    """The exponent of largest likelihood when the mean of ln x is `mean_log`."""
    above = mean_log - np.log(xmin)
    if not discrete:
        return min(1.0 + 1.0 / max(above, 1e-300), _STEEPEST)
    alpha = min(max(1.0 + 1.0 / max(mean_log - np.log(xmin - 0.5), 1e-6), 1.05), 20.0)
    h = 1e-4
    for _ in range(60):
        low, mid, high = np.log(_zeta(alpha - h, xmin)), np.log(_zeta(alpha, xmin)), np.log(_zeta(alpha + h, xmin))
        slope = -(high - low) / (2.0 * h) - mean_log
        step = slope / max((high - 2.0 * mid + low) / (h * h), 1e-9)
        step = min(max(step, -0.5 * (alpha - 1.0)), 1.0)
        alpha = min(alpha + step, _STEEPEST)
        if abs(step) < 1e-9:
            break
    return max(alpha, 1.0 + 2.0 * h)


@njit(cache=True, nogil=True)
def _sigma(alpha: float, xmin: float, count: float, discrete: bool) -> float:
    """The standard error of the exponent from the Fisher information."""
    if not discrete:
        return (alpha - 1.0) / np.sqrt(count)
    h = 1e-3 * (alpha - 1.0)
    low, mid, high = np.log(_zeta(alpha - h, xmin)), np.log(_zeta(alpha, xmin)), np.log(_zeta(alpha + h, xmin))
    return 1.0 / np.sqrt(count * (high - 2.0 * mid + low) / (h * h))


@njit(cache=True, nogil=True)
def _fits(values, logs, counts, behind, candidates, discrete, given):  # type: ignore[no-untyped-def]
    """Exponent and Kolmogorov–Smirnov distance for every candidate start of the tail."""
    out = np.empty((len(candidates), 2))
    sums = np.empty(len(values) + 1)
    sums[len(values)] = 0.0
    for j in range(len(values) - 1, -1, -1):
        sums[j] = sums[j + 1] + counts[j] * logs[j]
    for row in range(len(candidates)):
        k = candidates[row]
        xmin = given if given > 0.0 else values[k]
        total = behind[k]
        alpha = _exponent(sums[k] / total, xmin, discrete)
        whole = _zeta(alpha, xmin) if discrete else xmin ** (1.0 - alpha)
        worst = 0.0
        for j in range(k, len(values)):
            at_least = behind[j] / total
            more = behind[j + 1] / total if j + 1 < len(values) else 0.0
            if discrete:
                power = np.exp(-alpha * logs[j])
                here = power * _zeta_factor(alpha, values[j]) if values[j] >= _FAR else _zeta(alpha, values[j])
                model, beyond = here / whole, (here - power) / whole
            else:
                model = np.exp((1.0 - alpha) * logs[j]) / whole
                beyond = model
            worst = max(worst, abs(at_least - model), abs(more - beyond))
        out[row, 0], out[row, 1] = alpha, worst
    return out
