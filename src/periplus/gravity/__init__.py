"""The sky: the gravitational model of the Web (Bennouas, Bouklit and de Montgolfier 2003).

`LAYOUTS` is the table that the command line, the API, the docs and the contract test read.
"""

from __future__ import annotations

from periplus.gravity.table import LAYOUTS
from periplus.lazy import offers

_HOMES = {
    "Constants": "periplus.gravity.constants",
    "Formation": "periplus.gravity.formation",
    "Simulation": "periplus.gravity.simulation",
    "Tree": "periplus.gravity.start",
    "attractors": "periplus.gravity.communities",
    "ball": "periplus.gravity.start",
    "by_sky": "periplus.gravity.order",
    "by_sky_and_site": "periplus.gravity.order",
    "cubes": "periplus.gravity.start",
    "dichotomy": "periplus.gravity.communities",
    "lattice": "periplus.gravity.start",
    "nearness": "periplus.gravity.measure",
    "paper": "periplus.gravity.layouts",
    "ring": "periplus.gravity.start",
    "site_tree": "periplus.gravity.start",
    "sky": "periplus.gravity.layouts",
    "spheres": "periplus.gravity.communities",
    "summary": "periplus.gravity.measure",
    "walk": "periplus.gravity.start",
    "world": "periplus.gravity.layouts",
}

__all__ = ["LAYOUTS", *sorted(_HOMES)]

__getattr__, __dir__ = offers(__name__, _HOMES)
