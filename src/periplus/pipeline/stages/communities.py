"""Link database + words → the tree of communities with the names of its nodes, and the knowledge base.

Links that ask not to be followed recommend nothing and tie nobody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.communities.groups import PageGroup, PageGroups
from periplus.communities.hierarchy.tree import Tree, tree
from periplus.communities.knowing.base import ROLES, knowledge
from periplus.graph.graph import Graph
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.scores import recommending
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.pipeline.terms import naming_terms

_KNOWLEDGE = "knowledge.json"


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    database = load_links(collection)
    graph, words = recommending(database), naming_terms(collection, database)
    found = tree(graph, words=words)
    found.save(folder)
    base = knowledge(graph, words=words)
    (folder / _KNOWLEDGE).write_text(json.dumps(base.to_dict(), ensure_ascii=False), encoding="utf-8")
    return {"nodes": len(found.parents), "communities": len(base)}


@dataclass(frozen=True)
class Communities:
    """What the stage made: the tree over all pages, memory-mapped, and the knowledge base."""

    tree: Tree
    base: PageGroups


def _base(folder: Path, urls: Any) -> PageGroups:
    told = json.loads((folder / _KNOWLEDGE).read_bytes())
    groups = tuple(_group(one) for one in told["communities"])
    about = told["method"], groups, len(urls), told["parameters"], "communities", told["graph_digest"]
    return PageGroups(*about, {name: told[name] for name in ("cores", "merged")}, urls)


def _group(told: Mapping[str, Any]) -> PageGroup:
    parts = {role: np.array(told[role], np.uint32) for role in ROLES}
    return PageGroup(parts, told.get("name", ""), {name: told[name] for name in ("size", "words", "sources")})


def load_communities(collection: Collection) -> Communities:
    """The tree and the knowledge base of a collection."""
    folder, urls = collection.current("communities"), Graph.open(collection.current("graph")).urls
    return Communities(Tree.load(folder, "tree", urls=urls), _base(folder, urls))


STAGE = Stage(
    "communities",
    "grow the tree of communities and the knowledge base",
    inputs=("graph", "parsed"),
    run=_run,
    load=load_communities,
    files={
        "tree.npy": "the leaf of each page in the tree",
        "tree-NAME.npy": "parents, density, hubs and authorities of the nodes; the middle of the tree",
        "tree.json": "the names of the nodes, settings, digest of the graph",
        _KNOWLEDGE: "the knowledge base: named communities with hubs and authorities",
    },
)
