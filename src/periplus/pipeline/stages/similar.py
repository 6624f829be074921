"""Link database and words → by how many hosts each page is linked to, and the place for word counts and vectors.

The first is what Companion and Cocitation need of the whole graph: pages that everyone links to are left out. Finding
vectors takes longer than all the other stages together on a large collection, and few ask for every kind: so a build
makes their place alone, and what `periplus related` works out is kept there. A new build throws it away, but
for the steps that people took: those only their logs can make again.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.collection import Collection
from periplus.errors import InputError, MissingStageError, PeriplusError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable, UrlTable, open_table
from periplus.numeric.arrays import AnyArray, Offsets
from periplus.numeric.npy import load_array, save_array
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.scores import recommending
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.similar.outside import Outside
from periplus.similar.usage.flow import Flow
from periplus.similar.vectors import PageVectors
from periplus.similar.voices import Voices
from periplus.similar.words import Words

_ARRAYS = ("data", "indices", "indptr")
_OUTSIDE, _OUTSIDE_URLS = ("offsets", "sources", "places"), "outside.table"
_FLOW = ("steps", "counts", "visits", "starts")
_FLOW_URLS = "flow.table"
_VOCABULARY = "words.txt"
_HEARD = "heard.npy"


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    heard = Voices(recommending(load_links(collection))).heard
    save_array(folder / _HEARD, heard)
    _carry_flow(collection, folder)
    return {"linked_to": int(np.count_nonzero(heard))}


def load_heard(collection: Collection) -> Offsets | None:
    """How many hosts link to each page; None where a build has not counted them yet."""
    try:
        return load_array(collection.current("similar") / _HEARD, mapped=True)
    except (MissingStageError, OSError):
        return None


def load_vectors(collection: Collection) -> dict[str, PageVectors]:
    """The vectors that are kept, by the name of their method, memory-mapped."""
    try:
        return PageVectors.load_all(collection.current("similar"))
    except InputError:
        return {}


def keep_vectors(collection: Collection, vectors: PageVectors) -> None:
    """Keep vectors for the next request; where the collection is read-only, nothing is kept."""
    with contextlib.suppress(PeriplusError, OSError):
        collection.keep("similar", vectors.files(vectors.method))


def load_words(collection: Collection) -> Words | None:
    """The words of every page, where they are kept."""
    try:
        folder = collection.current("similar")
        data, indices, indptr = (load_array(folder / f"words-{name}.npy", mapped=True) for name in _ARRAYS)
        vocabulary = (folder / _VOCABULARY).read_text(encoding="utf-8").split("\n")
    except (MissingStageError, OSError):
        return None
    return Words(csr_array((data, indices, indptr), shape=(len(indptr) - 1, len(vocabulary))), vocabulary)


def keep_words(collection: Collection, words: Words) -> None:
    """Keep the words of every page; where the collection is read-only, nothing is kept."""
    if not len(words.vocabulary):
        return
    files = {f"words-{name}.npy": _npy(getattr(words.matrix, name)) for name in _ARRAYS}
    with contextlib.suppress(PeriplusError, OSError):
        collection.keep("similar", {**files, _VOCABULARY: "\n".join(words.vocabulary).encode()})


def load_outside(collection: Collection) -> Outside | None:
    """The links to URLs that are not stored, where they were gathered."""
    try:
        folder = collection.current("similar")
        offsets, sources, places = (load_array(folder / f"outside-{name}.npy", mapped=True) for name in _OUTSIDE)
        return Outside(UrlTable.open(folder / _OUTSIDE_URLS), offsets, sources, places)
    except (MissingStageError, OSError):
        return None


def keep_outside(collection: Collection, outside: Outside) -> None:
    """Keep them; a collection that may not be written can be asked all the same."""
    files = {f"outside-{name}.npy": _npy(getattr(outside, name)) for name in _OUTSIDE}
    with contextlib.suppress(PeriplusError, OSError):
        collection.keep("similar", {**files, _OUTSIDE_URLS: _table(outside.urls)})


def load_flow(collection: Collection, graph: Graph) -> Flow | None:
    """The steps that people took, where a log was read; those on pages that are no longer here are left out."""
    try:
        folder = collection.current("similar")
        pairs, counts, visits, starts = (load_array(folder / f"flow-{name}.npy") for name in _FLOW)
        found = [graph.urls.find(url) for url in open_table(folder / _FLOW_URLS)]
    except (MissingStageError, OSError):
        return None
    pages = np.array([-1 if page is None else page for page in found], np.int64)
    ends, here = pages[pairs], pages >= 0
    kept = (ends >= 0).all(axis=0)
    order = np.lexsort(ends[:, kept][::-1])  # as the links of the graph stand
    seen = np.zeros((2, graph.nodes), np.int64)
    seen[:, pages[here]] = visits[here], starts[here]
    sources, targets = ends[:, kept]
    steps = Graph.from_edges(sources, targets, graph.nodes, urls=graph.urls)
    return Flow(steps, counts[kept][order], *seen)


def keep_flow(collection: Collection, flow: Flow) -> None:
    """Keep the steps that people took: how many from which URL to which, and no more."""
    sources = np.repeat(np.arange(flow.graph.nodes), flow.graph.out_degrees)
    seen = np.flatnonzero(flow.visits)
    pairs = np.searchsorted(seen, np.stack([sources, flow.graph.out_targets.astype(np.int64)]))
    arrays = pairs, flow.counts, flow.visits[seen], flow.starts[seen]
    files = {f"flow-{name}.npy": _npy(array) for name, array in zip(_FLOW, arrays, strict=True)}
    files[_FLOW_URLS] = _table(NameTable.from_names(str(flow.graph.urls[page]) for page in seen.tolist()))
    with contextlib.suppress(PeriplusError, OSError):
        collection.keep("similar", files)


def _carry_flow(collection: Collection, folder: Path) -> None:
    """Take the steps of the generation before along: no build can make them again, only the logs can."""
    with contextlib.suppress(MissingStageError):
        for path in collection.current("similar").glob("flow*"):
            shutil.copyfile(path, folder / path.name)


def _table(urls: Any) -> bytes:
    with TemporaryDirectory() as folder:
        urls.save(Path(folder) / "table")
        return (Path(folder) / "table").read_bytes()


def _npy(values: AnyArray) -> bytes:
    buffer = BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


STAGE = Stage(
    "similar",
    "count the hosts that link to each page, for pages that are alike",
    inputs=("graph", "parsed"),
    run=_run,
    load=load_vectors,
    version=2,
    files={
        _HEARD: "how many hosts link to each page (directories or pages where there is one host)",
        "NAME.npy": "float32, a vector per page, once `periplus related --method NAME` was asked for",
        "NAME.json": "method, parameters, energy, digest of the graph",
        "words-*.npy, words.txt": "how often each word stands on each page, after the same",
        "outside-*.npy, outside.table": "the links to URLs that are not stored, once one of them was asked about",
        "flow-*.npy, flow.table": "how many people went from where to where, after `periplus usage`; kept by builds",
    },
)
