"""The shape of the tree, from the middle outwards.

1. *The middle.* Leiden on the mixture, at the resolution that gives about √n communities of n pages: as many as each
   has pages. A tree cut there is the flat partition.
2. *Upwards.* Communities are joined two by two, always those with the most weight between them for their sizes,
   w(a, b) / (S_a·S_b) (average linkage; Bonald et al. 2018), into one root. The binary tree is then collapsed: a node's
   children are found by opening the loosest of its parts until the next would be held together clearly better, between
   five and fifteen. A node left with fewer than five gives them to its parent where there is room.
3. *Downwards.* A community with more than `READABLE` pages is divided by Leiden on its own part of the mixture, at a
   resolution doubled or lowered until it gives five to fifteen parts, and so on.

A community of fewer than `CRUMB` pages joins the one that it is tied to most. Pages tied to nothing, and crumbs tied to
crumbs alone, are gathered in one node, "elsewhere".

All divisions of a level are made by one run: links between groups are left out, and sizes are scaled within each group
so that one γ serves all. About twenty runs of Leiden, whatever the number of pages.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
from numba import njit

from periplus.communities.hierarchy.likeness import within_groups
from periplus.communities.modular.partition import by_size, partition
from periplus.communities.modular.weighted import Weighted, aggregate
from periplus.numeric.arrays import AnyArray, Bools, Floats

FEWEST, MOST = 5, 15
READABLE = 30
CRUMB = 3
_TRIALS = 6


class Shape:
    """A tree while it grows: the parent and the children of each node, the leaf of each page, the flat partition."""

    def __init__(self, pages: int) -> None:
        self.parents = [-1]
        self.children: dict[int, list[int]] = {}
        self.leaf_of: AnyArray = np.zeros(pages, np.int64)
        self.flat: AnyArray = np.zeros(pages, np.int64)
        self.elsewhere = -1
        self.resolution = 1.0

    def add(self, parent: int) -> int:
        """A new node under this one."""
        self.parents.append(parent)
        self.children.setdefault(parent, []).append(len(self.parents) - 1)
        return len(self.parents) - 1

    def lift(self, node: int) -> None:
        """Give the children of a node to its parent, in its place; the node is gone."""
        above, own = self.children[self.parents[node]], self.children.pop(node)
        place = above.index(node)
        above[place : place + 1] = own
        for child in own:
            self.parents[child] = self.parents[node]

    def number_anew(self) -> None:
        """Number the nodes so that each comes before its children and all below a node follow it without a gap."""
        order, waiting = [], [0]
        while waiting:
            order.append(waiting.pop())
            waiting += reversed(self.children.get(order[-1], []))
        place = {node: at for at, node in enumerate(order)}
        self.children = {place[node]: [place[one] for one in own] for node, own in self.children.items()}
        self.parents = [place.get(self.parents[node], -1) for node in order]
        self.leaf_of = np.array([place.get(node, -1) for node in range(max(order) + 1)], np.int64)[self.leaf_of]
        self.elsewhere = place.get(self.elsewhere, -1)


def grow(graph: Weighted, *, seed: int = 0) -> Shape:
    """A tree over all nodes of a weighted graph."""
    shape = Shape(graph.nodes)
    if graph.nodes <= READABLE or not len(graph.neighbours):
        return shape
    shape.flat, shape.resolution = middle(graph, seed=seed)
    if shape.flat.max() < 0:
        return shape
    if shape.flat.min() < 0 or shape.flat.max() > 0:
        _upwards(graph, shape)
    if (shape.flat < 0).any():
        shape.elsewhere = shape.add(0)
        shape.leaf_of[shape.flat < 0] = shape.elsewhere
    _downwards(graph, shape, seed)
    shape.number_anew()
    return shape


# -- the middle ----------------------------------------------------------------------------------------------


def middle(graph: Weighted, *, seed: int = 0) -> tuple[AnyArray, float]:
    """About √n communities, −1 for pages that are tied to none, and the resolution that gave them."""
    linked = int((graph.sizes > 0).sum())
    if not linked:
        return np.full(graph.nodes, -1, np.int64), 1.0
    wanted, total = math.sqrt(linked), float(graph.sizes.sum())
    low, high = 0.0, math.inf
    resolution, best = 1.0, (math.inf, np.zeros(0, np.int64), 1.0)
    for _ in range(_TRIALS):
        labels = _without_crumbs(graph, partition(graph, resolution / total, seed=seed).labels)
        count = int(labels.max()) + 1
        off = abs(math.log(max(count, 1) / wanted))
        if off < best[0]:
            best = (off, labels, resolution)
        if off < 0.2:
            break
        if count < wanted:
            low = resolution
        else:
            high = resolution
        step = math.sqrt(low * high) if low > 0 and high < math.inf else resolution * (0.5 if high < math.inf else 2.0)
        resolution = step
    return best[1], best[2]


def _without_crumbs(graph: Weighted, labels: AnyArray) -> AnyArray:
    """Small communities join the larger one that they are tied to most; −1 where there is none."""
    sizes = np.bincount(labels)
    small = sizes < CRUMB
    if not small.any():
        return np.where(graph.sizes > 0, labels, -1)
    into = _closest(aggregate(graph, labels, len(sizes)), small)
    joined = into[labels]
    kept = joined >= 0
    if kept.any():
        joined[kept] = by_size(np.unique(joined[kept], return_inverse=True)[1])
    return joined


@njit(cache=True, nogil=True)
def _closest(graph: Weighted, small: Bools) -> AnyArray:
    """For each node itself, or where it is small the neighbour that is not and weighs most; −1: none."""
    into = np.full(len(small), -1, np.int64)
    for node in range(len(small)):
        if not small[node]:
            into[node] = node
            continue
        most = 0.0
        for at in range(graph.offsets[node], graph.offsets[node + 1]):
            other = graph.neighbours[at]
            value = graph.weights[at] / graph.sizes[other]
            if not small[other] and value > most:
                into[node], most = other, value
    return into


# -- upwards -------------------------------------------------------------------------------------------------


def _upwards(graph: Weighted, shape: Shape) -> None:
    """Put the communities of the middle under one root, five to fifteen to a node."""
    count = int(shape.flat.max()) + 1
    kept = np.where(shape.flat >= 0, shape.flat, count)
    between = np.zeros((count + 1, count + 1))
    whole = aggregate(graph, kept, count + 1)
    rows = np.repeat(np.arange(count + 1), np.diff(whole.offsets))
    between[rows, whole.neighbours] = whole.weights
    pairs, heights = join(between[:count, :count], whole.sizes[:count])
    leaves = np.full(count + 1, -1, np.int64)
    open_nodes = [(0, 2 * count - 2)] if count > 1 else []
    if count == 1:
        leaves[0] = shape.add(0)
    while open_nodes:
        node, one = open_nodes.pop()
        for part in _opened(one, pairs, heights, count):
            child = shape.add(node)
            if part < count:
                leaves[part] = child
            else:
                open_nodes.append((child, part))
    _lift(shape)
    shape.leaf_of = leaves[kept]


@njit(cache=True, nogil=True)
def join(between: Floats, sizes: Floats) -> tuple[AnyArray, Floats]:
    """Average linkage: row k of the result is what was joined to make node (count + k), and 1 / their tie.

    The nearest neighbour of each node is kept, and found again only where it has changed. O(count²) and seldom more.
    """
    count = len(sizes)
    weights, totals = between.copy(), sizes.copy()
    names, alive = np.arange(count), np.ones(count, np.bool_)
    pairs, heights = np.empty((max(count - 1, 0), 2), np.int64), np.empty(max(count - 1, 0))
    nearest, tie = np.zeros(count, np.int64), np.full(count, -1.0)
    for node in range(count):
        nearest[node], tie[node] = _best_tie(weights, totals, alive, node)
    for step in range(count - 1):
        first = -1
        for node in range(count):
            if alive[node] and (first < 0 or tie[node] > tie[first]):
                first = node
        second = nearest[first]
        pairs[step, 0], pairs[step, 1] = names[first], names[second]
        heights[step] = 1.0 / max(tie[first], 1e-300)
        names[first] = count + step
        alive[second] = False
        totals[first] += totals[second]
        for other in range(count):
            weights[first, other] += weights[second, other]
            weights[other, first] = weights[first, other]
        for node in range(count):
            if alive[node] and (node == first or nearest[node] == first or nearest[node] == second):
                nearest[node], tie[node] = _best_tie(weights, totals, alive, node)
    return pairs, heights


@njit(cache=True, nogil=True)
def _best_tie(weights: Floats, totals: Floats, alive: Bools, node: int) -> tuple[int, float]:
    """The living node with the strongest tie to this one."""
    best, most = -1, -1.0
    for other in range(len(totals)):
        if alive[other] and other != node:
            tie = weights[node, other] / max(totals[node] * totals[other], 1e-300)
            if tie > most:
                best, most = other, tie
    return best, most


def _opened(node: int, pairs: AnyArray, heights: Floats, count: int) -> list[int]:
    """The parts that a node of the binary tree is shown as: the cut before the largest step in height."""
    waiting = [(-heights[node - count], node)]
    closed: list[int] = []
    best: tuple[float, list[int]] = (-1.0, [])
    while waiting and len(waiting) + len(closed) < MOST:
        height, loosest = heapq.heappop(waiting)
        for part in pairs[loosest - count].tolist():
            if part < count:
                closed.append(part)
            else:
                heapq.heappush(waiting, (-heights[part - count], part))
        parts = [part for _, part in waiting] + closed
        step = -height / (-waiting[0][0]) if waiting else math.inf
        if (len(parts) >= FEWEST and step > best[0]) or (not waiting and not best[1]):
            best = (step, parts)
    return sorted(best[1])


def _lift(shape: Shape) -> None:
    """Nodes with too few children give them to their parent, where that has room."""
    for node in sorted(shape.children, reverse=True):
        own = len(shape.children[node])
        if node and own < FEWEST and len(shape.children[shape.parents[node]]) - 1 + own <= MOST:
            shape.lift(node)


# -- downwards -----------------------------------------------------------------------------------------------


def _downwards(graph: Weighted, shape: Shape, seed: int) -> None:
    """Divide every leaf that is too large to read, level by level, until none can be divided."""
    begin = 0
    while begin < len(shape.parents):  # leaves made before were tried before
        large = np.bincount(shape.leaf_of, minlength=len(shape.parents)) > READABLE
        large[:begin] = False
        if shape.elsewhere >= 0:
            large[shape.elsewhere] = False
        begin = len(shape.parents)
        groups = np.where(large[shape.leaf_of], shape.leaf_of, -1)
        if (groups >= 0).any():
            _attach(shape, groups, divide(graph, groups, seed=seed))


def _attach(shape: Shape, groups: AnyArray, parts: AnyArray) -> None:
    """One new leaf for every part of every divided group."""
    divided = parts >= 0
    keys, place = np.unique(groups[divided] * np.int64(len(parts) + 1) + parts[divided], return_inverse=True)
    leaves = np.array([shape.add(int(key // (len(parts) + 1))) for key in keys], np.int64)
    shape.leaf_of[divided] = leaves[place]


def divide(graph: Weighted, groups: AnyArray, *, seed: int = 0) -> AnyArray:
    """For each page the number of its part within its group; −1 where its group could not be divided.

    Each group is tried at resolutions of its own, until it falls into five to fifteen parts; the nearest try counts.
    """
    count = int(groups.max()) + 1
    result = np.full(graph.nodes, -1, np.int64)
    resolution = np.ones(count)
    nearest = np.full(count, np.inf)
    left = groups.copy()
    for _ in range(_TRIALS):
        if not (left >= 0).any():
            break
        inside, pages = within_groups(graph, left)
        own = left[pages]
        totals = np.bincount(own, weights=inside.sizes, minlength=count)
        scale = np.sqrt(resolution / np.maximum(totals, 1e-300))
        labels = partition(inside._replace(sizes=inside.sizes * scale[own]), 1.0, seed=seed).labels
        labels = _joined_within(inside, own, labels)
        parts = _parts_per_group(own, labels, count)
        off = np.where(parts < FEWEST, np.log(FEWEST / np.maximum(parts, 1)), np.log(np.maximum(parts / MOST, 1.0)))
        better = (off < nearest) & (parts > 1)
        nearest[better] = off[better]
        taken = better[own]
        result[pages[taken]] = _numbers_within(own[taken], labels[taken])
        resolution = np.where(parts < FEWEST, resolution * 2.0, resolution * 0.7)
        done = nearest == 0
        left = np.where((left >= 0) & ~done[np.maximum(left, 0)], left, -1)
    return result


def _joined_within(inside: Weighted, own: AnyArray, labels: AnyArray) -> AnyArray:
    """Crumbs joined to larger parts of their group; those that are tied to none make one part of it together."""
    joined = _without_crumbs(inside, labels)
    loose = joined < 0
    joined[loose] = joined.max(initial=-1) + 1 + own[loose]
    return np.unique(joined, return_inverse=True)[1]


def _parts_per_group(own: AnyArray, labels: AnyArray, count: int) -> AnyArray:
    owner = np.zeros(int(labels.max()) + 1, np.int64)
    owner[labels] = own
    return np.bincount(owner, minlength=count)


def _numbers_within(own: AnyArray, labels: AnyArray) -> AnyArray:
    """Parts numbered 0, 1, … within each group, in the order of their labels."""
    pairs, place = np.unique(np.stack([own, labels]), axis=1, return_inverse=True)
    first = np.r_[True, pairs[0, 1:] != pairs[0, :-1]] if pairs.shape[1] else np.zeros(0, bool)
    at = np.arange(pairs.shape[1])
    return (at - np.maximum.accumulate(np.where(first, at, 0)))[place.ravel()]
