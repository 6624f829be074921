"""Nearness to some pages of a sky, against all distances written out."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.gravity import ball, nearness
from periplus.record import PagePositions


def test_it_is_the_distance_to_the_nearest_in_radii() -> None:
    places = 7.0 * ball(200, seed=3) + 5.0
    pages = [4, 90, 150]
    apart = np.linalg.norm(places[:, None] - places[pages], axis=2).min(axis=1)
    radius = np.sqrt(((places - places.mean(axis=0)) ** 2).sum(axis=1).mean())
    found = nearness(PagePositions("gravity", places), pages)
    assert found == pytest.approx(apart / radius)
    assert (found[pages] == 0).all()


def test_pages_at_one_point_are_all_near() -> None:
    assert nearness(PagePositions("gravity", np.ones((3, 3))), [1]).tolist() == [0, 0, 0]


@pytest.mark.parametrize("pages", [[], [-1], [3]])
def test_pages_that_are_not_there_are_refused(pages: list[int]) -> None:
    with pytest.raises(ParameterError, match="at least one number from 0 to 2"):
        nearness(PagePositions("gravity", np.ones((3, 3))), pages)
