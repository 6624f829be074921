"""Which pages are linked alike, and the mixture of that with the links themselves.

Page v as a vector: for each page t it links to, idf(t) = log(n / in-degree of t); for each page s that links to it, the
same with the out-degree of s. The likeness of two pages is the cosine of their vectors; the ten pages most like v are
its neighbours. Pages can be alike without a link between them: two lists of the same things, two things on one list.

Only pages two hops away can be alike, so the sums are made by going out and back over the links. Going through a hub
costs the square of its degree; hubs above a cap are passed over, the highest cap for which all steps together stay
below `STEPS` a link. An idf near zero makes hubs say little anyway.

The mixture adds the links; likeness weighs `LIKENESS` of the whole, twice as much as they do. (With half and half the
groups are as good, and trees of different seeds differ more.) A link from u to v weighs 1/√(out-degree of u ·
in-degree of v): one of a thousand links says less than one of two.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.sparse import csr_array

from periplus.communities.modular.weighted import Weighted, sized_by_links
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.parallel import ordered_map

NEIGHBOURS = 10
LIKENESS = 2 / 3
STEPS = 256
_AT_ONCE = 4096


def mixture(graph: Graph) -> Weighted:
    """Likeness and links, two to one and without directions; the mean weight of a page is one."""
    nodes = graph.nodes
    alike = _both_ways(alike_pages(graph))
    sources = np.repeat(np.arange(nodes), graph.out_degrees)
    targets = graph.out_targets.astype(np.int64)
    weights = (sources != targets) / np.sqrt(graph.out_degrees[sources] * graph.in_degrees[targets].astype(np.float64))
    links = _both_ways(csr_array((weights, targets, graph.out_offsets), shape=(nodes, nodes)))
    mixed = links
    if alike.nnz:
        mixed = links * _scale(links, (1 - LIKENESS) * nodes) + alike * _scale(alike, LIKENESS * nodes)
    mixed.eliminate_zeros()
    mixed.sort_indices()
    return sized_by_links(mixed.indptr.astype(np.int64), mixed.indices.astype(np.uint32), mixed.data)


def _idf(degrees: Offsets, nodes: int) -> Floats:
    return np.log(max(nodes, 1) / np.maximum(degrees, 1))


def _scale(part: csr_array, wanted: float) -> float:
    """What makes the weights of one part add up to so much."""
    total = float(part.sum())
    return wanted / total if total else 0.0


def _both_ways(rows: csr_array) -> csr_array:
    return csr_array(rows + rows.T)


def alike_pages(graph: Graph, *, count: int = NEIGHBOURS) -> csr_array:
    """For each page the `count` pages most like it, with the likeness; rows are not symmetric."""
    nodes = graph.nodes
    sides = graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources
    cap = _hub_cap(graph)
    squares = [
        np.where(degrees <= cap, _idf(degrees, nodes) ** 2, 0.0) for degrees in (graph.out_degrees, graph.in_degrees)
    ]
    lengths = np.sqrt(_sums(sides[0], sides[1], squares[1]) + _sums(sides[2], sides[3], squares[0]))
    begins = range(0, nodes, _AT_ONCE)

    def fill(begin: int) -> tuple[Offsets, Ids, Floats]:
        return _nearest(begin, min(begin + _AT_ONCE, nodes), sides, (squares[0], squares[1]), lengths, count)

    parts = list(ordered_map(fill, begins))
    if not parts:
        return csr_array((nodes, nodes))
    degrees, columns, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    return csr_array((values, columns.astype(np.int64), offsets), shape=(nodes, nodes))


def _hub_cap(graph: Graph) -> int:
    """The highest degree through which all two-hop steps together are at most `STEPS` a link."""
    degrees = np.concatenate([graph.out_degrees, graph.in_degrees])
    counts = np.bincount(degrees) if len(degrees) else np.zeros(1, np.int64)
    steps = np.cumsum(counts * np.arange(len(counts), dtype=np.float64) ** 2)
    return int(np.searchsorted(steps, STEPS * max(graph.links, 1), side="right")) - 1


@njit(cache=True, nogil=True)
def _sums(offsets: Offsets, columns: Ids, values: Floats) -> Floats:
    """The sum of `values` over each row's columns, without the row itself."""
    sums = np.zeros(len(offsets) - 1)
    for row in range(len(sums)):
        for at in range(offsets[row], offsets[row + 1]):
            if columns[at] != row:
                sums[row] += values[columns[at]]
    return sums


@njit(cache=True, nogil=True)
def _nearest(
    begin: int,
    end: int,
    sides: tuple[Offsets, Ids, Offsets, Ids],
    squares: tuple[Floats, Floats],
    lengths: Floats,
    count: int,
) -> tuple[Offsets, Ids, Floats]:
    """The nearest pages of pages begin … end − 1; of equal ones those with smaller ids."""
    out_offsets, targets, in_offsets, sources = sides
    nodes = len(lengths)
    sums, seen = np.zeros(nodes), np.empty(nodes, np.uint32)
    degrees = np.zeros(end - begin, np.int64)
    columns, values = np.empty((end - begin) * count, np.uint32), np.empty((end - begin) * count)
    at = 0
    for page in range(begin, end):
        found = _two_hops(page, (out_offsets, targets, in_offsets, sources), squares[1], sums, seen, 0)
        found = _two_hops(page, (in_offsets, sources, out_offsets, targets), squares[0], sums, seen, found)
        first = at
        for k in range(found):
            other = seen[k]
            value = sums[other] / (lengths[page] * lengths[other])
            sums[other] = 0.0
            at = _keep(columns, values, first, at, count, other, value)
        degrees[page - begin] = at - first
    return degrees, columns[:at].copy(), values[:at].copy()


@njit(cache=True, nogil=True)
def _two_hops(
    page: int, sides: tuple[Offsets, Ids, Offsets, Ids], squares: Floats, sums: Floats, seen: Ids, found: int
) -> int:
    """Add to `sums` what the page shares with others through its columns; `seen` lists who got something."""
    offsets, columns, back_offsets, back_columns = sides
    for at in range(offsets[page], offsets[page + 1]):
        middle = columns[at]
        square = squares[middle]
        if square == 0.0 or middle == page:
            continue
        for back in range(back_offsets[middle], back_offsets[middle + 1]):
            other = back_columns[back]
            if other != page and other != middle:
                if sums[other] == 0.0:
                    seen[found] = other
                    found += 1
                sums[other] += square
    return found


@njit(cache=True, nogil=True, inline="always")
def _keep(columns: Ids, values: Floats, first: int, at: int, count: int, other: int, value: float) -> int:
    """Put a page into the list of the best so far, best first; returns where the list ends."""
    if at - first == count:
        last = at - 1
        if value < values[last] or (value == values[last] and other > columns[last]):
            return at
    else:
        last = at
        at += 1
    while last > first and (value > values[last - 1] or (value == values[last - 1] and other < columns[last - 1])):
        columns[last], values[last] = columns[last - 1], values[last - 1]
        last -= 1
    columns[last], values[last] = other, value
    return at


def within_groups(graph: Weighted, groups: AnyArray) -> tuple[Weighted, AnyArray]:
    """The pages that are in a group (label ≥ 0) and the links inside groups; and which pages these are."""
    pages = np.flatnonzero(groups >= 0)
    place = np.full(graph.nodes, -1, np.int64)
    place[pages] = np.arange(len(pages))
    return sized_by_links(*_inside(graph, groups, pages, place)), pages


@njit(cache=True, nogil=True)
def _inside(graph: Weighted, groups: AnyArray, pages: AnyArray, place: AnyArray) -> tuple[Offsets, Ids, Floats]:
    offsets, room = np.zeros(len(pages) + 1, np.int64), 0
    for page in pages:
        room += graph.offsets[page + 1] - graph.offsets[page]
    columns, weights, at = np.empty(room, np.uint32), np.empty(room), 0
    for row in range(len(pages)):
        page = pages[row]
        for e in range(graph.offsets[page], graph.offsets[page + 1]):
            other = graph.neighbours[e]
            if groups[other] == groups[page]:
                columns[at], weights[at] = place[other], graph.weights[e]
                at += 1
        offsets[row + 1] = at
    return offsets, columns[:at].copy(), weights[:at].copy()
