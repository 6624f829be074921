"""Communities as places in the sky, against brute force and planted groups."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.gravity import attractors, dichotomy, spheres
from periplus.gravity.communities import best_ball, exact_matching, nearest_matching, radius_of
from periplus.record import PagePositions


def sky_of(places, masses=None) -> PagePositions:
    places = np.asarray(places, float)
    masses = np.ones(len(places)) if masses is None else np.asarray(masses, float)
    return PagePositions("gravity", places, extra={"masses": masses, "velocities": np.zeros_like(places)})


def planted(groups: int = 4, size: int = 30, seed: int = 0):
    random = np.random.default_rng(seed)
    middles = np.array([[3.0, 0, 0], [-3, 0, 0], [0, 3, 0], [0, 0, 3], [0, -3, 0]])[:groups]
    places = (middles[:, None] + 0.1 * random.standard_normal((groups, size, 3))).reshape(-1, 3)
    masses = np.ones(groups * size)
    masses[::size] = 20
    return places, masses, np.repeat(np.arange(groups), size)


def same_groups(labels, truth) -> bool:
    return len(set(zip(labels, truth, strict=True))) == len(set(truth)) == len(set(labels))


@pytest.mark.parametrize("method", [attractors, spheres, dichotomy])
def test_planted_groups_are_found(method):
    places, masses, truth = planted()
    found = method(sky_of(places, masses), **({"k": 4} if method is spheres else {}))
    held = found.labels >= 0
    assert held.mean() > 0.9
    assert same_groups(found.labels[held], truth[held])


def test_a_page_far_from_every_attractor_belongs_nowhere():
    places, masses, _ = planted()
    found = attractors(sky_of(np.vstack([places, [[50.0, 0, 0]]]), np.append(masses, 1)))
    assert found.labels[-1] == -1
    assert (found.labels[:-1] >= 0).all()


def test_attractors_near_each_other_are_one():
    places = [[0, 0, 0], [0.1, 0, 0], [5, 0, 0], [5, 0.1, 0], [-5, 0, 0], [-5, 0.1, 0]]
    found = attractors(sky_of(places, [10, 10, 10, 1, 10, 1]), mass=1.0, together=0.05)
    assert len(set(found.labels.tolist())) == 3
    assert found.labels[0] == found.labels[1] == 0  # the heaviest first


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 7))
def test_the_best_ball_is_the_best_of_all(seed, pages):
    random = np.random.default_rng(seed)
    places, shares = random.standard_normal((pages, 3)), random.dirichlet(np.ones(pages))
    radius = radius_of(places, shares)
    best = max(
        float(shares[np.linalg.norm(places - places[centre], axis=1) <= reach].sum()) - (reach / radius) ** 3
        for centre in range(pages)
        for reach in np.linalg.norm(places - places[centre], axis=1)
    )
    assert best_ball(places, shares, radius, 1.0)[0] == pytest.approx(best)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4, 5, 6]))
def test_the_exact_matching_is_the_shortest(seed, points):
    places = np.random.default_rng(seed).standard_normal((points, 3))

    def length(pairs):
        return sum(float(np.linalg.norm(places[a] - places[b])) for a, b in pairs)

    orders = itertools.permutations(range(points))
    shortest = min(length(zip(order[::2], order[1::2], strict=False)) for order in orders)
    assert length(exact_matching(places)) == pytest.approx(shortest)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 60), st.booleans())
def test_the_nearest_matching_pairs_everybody_once(seed, points, equal):
    places = np.zeros((points, 3)) if equal else np.random.default_rng(seed).standard_normal((points, 3))
    matched = nearest_matching(places).ravel()
    assert len(set(matched.tolist())) == len(matched) == points - points % 2


@pytest.mark.parametrize("method", [attractors, spheres, dichotomy])
@pytest.mark.parametrize("pages", [0, 1, 2])
def test_tiny_skies(method, pages):
    assert len(method(sky_of(np.zeros((pages, 3)))).labels) == pages


@pytest.mark.parametrize("method", [attractors, spheres, dichotomy])
def test_a_thousand_pages_at_one_point_are_at_most_one_group(method):
    assert set(method(sky_of(np.zeros((1000, 3)))).labels.tolist()) <= {-1, 0}
