"""Colours for many groups, and for more or less of something, in the OKLCH space (Ottosson 2020).

Group i has the hue of i golden angles: any first few are far apart, and none comes twice. All have one lightness, so
that none shouts; `lightness` is chosen for the paper or the night behind. A scale runs from a deep blue to gold, and
its lightness grows evenly, so that it can be read in grey.
"""

from __future__ import annotations

import math

_GOLDEN = 360 * (2 - (1 + math.sqrt(5)) / 2)
_FIRST = 235.0
# From OKLab to the cone responses, and from these to linear sRGB.
_CONES = ((1.0, 0.3963377774, 0.2158037573), (1.0, -0.1055613458, -0.0638541728), (1.0, -0.0894841775, -1.2914855480))
_SRGB = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def hues(count: int, *, lightness: float, chroma: float) -> list[str]:
    """So many colours of one lightness, as `#rrggbb`."""
    return [oklch(lightness, chroma, (_FIRST + at * _GOLDEN) % 360) for at in range(count)]


def ramp(count: int, *, low: float, high: float, chroma: float) -> list[str]:
    """So many colours from deep blue to gold, the lightness growing from `low` to `high`."""
    parts = [at / max(1, count - 1) for at in range(count)]
    return [oklch(low + part * (high - low), chroma, 275 - 185 * part) for part in parts]


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """One colour as `#rrggbb`; what the screen cannot show is cut off."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    cones = [(row[0] * lightness + row[1] * a + row[2] * b) ** 3 for row in _CONES]
    linear = (sum(weight * cone for weight, cone in zip(row, cones, strict=True)) for row in _SRGB)
    return "#" + "".join(f"{round(255 * _encoded(min(max(one, 0.0), 1.0))):02x}" for one in linear)


def _encoded(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
