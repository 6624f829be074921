"""Results kept as JSON: those shipped with the package, and those that a run writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from periplus import __version__
from periplus.durable import write_atomically
from periplus.errors import InputError
from periplus.reproduce.claim import PAPERS, Result


class Stored(NamedTuple):
    """Results of one or more runs: when the last was, by which version, and every result in the order of the papers."""

    made: str
    version: str
    results: tuple[Result, ...]


@lru_cache(maxsize=1)
def stored() -> Stored:
    """The results shipped with the package."""
    return read_text((files("periplus.reproduce") / "results.json").read_text(encoding="utf-8"), "results.json")


def read_text(text: str, name: str) -> Stored:
    """Results from JSON."""
    try:
        kept = json.loads(text)
        return Stored(kept["made"], kept["version"], tuple(Result.from_dict(one) for one in kept["results"]))
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"{name} does not hold results of `periplus reproduce` ({error})") from error


def merged(path: Path, fresh: Iterable[Result], order: Sequence[str]) -> Stored:
    """What the file holds with the fresh results in place of older ones, in the order given."""
    older = read_text(path.read_text(encoding="utf-8"), str(path)).results if path.exists() else ()
    known = {one.id: one for one in [*older, *fresh]}
    return Stored(today(), __version__, tuple(known[id] for id in order if id in known))


def write(path: Path, kept: Stored) -> None:
    """Write results, one on a line, so that a change of one is a change of one line."""
    rows = ",\n".join(json.dumps(one.to_dict(), ensure_ascii=False) for one in kept.results)
    head = f'"made": {json.dumps(kept.made)}, "version": {json.dumps(kept.version)}'
    write_atomically(path, f'{{{head}, "results": [\n{rows}\n]}}\n'.encode())


def today() -> str:
    """The date as results carry it."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def by_paper(results: Iterable[Result]) -> dict[str, list[Result]]:
    """The results of each paper that has any."""
    found: dict[str, list[Result]] = {}
    for one in results:
        found.setdefault(one.paper, []).append(one)
    return {paper: found[paper] for paper in PAPERS if paper in found}
