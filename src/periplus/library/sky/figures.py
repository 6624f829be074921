"""Figures in the sky: lines between heavy stars that are linked and stand close, as in constellations."""

from __future__ import annotations

import numpy as np

from periplus.library.library import Library
from periplus.library.sky.stars import Stars

HEAVY = 600
_LINES_A_STAR = 2
_LONGEST = 0.3  # in units of the mean distance from the middle


def figures_of(library: Library, stars: Stars) -> list[tuple[int, int]]:
    """For each of the heaviest stars, the lines to the nearest heavy stars that it is linked with."""
    count = min(HEAVY, len(stars))
    places = stars.places[:count]
    longest = _LONGEST * float(np.linalg.norm(places - places.mean(axis=0), axis=1).mean()) if count else 0.0
    lines = set()
    for star in range(count):
        page = int(stars.pages[star])
        both = np.concatenate((library.graph.successors(page), library.graph.predecessors(page))).astype(np.int64)
        ends = np.unique(stars.place_of[both])
        ends = ends[(ends < count) & (ends != star)]
        lengths = np.linalg.norm(places[ends] - places[star], axis=1)
        near = np.argsort(lengths, kind="stable")[:_LINES_A_STAR]
        lines |= {(min(star, end), max(star, end)) for end in ends[near[lengths[near] <= longest]].tolist()}
    return sorted(lines)
