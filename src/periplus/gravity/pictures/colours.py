"""Colours of stars, as light: linear red, green and blue per page.

Hues come from OKLCH (Ottosson 2020), where equal steps look equal: groups differ in hue and look equally bright. Groups
take hues a golden angle apart, the largest first, so that large groups never look alike.
"""

from __future__ import annotations

import numpy as np

from periplus.numeric.arrays import AnyArray, Floats

GOLDEN = np.pi * (3 - np.sqrt(5))
_FIRST = 0.75  # the hue of the largest group, in radians: a warm yellow
_LIGHTNESS, _CHROMA = 0.78, 0.125
_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def light(
    hues: AnyArray | float, lightness: AnyArray | float = _LIGHTNESS, chroma: AnyArray | float = _CHROMA
) -> Floats:
    """Linear red, green, blue of hues in radians."""
    hues = np.asarray(hues, float)
    lab = np.stack(
        np.broadcast_arrays(np.asarray(lightness, float), chroma * np.cos(hues), chroma * np.sin(hues)), axis=-1
    )
    return np.clip((lab @ _TO_LMS.T) ** 3 @ _TO_RGB.T, 0, 1)


def of_groups(labels: AnyArray) -> Floats:
    """One colour per group, the largest groups first; grey for pages in none."""
    labels = np.asarray(labels, np.int64)
    sizes = np.bincount(labels[labels >= 0], minlength=1)
    place = np.empty(len(sizes), np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    hues = _FIRST + GOLDEN * place
    found = light(hues[labels])
    found[labels < 0] = light(0.0, chroma=0.0)
    return found


def along(pages: int) -> Floats:
    """The circle of hues in the order of the ids."""
    return light(2 * np.pi * np.arange(pages) / max(pages, 1))
