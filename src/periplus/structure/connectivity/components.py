"""Strong and weak components of a directed graph.

Two pages are strongly connected when each can be reached from the other by following links, weakly connected when
a path joins them that may follow links backwards. Both relations cut the pages into classes.

`strong_components` is Tarjan's depth-first search in Pearce's form, made iterative: each page carries one number,
at first the order of discovery, at last its component. Components are finished sinks first, and are numbered
downwards, so that the labels run in topological order of the condensation: **every link leads from a label to the
same or a larger one**, which is what block solvers of PageRank want. A page without out-links is a component the
moment it is seen and never enters the stack.
Cost: O(n + m) time, 16 bytes per page beside the graph, one core (depth-first search has no known parallel form).
Pearce, "A space-efficient algorithm for finding strongly connected components", IPL 116 (2016).

Where the transpose is at hand the work is shared out: two sweeps side by side find the component of a pivot, nearly
always the giant one, and the pages before it, after it and beside it are searched each by itself (`by_parts`).

`weak_components` is union–find with the smaller id as root, in the order of Afforest: two or three links of every page
grow a forest, in which nearly all pages of a web already hang from one root, the giant; then only the pages outside of
it look at their links, both ways, until they meet it. A link may go unread because each of its ends has either looked
at all its links or is in the giant. Without the transpose every page looks at its links out. Labels are numbered by
the smallest page of each component. Cost: nearly O(n), at most O(n + m) time, 4 bytes per page beside the graph; one
core, which reads so little that a second would not be awake in time.
Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph sampling", IPDPS (2018).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.graph import Graph
from periplus.graph.locality import near_share
from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.parallel import ordered_map
from periplus.numeric.unionfind import root
from periplus.record import PageLabels
from periplus.structure.connectivity.sweeps import pivot_of, sweeps_from

_PARTS_FROM, _PARTS_TO = 1_000_000, 60_000_000  # below, one search is as fast; above, three at a time need much memory
_MOSTLY = 0.5
_IN, _CORE, _REST, _OUT = range(4)
_ELSEWHERE = 0xFFFFFFFF


@dataclass(frozen=True, eq=False, repr=False)
class Components(PageLabels):
    """A partition of the pages into `count` components: `labels[page]` is the component of a page."""

    count: int = field(kw_only=True)

    @cached_property
    def largest_label(self) -> int:
        """The largest component; of equal ones, the one that holds the smallest page id. −1 when there is none."""
        if not self.count:
            return -1
        ties = np.flatnonzero(self.sizes == self.sizes.max())
        if len(ties) == 1:
            return int(ties[0])
        return int(self.labels[np.flatnonzero(np.isin(self.labels, ties))[0]])

    @property
    def largest(self) -> int:
        """Pages of the largest component."""
        return int(self.sizes.max()) if self.count else 0

    @property
    def ties(self) -> int:
        """How many components are as large as the largest."""
        return int(np.count_nonzero(self.sizes == self.largest)) if self.count else 0

    @property
    def singletons(self) -> int:
        """Components of one page."""
        return int(np.count_nonzero(self.sizes == 1))

    def to_dict(self) -> dict[str, Any]:
        """How many components there are, and of which size."""
        return {"count": self.count, "largest": self.largest, "singletons": self.singletons, "ties": self.ties}


@checked
def strong_components(graph: Graph, *, by_parts: bool | None = None) -> Components:
    """The strongly connected components, labelled in topological order, sources first.

    `by_parts` cuts the core out first, which uses every core but needs the transpose; by itself it is chosen for
    millions of pages where the transpose is there already and links lead far: near ones a plain search finds in the
    cache, and is faster by a quarter; of far ones the parts wait for two at a time, and take half the time or less.
    """
    if graph.nodes == 0:
        return _record("strong", graph, np.empty(0, np.uint32), 0)
    # The search jumps about in the offsets: half as wide, twice as many of them stay in the cache.
    offsets = graph.out_offsets.astype(np.uint32) if graph.links < 2**32 else graph.out_offsets
    if by_parts is None:
        fits = _PARTS_FROM <= graph.nodes <= _PARTS_TO and "_transposed" in vars(graph)
        by_parts = fits and near_share(graph) < _MOSTLY
    if by_parts:
        return _record("strong", graph, *_by_parts(graph, offsets))
    unseen = np.zeros(graph.nodes, np.uint32)
    return _record("strong", graph, *_tarjan_pearce(offsets, graph.out_targets, unseen, None))


def _record(method: str, graph: Graph, labels: Ids, count: int) -> Components:
    return Components(method, labels, count=int(count), graph_digest=graph, urls=graph.urls)


def _by_parts(graph: Graph, offsets: AnyArray) -> tuple[Ids, int]:
    """The core by two sweeps from a pivot; the components of what leads to it, of what it leads to, and of the rest.

    No component crosses these borders. Links lead from IN to the core, the rest and OUT, and from the core and the
    rest to OUT, so the labels of the four in this order are topological.
    """
    pivot = int(pivot_of(graph.out_offsets, graph.in_offsets))
    parts = np.empty(graph.nodes, np.uint8)
    _part_of(*sweeps_from(graph, pivot), parts)

    def search(part: int) -> tuple[Ids, int]:
        here = parts == part
        number = np.where(here, np.uint32(0), np.uint32(_ELSEWHERE))
        return _tarjan_pearce(offsets, graph.out_targets, number, np.packbits(here, bitorder="little"))

    found = dict(zip((_REST, _IN, _OUT), ordered_map(search, (_REST, _IN, _OUT)), strict=True))
    labels = np.empty(graph.nodes, np.uint32)
    labels[parts == _CORE] = found[_IN][1]
    begin = 0
    for part in (_IN, _REST, _OUT):
        number, count = found.pop(part)
        _take(labels, parts, number, part, begin)
        begin += count + (part == _IN)  # the core comes right after IN
    return labels, begin


@checked
def weak_components(graph: Graph) -> Components:
    """The weakly connected components, labelled in the order of their smallest page."""
    if graph.nodes == 0:
        return _record("weak", graph, np.empty(0, np.uint32), 0)
    out = (graph.out_offsets, graph.out_targets)
    if "_transposed" in vars(graph):
        back = (graph.in_offsets, graph.in_sources)
        parent = _forest(out, back)
        roots, pages = np.unique(parent[:: (graph.nodes >> 10) + 1], return_counts=True)
        giant = int(roots[np.argmax(pages)])
    else:  # who links to a page cannot be looked up, so every page looks: none is in the giant
        back = (np.zeros_like(graph.out_offsets), graph.out_targets[:0])
        parent, giant = _forest(out, back), graph.nodes
    _settle(parent, giant, out, back)
    return _record("weak", graph, parent, _number(parent))


class _Search(NamedTuple):
    """What a search reads and writes: the links, and one number per page.

    Both stacks share `pages`: from the left the path of open pages, from the right what waits for a root. `cursors`
    goes along the path: links already followed; the top bit says "not a root".
    """

    offsets: AnyArray
    targets: Ids
    number: Ids
    pages: Ids
    cursors: Ids


@njit(cache=True, nogil=True)
def _tarjan_pearce(offsets, targets, number, alive):  # type: ignore[no-untyped-def]
    """Labels and their count. One number per page: 0 unseen, 1… while open, counting down from 2³²−2 once finished.

    Pages that come with the number 2³²−1 are passed over as if they were not there; their labels mean nothing.
    `alive` is None, or a bitmap of the pages to search: a page leaves it when it is finished, and links to pages
    outside are passed over by a look at the bitmap, which is in the cache where the numbers are not.

    While a page is open its number is the smallest order of discovery that it is known to reach; a page that
    reaches nothing older than itself is the root of its component.
    """
    nodes = len(offsets) - 1
    search = _Search(offsets, targets, number, np.empty(nodes, np.uint32), np.empty(nodes, np.uint32))
    index, component = np.uint32(1), np.uint32(0xFFFFFFFE)
    for start in range(nodes):
        if number[start] == 0:
            index, component = _search_from(np.uint64(start), search, alive, index, component)
    for page in range(nodes):
        number[page] -= component + np.uint32(1)
    return number, np.int64(np.uint32(0xFFFFFFFE) - component)


@njit(cache=True, nogil=True, forceinline=True)
def _search_from(start, search, alive, index, component):  # type: ignore[no-untyped-def]
    """Finish all that `start` reaches; returns the next order of discovery and the next component."""
    offsets, number, pages, cursors = search.offsets, search.number, search.pages, search.cursors
    one, nodes, not_root = np.uint64(1), np.uint64(len(number)), np.uint32(0x80000000)
    v, depth, waiting = start, np.uint64(0), nodes
    at, flag, lowest = np.uint64(offsets[v]), np.uint32(0), index
    number[v] = index
    index += np.uint32(1)
    while True:
        at, child, flag, lowest, component = _follow(search, alive, v, at, flag, lowest, component)
        if child != nodes:  # go down
            pages[depth], cursors[depth], number[v] = v, np.uint32(at - np.uint64(offsets[v])) | flag, lowest
            depth += one
            v, at, flag, lowest = child, np.uint64(offsets[child]), np.uint32(0), index
            number[v] = index
            index += np.uint32(1)
            continue
        if flag == 0:  # v is the root of a component: it takes all that waited for it
            before = waiting
            waiting = _take_waiting(search, alive, waiting, lowest, component)
            index -= np.uint32(one + waiting - before)
            lowest, component = component, _finish(number, alive, v, component)
        else:
            waiting -= one
            pages[waiting], number[v] = v, lowest
        if depth == 0:
            return index, component
        depth -= one  # go back up
        reached = lowest
        v, cursor = np.uint64(pages[depth]), cursors[depth]
        at = np.uint64(offsets[v]) + np.uint64(cursor & ~not_root)
        flag, lowest = cursor & not_root, number[v]
        if reached < lowest:
            lowest, flag = reached, not_root


@njit(cache=True, nogil=True, inline="always")
def _follow(search, alive, v, at, flag, lowest, component):  # type: ignore[no-untyped-def]
    """Follow the links of `v` from `at` to the first unseen page that has links, the child (no page: all followed).

    Finished numbers exceed all open ones and 0 is below them, so that the one comparison `there >= lowest` passes over
    nearly every link. Written into its caller by the compiler: as a call it makes the whole search a tenth slower.
    """
    offsets, number, one = search.offsets, search.number, np.uint64(1)
    end = np.uint64(offsets[v + one])
    while at < end:
        w = np.uint64(search.targets[at])
        at += one
        if alive is not None and not _is_in(alive, w):
            continue
        there = number[w]
        if there >= lowest:
            continue
        if there != 0:
            lowest, flag = there, np.uint32(0x80000000)
        elif offsets[w] != offsets[w + one]:
            return at, w, flag, lowest, component
        else:
            component = _finish(number, alive, w, component)
    return at, np.uint64(len(number)), flag, lowest, component


@njit(cache=True, nogil=True, inline="always")
def _take_waiting(search, alive, waiting, lowest, component):  # type: ignore[no-untyped-def]
    """Put all pages that wait for this root into its component; returns where the others begin."""
    nodes = np.uint64(len(search.number))
    while waiting < nodes and search.number[search.pages[waiting]] >= lowest:
        _finish(search.number, alive, np.uint64(search.pages[waiting]), component)
        waiting += np.uint64(1)
    return waiting


@njit(cache=True, nogil=True)
def _is_in(bits, page):  # type: ignore[no-untyped-def]
    return bits[page >> np.uint64(3)] >> np.uint8(page & np.uint64(7)) & np.uint8(1)


@njit(cache=True, nogil=True)
def _finish(number, alive, page, component):  # type: ignore[no-untyped-def]
    """Put a page into a component; returns the number of the next one."""
    number[page] = component
    if alive is not None:
        alive[page >> np.uint64(3)] &= ~(np.uint8(1) << np.uint8(page & np.uint64(7)))
    return component - np.uint32(1)


@njit(cache=True, nogil=True)
def _part_of(forward, backward, parts):  # type: ignore[no-untyped-def]
    """The part of every page, from the sweeps forward and backward from the core."""
    for page in range(np.uint64(len(parts))):
        at, bit = page >> np.uint64(3), np.uint8(page & np.uint64(7))
        f, b = forward[at] >> bit & 1, backward[at] >> bit & 1
        parts[page] = _CORE if f and b else _OUT if f else _IN if b else _REST


@njit(cache=True, nogil=True)
def _take(labels, parts, number, part, begin):  # type: ignore[no-untyped-def]
    """The labels of one part, counted from `begin`."""
    for page in range(len(labels)):
        if parts[page] == part:
            labels[page] = number[page] + np.uint32(begin)


@njit(cache=True, nogil=True)
def _forest(out, back):  # type: ignore[no-untyped-def]
    """A flat forest of a few links: `parent[page]` is the smallest page of its tree.

    Each page hangs itself from its smallest neighbour; then the tree of each page is hung from that of its last
    neighbour against the links. Where a tree is hung twice the lower place holds and the other link is lost, which
    `_settle` makes good: no step waits for a branch. Parents come before their pages, so one pass upwards flattens.
    """
    (offsets, targets), (in_offsets, sources) = out, back
    nodes, one = np.uint64(len(offsets) - 1), np.uint64(1)
    parent = np.empty(nodes, np.uint32)
    first, in_first = np.uint64(0), np.uint64(0)
    for page in range(nodes):
        last, in_last = np.uint64(offsets[page + one]), np.uint64(in_offsets[page + one])
        above = np.uint32(page)
        if first < last:
            above = min(above, targets[first])
        if in_first < in_last:
            above = min(above, sources[in_first])
        parent[page] = page
        parent[page] = parent[above]
        first, in_first = last, in_last
    in_first = np.uint64(0)
    for page in range(nodes):
        in_last = np.uint64(in_offsets[page + one])
        if in_first < in_last:
            mine, there = parent[page], parent[sources[in_last - one]]
            lower, upper = min(mine, there), max(mine, there)
            parent[upper] = min(parent[upper], lower)
        in_first = in_last
    for page in range(nodes):
        parent[page] = parent[parent[page]]
    return parent


@njit(cache=True, nogil=True)
def _settle(parent, giant, out, back):  # type: ignore[no-untyped-def]
    """Every page outside the giant's tree joins its neighbours' trees, until it finds itself in the giant's."""
    (offsets, targets), (in_offsets, sources) = out, back
    one, giant = np.uint64(1), np.uint64(giant)
    for page in range(np.uint64(len(parent))):
        if np.uint64(parent[page]) == giant:
            continue
        mine = root(parent, page)
        at, middle = np.uint64(offsets[page]), np.uint64(offsets[page + one])
        start = np.uint64(in_offsets[page])
        end = middle + np.uint64(in_offsets[page + one]) - start
        while mine != giant and at < end:
            neighbour = targets[at] if at < middle else sources[at - middle + start]
            at += one
            there = np.uint64(parent[neighbour])
            if there == mine:
                continue
            there = root(parent, there)
            met = there == giant
            mine, upper = min(mine, there), max(mine, there)
            parent[upper] = mine
            parent[neighbour] = mine  # the next page to link there sees at once that it is in the tree
            if met:
                giant = mine


@njit(cache=True, nogil=True)
def _number(parent):  # type: ignore[no-untyped-def]
    """Turn a forest into labels in place, counted by the smallest page of each tree; returns how many there are."""
    count = np.uint32(0)
    for page in range(len(parent)):  # a parent comes before its pages, and is a label by then
        if parent[page] == page:
            parent[page] = count
            count += np.uint32(1)
        else:
            parent[page] = parent[parent[page]]
    return count
