"""The table of claims, in the order of the papers, and how to run what is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from periplus.errors import ParameterError
from periplus.reproduce.claim import PAPERS, ROWS, Claim, Means, Result
from periplus.reproduce.data import Data

# Where the claims of each paper are, from its first section to its last.
_CHAPTERS = {
    "fogaras": ("web", "ranking", "stability", "similar"),
    "deo-gupta": ("random_graphs", "growth", "copying", "shape", "sampling", "engines", "evaluation"),
    "litvak": ("web", "ranking"),
    "spanek": ("algebra",),
    "bennouas": ("laws", "worlds"),
}


def claims() -> Mapping[str, Claim]:
    """Every claim by its id, paper after paper from top to bottom."""
    for paper, chapters in _CHAPTERS.items():
        for chapter in chapters:
            importlib.import_module(f"periplus.reproduce.papers.{paper.replace('-', '_')}.{chapter}")
    papers = list(PAPERS)
    return dict(sorted(ROWS.items(), key=lambda row: papers.index(row[1].paper)))


def chosen(ids: Iterable[str] = ("all",)) -> list[Claim]:
    """The claims of these ids or papers; "all" is every claim."""
    rows, wanted = claims(), set[str]()
    for one in ids:
        found = [id for id, row in rows.items() if one in ("all", id, row.paper)]
        if not found:
            near = get_close_matches(one, [*PAPERS, *rows], n=3)
            meant = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise ParameterError("claim", one, f"all, {', '.join(PAPERS)}, or the id of a claim{meant}")
        wanted.update(found)
    return [row for id, row in rows.items() if id in wanted]


def run(id: str, *, data: Data | None = None, scale: float = 1.0) -> Result:
    """Work out one claim."""
    return next(run_all(chosen([id]), data=data, scale=scale))


def run_all(rows: Sequence[Claim], *, data: Data | None = None, scale: float = 1.0) -> Iterator[Result]:
    """Work out claims one after another; `scale` makes what is grown so many times larger."""
    if not 0.01 <= scale <= 1000:
        raise ParameterError("scale", scale, "0.01 ≤ scale ≤ 1000")
    means = Means(data or Data(), scale)
    for row in rows:
        yield row.run(means)
