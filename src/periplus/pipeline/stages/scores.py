"""Link database → scores: the rankings that every build keeps, and the place for those asked for by hand.

Links that ask not to be followed (nofollow, ugc, sponsored) recommend nothing and are left out of every ranking.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.errors import NotConvergedError
from periplus.graph.graph import Graph
from periplus.pipeline.stages.graph import LinkDatabase, load_links
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.rank.table import RANKERS
from periplus.record import Scores

# Cheap, global, and different enough to be worth comparing.
KEPT = ("pagerank", "indegree", "hits", "salsa")


def recommending(database: LinkDatabase) -> Graph:
    """The graph of the links that count for ranking."""
    followed = database.anchors.followed
    return database.graph if bool(followed.all()) else database.graph.without(~followed)


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    graph = recommending(load_links(collection))
    methods = [name for name in KEPT if graph.links or name in ("pagerank", "indegree")]
    for name in methods if graph.nodes else []:
        _ranked(name, graph).save(folder, name)
    return {"methods": methods}


def _ranked(name: str, graph: Graph) -> Scores:
    """A ranking at its defaults; one that does not converge is kept as it is, and its json says so."""
    try:
        scores: Scores = RANKERS[name].function()(graph)
    except NotConvergedError as error:
        scores = error.partial
    return scores


def store_scores(collection: Collection, scores: Scores, *, name: str | None = None) -> None:
    """Keep a ranking asked for by hand beside those of the build, under its method's name or another."""
    collection.keep("scores", scores.files(name or scores.method))


def load_scores(collection: Collection) -> dict[str, Scores]:
    """Every stored ranking by name, memory-mapped; the hubs of "hits" are "hits-hubs"."""
    found, urls = {}, Graph.open(collection.current("graph")).urls
    for name, scores in Scores.load_all(collection.current("scores"), urls=urls).items():
        found[name] = scores
        if "hubs" in scores.extra:
            found[f"{name}-hubs"] = scores.of_hubs()
    return found


STAGE = Stage(
    "scores",
    "rank the pages by their links",
    inputs=("graph",),
    run=_run,
    load=load_scores,
    files={
        "NAME.npy": "float64 by page id; NAME includes settings that differ (pagerank-damping-0.5)",
        "NAME-ARRAY.npy": "further arrays of the ranking: NAME-hubs.npy, NAME-half_width.npy, …",
        "NAME.json": "method, parameters, residual, certified error, digest of the graph",
    },
)
