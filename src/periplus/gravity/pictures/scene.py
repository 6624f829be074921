"""`Scene`: a sky with its colours, links and names, drawn at any moment by any camera.

A star's light grows with the square root of its mass and its size with the cube root; the more stars there are, the
fainter each one is. The heaviest get a wide faint halo.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from periplus.gravity.pictures.camera import Camera
from periplus.gravity.pictures.light import add_lines, add_stars, developed, sky_light
from periplus.numeric.arrays import AnyArray, Floats

LINES = 30_000  # links drawn at most: a sample of all
_HALOED = 400  # the heaviest stars, which have a halo


@dataclass(frozen=True)
class Scene:
    """What does not change from frame to frame. Rows of all arrays are stars, the heaviest first.

    `links` are pairs of stars; `names` says what some stars are called. A film may show the first stars only.
    """

    masses: Floats
    colours: Floats
    links: AnyArray
    names: Mapping[int, str] = field(default_factory=dict)

    def drawn(self, places: AnyArray, camera: Camera) -> AnyArray:
        """The picture as bytes of (height, width, 3), without names."""
        canvas = sky_light(camera.height, camera.width)
        unit = min(camera.height, camera.width) / 1080
        spots, nearness = camera.seen(places)
        seen, masses = nearness > 0, self.masses[: len(places)]
        if len(self.links):
            self._draw_links(canvas, spots, seen, unit)
        size = unit * nearness * np.clip(np.cbrt(masses), 0.6, 6.0)
        crowd = min(1.0, (4000 / max(len(places), 1)) ** 0.6)
        flux = 9.0 * crowd * unit**2 * nearness**2 * np.sqrt(np.clip(masses, 0.15, 200))
        order = np.flatnonzero(seen)
        add_stars(canvas, spots[order], 0.45 + 0.8 * size[order], flux[order], self.colours[order])
        heavy = order[:_HALOED][masses[order[:_HALOED]] > 3]
        add_stars(canvas, spots[heavy], 9 * size[heavy], 2.2 * flux[heavy], self.colours[heavy])
        return developed(canvas)

    def _draw_links(self, canvas: Floats, spots: Floats, seen: AnyArray, unit: float) -> None:
        drawn = self.links[self.links.max(axis=1) < len(spots)]
        one, other = drawn[seen[drawn].all(axis=1)].T
        flux = np.full(len(one), 900.0 * unit**2 * min(0.01, 30 / max(len(self.links), 1)))
        add_lines(canvas, spots[one], spots[other], flux, 0.5 * (self.colours[one] + self.colours[other]))


def sample_of_links(sources: AnyArray, targets: AnyArray, *, seed: int = 0) -> AnyArray:
    """Pairs of stars to draw a line between: all links, or as many as can be told apart."""
    chosen = np.arange(len(sources))
    if len(chosen) > LINES:
        chosen = np.sort(np.random.default_rng(seed).choice(len(sources), LINES, replace=False))
    return np.stack([sources[chosen], targets[chosen]], axis=1).astype(np.int64)


def spread(places: AnyArray, share: float = 0.97) -> float:
    """The distance from the origin within which so many of the stars lie."""
    return float(np.quantile(np.linalg.norm(places, axis=1), share)) if len(places) else 1.0
