"""Link database and words → by how many hosts each page is linked to, and the place for word counts and vectors.

The first is what Companion and Cocitation need of the whole graph: pages that everyone links to are left out. Finding
vectors takes longer than all the other stages together on a large collection, and few ask for every kind: so a build
makes their place alone, and what `periplus related` works out is kept there. A new build throws it away.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.collection import Collection
from periplus.errors import InputError, MissingStageError, PeriplusError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Offsets
from periplus.numeric.npy import load_array, save_array
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.scores import recommending
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.similar.usage.flow import Flow
from periplus.similar.vectors import PageVectors
from periplus.similar.voices import Voices
from periplus.similar.words import Words

_ARRAYS = ("data", "indices", "indptr")
_FLOW = ("steps", "counts", "visits", "starts")
_VOCABULARY = "words.txt"
_HEARD = "heard.npy"


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    heard = Voices(recommending(load_links(collection))).heard
    save_array(folder / _HEARD, heard)
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


def load_flow(collection: Collection, graph: Graph) -> Flow | None:
    """The steps that people took, where a log was read."""
    try:
        folder = collection.current("similar")
        pairs, counts, visits, starts = (load_array(folder / f"flow-{name}.npy") for name in _FLOW)
    except (MissingStageError, OSError):
        return None
    steps = Graph.from_edges(pairs[0], pairs[1], graph.nodes, urls=graph.urls)
    return Flow(steps, counts, visits, starts)


def keep_flow(collection: Collection, flow: Flow) -> None:
    """Keep the steps that people took: how many from which page to which, and no more."""
    sources = np.repeat(np.arange(flow.graph.nodes, dtype=np.uint32), flow.graph.out_degrees)
    arrays = (np.stack([sources, flow.graph.out_targets]), flow.counts, flow.visits, flow.starts)
    files = {f"flow-{name}.npy": _npy(array) for name, array in zip(_FLOW, arrays, strict=True)}
    with contextlib.suppress(PeriplusError, OSError):
        collection.keep("similar", files)


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
        "METHOD.npy": "float32, a vector per page, once `periplus related --method METHOD` was asked for",
        "METHOD.json": "method, parameters, energy, digest of the graph",
        "words-*.npy, words.txt": "how often each word stands on each page, after the same",
        "flow-*.npy": "how many people went from which page to which, after `periplus usage`",
    },
)
