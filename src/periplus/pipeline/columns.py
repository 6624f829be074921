"""Rankings, regions, components and communities as columns of a graph's nodes, by name and from the catalogues.

Of a collection the stored ranking is used where there is one, over the links that recommend, and the tree that is kept;
else, and for a graph alone, they are worked out now, at their defaults. `tree` is the path from a subject down to the
leaf of a page, `subject` its first step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from periplus.catalog import Algorithm, catalogues
from periplus.collection import Collection
from periplus.communities.hierarchy.tree import Tree
from periplus.errors import MissingStageError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Offsets
from periplus.pipeline.stages.communities import load_communities
from periplus.pipeline.stages.graph import LinkDatabase
from periplus.pipeline.stages.scores import load_scores, recommending
from periplus.record import PageLabels, Scores
from periplus.structure import bowtie, strong_components, weak_components

LABELS: dict[str, Callable[[Graph], PageLabels]] = {
    "region": bowtie,
    "component": weak_components,
    "strong-component": strong_components,
}


IN_TREE = ("tree", "subject")
STEP = " › "


def algorithms() -> dict[str, Algorithm]:
    """Every row of a catalogue whose answer has a score or a label for each page, and needs nothing but the graph."""
    found: dict[str, Algorithm] = {}
    for rows in catalogues().values():
        for name, row in rows.items():
            if {"scores", "labels"} & set(row.returns) and not row.missing():
                found.setdefault(name, row)
    return found


def columns_for(target: str | Path, graph: Graph, names: Iterable[str], *, option: str = "with") -> dict[str, Any]:
    """The columns of these names; a ranking with hubs gives two, `hits` and `hits-hubs`."""
    stored: dict[str, Scores] = {}
    ranked = graph
    if Collection.is_collection(target):
        collection = Collection.open(target)
        ranked = recommending(LinkDatabase.open(collection.current("graph")))
        try:
            stored = load_scores(collection)
        except MissingStageError:
            stored = {}
    made: dict[str, Any] = {}
    for name in names:
        if name in IN_TREE:
            made |= _in_tree(target, ranked, name)
        elif name in LABELS:
            made[name] = label_column(LABELS[name](graph))
        elif name in stored:
            made |= {one: stored[one].values for one in (name, f"{name}-hubs") if one in stored}
        else:
            made |= _worked_out(name, ranked, option)
    return made


def _in_tree(target: str | Path, graph: Graph, name: str) -> dict[str, list[Any]]:
    """The subject, or the whole path, of every page."""
    found = _kept_tree(target)
    if found is None:
        from periplus.communities.hierarchy.tree import tree

        found = tree(graph)
    subjects, paths = paths_of(found)
    of_nodes = paths if name == "tree" else subjects
    return {name: [of_nodes[leaf] for leaf in found.labels.tolist()]}


def _kept_tree(target: str | Path) -> Tree | None:
    try:
        return load_communities(Collection.open(target)).tree if Collection.is_collection(target) else None
    except MissingStageError:
        return None


def paths_of(found: Tree) -> tuple[list[str | None], list[str | None]]:
    """For each node of a tree its subject, which is the first step from the root, and its path; None for the root."""
    subjects: list[str | None] = [None]
    paths: list[str | None] = [None]
    for node, parent in enumerate(found.parents[1:].tolist(), 1):
        name, above = found.name(node), paths[parent]
        subjects.append(subjects[parent] if parent else name)
        paths.append(name if above is None else f"{above}{STEP}{name}")
    return subjects, paths


def _worked_out(name: str, graph: Graph, option: str) -> dict[str, Any]:
    known = algorithms()
    if name not in known:
        raise ParameterError(option, name, f"one of {', '.join(dict.fromkeys([*LABELS, *IN_TREE, *known]))}")
    if "urls" in known[name].needs and graph.urls is None:
        raise ParameterError(option, name, "only for a graph with URLs: this one has none")
    found = known[name].function()(graph)
    if isinstance(found, PageLabels):
        return {name: label_column(found)}
    hubs = {f"{name}-hubs": found.extra["hubs"]} if "hubs" in found.extra else {}
    return {name: found.values} | hubs


def label_column(found: PageLabels) -> list[Any]:
    """What the group of each page is called; without names its number, 0 for the largest; None for none."""
    if len(found.names):
        return [None if label < 0 else found.name(label) for label in found]
    numbers = by_size(found).tolist()
    return [None if label < 0 else numbers[label] for label in found]


def by_size(found: PageLabels) -> Offsets:
    """The place of every group: 0 for the largest."""
    place = np.empty(found.count, np.int64)
    place[np.argsort(-found.sizes, kind="stable")] = np.arange(found.count)
    return place
