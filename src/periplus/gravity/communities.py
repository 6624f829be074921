"""Communities as places in the sky (Bennouas, Bouklit and de Montgolfier 2003, §4.4): three definitions.

- `spheres`: k balls that hold the most mass in the least volume. The paper leaves the search open. Here balls are
  chosen one by one, each centred on a page, with the largest mass share − volume share among the pages left.
- `dichotomy`: the pages are matched in pairs of least total length, each pair becomes its barycentre, and so on: a
  binary forest. A pair whose density would fall below `density` times that of the whole sky stays apart. (The matching
  is exact up to `EXACT` points, and nearest pairs first beyond: the exact one costs O(n² log² n).)
- `attractors`: pages of at least `mass` times the mean mass attract; attractors closer than `together` are one; every
  page belongs to the nearest, unless that is farther than `reach`. (The paper calls this one the costly one and
  `dichotomy` implemented; it is the other way round.)

Lengths are shares of the radius of the sky (the root of the mean square distance from its barycentre), so that a sky of
any size has the same communities. All give labels by decreasing mass, −1 for pages that belong nowhere.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats, Offsets
from periplus.record import PageLabels, PagePositions

EXACT = 14
_CENTRES = 512  # pages that may be the centre of a ball: the heaviest
_RADII = 64  # radii tried around each, by the number of pages within
_SPHERE = 4 / 3 * np.pi


@checked
def attractors(sky: PagePositions, *, mass: float = 3.0, together: float = 0.1, reach: float = 1.0) -> PageLabels:
    """Every page belongs to the nearest heavy page, unless all are too far."""
    places, masses = _bodies(sky)
    about = {"mass": mass, "together": together, "reach": reach}
    heavy = np.flatnonzero(masses >= mass * masses.mean()) if len(masses) else np.zeros(0, np.int64)
    if not len(heavy):
        return _labelled("attractors", sky, np.full(len(masses), -1), about | {"attractors": 0})
    radius = radius_of(places, masses)
    near = cKDTree(places[heavy])
    group = _joined(near, together * radius, len(heavy))
    distance, which = near.query(places, workers=-1)
    labels = np.where(distance <= reach * radius, group[which], -1)
    return _labelled("attractors", sky, labels, about | {"attractors": len(heavy)})


@checked
def spheres(sky: PagePositions, *, k: int = 8, volume: float = 1.0) -> PageLabels:
    """k balls with the largest mass share − `volume` · volume share; fewer where a further one would gain nothing."""
    places, masses = _bodies(sky)
    labels = np.full(len(masses), -1)
    total, radius = float(masses.sum()), radius_of(places, masses)
    balls: list[tuple[int, float]] = []
    left = np.arange(len(masses))
    while len(balls) < k and len(left):
        gain, centre, reach = best_ball(places[left], masses[left] / (total or 1.0), radius, volume)
        if gain <= 0:
            break
        inside = left[np.linalg.norm(places[left] - places[left[centre]], axis=1) <= reach]
        labels[inside] = len(balls)
        balls.append((int(left[centre]), reach))
        left = np.setdiff1d(left, inside, assume_unique=True)
    return _labelled("spheres", sky, labels, {"k": k, "volume": volume, "balls": len(balls)})


def best_ball(places: Floats, shares: Floats, radius: float, volume: float) -> tuple[float, int, float]:
    """(gain, centre, reach) of the ball with the largest mass share − volume share; the sky's own ball has share 1."""
    centres = np.argsort(-shares, kind="stable")[:_CENTRES]
    counts = [np.arange(1, _RADII), np.geomspace(1, len(places), _RADII)]
    within = np.unique(np.clip(np.concatenate(counts), 1, len(places)).astype(np.int64))
    best = (0.0, 0, 0.0)
    for centre in centres:
        distances = np.linalg.norm(places - places[centre], axis=1)
        order = np.argsort(distances, kind="stable")
        held = np.cumsum(shares[order])[within - 1]
        reach = distances[order][within - 1]
        gains = held - volume * (reach / radius) ** 3 if radius else held
        at = int(np.argmax(gains))
        if gains[at] > best[0]:
            best = float(gains[at]), int(centre), float(reach[at])
    return best


@checked
def dichotomy(sky: PagePositions, *, density: float = 8.0) -> PageLabels:
    """The trees of the matching forest, grown while they are at least so many times as dense as the sky."""
    places, masses = _bodies(sky)
    group = np.arange(len(masses))
    radius = radius_of(places, masses)
    least = density * masses.sum() / (_SPHERE * radius**3) if radius else 0.0
    middles, weights, spread = places.copy(), masses.copy(), np.zeros(len(masses))
    rounds = 0
    while len(weights) > 1:
        one, other = matching(middles).T
        weight = weights[one] + weights[other]
        part = np.divide(weights[other], weight, out=np.full(len(weight), 0.5), where=weight > 0)
        apart = np.linalg.norm(middles[one] - middles[other], axis=1)
        # A ball about the barycentre that holds both.
        wide = np.maximum(part * apart + spread[one], (1 - part) * apart + spread[other])
        merged = weight >= least * _SPHERE * wide**3
        if not merged.any():
            break
        rounds += 1
        one, other, part = one[merged], other[merged], part[merged]
        middles[one] += part[:, None] * (middles[other] - middles[one])
        weights[one], spread[one] = weight[merged], wide[merged]
        into = np.arange(len(weights))
        into[other] = one
        kept = np.setdiff1d(np.arange(len(weights)), other)
        group = np.searchsorted(kept, into[group])
        middles, weights, spread = middles[kept], weights[kept], spread[kept]
    alone = np.bincount(group, minlength=len(weights))[group] == 1 if len(group) else np.zeros(0, bool)
    return _labelled("dichotomy", sky, np.where(alone, -1, group), {"density": density, "rounds": rounds})


def matching(points: Floats) -> Offsets:
    """Pairs of points with the least total length (one point stays alone where their number is odd)."""
    return exact_matching(points) if len(points) <= EXACT else nearest_matching(points)


def exact_matching(points: Floats) -> Offsets:
    """The least matching of a few points, by the sets of points already matched: O(2ⁿ n)."""
    count = len(points)
    padded = count + count % 2  # the partner of the one that stays alone
    lengths = np.zeros((padded, padded))
    lengths[:count, :count] = np.linalg.norm(points[:, None] - points[None], axis=2)
    best: dict[int, tuple[float, int]] = {0: (0.0, 0)}
    for taken in range(1, 1 << padded):
        if taken.bit_count() % 2:
            continue
        first = (taken & -taken).bit_length() - 1
        rest = taken ^ (1 << first)
        best[taken] = min(
            (lengths[first, other] + best[rest ^ (1 << other)][0], other)
            for other in range(first + 1, padded)
            if rest >> other & 1
        )
    pairs, taken = [], (1 << padded) - 1
    while taken:
        first, other = (taken & -taken).bit_length() - 1, best[taken][1]
        taken ^= (1 << first) | (1 << other)
        if other < count:
            pairs.append((first, other))
    return np.array(pairs, np.int64).reshape(-1, 2)


def nearest_matching(points: Floats) -> Offsets:
    """Pairs that are each other's nearest, shortest first, then among the points left, until one or none is left."""
    pairs: list[AnyArray] = []
    left = np.arange(len(points))
    while len(left) > 1:
        nearest = _nearest(points[left])
        mutual = np.flatnonzero((nearest[nearest] == np.arange(len(left))) & (np.arange(len(left)) < nearest))
        if not len(mutual):  # equal distances in a circle: pair neighbours in order
            mutual = np.arange(0, len(left) - 1, 2)
            nearest = np.arange(1, len(left) + 1)
        pairs.append(np.stack([left[mutual], left[nearest[mutual]]], axis=1))
        free = np.ones(len(left), bool)
        free[mutual] = free[nearest[mutual]] = False
        left = left[free]
    return np.concatenate(pairs) if pairs else np.zeros((0, 2), np.int64)


def _nearest(points: Floats) -> Offsets:
    """The nearest other point of each; of points at one place, the next."""
    found = np.asarray(cKDTree(points).query(points, k=2, workers=-1)[1], np.int64)
    return np.where(found[:, 0] == np.arange(len(points)), found[:, 1], found[:, 0])


def radius_of(places: Floats, masses: Floats) -> float:
    """The root of the mean square distance from the barycentre."""
    total = float(masses.sum())
    if not total:
        return 0.0
    centre = masses @ places / total
    return float(np.sqrt(masses @ ((places - centre) ** 2).sum(axis=1) / total))


def _joined(tree: cKDTree, distance: float, count: int) -> Offsets:
    """The group of each attractor: those within the distance of each other, through others where need be."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    near = tree.query_pairs(distance, output_type="ndarray")
    links = coo_array((np.ones(len(near), bool), (near[:, 0], near[:, 1])), shape=(count, count))
    return np.asarray(connected_components(links, directed=False)[1], np.int64)


def _bodies(sky: PagePositions) -> tuple[Floats, Floats]:
    if "masses" not in sky.extra:
        raise ParameterError("sky", sky.method, "positions with masses, as a simulation records them")
    return np.asarray(sky.positions, np.float64), np.asarray(sky.extra["masses"], np.float64)


def _labelled(method: str, sky: PagePositions, labels: AnyArray, about: dict[str, float]) -> PageLabels:
    """Groups numbered from the heaviest; ties by the first page."""
    labels = np.asarray(labels, np.int64)
    found, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    weights = np.bincount(inverse, np.asarray(sky.extra["masses"], np.float64), minlength=len(found)).astype(np.float64)
    weights[found < 0] = -np.inf
    order = np.lexsort((first, -weights))
    number = np.empty(len(found), np.int64)
    number[order] = np.arange(len(found))
    number[found < 0] = -1
    return PageLabels(method, number[inverse], parameters=about, graph_digest=sky.graph_digest, urls=sky.urls)
