"""Link database → scores: the rankings that every build keeps, and the place for those asked for by hand.

Links that ask not to be followed (nofollow, ugc, sponsored) recommend nothing and are left out of every ranking.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.errors import NotConvergedError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.numeric.npy import load_array
from periplus.pipeline.links import LinkDatabase
from periplus.rank import RANKERS
from periplus.rank.scores import Scores

# Cheap, global, and different enough that comparing them says something.
KEPT = ("pagerank", "indegree", "hits", "salsa")


def recommending(database: LinkDatabase) -> Graph:
    """The graph of the links that count for ranking."""
    followed = database.anchors.followed
    return database.graph if bool(followed.all()) else database.graph.without(~followed)


def rank_stage(database: LinkDatabase, folder: Path) -> Mapping[str, Any]:
    """Compute and store the rankings that every collection has."""
    graph = recommending(database)
    methods = [name for name in KEPT if graph.links or name in ("pagerank", "indegree")]
    for name in methods if graph.nodes else []:
        for file, data in _files(name, _ranked(name, graph)).items():
            (folder / file).write_bytes(data)
    return {"methods": methods}


def _ranked(name: str, graph: Graph) -> Scores:
    """A ranking at its defaults; one that does not converge is kept as far as it came, and its json says so."""
    try:
        scores: Scores = RANKERS[name].function()(graph)
    except NotConvergedError as error:
        scores = error.partial
    return scores


def store_scores(collection: Collection, scores: Scores, *, name: str | None = None) -> None:
    """Keep a ranking asked for by hand beside those of the build, under its method's name or another."""
    collection.keep("scores", _files(name or scores.method, scores))


def load_scores(collection: Collection) -> dict[str, Floats]:
    """Every stored ranking, memory-mapped, by name."""
    folder = collection.current("scores")
    return {path.stem: load_array(path, mapped=True) for path in sorted(folder.glob("*.npy"))}


def _files(name: str, scores: Scores) -> dict[str, bytes]:
    """A ranking as files: its vectors, and the record beside them."""
    files, vectors = dict[str, bytes](), {name: scores.values}
    if "hubs" in scores.extra:
        vectors[f"{name}-hubs"] = scores.extra["hubs"]
    for stem, values in vectors.items():
        buffer = BytesIO()
        np.save(buffer, values)
        files[f"{stem}.npy"] = buffer.getvalue()
    files[f"{name}.json"] = json.dumps(scores.summary(), indent=1, default=str).encode()
    return files
