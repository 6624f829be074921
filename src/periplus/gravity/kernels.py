"""One step of the gravitational model: three passes over arrays, pulled row by row.

A row of `bodies` is one page: x, y, z and its mass m, side by side, so that a link costs one gather. With
r² = ‖x_q − x_p‖² + ε² (ε keeps two pages at one point apart) and w = 1/r^δ, the passes are

    push_apart    over the out-links p → q:   v_p += G dt Σ_q m_q (x_q − x_p) / r³,   share_p = m_p / Σ_q w
    pull_in       over the in-links q → p:    v_p += G dt Σ_q m_q (x_q − x_p) / r³,   mass_p = Σ_q w share_q
    move          over the pages:             v_p *= damping,  x_p = (x_p + v_p dt) stretch,  m_p = d mass_p + base

A link pulls both its ends, once in each pass, so that force and counterforce are equal (a link each way counts twice).
Where `law.divided` holds, the force of a link p → q is divided by the in-degree of q. Each row is added up in the order
of its links, whatever the threads: the bits of a step do not depend on their number. Cost: 2m gathers of 16 bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.rank.linear.passes import chunk_bounds

# The links of a row may be added up in lanes, always the same ones: measured 1.5 times faster. NaN stays NaN.
REORDERED = {"reassoc", "nsz", "contract"}


class Links(NamedTuple):
    """Both sides of a graph, each cut into chunks of about equally many links."""

    out_offsets: Offsets
    out_targets: Ids
    out_bounds: Offsets
    in_offsets: Offsets
    in_sources: Ids
    in_bounds: Offsets

    @classmethod
    def of(cls, graph: Graph) -> Links:
        """The links of a graph."""
        out, into = graph.out_offsets, graph.in_offsets
        return cls(out, graph.out_targets, chunk_bounds(out), into, graph.in_sources, chunk_bounds(into))


class State(NamedTuple):
    """Everything that a step changes; 36 bytes per page in float32."""

    bodies: AnyArray  # x, y, z, mass
    velocities: AnyArray  # x, y, z
    shares: AnyArray  # what a page hands to a neighbour at distance one
    masses: AnyArray  # what a page is handed


class Law(NamedTuple):
    """The constants of a step in the type of the state; numbers of another type would slow every link down."""

    kick: np.floating  # G · dt
    softening: np.floating  # ε²
    one: np.floating
    delta: int  # δ
    divided: bool  # whether the in-degree of its target divides the force of a link


class Motion(NamedTuple):
    """How pages move once their velocities are known."""

    time_step: np.floating
    damping: np.floating
    farthest: np.floating  # how far a page may move in a step
    stretch: np.floating  # 1 + λ exp(−αt)
    handed: np.floating  # d
    base: np.floating  # what every page gets of the mass that is not handed on
    one: np.floating


@njit(cache=True, nogil=True, inline="always")
def nearness(delta, one, inverse, root):  # type: ignore[no-untyped-def]
    """1/r^δ for δ from 0 to 4, from 1/r² and 1/r: a call of `pow` would cost half as much again per link."""
    even = one if delta < 2 else inverse if delta < 4 else inverse * inverse
    return even * root if delta & 1 else even


@njit(cache=True, nogil=True, parallel=True, fastmath=REORDERED)
def push_apart(links, state, law, kept):  # type: ignore[no-untyped-def]
    """The pass over the out-links; kept[c] is the mass of the pages of chunk c that hand on nothing."""
    bodies, velocities, shares, _ = state
    offsets, targets, bounds, into, _, _ = links
    zero = law.one - law.one
    for chunk in prange(len(bounds) - 1):
        alone = 0.0
        link = np.uint64(offsets[bounds[chunk]])
        for page in range(bounds[chunk], bounds[chunk + 1]):
            x, y, z = bodies[page, 0], bodies[page, 1], bodies[page, 2]
            ax, ay, az, total = zero, zero, zero, zero
            end = np.uint64(offsets[page + 1])
            while link < end:
                other = targets[link]
                dx, dy, dz = bodies[other, 0] - x, bodies[other, 1] - y, bodies[other, 2] - z
                inverse = law.one / (dx * dx + dy * dy + dz * dz + law.softening)
                root = np.sqrt(inverse)
                force = bodies[other, 3] * inverse * root
                if law.divided:
                    force /= np.float32(into[other + 1] - into[other])
                ax += force * dx
                ay += force * dy
                az += force * dz
                total += nearness(law.delta, law.one, inverse, root)
                link += np.uint64(1)
            velocities[page, 0] += law.kick * ax
            velocities[page, 1] += law.kick * ay
            velocities[page, 2] += law.kick * az
            if total > zero:
                shares[page] = bodies[page, 3] / total
            else:
                shares[page] = zero
                alone += bodies[page, 3]
        kept[chunk] = alone


@njit(cache=True, nogil=True, parallel=True, fastmath=REORDERED)
def pull_in(links, state, law, handed):  # type: ignore[no-untyped-def]
    """The pass over the in-links; handed[c] is the mass that the pages of chunk c are handed."""
    bodies, velocities, shares, masses = state
    _, _, _, offsets, sources, bounds = links
    zero = law.one - law.one
    for chunk in prange(len(bounds) - 1):
        sum_of_chunk = 0.0
        link = np.uint64(offsets[bounds[chunk]])
        for page in range(bounds[chunk], bounds[chunk + 1]):
            x, y, z = bodies[page, 0], bodies[page, 1], bodies[page, 2]
            ax, ay, az, mass = zero, zero, zero, zero
            end = np.uint64(offsets[page + 1])
            kick = law.kick
            if law.divided and link < end:
                kick /= np.float32(end - link)
            while link < end:
                other = sources[link]
                dx, dy, dz = bodies[other, 0] - x, bodies[other, 1] - y, bodies[other, 2] - z
                inverse = law.one / (dx * dx + dy * dy + dz * dz + law.softening)
                root = np.sqrt(inverse)
                force = bodies[other, 3] * inverse * root
                ax += force * dx
                ay += force * dy
                az += force * dz
                mass += nearness(law.delta, law.one, inverse, root) * shares[other]
                link += np.uint64(1)
            velocities[page, 0] += kick * ax
            velocities[page, 1] += kick * ay
            velocities[page, 2] += kick * az
            masses[page] = mass
            sum_of_chunk += mass
        handed[chunk] = sum_of_chunk


@njit(cache=True, nogil=True, parallel=True)
def move(state, motion, transfer, farthest):  # type: ignore[no-untyped-def]
    """Drift, expansion and the new masses; farthest[c] is the largest |coordinate| of chunk c, inf if one is lost."""
    bodies, velocities, _, masses = state
    pages, zero = len(bodies), motion.one - motion.one
    for chunk in prange(len(farthest)):
        most = 0.0
        for page in range(chunk * pages // len(farthest), (chunk + 1) * pages // len(farthest)):
            square = zero
            for axis in range(3):
                square += velocities[page, axis] ** 2
            way = motion.damping * motion.time_step * np.sqrt(square)
            slower = motion.damping * (motion.farthest / way if way > motion.farthest else motion.one)
            for axis in range(3):
                speed = velocities[page, axis] * slower
                velocities[page, axis] = speed
                place = (bodies[page, axis] + speed * motion.time_step) * motion.stretch
                bodies[page, axis] = place
                reach = abs(place)
                most = max(most, reach) if reach < np.inf else np.inf
            if transfer:
                bodies[page, 3] = motion.handed * masses[page] + motion.base
        farthest[chunk] = most
