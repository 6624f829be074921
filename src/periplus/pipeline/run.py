"""`build`: run the stages that are stale, in order.

A stage is stale when it has no record, when its inputs (named by digest) or its version differ from those recorded,
or when its folder is gone. Each stage writes a new generation and the manifest last, so a killed build is simply
run again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from periplus.collection import Collection, StageRecord
from periplus.errors import MissingStageError
from periplus.pages.store import store_of
from periplus.pipeline.stages import STAGES, Stage
from periplus.pipeline.stages.parsed import archive
from periplus.pipeline.stages.stage import Progress


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Which stages ran, how long each took, and what they counted."""

    ran: tuple[str, ...]
    seconds: Mapping[str, float]
    counts: Mapping[str, Mapping[str, Any]]


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
    with collection.writing(), collection.building():
        store.recover()
        for stage in STAGES.values():
            if is_stale(collection, stage):
                _run(collection, stage, say)
                ran.append(stage.name)
    records = collection.stages()
    return BuildReport(
        ran=tuple(ran),
        seconds={name: records[name].seconds for name in ran},
        counts={name: records[name].counts for name in ran},
    )


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
    if stage.place is not None:
        counts = stage.run(collection, stage.place(collection), say)
        collection.record(replace(record, counts=counts, seconds=time.perf_counter() - began))
        return
    with collection.new_generation(stage.name) as generation:
        counts = stage.run(collection, generation.path, say)
        generation.finish(replace(record, counts=counts, seconds=time.perf_counter() - began))
