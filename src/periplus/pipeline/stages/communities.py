"""Link database + words → the tree of communities: a leaf for each page, and the name of every node.

Links that ask not to be followed recommend nothing and tie nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.communities.hierarchy.tree import Tree, tree
from periplus.graph.graph import Graph
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.scores import recommending
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.pipeline.terms import naming_terms


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    database = load_links(collection)
    found = tree(recommending(database), words=naming_terms(collection, database))
    found.save(folder)
    return {"nodes": len(found.parents), "communities": int(found.extra["flat"].max(initial=-1)) + 1}


def load_tree(collection: Collection) -> Tree:
    """The tree of a collection, memory-mapped."""
    urls = Graph.open(collection.current("graph")).urls
    return Tree.load(collection.current("communities"), "tree", urls=urls)


STAGE = Stage(
    "communities",
    "grow the tree of communities and name its nodes",
    inputs=("graph", "parsed"),
    run=_run,
    load=load_tree,
    files={
        "tree.npy": "the leaf of each page in the tree",
        "tree-NAME.npy": "parents, density, hubs and authorities of the nodes; the middle of the tree",
        "tree.json": "the names of the nodes, settings, digest of the graph",
    },
)
