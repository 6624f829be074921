"""The gravitational model, link by link in plain Python, as the paper prints it (with the mission's corrections)."""

from __future__ import annotations

import math

import numpy as np


def step(links, places, speeds, masses, *, at=0, **constants):
    """One step in float64; `links` are pairs of pages. Returns new places, speeds and masses."""
    c = {
        "gravity": 1e-4, "expansion": 0.0, "slowing": 0.03, "delta": 2, "handed": 0.85, "softening": 0.1,
        "time_step": 1.0, "damping": 1.0, "divided": False, "transfer": True,
    } | constants  # fmt: skip
    pages, total = len(masses), sum(masses)
    forces = np.zeros((pages, 3))
    handed, strength = [0.0] * pages, [0.0] * pages
    in_degree = [sum(q == page for _, q in links) for page in range(pages)]
    squares = {link: sum((places[link[0]] - places[link[1]]) ** 2) + c["softening"] ** 2 for link in links}
    for link in links:
        strength[link[0]] += squares[link] ** (-c["delta"] / 2)
    for p, q in links:
        square = squares[p, q]
        pull = c["gravity"] * masses[p] * masses[q] / square
        if c["divided"]:
            pull /= in_degree[q]
        toward = (places[q] - places[p]) / math.sqrt(square)
        forces[p] += pull * toward
        forces[q] -= pull * toward
        handed[q] += square ** (-c["delta"] / 2) * masses[p] / strength[p]
    speeds = (speeds + forces / np.array(masses)[:, None] * c["time_step"]) * c["damping"]
    places = (places + speeds * c["time_step"]) * (1 + c["expansion"] * math.exp(-c["slowing"] * at))
    if c["transfer"]:
        lost = total - sum(c["handed"] * one for one in handed)
        masses = [c["handed"] * one + lost / pages for one in handed]
    return places, speeds, masses
