"""`build`: run the stages that are stale, in order.

A stage is stale when it has no record, when its inputs (named by digest) or its version differ from those recorded,
or when its folder is gone or damaged. Each stage writes a new generation and the manifest last, so a killed build is
simply run again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from periplus.collection import Collection, StageRecord
from periplus.crawl.frontier.store import Frontier
from periplus.durable import DIGESTS, broken_files, broken_seals, file_digest, seal
from periplus.errors import MissingStageError
from periplus.pages.store import store_of
from periplus.pipeline.stages import STAGES, Stage
from periplus.pipeline.stages.parsed import archive
from periplus.pipeline.stages.stage import Progress


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Which stages ran, how long each took, what they counted, and what damage they mended."""

    ran: tuple[str, ...]
    seconds: Mapping[str, float]
    counts: Mapping[str, Mapping[str, Any]]
    mended: tuple[str, ...] = ()  # what was damaged and is made again


def build(target: Collection | str | Path, *, progress: Progress | None = None) -> BuildReport:
    """Bring every stage of a collection up to date."""
    collection = target if isinstance(target, Collection) else Collection.open(target)
    say = progress or (lambda stage, done, total: None)
    store = store_of(collection)
    if not store.warc_names():
        raise MissingStageError(
            f"{collection.path} has no pages yet: `periplus crawl {collection.path} URL` or "
            f"`periplus add {collection.path} FILES` first"
        )
    ran: list[str] = []
    mended = []
    with collection.writing():
        if damage := collection.mend_manifest():
            mended.append(damage)
            for stage in STAGES.values():  # nothing tells any more whether the files in a lasting place are sound
                if stage.place is not None:
                    shutil.rmtree(stage.place(collection))
        with collection.building():
            mended += store.mend()
            _seal_killed_crawl(collection)
            for stage in STAGES.values():
                damaged = damages(collection, stage)
                if damaged or is_stale(collection, stage):
                    _run(collection, stage, say)
                    ran.append(stage.name)
                mended += damaged
    records = collection.stages()
    return BuildReport(
        mended=tuple(mended),
        ran=tuple(ran),
        seconds={name: records[name].seconds for name in ran},
        counts={name: records[name].counts for name in ran},
    )


def _seal_killed_crawl(collection: Collection) -> None:
    """A crawl that was killed left its folder without digests."""
    path = collection.frontier_path
    if path.exists() and not (path.parent / DIGESTS).exists():
        Frontier(path).close()  # this merges the write-ahead log
        seal(path.parent)


def is_stale(collection: Collection, stage: Stage) -> bool:
    """Whether a stage must run before its output can be trusted."""
    record = collection.stage(stage.name)
    if record is None or dict(record.inputs) != _inputs(collection, stage):
        return True
    if stage.place is not None:
        return False
    try:
        collection.current(stage.name)
    except MissingStageError:
        return True
    return False


def damages(collection: Collection, stage: Stage) -> list[str]:
    """What differs from the digests of the files that a stage made, one sentence each."""
    record = collection.stage(stage.name)
    if record is None:
        return []
    if stage.place is not None:
        return list(broken_files(stage.place(collection), record.digests).values())
    try:
        return broken_seals(collection.current(stage.name))
    except MissingStageError:
        return []


def _inputs(collection: Collection, stage: Stage) -> dict[str, str]:
    """What a stage is made from, as recorded with it: a fingerprint per input, and its own version."""
    found: dict[str, str] = {}
    for name in stage.inputs:
        found |= archive(collection) if name == "pages" else {name: _fingerprint(collection, name)}
    return {**found, "version": str(stage.version)}


def _fingerprint(collection: Collection, name: str) -> str:
    """The digest of the output of a stage if it counts one, otherwise that of its inputs."""
    record = collection.stage(name)
    if record is not None and "digest" in record.counts:
        return str(record.counts["digest"])
    inputs = json.dumps(dict(record.inputs) if record else {}, sort_keys=True)
    return hashlib.sha256(inputs.encode()).hexdigest()


def _run(collection: Collection, stage: Stage, say: Progress) -> None:
    began = time.perf_counter()
    record = StageRecord(name=stage.name, inputs=_inputs(collection, stage), parameters={}, counts={})
    say(stage.name, 0, None)
    if stage.place is None:
        with collection.new_generation(stage.name) as generation:
            counts = stage.run(collection, generation.path, say)
            generation.finish(replace(record, counts=counts, seconds=time.perf_counter() - began))
        return
    folder, before = stage.place(collection), collection.stage(stage.name)
    known = dict(before.digests) if before is not None else {}
    for name in broken_files(folder, known):
        (folder / name).unlink(missing_ok=True)
        del known[name]
    there = {name: (folder / name).stat().st_mtime_ns for name in known}
    counts = stage.run(collection, folder, say)
    digests = {
        path.name: known[path.name] if there.get(path.name) == path.stat().st_mtime_ns else file_digest(path)
        for pattern in stage.files
        for path in sorted(folder.glob(pattern))
    }
    collection.record(replace(record, counts=counts, digests=digests, seconds=time.perf_counter() - began))
