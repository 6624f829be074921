"""What a collection holds, and whether its bytes are as they were written."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from periplus.collection import Collection
from periplus.durable import DIGESTS, broken_seals
from periplus.errors import DamagedError
from periplus.pages.store import store_of
from periplus.pipeline.run import damages, is_stale
from periplus.pipeline.stages import STAGES
from periplus.wording import counted


def info(collection: Collection) -> dict[str, Any]:
    """Counts of the last build, and each stage with what it did and whether it is stale."""
    records = collection.stages()
    graph = records["graph"].counts if "graph" in records else {}
    stages = {}
    for stage in STAGES.values():
        record = records.get(stage.name)
        stages[stage.name] = {
            "does": stage.help,
            "state": "missing" if record is None else "stale" if is_stale(collection, stage) else "current",
            "finished": record.finished if record else None,
            "seconds": record.seconds if record else None,
            "counts": dict(record.counts) if record else {},
        }
    return {
        "name": collection.settings.name,
        "path": str(collection.path),
        "format": collection.settings.format,
        "seeds": list(collection.settings.seeds),
        "captures": sum(1 for _ in store_of(collection).entries()),
        "warc_files": len(store_of(collection).warc_names()),
        "pages": graph.get("pages", 0),
        "links": graph.get("links", 0),
        "hosts": graph.get("hosts", 0),
        "sites": graph.get("sites", 0),
        "stages": stages,
    }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` looked at and what it found wrong, one sentence per problem."""

    checked: dict[str, int]
    problems: tuple[str, ...]

    def or_raise(self) -> Verdict:
        if self.problems:
            raise DamagedError(f"{counted(len(self.problems), 'problem')}, the first: {self.problems[0]}")
        return self


def verify(collection: Collection) -> Verdict:
    """Read every stored record and every other file, and compare with what was written."""
    store = store_of(collection)
    problems = [str(problem) for problem in store.verify()]
    checked = {"records": store.count()}
    try:
        problems += collection.settings_problems()
        records = collection.stages()
    except DamagedError as error:
        records = {}
        problems.append(str(error))
    for name, stage in STAGES.items():
        if name not in records:
            continue
        folder = stage.place(collection) if stage.place is not None else collection.current(name)
        checked[f"{name} files"] = sum(1 for path in folder.rglob("*") if path.is_file())
        problems += [f"{problem}: {_REMEDY.format(collection.path)}" for problem in damages(collection, stage)]
    problems += _crawl_problems(collection)
    return Verdict(checked, tuple(problems))


_REMEDY = "`periplus build {}` makes it again"


def _crawl_problems(collection: Collection) -> list[str]:
    """What is wrong with the frontier and the log; a killed crawl has no digests, only the check of SQLite."""
    path = collection.frontier_path
    if not path.exists():
        return []
    if (path.parent / DIGESTS).exists():
        remedy = "move crawl/ away to start the crawl again, the stored pages are kept"
        return [f"{problem}: {remedy}" for problem in broken_seals(path.parent)]
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        answer = str(error)
    return [] if answer == "ok" else [f"{path}: {answer}"]
