"""One labelled tree over all pages of a web, from its links alone: an answer to the question that closes Fogaras 5.

`mixture` ties pages that link to each other or are linked alike; `grow` makes the tree, from the middle outwards;
`names_of` tells each node from its siblings by words; `facts_of` finds the density of its links and its best pages.

Cost: the two-hop steps of the mixture (256 a link at most) and about twenty runs of Leiden. Memory: some 300 bytes a
page and 30 a link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from periplus.catalog import checked
from periplus.communities.hierarchy.facts import facts_of
from periplus.communities.hierarchy.grow import grow, middle
from periplus.communities.hierarchy.likeness import mixture
from periplus.communities.hierarchy.names import names_of
from periplus.communities.modular.leiden import modularity_of
from periplus.communities.modular.weighted import undirected
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids
from periplus.rank.methods.terms import Terms, term_matrix
from periplus.record import PageLabels


@dataclass(frozen=True, eq=False, repr=False)
class Tree(PageLabels):
    """A tree over pages: `labels[page]` is its leaf, `names[node]` what a node is called.

    Node 0 is the root; a node comes before its children, and everything below it follows without a gap. `extra` has the
    parent, the pages, the density and the best authorities and hubs of every node (−1 where there are fewer), and
    `flat`, the community of each page in the middle of the tree.
    """

    KIND: ClassVar[str] = "tree"

    def __repr__(self) -> str:
        return f"Tree({self._counted()} in {len(self.parents):,} nodes)"

    @property
    def parents(self) -> AnyArray:
        """The parent of each node, −1 for the root."""
        found: AnyArray = self.extra["parents"]
        return found

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node."""
        found: list[list[int]] = [[] for _ in self.parents]
        for node, parent in enumerate(self.parents[1:].tolist(), 1):
            found[parent].append(node)
        return found

    @cached_property
    def depths(self) -> AnyArray:
        """How many steps each node is below the root."""
        found = np.zeros(len(self.parents), np.int64)
        for node in range(1, len(found)):
            found[node] = found[self.parents[node]] + 1
        return found

    @cached_property
    def _ends(self) -> AnyArray:
        """For each node one more than the last node below it."""
        below = np.ones(len(self.parents), np.int64)
        for node in range(len(below) - 1, 0, -1):
            below[self.parents[node]] += below[node]
        return np.arange(len(below)) + below

    @property
    def node_sizes(self) -> AnyArray:
        """The number of pages under each node."""
        before = np.concatenate(([0], np.cumsum(np.bincount(self.labels, minlength=len(self.parents)))))
        return before[self._ends] - before[:-1]

    def below(self, node: int) -> int:
        """How many nodes there are from a node down, itself included: they follow it without a gap."""
        return int(self._ends[node]) - node

    def pages_of(self, node: int) -> Ids:
        """Every page under a node."""
        return np.flatnonzero((self.labels >= node) & (self.labels < self._ends[node])).astype(np.uint32)

    def path(self, node: int) -> list[int]:
        """From the root to a node."""
        way = [node]
        while self.parents[way[-1]] >= 0:
            way.append(int(self.parents[way[-1]]))
        return way[::-1]

    def path_of(self, page: int | str) -> list[int]:
        """From the root to the leaf of a page, given by id or URL."""
        return self.path(int(self.labels[self.page(page)]))

    def levels(self) -> Iterator[AnyArray]:
        """Level by level from below the root: for each page its node there, or its leaf where that is higher up."""
        for depth in range(1, int(self.depths.max(initial=0)) + 1):
            nodes = np.arange(len(self.parents))
            while (deeper := self.depths[nodes] > depth).any():
                nodes = np.where(deeper, self.parents[nodes], nodes)
            yield nodes[self.labels]

    def as_tree(self) -> dict[str, Any]:
        """`{"nodes": [{"id", "parent", "label", "size", …}], "leaf_of": [node per page]}`."""
        return {"nodes": [self.node(node) for node in range(len(self.parents))], "leaf_of": self.labels.tolist()}

    @cached_property
    def _listed_sizes(self) -> list[int]:
        return [int(size) for size in self.node_sizes]

    def node(self, node: int) -> dict[str, Any]:
        """One node as plain data."""
        parent = int(self.parents[node])
        return {
            "id": node,
            "parent": None if parent < 0 else parent,
            "label": self.name(node),
            "size": self._listed_sizes[node],
            "density": round(float(self.extra["density"][node]), 6),
            "authorities": [page for page in self.extra["authorities"][node].tolist() if page >= 0],
            "hubs": [page for page in self.extra["hubs"][node].tolist() if page >= 0],
        }


@checked(COMMUNITIES["tree"])
def tree(graph: Graph, *, seed: int = 0, words: Terms | None = None) -> Tree:
    """Grow the tree of a web; `words` are the terms of every page's title and anchor texts, else those of its URL."""
    shape = grow(mixture(graph), seed=seed)
    parents = np.array(shape.parents, np.int64)
    bare = Tree("tree", shape.leaf_of, extra={"parents": parents})
    terms = words if words is not None else url_terms(graph)
    return Tree(
        "tree",
        shape.leaf_of,
        names_of(parents, bare.levels(), terms, elsewhere=shape.elsewhere),
        parameters={"seed": seed},
        graph_digest=graph,
        extra={
            "parents": parents,
            **facts_of(graph, bare.levels(), bare.node_sizes),
            "flat": shape.flat,
            "resolution": shape.resolution,
        },
        urls=graph.urls,
    )


@checked(COMMUNITIES["likeness"])
def likeness(graph: Graph, *, seed: int = 0) -> PageLabels:
    """The middle of the tree alone: about √n communities by likeness of links and links, two to one."""
    labels, resolution = middle(mixture(graph), seed=seed)
    return PageLabels(
        "likeness",
        labels,
        parameters={"seed": seed},
        graph_digest=graph,
        extra={"modularity": modularity_of(undirected(graph), labels), "resolution": resolution},
        urls=graph.urls,
    )


def url_terms(graph: Graph) -> Terms:
    """The words of the URLs, where there is no text; none where there are no URLs."""
    urls = ("" if graph.urls is None else str(graph.urls[page]) for page in range(graph.nodes))
    return term_matrix(url.rpartition("://")[2].replace("_", " ") for url in urls)
