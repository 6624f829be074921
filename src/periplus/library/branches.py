"""The tree of communities as people walk it: one node with its path, its children and its best pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.communities.hierarchy.names import ELSEWHERE, ROOT
from periplus.communities.hierarchy.tree import Tree
from periplus.index.schema import words_of
from periplus.library.communities import PageName, Word, memberships_of, named
from periplus.library.library import Library
from periplus.library.memberships import BETWEEN
from periplus.library.neighbours import title_of
from periplus.library.sites import PageRow
from periplus.numeric.arrays import AnyArray
from periplus.pipeline.columns import paths_of
from periplus.record import Table

SUBJECTS = 3
_SOURCES, _LOOKED_AT, _MOST_CHILDREN = 5, 100, 50


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of the tree and what hangs below it; `below` is cut where there would be too much to show.

    `cut` is how many children are not listed.
    """

    number: int
    name: str
    size: int
    below: tuple[Branch, ...] = ()
    cut: int = 0


@dataclass(frozen=True, slots=True)
class NodeView:
    """One node: where it hangs, what hangs below it, how dense its links are, its best pages, its words' sources."""

    number: int
    name: str
    size: int
    density: float
    path: tuple[Branch, ...]
    branch: Branch
    authorities: tuple[PageName, ...]
    hubs: tuple[PageName, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the large subjects of a collection, with the page to begin with."""

    number: int
    name: str
    size: int
    first: PageName | None


def tree_of(library: Library) -> Tree:
    """The tree of a collection; an error that says what to do before it was grown."""
    return memberships_of(library).tree


def node_view(library: Library, number: int = 0, *, most: int = 400) -> NodeView:
    """All that is known of one node; of what hangs below at most so many nodes, level by level."""
    found = memberships_of(library)
    tree, node = found.tree, found.node(number)
    told = tree.node(node)
    return NodeView(
        number=node,
        name=told["label"],
        size=told["size"],
        density=told["density"],
        path=tuple(_bare(tree, one) for one in tree.path(node)[:-1]),
        branch=branch_of(tree, node, most=most),
        authorities=named(library, told["authorities"]),
        hubs=named(library, told["hubs"]),
        words=_words(library, tree, node),
    )


def branch_of(tree: Tree, node: int, *, most: int) -> Branch:
    """A node with what hangs below it, as many whole levels as `most` nodes allow, and at least one."""
    level, listed, deepest = [node], 0, int(tree.depths[node])
    while level:
        level = [child for one in level for child in tree.children[one]]
        listed += len(level)
        if listed > most and deepest > int(tree.depths[node]):
            break
        deepest += 1
    return _branch(tree, node, deepest, most)


def _branch(tree: Tree, node: int, deepest: int, most: int) -> Branch:
    children = tree.children[node]
    if int(tree.depths[node]) >= deepest:
        return Branch(node, tree.name(node), int(tree.node_sizes[node]), cut=len(children))
    below = tuple(_branch(tree, child, deepest, most) for child in children[:most])
    return Branch(node, tree.name(node), int(tree.node_sizes[node]), below, len(children) - len(below))


def _bare(tree: Tree, node: int) -> Branch:
    return Branch(node, tree.name(node), int(tree.node_sizes[node]))


def _words(library: Library, tree: Tree, node: int) -> tuple[Word, ...]:
    """For each word of a node's name some pages of the node that have it in their title or are called by it."""
    name = tree.name(node)
    if name in (ROOT, ELSEWHERE):
        return ()
    found = []
    for word in name.split(BETWEEN):
        if words_of(word) != [word]:  # not a name that was made of words
            continue
        answer = library.searcher.search(f'tree:{node} (title:"{word}" OR anchor:"{word}")', size=_SOURCES)
        pages = tuple(PageName(one.node, one.url, one.title) for one in answer.results)
        if pages:
            found.append(Word(word, pages, answer.total))
    return tuple(found)


def top_branches(library: Library) -> tuple[Branch, ...]:
    """The subjects of a collection: the children of the root, the largest first, each with its own children."""
    tree = tree_of(library)
    tops = (_branch(tree, node, 2, _MOST_CHILDREN) for node in tree.children[0])
    return tuple(sorted(tops, key=lambda one: (-one.size, one.number)))


def path_of_page(library: Library, node: int) -> tuple[Branch, ...]:
    """From the subject down to the leaf of a page; nothing before the tree was grown, or where it has no levels."""
    if library.memberships is None:
        return ()
    tree: Tree = library.memberships.tree
    return tuple(_bare(tree, one) for one in tree.path_of(node)[1:])


def leaf_pages(library: Library, number: int, *, offset: int = 0, size: int = 50) -> list[PageRow]:
    """A part of the pages under a node, best first by the default ranking."""
    chosen, rankers = best_under(library, number)[offset : offset + size], library.searcher.rankers
    shares = rankers.share(rankers.default, chosen).tolist()
    return [
        PageRow(library.graph.urls[page], title_of(library, page), len(library.graph.predecessors(page)), share)
        for page, share in zip(chosen.tolist(), shares, strict=True)
    ]


def best_under(library: Library, number: int) -> AnyArray:
    """The ids of the pages under a node, best first by the default ranking; none that asks not to be shown."""
    found = memberships_of(library)
    pages, rankers = found.tree.pages_of(found.node(number)).astype(np.int64), library.searcher.rankers
    if library.searcher.hidden:
        pages = pages[~np.isin(pages, list(library.searcher.hidden))]
    return pages[np.lexsort((pages, rankers.share(rankers.default, pages)))]


def nodes_about(library: Library, query: str, *, most: int = 50) -> list[tuple[Branch, tuple[Branch, ...]]]:
    """The nodes about some words, each with the path to it."""
    found = memberships_of(library)
    tree = found.tree
    return [
        (_bare(tree, node), tuple(_bare(tree, one) for one in tree.path(node)[1:-1]))
        for node in found.nodes_about(query)[:most]
    ]


def subjects_of(library: Library) -> tuple[Subject, ...]:
    """The largest subjects of a collection, each with its best page; none where the tree has too few."""
    if library.memberships is None:
        return ()
    tree: Tree = library.memberships.tree
    largest = [one for one in top_branches(library) if one.name != ELSEWHERE][:SUBJECTS]
    if len(largest) < SUBJECTS:
        return ()
    return tuple(Subject(one.number, one.name, one.size, _first_page(library, tree, one.number)) for one in largest)


def _first_page(library: Library, tree: Tree, node: int) -> PageName | None:
    """Of a subject's best pages the one that is most its own.

    With a of its t in-links from the subject, which has the share s of all links, a page is worth a·(a/t − s): what
    every subject links to alike, such as a licence, is worth nothing.
    """
    inside = np.zeros(library.graph.nodes, np.bool_)
    inside[tree.pages_of(node)] = True
    share = library.graph.out_degrees[inside].sum() / max(library.graph.links, 1)
    best, value = None, 0.0
    for page in best_under(library, node)[:_LOOKED_AT].tolist():
        linking = library.graph.predecessors(page)
        own = int(inside[linking].sum())
        if own and (worth := own * (own / len(linking) - share)) > value:
            best, value = page, worth
    return None if best is None else named(library, [best])[0]


# -- as data -------------------------------------------------------------------------------------------------


def node_facts(tree: Tree, node: int, hidden: frozenset[int] = frozenset()) -> dict[str, Any]:
    """A node as plain data, its best pages by URL where the graph has URLs."""
    told = tree.node(node)
    for role in ("authorities", "hubs"):
        told[role] = [tree.url(page) or page for page in told[role] if page not in hidden]
    return told


def branch_facts(library: Library, number: int, *, depth: int = 1) -> dict[str, Any]:
    """A node with the path to it and everything below it for so many levels, as plain data."""
    found = memberships_of(library)
    return tree_facts(found.tree, found.node(number), depth=depth, hidden=library.searcher.hidden)


def tree_facts(tree: Tree, node: int, *, depth: int = 1, hidden: frozenset[int] = frozenset()) -> dict[str, Any]:
    """The same of any tree."""
    path = [{"id": one, "label": tree.name(one)} for one in tree.path(node)[:-1]]
    below = [node_facts(tree, one, hidden) for one in _below(tree, node, depth)]
    return {"node": node_facts(tree, node, hidden), "path": path, "nodes": below}


def _below(tree: Tree, node: int, depth: int) -> Iterator[int]:
    for child in tree.children[node] if depth > 0 else ():
        yield child
        yield from _below(tree, child, depth - 1)


def nodes_table(library: Library) -> Table:
    """One row per node of the tree, in the order of its outline."""
    tree, hidden = tree_of(library), library.searcher.hidden
    rows = []
    for node, path in enumerate(paths_of(tree)[1]):
        told = node_facts(tree, node, hidden)
        best = (" ".join(told[role]) for role in ("authorities", "hubs"))
        about = (node, told["parent"], int(tree.depths[node]), told["label"], path, told["size"], told["density"])
        rows.append((*about, *best))
    names = ("id", "parent", "depth", "name", "path", "pages", "density", "authorities", "hubs")
    return Table.of_rows(names, rows)
