"""Where pages begin: cubes in cubes of a tree, a walk over a tree, a ring, a lattice, a ball.

The model keeps near pages near, so the start matters (Bennouas, Bouklit and de Montgolfier 2003, §4.5). There, the
tree domain / server / directory is laid out in cubes: a node with f children is a cube that holds them as cubes of
side 1/⌈∛f⌉, down to the pages, which are the points. `cubes` does so for any tree; `site_tree` is the tree of the
paper. `walk` gives every page the same room instead, which is better to look at. Starts lie about the origin, where the
expansion has its centre, within a distance of about 1. All are O(nodes), `walk` with one sort.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity.hilbert import BITS, cells_of
from periplus.numeric.arrays import AnyArray, Floats, Offsets

SIDE = 2.0
_DEEPEST = 24  # directories below that share a cube; a trap may nest thousands


@dataclass(frozen=True, slots=True)
class Tree:
    """`parents[node]` is −1 for a root; `leaf_of[page]` is the node that a page hangs from."""

    parents: Offsets
    leaf_of: Offsets

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", _whole("parents", self.parents))
        object.__setattr__(self, "leaf_of", _whole("leaf_of", self.leaf_of))
        nodes = len(self.parents)
        if nodes and (self.parents.min() < -1 or self.parents.max() >= nodes):
            raise ParameterError("parents", "a number that is no node", f"numbers from −1 to {nodes - 1}")
        if len(self.leaf_of) and (self.leaf_of.min() < 0 or self.leaf_of.max() >= nodes):
            raise ParameterError("leaf_of", "a number that is no node", f"numbers from 0 to {nodes - 1}")

    def levels(self) -> Offsets:
        """The depth of every node, 0 for roots; a tree that bites its tail is refused."""
        depth = np.where(self.parents < 0, 0, -1)
        level, waiting = 0, np.flatnonzero(depth < 0)
        while len(waiting):
            ready = depth[self.parents[waiting]] == level
            if not ready.any():
                raise ParameterError("parents", "a circle of nodes", "a tree")
            level += 1
            depth[waiting[ready]] = level
            waiting = waiting[~ready]
        return depth


def cubes(tree: Tree) -> Floats:
    """One point per page: the cubes of its tree, one in the other."""
    nodes, pages = len(tree.parents), len(tree.leaf_of)
    # Pages are the last nodes; the roots have one more above them.
    parents = np.concatenate([np.where(tree.parents < 0, nodes, tree.parents), [-1], tree.leaf_of])
    depths = np.concatenate([tree.levels() + 1, [0], (tree.levels() + 2)[tree.leaf_of] if pages else []])
    children = np.bincount(parents[parents >= 0], minlength=nodes + 1 + pages)
    cells = np.ceil(np.cbrt(children) - 1e-9).astype(np.int64)
    corners, sides = np.zeros((len(parents), 3)), np.full(len(parents), SIDE)
    corners[nodes] = -SIDE / 2
    order = np.lexsort((parents, depths))
    starts = np.flatnonzero(np.diff(depths[order], prepend=-1))
    for begin, end in zip(starts, [*starts[1:], len(order)], strict=True):
        if begin:
            _fill(order[begin:end], parents, children, cells, corners, sides)
    return np.asarray(corners[nodes + 1 :] + sides[nodes + 1 :, None] / 2)


def walk(tree: Tree) -> Floats:
    """One point per page, all with the same room: the pages in the order of the tree, along Hilbert's curve in a ball.

    What hangs from one node lies together, however deep the tree is; cubes in cubes of a deep one shrink to points.
    """
    pages = len(tree.leaf_of)
    # Whole cells, some eight to sixty-four per page: places far apart on the curve may touch, but cells do not overlap.
    depth = min(BITS, 1 + int(np.ceil(np.log2(max(pages, 1)) / 3)))
    cells = ((preorder(tree) + 0.5) * (8.0**depth / max(pages, 1))).astype(np.uint64)
    corners = cells_of(cells << np.uint64(3 * (BITS - depth))) >> np.uint64(BITS - depth)
    places = (corners + 0.5) / 2.0 ** (depth - 1) - 1
    # A cube becomes a ball: each shell of the one a shell of the other.
    outward = np.abs(places).max(axis=1) / np.maximum(np.linalg.norm(places, axis=1), 1e-300)
    return np.asarray(places * outward[:, None])


def preorder(tree: Tree) -> Offsets:
    """The place of every page in a walk over the tree: the pages of a node, then those below it, child by child."""
    depths, parents = tree.levels(), tree.parents
    own = np.bincount(tree.leaf_of, minlength=len(parents))
    below = own.copy()
    levels = [np.flatnonzero(depths == depth) for depth in range(int(depths.max(initial=-1)) + 1)]
    for nodes in levels[:0:-1]:
        np.add.at(below, parents[nodes], below[nodes])
    first = np.zeros(len(parents), np.int64)
    for nodes in levels:
        nodes = nodes[np.argsort(parents[nodes], kind="stable")]
        before = np.cumsum(below[nodes]) - below[nodes]
        above = parents[nodes]
        eldest = np.flatnonzero(np.diff(above, prepend=-2))
        within = before - np.repeat(before[eldest], np.diff([*eldest, len(nodes)]))
        first[nodes] = within + np.where(above < 0, 0, first[above] + own[above])
    order = np.lexsort((np.arange(len(tree.leaf_of)), first[tree.leaf_of]))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place


def _fill(
    level: AnyArray, parents: AnyArray, children: AnyArray, cells: AnyArray, corners: Floats, sides: Floats
) -> None:
    """Give the nodes of one level their cubes; those of one parent follow each other, spread evenly over its cells."""
    above = parents[level]
    first = np.flatnonzero(np.diff(above, prepend=-2))
    place = np.arange(len(level)) - np.repeat(first, np.diff([*first, len(level)]))
    across = cells[above]
    cell = place * across**3 // children[above]
    sides[level] = sides[above] / across
    where = np.stack([cell % across, cell // across % across, cell // across**2], axis=1)
    corners[level] = corners[above] + where * sides[level, None]


def site_tree(graph: Graph) -> Tree:
    """The tree domain / server / directory of a graph with URLs."""
    if graph.urls is None:
        raise ParameterError("start", "sites", "only for a graph with URLs: try ball or ring")
    from periplus.web.url import site_of_host

    known: dict[tuple[str, ...], int] = {}
    parents: list[int] = []
    leaf_of = np.empty(graph.nodes, np.int64)
    for page, url in enumerate(graph.urls):
        parts = urlsplit(str(url))
        path: tuple[str, ...] = (site_of_host(parts.hostname or ""), parts.netloc, *parts.path.split("/")[1:-1])
        path = path[:_DEEPEST]
        node = known.get(path)
        if node is None:
            node = _grow(path, known, parents)
        leaf_of[page] = node
    return Tree(np.array(parents, np.int64), leaf_of)


def _grow(path: tuple[str, ...], known: dict[tuple[str, ...], int], parents: list[int]) -> int:
    """The node of a path, with those above it made where they are missing."""
    above = -1
    for depth in range(1, len(path) + 1):
        node = known.get(path[:depth])
        if node is None:
            node = known[path[:depth]] = len(parents)
            parents.append(above)
        above = node
    return above


def ring(nodes: int) -> Floats:
    """A circle of radius 1 in the plane z = 0, in the order of the ids."""
    angle = 2 * np.pi * np.arange(nodes) / max(nodes, 1)
    return np.stack([np.cos(angle), np.sin(angle), np.zeros(nodes)], axis=1)


def lattice(nodes: int) -> Floats:
    """The cells of a cube, in the order of the ids."""
    return cubes(Tree(np.full(1, -1), np.zeros(nodes, np.int64)))


def ball(nodes: int, *, seed: int = 0) -> Floats:
    """Points drawn uniformly from a ball of radius 1."""
    random = np.random.default_rng(seed)
    way = random.standard_normal((nodes, 3))
    length = np.linalg.norm(way, axis=1, keepdims=True)
    return np.asarray(way / np.maximum(length, 1e-300) * np.cbrt(random.random((nodes, 1))))


def _whole(name: str, values: AnyArray) -> Offsets:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ParameterError(name, f"an array of {array.dtype} of shape {array.shape}", "one whole number per node")
    return array.astype(np.int64)
