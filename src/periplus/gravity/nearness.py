"""How near every page of a sky is to some of its pages: crawling a region of the map first (the paper's §7)."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats
from periplus.record import PagePositions


def nearness(sky: PagePositions, pages: AnyArray) -> Floats:
    """The distance of every page to the nearest of these, in radii of the sky (root of the mean square)."""
    places = np.asarray(sky.positions, np.float64)
    wanted = np.asarray(pages, np.int64)
    if not len(wanted) or wanted.min() < 0 or wanted.max() >= len(places):
        raise ParameterError("pages", wanted[:5].tolist(), f"at least one number from 0 to {len(places) - 1:,}")
    radius = np.sqrt(((places - places.mean(axis=0)) ** 2).sum(axis=1).mean()) or 1.0
    return np.asarray(cKDTree(places[wanted]).query(places)[0] / radius)
