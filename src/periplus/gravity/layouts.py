"""A web laid out in space: links chosen, a start chosen, the gravitational model run under one of two presets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity import constants
from periplus.gravity import start as starts
from periplus.gravity.simulation import Simulation
from periplus.gravity.start import Tree
from periplus.gravity.table import LAYOUTS
from periplus.numeric.arrays import AnyArray
from periplus.record import PagePositions

PRESETS: dict[str, Callable[[Graph], constants.Constants]] = {"paper": constants.paper, "sky": constants.sky}


@checked(LAYOUTS["sky"])
def sky(
    graph: Graph,
    *,
    steps: int = 60,
    start: str = "auto",
    navigational: bool = False,
    seed: int = 0,
    tree: Tree | None = None,
) -> PagePositions:
    """The sky of a web; `tree`, such as that of its communities, says where pages begin."""
    return world(graph, "sky", start=start, navigational=navigational, seed=seed, tree=tree).run(steps).record()


@checked(LAYOUTS["paper"])
def paper(
    graph: Graph,
    *,
    steps: int = 3000,
    start: str = "auto",
    navigational: bool = False,
    seed: int = 0,
    tree: Tree | None = None,
) -> PagePositions:
    """The world of the paper."""
    return world(graph, "paper", start=start, navigational=navigational, seed=seed, tree=tree).run(steps).record()


def world(
    graph: Graph,
    preset: str,
    *,
    start: str = "auto",
    navigational: bool = False,
    seed: int = 0,
    tree: Tree | None = None,
    **changed: Any,
) -> Simulation:
    """A simulation before its first step; `changed` are constants that differ from those of the preset."""
    if preset not in PRESETS:
        raise ParameterError("preset", preset, f"one of {', '.join(PRESETS)}")
    pulling = graph if navigational else without_navigation(graph)
    pulling = without_loops(pulling)
    given = PRESETS[preset](pulling).to_dict() | changed
    return Simulation(pulling, start_of(graph, start, tree=tree, seed=seed), constants.Constants(**given))


def start_of(graph: Graph, start: str = "auto", *, tree: Tree | None = None, seed: int = 0) -> AnyArray:
    """One point per page; a tree, where given, goes before everything else: walked, or as `cubes` in cubes."""
    if tree is not None:
        if len(tree.leaf_of) != graph.nodes:
            raise ParameterError("tree", f"{len(tree.leaf_of):,} pages", f"one leaf for each of {graph.nodes:,} pages")
        return starts.cubes(tree) if start == "cubes" else starts.walk(tree)
    if start == "auto":
        start = "sites" if has_sites(graph) else "ball"
    if start == "sites":
        return starts.cubes(starts.site_tree(graph))
    if start == "ball":
        return starts.ball(graph.nodes, seed=seed)
    return {"ring": starts.ring, "lattice": starts.lattice}[start](graph.nodes)


def has_sites(graph: Graph) -> bool:
    """Whether the names of the pages are URLs."""
    return graph.urls is not None and hasattr(graph.urls, "site_ids") and graph.nodes > 0


def without_navigation(graph: Graph) -> Graph:
    """The graph less the links within a site; a web of one site has no others, and keeps them."""
    if not has_sites(graph) or len(np.unique(graph.urls.site_ids())) < 2:
        return graph
    return graph.without("navigational")


def without_loops(graph: Graph) -> Graph:
    """The graph less the links from a page to itself: they pull nowhere, and hold the mass at distance zero."""
    sources = np.repeat(np.arange(graph.nodes, dtype=np.uint32), graph.out_degrees)
    loops = sources == graph.out_targets
    return graph.without(loops) if loops.any() else graph
