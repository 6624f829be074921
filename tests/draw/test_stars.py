"""The still: how many stars, where, in which colours; and skies that are hardly any."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from periplus.draw.stars import still


def drawn(picture: str) -> list[tuple[float, float, float]]:
    """x, y and width of every star."""
    found = []
    for path in ElementTree.fromstring(picture).iter("path"):
        for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", path.attrib["d"]):
            found.append((float(x), float(y), float(path.attrib["stroke-width"])))
    return found


def test_nearly_every_star_is_in_the_frame() -> None:
    places = np.random.default_rng(3).normal(size=(800, 3))
    for width, height in ((320, 176), (176, 320), (300, 300)):
        stars = drawn(still(places, np.full(800, 90), np.zeros(800, int), width=width, height=height))
        assert len(stars) > 760
        assert all(0 <= x <= width and 0 <= y <= height for x, y, _ in stars)


def test_heavy_stars_are_large_and_the_far_ones_small() -> None:
    places = np.array([[0, 0, 0.9], [0.1, 0, 0.9], [0, 0.2, -0.9], [-1, -1, 0], [1, 1, 0]])
    masses = np.array([255, 10, 255, 0, 0])
    picture = still(places, masses, np.arange(5), width=300, height=300)
    widths = sorted(width for _, _, width in drawn(picture))
    assert widths[-1] > widths[-2] > widths[0]


def test_a_colour_for_each_group_and_a_quiet_one_for_the_rest() -> None:
    picture = still(np.eye(3), np.full(3, 9), np.array([0, 1, 255]), width=99, height=99)
    assert len(set(re.findall(r'stroke="(#[0-9a-f]{6})"', picture))) == 3


@pytest.mark.parametrize("count", [0, 1, 2])
def test_hardly_any_stars(count: int) -> None:
    picture = still(np.zeros((count, 3)), np.zeros(count), np.zeros(count, int), width=10, height=10)
    assert len(drawn(picture)) == count
    assert "nan" not in picture
