"""The topics of a collection: the largest branches of its tree, for topic-sensitive PageRank (Haveliwala 2002)."""

from __future__ import annotations

import numpy as np

from periplus.communities.hierarchy.tree import Tree
from periplus.numeric.arrays import AnyArray

TOPICS = 16  # as many as Haveliwala had


def topics_of(tree: Tree, count: int = TOPICS) -> AnyArray:
    """The topic of each page, a node of the tree: the largest is split until there are so many, or none can be."""
    sizes = tree.node_sizes
    nodes = [0]
    while len(nodes) < count:
        large = max((node for node in nodes if tree.children[node]), key=lambda node: int(sizes[node]), default=None)
        if large is None:
            break
        nodes = [node for node in nodes if node != large] + tree.children[large]
    topics = np.full(len(tree.labels), -1, np.int64)
    for node in nodes:
        topics[tree.pages_of(node)] = node
    return topics
