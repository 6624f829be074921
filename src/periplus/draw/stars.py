"""A still of a sky as SVG: its heaviest stars, seen from a little above, the near ones larger.

Each colour and size is one path of points with round ends, a handful of bytes a star, so that a still of a thousand
stars is smaller than a photograph of it and takes the theme of the page.
"""

from __future__ import annotations

from collections import defaultdict
from math import cos, sin

import numpy as np
import numpy.typing as npt

from periplus.draw.hues import hues

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.integer]

_TURN, _TILT, _EYE = 0.6, 0.4, 3.0
_COLOURS = hues(32, lightness=0.68, chroma=0.14)
_QUIET = "#8a93a3"
_LIVELY = 0.985  # the share of the stars that the frame holds


def still(places: Floats, masses: Numbers, colours: Numbers, *, width: int, height: int) -> str:
    """The picture; masses are numbers from 0 to 255, colours numbers of groups, stars the heaviest first."""
    x, y, depth = _seen(places)
    side = min(width, height) / 2
    x, y, near = width / 2 + side * x, height / 2 - side * y, np.clip(_EYE / depth, 0.5, 2.0)
    radii = (0.5 + 3.4 * (np.asarray(masses, np.float64) / 255) ** 2.5) * near * side / 150
    steps = np.clip(np.rint(radii * 2).astype(int), 1, 24)
    points: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for at in np.flatnonzero((x > 0) & (x < width) & (y > 0) & (y < height)).tolist():
        colour = _COLOURS[colours[at]] if colours[at] < len(_COLOURS) else _QUIET
        place = f"M{x[at]:.1f} {y[at]:.1f}h0"
        points[int(steps[at]), colour].append(place)
    paths = "".join(
        f'<path d="{"".join(found)}" stroke="{colour}" stroke-width="{step / 2 * 1.6:.1f}"/>'
        for (step, colour), found in sorted(points.items())
    )
    return (
        f'<svg class="still" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true" '
        f'focusable="false"><g fill="none" stroke-linecap="round" stroke-opacity=".85">{paths}</g></svg>'
    )


def _seen(places: Floats) -> tuple[Floats, Floats, Floats]:
    """Where the stars stand in the picture, most of them from -1 to 1, and how far away they are."""
    places = np.asarray(places, np.float64)
    if not len(places):
        return np.zeros(0), np.zeros(0), np.ones(0)
    centred = places - places.mean(axis=0)
    reach = float(np.quantile(np.linalg.norm(centred, axis=1), _LIVELY)) or 1.0
    x, y, z = (centred / reach).T
    x, z = x * cos(_TURN) + z * sin(_TURN), z * cos(_TURN) - x * sin(_TURN)
    y, z = y * cos(_TILT) - z * sin(_TILT), z * cos(_TILT) + y * sin(_TILT)
    depth = np.maximum(_EYE - z, 0.2)
    return x * _EYE / depth * 0.95, y * _EYE / depth * 0.95, depth
