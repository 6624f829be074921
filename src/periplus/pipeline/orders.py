"""Orders of the nodes by name: those of `periplus.graph.order`, and those from the tree of communities and the sky.

    "tree"           a walk over the tree of communities: of all these the fewest bits per link on most webs tried
    "sky"            along Hilbert's curve through the sky: pages that gather get near ids
    "sky-and-site"   hosts along that curve, and the pages of a host in the order of their ids; needs URLs

The sky here is made of all links, those within a site too: they are stored as well. It begins by the tree of
communities, that of the build where the target is a collection.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from periplus.collection import Collection
from periplus.communities.hierarchy.tree import tree
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.graph.order import ORDERS, ordering
from periplus.gravity.order import by_sky, by_sky_and_site
from periplus.gravity.start import Tree, preorder
from periplus.numeric.arrays import Ids
from periplus.pipeline.stages.communities import load_communities
from periplus.pipeline.stages.sky import SKY, form, steps_within

FROM_THE_TREE = ("tree", "sky", "sky-and-site")


def order_of(target: str | Path, graph: Graph, method: str, *, seed: int = 0) -> Ids:
    """The pages of a graph in a new order: `order[new] = old`."""
    if method in ORDERS:
        return ordering(graph, method, seed=seed).inverse
    if method not in FROM_THE_TREE:
        raise ParameterError("order", method, "one of " + ", ".join((*ORDERS, *FROM_THE_TREE)))
    if method == "sky-and-site" and graph.urls is None:
        raise ParameterError("order", method, "only for a graph with URLs: try sky")
    kept = load_communities(Collection.open(target)).tree if Collection.is_collection(target) else None
    grown = tree(graph, seed=seed) if kept is None else kept
    if method == "tree":
        return np.argsort(preorder(Tree(grown.parents, grown.labels))).astype(np.uint32)
    forming = form(graph, SKY, steps=steps_within(graph), tree=grown, navigational=True, seed=seed)
    sky = forming.run().record()
    return by_sky(sky) if method == "sky" else by_sky_and_site(graph, sky)
