"""Light on a canvas: stars and links add to it, then it is developed as film is.

    a star    adds flux · exp(−r²/2σ²) / 2πσ² to the pixels around it, the same light whatever its size
    a link    adds its flux evenly along its length, so that long links do not outshine stars
    develop   1 − exp(−light), then the curve of sRGB; very bright stars turn white

Cost: the pixels touched. One thread, since neighbours add to the same pixels.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Floats

_WIDE = 3.5  # standard deviations that a star is drawn to


@njit(cache=True, nogil=True)
def add_stars(canvas: Floats, places: Floats, sigmas: Floats, fluxes: Floats, colours: Floats) -> None:
    """Add round stars to a canvas of (height, width, 3)."""
    height, width = canvas.shape[0], canvas.shape[1]
    for star in range(len(places)):
        x, y, sigma = places[star, 0], places[star, 1], sigmas[star]
        reach = _WIDE * sigma + 1
        if x < -reach or y < -reach or x > width + reach or y > height + reach:
            continue
        left, right = max(0, int(x - reach)), min(width, int(x + reach) + 1)
        top, bottom = max(0, int(y - reach)), min(height, int(y + reach) + 1)
        fall = -0.5 / (sigma * sigma)
        peak = fluxes[star] / (2 * np.pi * sigma * sigma)
        for row in range(top, bottom):
            down = (row + 0.5 - y) ** 2
            for column in range(left, right):
                shine = peak * np.exp(fall * ((column + 0.5 - x) ** 2 + down))
                for channel in range(3):
                    canvas[row, column, channel] += shine * colours[star, channel]


@njit(cache=True, nogil=True)
def add_lines(canvas: Floats, starts: Floats, ends: Floats, fluxes: Floats, colours: Floats) -> None:
    """Add straight lines, one point of light per pixel of their length, spread over the four pixels around it."""
    height, width = canvas.shape[0], canvas.shape[1]
    for line in range(len(starts)):
        dx, dy = ends[line, 0] - starts[line, 0], ends[line, 1] - starts[line, 1]
        length = np.sqrt(dx * dx + dy * dy)
        points = int(min(length, 4.0 * (height + width))) + 1
        flux = fluxes[line] / points
        for point in range(points):
            share = (point + 0.5) / points
            x, y = starts[line, 0] + share * dx - 0.5, starts[line, 1] + share * dy - 0.5
            column, row = int(np.floor(x)), int(np.floor(y))
            if column < 0 or row < 0 or column >= width - 1 or row >= height - 1:
                continue
            right, down = x - column, y - row
            for channel in range(3):
                light = flux * colours[line, channel]
                canvas[row, column, channel] += light * (1 - right) * (1 - down)
                canvas[row, column + 1, channel] += light * right * (1 - down)
                canvas[row + 1, column, channel] += light * (1 - right) * down
                canvas[row + 1, column + 1, channel] += light * right * down


def sky_light(height: int, width: int) -> Floats:
    """The dark before the stars: a night blue, a little lighter in the middle."""
    rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    glow = np.exp(-1.2 * (rows**2 + columns**2))[:, :, None]
    dark, lighter = np.array([[0.0016, 0.0026, 0.0062], [0.0022, 0.0036, 0.0085]], np.float32)
    return np.asarray(dark + glow * lighter)


def developed(canvas: Floats) -> AnyArray:
    """The canvas as bytes."""
    # Light beyond what a channel can show spills into the others: the hearts of bright stars are white.
    spilled = canvas + 0.22 * np.maximum(canvas.mean(axis=2, keepdims=True) - 0.6, 0)
    linear = -np.expm1(-spilled)
    curve = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)
    # Half a step of fixed noise: dark gradients would show bands.
    noise = np.random.default_rng(0).random(canvas.shape[:2], np.float32)[:, :, None]
    return np.clip(curve * 255 + noise, 0, 255).astype(np.uint8)
