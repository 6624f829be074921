"""`LAYOUTS`: one row per way of laying a web out in space, read by the command line, the API and the docs."""

from __future__ import annotations

from dataclasses import replace

from periplus.catalog import SEED, Algorithm, Catalogue, Parameter
from periplus.gravity.constants import PARAMETERS

STARTS = ("auto", "sites", "ring", "lattice", "ball")
_PAPER = "Bennouas, Bouklit and de Montgolfier 2003"


def _steps(default: int) -> Parameter:
    return Parameter("steps", "int", default, "steps of time", 0, 10**7, also=("iterations", "n_iter"))


_START = Parameter(
    "start", "choice", "auto", "where pages begin; auto: by site where there are URLs, else a ball", choices=STARTS
)
_NAVIGATIONAL = Parameter("navigational", "flag", False, "keep the links within a site")


def _layout(name: str, help: str, steps: int, when: str) -> Algorithm:
    return Algorithm(
        name,
        f"periplus.gravity.layouts:{name}",
        help,
        family="gravity",
        parameters=(_steps(steps), _START, _NAVIGATIONAL, SEED),
        returns=("positions",),
        paper=_PAPER,
        when=when,
    )


LAYOUTS: Catalogue[Algorithm] = Catalogue(
    "layout",
    (
        _layout(
            "sky",
            "The gravitational model with friction, forces shared among the links of a page: it comes to rest.",
            60,
            "to look at a web",
        ),
        _layout(
            "paper",
            "The gravitational model as printed, without friction: rings contract, small worlds part, noise dissolves.",
            3000,
            "to repeat the pictures of the paper",
        ),
    ),
)

CONSTANTS = Algorithm(
    "constants",
    "periplus.gravity.constants:Constants",
    "The constants of a world; those not given are the preset's.",
    family="gravity",
    parameters=tuple(replace(one, default=None) for one in PARAMETERS),
    paper=_PAPER,
)
