"""Stored pages → their words and links: one segment per WARC file, read once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.pages.parsed import ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.stages.stage import Progress, Stage


def archive(collection: Collection) -> dict[str, str]:
    """The size of each WARC file: what parsing depends on."""
    store = store_of(collection)
    return {name: str(store.path_of(name).stat().st_size) for name in store.warc_names()}


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    store, parsed = store_of(collection), ParsedPages(folder)
    names = store.warc_names()
    before = collection.stage("parsed")
    grown = [name for name, size in archive(collection).items() if before and before.inputs.get(name, size) != size]
    for name in grown:
        parsed.segment(name).unlink(missing_ok=True)
    parsed.remove_others(names)
    read = parsed.parse(store, parsed.missing(names), lambda done: say("parsed", done, None))
    return {"warc_files": len(names), "captures_read_now": read}


def titles_of(collection: Collection) -> dict[str, str]:
    """The title of every page that was parsed."""
    parsed, store = ParsedPages(collection.parsed_dir), store_of(collection)
    names = [name for name in store.warc_names() if parsed.segment(name).exists()]
    return {one.url: one.document.title for one in parsed.read(names, upto="words") if one.document is not None}


STAGE = Stage(
    "parsed",
    "read words and links out of the stored pages",
    inputs=("pages",),
    run=_run,
    version=2,
    files={"*.jsonl.zst": "one segment per WARC file: words and links of its pages"},
    load=lambda collection: ParsedPages(collection.parsed_dir),
    place=lambda collection: collection.parsed_dir,
)
