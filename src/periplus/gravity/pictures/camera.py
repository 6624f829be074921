"""A camera that looks at the middle of a sky from a distance: where stars appear, and how near they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.numeric.arrays import AnyArray, Floats

_AWAY = 3.2  # radii between the camera and the middle
_FILLS = 0.86  # share of the height that the radius on both sides takes, seen from there


@dataclass(frozen=True, slots=True)
class Camera:
    """Turned by `yaw` about the upright axis, then raised by `pitch` (radians); `radius` fills the picture."""

    width: int
    height: int
    radius: float
    yaw: float = 0.6
    pitch: float = 0.42
    middle: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def seen(self, places: AnyArray) -> tuple[Floats, Floats]:
        """Pixels (x, y) of each place, and its nearness: 1 in the middle, 0 behind the camera."""
        away = _AWAY * (self.radius or 1.0)
        turned = (np.asarray(places, np.float64) - self.middle) @ self._turn().T
        depth = away - turned[:, 2]
        nearness = np.where(depth > 0.05 * away, away / np.maximum(depth, 0.05 * away), 0.0)
        scale = _FILLS * min(self.height, self.width) / 2 / (self.radius or 1.0)
        x = self.width / 2 + turned[:, 0] * nearness * scale
        y = self.height / 2 - turned[:, 1] * nearness * scale
        return np.stack([x, y], axis=1), nearness

    def _turn(self) -> Floats:
        cos, sin = np.cos(self.yaw), np.sin(self.yaw)
        about = np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])
        cos, sin = np.cos(self.pitch), np.sin(self.pitch)
        return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]) @ about
