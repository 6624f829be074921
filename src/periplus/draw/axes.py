"""Axes: from numbers to pixels, and where the ticks stand.

A linear axis maps v to a + (b − a)(v − lo)/(hi − lo) and ticks at multiples of 1, 2 or 5 times a power of ten;
a logarithmic axis does the same to log₁₀ v and ticks at powers of ten (with 2 and 5 between them when the range
is short). Labels are written the way a person reads them: 1,000 rather than 1e3, 10⁶ rather than 1,000,000.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from periplus.errors import ParameterError

ScaleName = Literal["linear", "log"]
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: the range of the data and the range of pixels it is drawn on."""

    scale: ScaleName
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        low, high, at = self._inner(self.low), self._inner(self.high), self._inner(value)
        return self.start + (self.end - self.start) * (at - low) / (high - low)

    def _inner(self, value: float) -> float:
        return math.log10(value) if self.scale == "log" else value

    def shows(self, value: float) -> bool:
        """Whether a value can stand on this axis at all."""
        return math.isfinite(value) and (self.scale == "linear" or value > 0)

    def ticks(self, count: int = 6) -> list[float]:
        """About `count` round values inside the range, in increasing order."""
        return _log_ticks(self.low, self.high, count) if self.scale == "log" else _nice(self.low, self.high, count)


def fit_axis(
    values: Iterable[float], scale: ScaleName, pixels: tuple[float, float], *, from_zero: bool = False
) -> Axis:
    """The axis that holds all the values that can stand on it, with a small margin."""
    if scale not in ("linear", "log"):
        raise ParameterError("scale", scale, "linear or log")
    kept = [float(v) for v in values if math.isfinite(v) and (scale == "linear" or v > 0)]
    low, high = (min(kept), max(kept)) if kept else (1.0, 10.0)
    if scale == "log":
        low, high = (low / 1.25, high * 1.25) if high / low > 1.6 else (low / 2, high * 2)
        return Axis("log", low, high, *pixels)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high == low:
        low, high = low - 0.5, high + 0.5
    air = 0.04 * (high - low)
    low = low if from_zero and low == 0 else low - air
    return Axis("linear", low, high + air, *pixels)


def _nice(low: float, high: float, count: int) -> list[float]:
    rough = (high - low) / max(count - 1, 1)
    magnitude = 10.0 ** math.floor(math.log10(rough))
    step = next(magnitude * factor for factor in (1, 2, 5, 10) if magnitude * factor >= 0.7 * rough)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def _log_ticks(low: float, high: float, count: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    decades = [e for e in range(first, last + 1) if low <= 10.0**e <= high]
    if len(decades) >= 3:
        step = -(-len(decades) // count)
        return [10.0**e for e in decades if e % step == 0]
    factors: Sequence[int] = (1, 2, 5) if decades or high / low > 4 else range(1, 10)
    ticks = [f * 10.0**e for e in range(first, last + 1) for f in factors]
    return [tick for tick in ticks if low <= tick <= high]


def told(number: float) -> str:
    """A value pointed at: whole numbers whole, others to four figures."""
    if number == int(number) and abs(number) < 1e15:
        return f"{number:,.0f}".replace("-", "−")
    return f"{number:.4g}".replace("-", "−")


def label(value: float) -> str:
    """A tick's text: plain figures up to 10,000, powers of ten beyond, no trailing noise."""
    size = abs(value)
    if size >= 100_000 or 0 < size < 0.001:
        exponent = math.floor(math.log10(size) + 1e-12)
        mantissa = value / 10.0**exponent
        power = "10" + str(exponent).translate(_SUPERSCRIPTS)
        shown = f"{mantissa:.3g}"
        return power if shown == "1" else f"−{power}" if shown == "-1" else f"{shown}×{power}".replace("-", "−")
    text = f"{value:,.4f}".rstrip("0").rstrip(".") if size < 1000 else f"{value:,.0f}"
    return text.replace("-", "−") if text != "-0" else "0"
