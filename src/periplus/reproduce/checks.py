"""A printed figure beside ours, and the verdict that follows from the two by rule, never typed in.

    reproduced    our interval meets what is printed and is no wider than a tenth of it either way
    consistent    it meets what is printed, but is wider; or it was measured on another web than the paper's
    differs       it does not meet what is printed

A printed number stands for all that round to it: 2.1 for 2.05 to 2.15, 24 % for 23.5 to 24.5 %. A bound ("at least
28") is reproduced where our whole interval keeps it, consistent where part of it does. "Of the order of" allows a
factor of √10 either way. Where words are printed ("small"), the check says what they are read as. A statement holds
or does not. Of a claim with several figures the worst verdict counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from periplus.numeric.arrays import AnyArray
from periplus.record import Findings

REPRODUCED, CONSISTENT, DIFFERS, NEEDS_DATA = "reproduced", "consistent", "differs", "needs data"
VERDICTS = (REPRODUCED, CONSISTENT, DIFFERS, NEEDS_DATA)
NARROW = 0.1
_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Check(Findings):
    """One printed figure, ours, and what follows."""

    what: str
    printed: str
    ours: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number of ours with the interval that holds it 95 times in 100; a certified or exact one has no width."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def told(self, unit: str = "") -> str:
        """The number with its interval, to the digits that mean something."""
        unit = f" {unit}" if unit else ""
        if self.half <= 1e-12 * max(abs(self.value), 1e-300):
            return f"{_digits(self.value)}{unit}"
        if not math.isfinite(self.half):
            return f"{_digits(self.value)}{unit} (no interval)"
        places = max(0, 1 - math.floor(math.log10(self.half)))
        low, high = (f"{end:,.{places}f}" for end in (self.low, self.high))
        return f"{self.value:,.{places}f}{unit} ({low} to {high})"


def exact(value: float) -> Estimate:
    """A number that is worked out, not sampled."""
    return Estimate(float(value), float(value), float(value))


def give_or_take(value: float, half: float) -> Estimate:
    """A number with the half-width of its interval."""
    return Estimate(float(value), float(value - half), float(value + half))


def mean_of(values: Sequence[float] | AnyArray) -> Estimate:
    """The mean of independent runs with Student's interval."""
    from scipy.stats import t  # slow to load

    runs = np.asarray(values, dtype=np.float64)
    half = float(t.ppf(0.975, len(runs) - 1) * runs.std(ddof=1) / math.sqrt(len(runs)))
    return give_or_take(float(runs.mean()), half)


def share_of(count: int, total: int) -> Estimate:
    """A share that was counted, with Wilson's interval."""
    z, p = 1.959964, count / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half))


def times(estimate: Estimate, factor: float) -> Estimate:
    """The estimate in another unit, such as per cent."""
    return Estimate(estimate.value * factor, estimate.low * factor, estimate.high * factor)


# -- the rules -----------------------------------------------------------------------------------------------


def stands_for(printed: str) -> tuple[float, float]:
    """The numbers that a printed one, or a printed range ("50–100"), stands for."""
    found = _NUMBER.findall(printed)
    if len(found) == 2:
        return _value(found[0]), _value(found[1])
    half = 0.5 * 10.0 ** -len(found[0].partition(".")[2])
    return _value(found[0]) - half, _value(found[0]) + half


def number(
    what: str,
    printed: str,
    ours: Estimate,
    *,
    unit: str = "",
    another: bool = False,
    means: tuple[float, float] | None = None,
) -> Check:
    """A printed number beside ours; `another`: measured on another web than the paper's, so at best consistent.

    `means` is the range that the printed words stand for, where they are no plain number.
    """
    low, high = means or stands_for(printed)
    slack = 1e-9 * max(abs(low), abs(high))
    if ours.high < low - slack or ours.low > high + slack or math.isnan(ours.value):
        verdict = DIFFERS
    elif another or ours.half > NARROW * max(abs(low), abs(high)):
        verdict = CONSISTENT
    else:
        verdict = REPRODUCED
    read = "" if means is None or high - low <= 1e-4 * abs(high) else f" ({_digits(low)} to {_digits(high)})"
    return Check(what, printed + read, ours.told(unit), verdict)


def bound(
    what: str,
    printed: str,
    ours: Estimate,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    unit: str = "",
    another: bool = False,
) -> Check:
    """A printed bound beside ours."""
    inside = least <= ours.low and ours.high <= most
    if inside:
        verdict = CONSISTENT if another else REPRODUCED
    else:
        verdict = CONSISTENT if ours.high >= least and ours.low <= most else DIFFERS
    limits = [f"≥ {_digits(least)}"] * math.isfinite(least) + [f"≤ {_digits(most)}"] * math.isfinite(most)
    read = [limit for limit in limits if limit not in printed]
    return Check(what, f"{printed} ({', '.join(read)})" if read else printed, ours.told(unit), verdict)


def order(what: str, printed: str, ours: Estimate, of: float, *, unit: str = "", another: bool = False) -> Check:
    """What is printed as "of the order of"."""
    return number(what, printed, ours, unit=unit, another=another, means=(of / math.sqrt(10), of * math.sqrt(10)))


def holds(what: str, printed: str, ours: str, true: bool, *, another: bool = False) -> Check:
    """A statement, checked."""
    return Check(what, printed, ours, (CONSISTENT if another else REPRODUCED) if true else DIFFERS)


def worst(checks: Iterable[Check]) -> str:
    """The verdict of a claim from those of its figures."""
    return max((one.verdict for one in checks), key=VERDICTS.index)


def _value(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _digits(value: float) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
