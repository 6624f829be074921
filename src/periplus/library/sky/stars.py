"""The sky of a collection as a browser takes it: the pages as stars, heaviest first, eight bytes each.

    bytes 0–5   x, y, z   whole numbers of two bytes, little-endian: times span / 32,767, from the middle of the sky
    byte  6     mass      its logarithm: 0 the least mass, 255 the largest
    byte  7     colour    the number of its community, as `colours.by_community` gives it

So every beginning of the bytes is a sky by itself: that of the heaviest pages. The formation of the sky comes as one
block per moment, six bytes a star, of the same stars in the same order. O(n) time, 8 bytes a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from periplus.errors import MissingStageError, ParameterError
from periplus.library.library import Library
from periplus.library.sky.colours import by_community
from periplus.numeric.arrays import AnyArray, Floats
from periplus.record import PagePositions

STAR = np.dtype([("place", "<i2", 3), ("mass", "u1"), ("colour", "u1")])
FULL = 32_767
# Stars beyond so many times the reach of the last moment stand on the faces of the box: a handful thrown far out must
# not cost all others their digits.
MARGIN = 4.0


@dataclass(frozen=True)
class Stars:
    """The stars of one sky; star i is page `pages[i]`."""

    sky: PagePositions
    pages: AnyArray
    colours: AnyArray

    def __len__(self) -> int:
        return len(self.pages)

    @cached_property
    def place_of(self) -> AnyArray:
        """The star of each page."""
        found = np.empty(len(self.pages), np.int64)
        found[self.pages] = np.arange(len(self.pages))
        return found

    @cached_property
    def masses(self) -> Floats:
        """The mass of each star; the mean is 1."""
        return np.asarray(self.sky.extra["masses"], np.float64)[self.pages]

    @cached_property
    def sizes(self) -> AnyArray:
        """The logarithm of the mass of each star: 0 for the least, 255 for the largest."""
        return _by_logarithm(self.masses)

    @cached_property
    def places(self) -> Floats:
        """Where each star is in units of the span: from -1 to 1."""
        return np.clip(np.asarray(self.sky.positions, np.float64)[self.pages] / self.span, -1.0, 1.0)

    @cached_property
    def span(self) -> float:
        """Half the side of the box that holds the sky."""
        farthest = float(np.abs(np.asarray(self.sky.positions)).max(initial=0.0))
        reach = self.reaches[-1] if self.reaches else 0.0
        return (min(farthest, MARGIN * reach) if reach else farthest) or 1.0

    @property
    def reaches(self) -> list[float]:
        """Half the side of the box that each moment is written in."""
        return [float(reach) for reach in self.sky.findings.get("reach", ())]

    @property
    def steps(self) -> list[int]:
        """The step of the simulation at each moment."""
        return [int(step) for step in self.sky.findings.get("frame_steps", ())]

    @property
    def filmed(self) -> int:
        """How many stars, from the heaviest, are known at every moment."""
        return int(self.sky.extra["frames"].shape[1]) if self.reaches else 0

    @cached_property
    def packed(self) -> bytes:
        """All stars; see the module docstring."""
        stars = np.empty(len(self), STAR)
        stars["place"] = np.rint(self.places * FULL)
        stars["mass"] = self.sizes
        stars["colour"] = self.colours
        return stars.tobytes()

    def moment(self, number: int, count: int) -> bytes:
        """The places of the first `count` stars at one moment, times reach / 32,767."""
        if not 0 <= number < len(self.reaches):
            raise ParameterError(
                "moment", number, f"from 0 to {len(self.reaches) - 1}" if self.reaches else "none kept"
            )
        return np.ascontiguousarray(self.sky.extra["frames"][number, : max(0, count)], "<i2").tobytes()


def has_sky(library: Library) -> bool:
    """Whether the collection has a sky to look at."""
    return bool(library.skies) and library.graph.nodes > 0


def stars_of(library: Library, name: str = "sky") -> Stars:
    """The stars of a collection's sky."""
    skies = library.skies
    if name not in skies:
        raise MissingStageError(
            f"{library.collection.path} has no sky yet: run `periplus build {library.collection.path}` first"
        )
    sky = skies[name]
    pages = np.asarray(sky.extra["order"], np.int64)
    return Stars(sky, pages, by_community(library, pages, np.asarray(sky.extra["masses"], np.float64)[pages]).numbers)


def _by_logarithm(masses: Floats) -> AnyArray:
    """0 for the least mass, 255 for the largest."""
    if not len(masses):
        return np.zeros(0, np.uint8)
    logs = np.log(np.maximum(masses, 1e-12))
    low, high = float(logs.min()), float(logs.max())
    return np.rint(255 * (logs - low) / ((high - low) or 1.0)).astype(np.uint8)
