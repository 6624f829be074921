"""What a sky looks like in numbers: energy, radius, the mean distance along links and between pages.

    kinetic    ½ Σ m v²
    potential  −G Σ_{p→q} m(p) m(q) / √(dist² + ε²), divided by the in-degree of q where forces are
    radius     √(Σ m ‖x − barycentre‖² / Σ m)

The mean distance of two pages comes from 2¹⁶ seeded pairs, or from all pairs of a small sky. A link is shorter than a
pair where linked pages have gathered: the ratio is near 1 in a sky that merely disperses. O(m + n).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from periplus.errors import ParameterError
from periplus.gravity.simulation import Simulation
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.record import PagePositions

PAIRS = 1 << 16


@dataclass(frozen=True, slots=True)
class Summary:
    """One moment of a sky."""

    step: int
    kinetic: float
    potential: float
    total_mass: float
    largest_mass: float
    radius: float
    link_distance: float
    pair_distance: float

    @property
    def energy(self) -> float:
        """Kinetic and potential together."""
        return self.kinetic + self.potential

    @property
    def gathered(self) -> float:
        """Mean distance along links over mean distance of pairs: below one half, linked pages have gathered."""
        return self.link_distance / self.pair_distance if self.pair_distance else 0.0

    def to_dict(self) -> dict[str, float]:
        """The numbers by name."""
        own = {name: getattr(self, name) for name in self.__slots__}
        return own | {"energy": self.energy, "gathered": self.gathered}


def summary(simulation: Simulation) -> Summary:
    """The numbers of this moment."""
    graph, constants = simulation.graph, simulation.constants
    places = simulation.positions.astype(np.float64)
    masses = simulation.masses.astype(np.float64)
    speeds = simulation.velocities.astype(np.float64)
    total = float(masses.sum())
    if not graph.nodes or not total:
        return Summary(simulation.steps, 0.0, 0.0, total, 0.0, 0.0, 0.0, 0.0)
    divisors = graph.in_degrees if constants.divided else np.ones(graph.nodes, np.int64)
    bound, length = along_links(
        graph.out_offsets, graph.out_targets, places, masses, constants.softening**2, divisors.astype(np.float64)
    )
    centre = masses @ places / total
    spread = ((places - centre) ** 2).sum(axis=1)
    return Summary(
        step=simulation.steps,
        kinetic=float(0.5 * (masses * (speeds**2).sum(axis=1)).sum()),
        potential=0.0 - constants.gravity * bound,  # no links: 0, not −0
        total_mass=total,
        largest_mass=float(masses.max()),
        radius=float(np.sqrt(masses @ spread / total)),
        link_distance=length / graph.links if graph.links else 0.0,
        pair_distance=pair_distance(places),
    )


def pair_distance(places: AnyArray, *, seed: int = 0) -> float:
    """The mean distance of two different pages."""
    pages = len(places)
    if pages < 2:
        return 0.0
    if pages * (pages - 1) // 2 <= PAIRS:
        from scipy.spatial.distance import pdist

        return float(pdist(places).mean())
    random = np.random.default_rng(seed)
    one = random.integers(0, pages, PAIRS)
    other = (one + random.integers(1, pages, PAIRS)) % pages
    return float(np.linalg.norm(places[one] - places[other], axis=1).mean())


def nearness(sky: PagePositions, pages: AnyArray) -> Floats:
    """The distance of every page to the nearest of these, in radii of the sky (root of the mean square)."""
    places = np.asarray(sky.positions, np.float64)
    wanted = np.asarray(pages, np.int64)
    if not len(wanted) or wanted.min() < 0 or wanted.max() >= len(places):
        raise ParameterError("pages", wanted[:5].tolist(), f"at least one number from 0 to {len(places) - 1:,}")
    radius = np.sqrt(((places - places.mean(axis=0)) ** 2).sum(axis=1).mean()) or 1.0
    return np.asarray(cKDTree(places[wanted]).query(places)[0] / radius)


def group_sizes(places: AnyArray, reach: float) -> Offsets:
    """The sizes of the groups of pages that are within `reach` of another page of theirs, the largest first."""
    near = cKDTree(places).query_pairs(reach, output_type="ndarray")
    links = coo_array((np.ones(len(near)), (near[:, 0], near[:, 1])), shape=(len(places),) * 2)
    return np.asarray(np.sort(np.bincount(connected_components(links, directed=False)[1]))[::-1])


def left(start: AnyArray, now: AnyArray, sites: AnyArray) -> Bools:
    """Whether each page is nearer to where another site stood than to where its own did."""
    counts = np.maximum(np.bincount(sites), 1)
    stood = np.stack([np.bincount(sites, start[:, axis]) for axis in range(3)], axis=1) / counts[:, None]
    own = np.linalg.norm(now - stood[sites], axis=1)
    return np.asarray(cKDTree(stood[counts > 0]).query(now)[0] < own - 1e-6)


@njit(cache=True, nogil=True)
def along_links(
    offsets: Offsets, targets: Ids, places: Floats, masses: Floats, softening: float, divisors: Floats
) -> tuple[float, float]:
    """Σ m(p) m(q) / (√(dist² + ε²) · divisor(q)) and Σ dist over the links p → q."""
    bound, length = 0.0, 0.0
    for page in range(len(offsets) - 1):
        for link in range(offsets[page], offsets[page + 1]):
            other = targets[link]
            square = 0.0
            for axis in range(3):
                square += (places[page, axis] - places[other, axis]) ** 2
            bound += masses[page] * masses[other] / (np.sqrt(square + softening) * divisors[other])
            length += np.sqrt(square)
    return bound, length
