"""Which page belongs to which community: the tree and the knowledge base of a collection, opened for questions.

Every page has one leaf of the tree. A community of the knowledge base is stored by its core and its best pages; all its
pages are found again by the rule that grew it, so a page may be in several, or in none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from periplus.communities.about import about
from periplus.communities.groups import PageGroup
from periplus.communities.hierarchy.names import ELSEWHERE
from periplus.communities.knowing.base import community
from periplus.errors import QueryError, UnknownPageError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.pipeline.stages.communities import Communities

BETWEEN = " · "


class Memberships:
    """The tree and the knowledge base of one graph; `representatives` says which page stands for its copies."""

    def __init__(self, made: Communities, graph: Callable[[], Graph], representatives: AnyArray) -> None:
        self.tree, self.base = made.tree, made.base
        self._graph, self._stands_for = graph, representatives
        self._members: dict[int, Ids] = {}

    def community(self, number: int) -> PageGroup:
        """A community of the knowledge base."""
        if not 0 <= number < len(self.base):
            raise UnknownPageError(f"There is no community {number}: {_numbered(len(self.base))}.")
        return self.base[number]

    def node(self, number: int) -> int:
        """A node of the tree, if there is one of that number."""
        if not 0 <= number < len(self.tree.parents):
            raise UnknownPageError(f"There is no node {number} in the tree: {_numbered(len(self.tree.parents))}.")
        return number

    def members(self, number: int) -> Ids:
        """All pages of a community of the knowledge base."""
        if number not in self._members:
            parts = self.community(number).parts
            self._members[number] = community(self._graph(), parts["fans"], parts["centres"])
        return self._members[number]

    @cached_property
    def _by_page(self) -> tuple[Offsets, AnyArray]:
        """For each page the communities that it is in, as rows one after another."""
        members = [self.members(number) for number in range(len(self.base))]
        pages = np.concatenate([*members, np.zeros(0, np.uint32)])
        numbers = np.repeat(np.arange(len(members)), [len(one) for one in members])
        counts = np.bincount(pages, minlength=len(self.tree))
        return np.concatenate(([0], np.cumsum(counts))), numbers[np.argsort(pages, kind="stable")]

    def of_page(self, page: int) -> list[int]:
        """The communities of the knowledge base that a page is in."""
        offsets, numbers = self._by_page
        found: list[int] = numbers[offsets[page] : offsets[page + 1]].tolist()
        return found

    def roles(self, number: int, page: int) -> list[str]:
        """What a page is to a community: an authority, a hub; nothing for one of the many."""
        parts = self.community(number).parts
        return [role for role in ("authorities", "hubs") if page in parts[role]]

    # -- by words ------------------------------------------------------------------------------------------------

    @cached_property
    def _node_words(self) -> list[list[str]]:
        """The words of each node's name; the root and "elsewhere" are not named after their pages."""
        names = [self.tree.name(node) for node in range(len(self.tree.parents))]
        return [[] if not at or name == ELSEWHERE else name.split(BETWEEN) for at, name in enumerate(names)]

    def communities_about(self, query: str, *, every: bool = False) -> list[int]:
        """The communities of the knowledge base about some words, those with the most of the words first."""
        return about((group.facts["words"] for group in self.base), query, every=every)

    def nodes_about(self, query: str, *, every: bool = False) -> list[int]:
        """The nodes of the tree about some words, those with the most of the words first, then the larger."""
        order = np.argsort(-self.tree.node_sizes, kind="stable")
        found = about((self._node_words[node] for node in order.tolist()), query, every=every)
        nodes: list[int] = order[found].tolist()
        return nodes

    def pages_among(self, kind: str, said: str) -> Ids:
        """The pages that `community:` or `tree:` stands for in a query; of copies the one that is in the index."""
        pages = [np.zeros(0, np.uint32), *self._among(kind, said)]
        return np.unique(np.asarray(self._stands_for)[np.concatenate(pages)]).astype(np.uint32)

    def _among(self, kind: str, said: str) -> list[Ids]:
        if not said.isdecimal():
            whole = self.nodes_about(said, every=True)
            grown = self.communities_about(said, every=True)
            return [*map(self.members, grown), *map(self.tree.pages_of, whole)]
        number = int(said) if len(said) < 10 else 10**9
        try:
            pages = self.members(number) if kind == "community" else self.tree.pages_of(self.node(number))
        except UnknownPageError as error:
            raise QueryError(str(error)) from error
        return [pages]


def _numbered(count: int) -> str:
    return f"they are numbered from 0 to {count - 1:,}" if count else "there are none"
