"""What a claim is, what it is given to work with, and what comes of running it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from periplus.record import Findings
from periplus.reproduce.checks import NEEDS_DATA, Check, worst
from periplus.reproduce.data import Data, DataAbsentError
from periplus.reproduce.pictures import Picture

PAPERS: Mapping[str, str] = {
    "fogaras": "D. Fogaras: Algorithms on the Web Graph",
    "deo-gupta": "N. Deo and P. Gupta: World Wide Web, a Graph-Theoretic Perspective (2001)",
    "litvak": "N. Litvak: Googling Maths",
    "bennouas": "T. Bennouas, M. Bouklit and F. de Montgolfier: Un modèle gravitationnel du Web (2003)",
    "spanek": "R. Špánek: Web Search Engines and Linear Algebra (2006)",
}


@dataclass(frozen=True, slots=True)
class Means:
    """What a claim works with: real data, and how large to make what is grown (1: as large as docs/reproduced.md)."""

    data: Data = field(default_factory=Data)
    scale: float = 1.0

    def size(self, usual: int) -> int:
        """The size that something is grown to, or how often it is tried."""
        return max(1, round(usual * self.scale))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a claim's function returns: checks, how they were made (data, size, seed), why they differ, pictures."""

    checks: tuple[Check, ...]
    how: str
    why: str = ""
    pictures: tuple[Picture, ...] = ()


Work = Callable[[Means], Outcome]


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of the table. `misprint`: the formula is printed wrongly; it is shown to fail, the right one to hold."""

    id: str
    place: str
    says: str
    work: Work
    misprint: bool = False
    data: tuple[str, ...] = ()

    @property
    def paper(self) -> str:
        """The key of its paper in `PAPERS`."""
        return self.id.partition(".")[0]

    def run(self, means: Means) -> Result:
        """Work it out and time it."""
        began = time.process_time()
        try:
            found = self.work(means)
            verdict = worst(found.checks)
        except DataAbsentError as absent:
            found, verdict = (
                Outcome((), "", f"{absent}: name the folder that holds it by --data or $PERIPLUS_DATA."),
                NEEDS_DATA,
            )
        seconds = round(time.process_time() - began, 2)
        about = (self.id, self.place, self.says, self.misprint)
        return Result(*about, verdict, found.checks, found.how, found.why, seconds, found.pictures)


@dataclass(frozen=True, slots=True)
class Result(Findings):
    """A claim with what came of it; plain enough to be kept as JSON and shown later. `seconds` are of one core."""

    id: str
    place: str
    says: str
    misprint: bool
    verdict: str
    checks: tuple[Check, ...]
    how: str
    why: str
    seconds: float
    pictures: tuple[Picture, ...]

    @property
    def paper(self) -> str:
        """The key of its paper in `PAPERS`."""
        return self.id.partition(".")[0]

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Result:
        """A result from what `to_dict` made of it."""
        checks = tuple(Check(**one) for one in kept["checks"])
        pictures = tuple(Picture(**one) for one in kept["pictures"])
        return cls(**{**kept, "checks": checks, "pictures": pictures})


ROWS: dict[str, Claim] = {}


def claim(
    id: str, place: str, says: str, *, misprint: bool = False, data: tuple[str, ...] = ()
) -> Callable[[Work], Work]:
    """Make a function a row of the table; `data` names the real webs that it cannot do without."""

    def registered(work: Work) -> Work:
        assert id not in ROWS, id
        assert id.partition(".")[0] in PAPERS, id
        ROWS[id] = Claim(id, place, says, work, misprint, data)
        return work

    return registered
