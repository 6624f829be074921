"""Names of stars on a picture: the heaviest first, none over another, and none that flickers.

A name that would lie over a heavier one fades out within half a second of film, and back in once there is room.
Letters come from DejaVu Sans where the system has it, which knows most scripts, else from the font that Pillow brings.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from periplus.numeric.arrays import AnyArray, Floats

_FADING = 0.08  # how much of its ink a name gains or loses per frame
_LETTERS = 48


@cache
def font(size: int) -> Any:
    """Letters of so many pixels."""
    from PIL import ImageFont

    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)


class Labels:
    """The names of some stars, from frame to frame; `names` lists the heaviest first."""

    def __init__(self, names: Mapping[int, str], colours: Floats) -> None:
        self.names = {star: shortened(name) for star, name in names.items()}
        self.colours = colours
        self._ink = dict.fromkeys(names, -1.0)

    def written(self, picture: AnyArray, spots: Floats, nearness: Floats) -> AnyArray:
        """The picture with the names beside their stars."""
        if not self.names:
            return picture
        from PIL import Image, ImageDraw

        height, width = picture.shape[:2]
        unit = min(height, width) / 1080
        layer = Image.new("RGBA", (width, height))
        pen = ImageDraw.Draw(layer)
        taken: list[tuple[float, float, float, float]] = []
        for place, (star, name) in enumerate(self.names.items()):
            letters = font(max(9, round(unit * (26 if place < 3 else 21))))
            x, y = spots[star] + np.array([14, -9]) * unit
            box = pen.textbbox((x, y), name, font=letters, anchor="ls")
            inside = box[0] > 0 and box[1] > 0 and box[2] < width and box[3] < height and nearness[star] > 0
            free = inside and not any(_overlap(box, other, 6 * unit) for other in taken)
            ink = self._faded(star, free)
            if free:
                taken.append(box)
            if ink > 0.02:
                tint = tuple(int(255 * min(1.0, 0.62 + 0.38 * part)) for part in self.colours[star] ** 0.45)
                pen.text(
                    (x, y), name, font=letters, anchor="ls", fill=(*tint, int(235 * ink)),
                    stroke_width=max(1, round(1.6 * unit)), stroke_fill=(4, 7, 14, int(190 * ink)),
                )  # fmt: skip
        return np.asarray(Image.alpha_composite(Image.fromarray(picture).convert("RGBA"), layer).convert("RGB"))

    def _faded(self, star: int, free: bool) -> float:
        """How much ink the name has now; in the first frame all or nothing."""
        before = self._ink[star]
        now = float(free) if before < 0 else before + (_FADING if free else -_FADING)
        self._ink[star] = min(1.0, max(0.0, now))
        return self._ink[star]


def shortened(name: str) -> str:
    """A name of at most 48 letters, on one line."""
    line = " ".join(name.split())
    return line if len(line) <= _LETTERS else line[: _LETTERS - 1].rstrip() + "…"


def _overlap(one: tuple[float, ...], other: tuple[float, ...], gap: float) -> bool:
    across = one[0] < other[2] + gap and other[0] < one[2] + gap
    return across and one[1] < other[3] + gap and other[1] < one[3] + gap
