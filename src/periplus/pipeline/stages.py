"""`build`: run whatever is stale, in order, and nothing else.

A stage is stale when it has no record, when its inputs (named by digest) or its version differ from those recorded,
or when its folder is gone. Each stage writes a new generation and the manifest last, so a killed build is simply
run again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from periplus.collection import DERIVED, Collection, StageRecord
from periplus.errors import MissingStageError
from periplus.index.schema import SCHEMA_VERSION
from periplus.pages.parsed import ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.links import LinkDatabase, Newest, link_database
from periplus.pipeline.ranks import rank_stage
from periplus.pipeline.shape import shape_stage
from periplus.pipeline.texts import index_documents
from periplus.web.url import host_of, site_of

Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Which stages ran, how long each took, and what they counted."""

    ran: tuple[str, ...]
    seconds: Mapping[str, float]
    counts: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step: what it depends on, and how it fills its folder. `version` changes when its output would."""

    name: str
    help: str
    inputs: Callable[[Collection], dict[str, str]]
    run: Callable[[Collection, Path, Progress], Mapping[str, Any]]
    version: int = 1


def build(collection: Collection, *, progress: Progress | None = None) -> BuildReport:
    """Bring every stage up to date."""
    say = progress or (lambda stage, done, total: None)
    store = store_of(collection)
    if not store.warc_names():
        raise MissingStageError(
            f"{collection.path} has no pages yet: `periplus crawl {collection.path} URL` or "
            f"`periplus add {collection.path} FILES` first"
        )
    ran: list[str] = []
    with collection.writing():
        store.recover()
        for stage in STAGES:
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
    if stage.name not in DERIVED:
        return False
    try:
        collection.current(stage.name)
    except MissingStageError:
        return True
    return False


def _inputs(collection: Collection, stage: Stage) -> dict[str, str]:
    return {**stage.inputs(collection), "version": str(stage.version)}


def _run(collection: Collection, stage: Stage, say: Progress) -> None:
    began = time.perf_counter()
    record = StageRecord(name=stage.name, inputs=_inputs(collection, stage), parameters={}, counts={})
    say(stage.name, 0, None)
    if stage.name not in DERIVED:
        counts = stage.run(collection, collection.parsed_dir, say)
        collection.record(replace(record, counts=counts, seconds=time.perf_counter() - began))
        return
    with collection.new_generation(stage.name) as generation:
        counts = stage.run(collection, generation.path, say)
        generation.finish(replace(record, counts=counts, seconds=time.perf_counter() - began))


# -- what each stage depends on ----------------------------------------------------------------------------------


def _archive(collection: Collection) -> dict[str, str]:
    store = store_of(collection)
    return {name: str(store.path_of(name).stat().st_size) for name in store.warc_names()}


def _parsed_digest(collection: Collection) -> dict[str, str]:
    record = collection.stage("parsed")
    inputs = json.dumps(dict(record.inputs) if record else {}, sort_keys=True)
    return {"parsed": hashlib.sha256(inputs.encode()).hexdigest()}


def _graph_digest(collection: Collection) -> dict[str, str]:
    record = collection.stage("graph")
    return {"graph": str(record.counts.get("digest", "")) if record else ""}


def _graph_and_parsed(collection: Collection) -> dict[str, str]:
    return {**_graph_digest(collection), **_parsed_digest(collection)}


# -- what each stage does ----------------------------------------------------------------------------------------


def _parse(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    store, parsed = store_of(collection), ParsedPages(folder)
    names = store.warc_names()
    before = collection.stage("parsed")
    grown = [name for name, size in _archive(collection).items() if before and before.inputs.get(name, size) != size]
    for name in grown:
        parsed.segment(name).unlink(missing_ok=True)
    read = parsed.parse(store, parsed.missing(names), lambda done: say("parsed", done, None))
    return {"warc_files": len(names), "captures_read_now": read}


def _link(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    names, parsed = store_of(collection).warc_names(), ParsedPages(collection.parsed_dir)
    newest = Newest(parsed.read(names))
    database = link_database(lambda: parsed.read(names), newest)
    database.save(folder)
    hosts = {host_of(url) for url in newest.urls}
    return {
        "pages": database.graph.nodes,
        "links": database.graph.links,
        "links_out": database.links_out,
        "hosts": len(hosts),
        "sites": len({site_of(url) for url in newest.urls}),
        "duplicates": int((database.representatives != range(database.graph.nodes)).sum()),
        "digest": database.graph.digest,
    }


def _rank(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    return rank_stage(LinkDatabase.open(collection.current("graph")), folder)


def _index(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    from periplus.index.build import build_index

    names, parsed = store_of(collection).warc_names(), ParsedPages(collection.parsed_dir)
    database = LinkDatabase.open(collection.current("graph"))
    documents = index_documents(lambda: parsed.read(names), database)
    report = build_index(documents, folder, progress=lambda done: say("index", done, database.graph.nodes))
    return {"documents": report.documents}


def _shape(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    return shape_stage(LinkDatabase.open(collection.current("graph")), folder)


STAGES = (
    Stage("parsed", "read words and links out of the stored pages", _archive, _parse),
    Stage("graph", "make the link graph, the URL table and the anchor file", _parsed_digest, _link),
    Stage("scores", "rank the pages by their links", _graph_digest, _rank),
    Stage("index", "make the text index", _graph_and_parsed, _index, SCHEMA_VERSION),
    Stage("structure", "find the region of every page in the bow-tie", _graph_digest, _shape),
)
