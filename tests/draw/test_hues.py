"""Colours: known values of OKLCH, and that neighbours can be told apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from periplus.draw.hues import hues, oklch, ramp


def light(colour: str) -> float:
    """Relative luminance of `#rrggbb`, by the formula of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("colour", "wanted"),
    # CSS Color 4 gives these as the OKLCH of the sRGB primaries.
    [((1.0, 0.0, 0.0), "#ffffff"), ((0.0, 0.0, 0.0), "#000000"), ((0.62796, 0.25768, 29.234), "#ff0000"),
     ((0.86644, 0.29483, 142.495), "#00ff00"), ((0.45201, 0.31321, 264.052), "#0000ff")],
)  # fmt: skip
def test_known_colours(colour: tuple[float, float, float], wanted: str) -> None:
    assert oklch(*colour) == wanted


def test_the_first_groups_are_far_apart() -> None:
    parts = [[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in hues(10, lightness=0.7, chroma=0.13)]
    for one, other in combinations(parts, 2):
        assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 30
    assert len(set(hues(254, lightness=0.7, chroma=0.13))) > 245


def test_a_scale_can_be_read_in_grey() -> None:
    lights = [light(colour) for colour in ramp(64, low=0.3, high=0.9, chroma=0.1)]
    assert lights == sorted(lights)
    assert lights[-1] > 5 * lights[0]
