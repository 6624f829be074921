"""A smaller system with the same solution: pages with the same in-links share one unknown, chains none.

In y = b + Wy (W_ji = w_i = α/d⁺(i) for a link i → j) page j sees the others only through S = Σ_{i→j} w_i y_i.

**Classes.** Pages with the same in-links have the same S: on a web graph a navigation bar makes hundreds of such rows.
And the members of a clique, where everyone links to everyone else, have the same in-links up to themselves: with
the page itself added to its row, (1 + w_j) y_j = b_j + S. So y_j = q_j (b_j + S_c) with q_j = 1 or 1/(1 + w_j), and the
unknowns are one S_c a class c. Rows are matched by a hash and then compared link by link: nothing is left to chance.

**Chains.** A class fed by one other class only, S_c = β + ω S_p, is substituted away; chains of such end at a root or,
when nothing feeds them, in a constant. What remains is

    S_r = k_r + Σ M_rs S_s   over the kept roots,      y_j = q_j (b_j + β_c + ω_c S_root(c))

with M sparse and the links inside a row merged. On cnr-2000 325,557 unknowns and 3.2 M links become 105 thousand and
0.9 M. A change of S_r moves y by at most reach_r |ΔS_r|, reach_r = Σ ω over the pages below, and the columns of M
weighted by `reach` sum to at most α · reach: steps and residuals are measured so.
Cost: about two passes, memory 12 bytes for each merged link, 20 for each page and, on the way, 9 more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids, Offsets
from periplus.rank.linear.passes import chunk_bounds, has_link, link_weights
from periplus.rank.linear.system import System

# Matches are looked for among the rows last seen with the same hash bits: equal rows lie near each other.
TABLE_BITS = 16
OPEN, UNDECIDED, CLOSED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Reduced:
    """S = constant + M S over the roots (in-CSR with one weight a link, 1/(1 − M_rr) apart), and the way back to y."""

    offsets: Offsets
    sources: Ids
    weights: Floats
    constant: Floats
    diagonal: Floats
    reach: Floats
    root: Ids  # of each page; the number of roots where its class is a constant
    slope: Floats
    height: Floats  # w y = height + slope · S[root], with 1 for w where a page is dangling
    example: Ids  # a page of the root's own class
    graph: Graph
    damping: float

    def start(self, values: Floats) -> Floats:
        """The sums that go with a guess of y."""
        sums: Floats = values[self.example]
        contract(self.graph.out_offsets, self.damping, self.example, self.slope, self.height, sums)
        return sums

    def expand(self, sums: Floats) -> Floats:
        """The ranks y that go with the sums; in the memory of `height`, so once only."""
        expand(self.graph.out_offsets, self.damping, self.root, self.slope, sums, self.height)
        return self.height


def reduce(system: System) -> Reduced:
    """Find the classes and chains of the system's graph."""
    graph = system.graph
    offsets, sources = graph.in_offsets, graph.in_sources
    gifts, base = link_weights(graph, system.damping), np.array(system.base)
    hashes = row_hashes(offsets, sources, chunk_bounds(offsets))
    class_of, closed, first = find_classes(offsets, sources, hashes, gifts)
    # The merged rows are the peak of memory: what comes before them is kept where their weights will be, and what comes
    # after it where hashes and bases were. Memory that is never touched is never there.
    room, classes = max(graph.links, 4 * graph.nodes) + graph.nodes, len(first)
    weights = np.empty(room)
    slope, height = weights[:classes], weights[classes : 2 * classes]
    parent, path, end = weights[2 * classes :].view(np.uint32)[: 3 * (classes + 1)].reshape(3, classes + 1)
    find_chains((offsets, sources), (class_of, closed, first), gifts, base, parent, slope, height)
    keep = follow(parent, slope, height, path, end)
    example, page_root, page_slope, page_height = first[keep], class_of, hashes.view(np.float64), base
    reach = widen(end, slope, height, (closed, gifts), len(keep), (page_root, page_slope, page_height))
    del class_of, first, keep, hashes, base, gifts
    new_offsets, new_sources, constant, loops = merge(
        offsets, sources, example, closed, page_root, page_slope, page_height, weights
    )
    weights = weights[: len(new_sources)]
    np.divide(1.0, 1.0 - loops, out=loops)
    return Reduced(
        new_offsets, new_sources, weights, constant, loops, reach,
        page_root, page_slope, page_height, example, graph, system.damping,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _mixed(page):  # type: ignore[no-untyped-def]
    value = (np.uint64(page) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return value ^ (value >> np.uint64(32))


@njit(cache=True, nogil=True, parallel=True)
def row_hashes(offsets, sources, bounds):  # type: ignore[no-untyped-def]
    """A hash of each row that does not depend on the order of its links."""
    hashes = np.zeros(len(offsets) - 1, np.uint64)
    for chunk in prange(len(bounds) - 1):
        for row in range(bounds[chunk], bounds[chunk + 1]):
            total = np.uint64(0)
            for link in range(offsets[row], offsets[row + 1]):
                total += _mixed(sources[link])
            hashes[row] = total
    return hashes


@njit(cache=True, nogil=True)
def _same_rows(offsets, sources, row, other, closed):  # type: ignore[no-untyped-def]
    """Whether two rows have the same links; `closed`: after adding each row's own page, which is not in it yet."""
    a, a_end, b, b_end = offsets[row], offsets[row + 1], offsets[other], offsets[other + 1]
    if not closed:
        if a_end - a != b_end - b:
            return False
        while a < a_end:
            if sources[a] != sources[b]:
                return False
            a, b = a + 1, b + 1
        return True
    # The other page must be in this row and the other way round; all else must agree.
    seen_other, seen_row = False, False
    while a < a_end or b < b_end:
        if a < a_end and sources[a] == other and (b >= b_end or sources[b] != other):
            seen_other = True
            a += 1
        elif b < b_end and sources[b] == row and (a >= a_end or sources[a] != row):
            seen_row = True
            b += 1
        elif a < a_end and b < b_end and sources[a] == sources[b]:
            a, b = a + 1, b + 1
        else:
            return False
    return seen_other and seen_row


@njit(cache=True, nogil=True)
def find_classes(offsets, sources, hashes, gifts):  # type: ignore[no-untyped-def]
    """(class of each page, whether its row counts the page itself: q = 1/(1 + w), first page of each class)."""
    nodes = len(hashes)
    class_of, closed = np.empty(nodes, np.uint32), np.zeros(nodes, np.bool_)
    first, kind = np.empty(nodes, np.uint32), np.empty(nodes, np.uint8)
    size = np.int64(1) << TABLE_BITS
    mask = np.uint64(size - 1)
    open_table, closed_table = np.full(size, nodes, np.uint32), np.full(size, nodes, np.uint32)
    classes = 0
    for page in range(nodes):
        linked = has_link(offsets, sources, page, page)
        open_key = np.int64(hashes[page] & mask)
        closed_hash = hashes[page] if linked else hashes[page] + _mixed(page)
        closed_key = np.int64(closed_hash & mask)
        found = open_table[open_key]
        if found < nodes:
            other = first[found]
            alike = kind[found] != CLOSED and hashes[other] == hashes[page]
            if alike and _same_rows(offsets, sources, page, other, False):
                class_of[page], kind[found] = found, OPEN
                continue
        found = closed_table[closed_key]
        if found < nodes and not linked and gifts[page] > 0.0:
            other = first[found]
            alike = kind[found] != OPEN and hashes[other] + _mixed(other) == closed_hash
            if alike and _same_rows(offsets, sources, page, other, True):
                class_of[page], kind[found] = found, CLOSED
                closed[page] = closed[other] = True
                continue
        class_of[page], first[classes] = classes, page
        kind[classes] = OPEN if linked or gifts[page] == 0.0 else UNDECIDED
        open_table[open_key] = classes
        if kind[classes] == UNDECIDED:
            closed_table[closed_key] = classes
        classes += 1
    return class_of, closed, first[:classes]  # memory beyond was never touched


@njit(cache=True, nogil=True)
def find_chains(rows, classes, gifts, base, parent, slope, height):  # type: ignore[no-untyped-def]
    """For each class fed by at most one other: that class, ω and β; parent = itself, 1 and 0 where there are more."""
    (offsets, sources), (class_of, closed, first) = rows, classes
    none = np.uint32(len(first))
    for label in range(len(first)):
        page = first[label]
        feeder = none
        single = True
        weight, constant, loop = 0.0, 0.0, 0.0
        begin, end = offsets[page], offsets[page + 1]
        for link in range(begin, end + 1 if closed[page] else end):
            source = sources[link] if link < end else page
            label_of_source = class_of[source]
            gift = gifts[source]
            if closed[source]:
                gift /= 1.0 + gift
            constant += gift * base[source]
            if label_of_source == label:
                loop += gift
            elif feeder in (none, label_of_source):
                feeder = label_of_source
                weight += gift
            else:
                single = False
                break
        if single:
            parent[label] = feeder
            slope[label] = weight / (1.0 - loop)
            height[label] = constant / (1.0 - loop)
        else:
            parent[label], slope[label], height[label] = label, 1.0, 0.0


@njit(cache=True, nogil=True)
def follow(parent, slope, height, path, end):  # type: ignore[no-untyped-def]
    """Compose chains down from their roots in place; returns the classes kept as roots, and their number in `end`.

    A ring of chains has no root: the class where the walk closes it becomes one.
    """
    classes = len(slope)
    state = np.zeros(classes, np.uint8)
    for label in range(classes):
        depth = 0
        here = np.uint32(label)
        while here < classes and state[here] == 0 and parent[here] != here:
            state[here] = 1
            path[depth] = here
            depth += 1
            here = parent[here]
        if here < classes and state[here] == 1:
            parent[here], slope[here], height[here] = here, 1.0, 0.0
        if here < classes and parent[here] == here:
            state[here] = 2
            end[here] = here
        for step in range(depth - 1, -1, -1):
            link = path[step]
            if parent[link] == link:
                continue
            up = parent[link]
            state[link] = 2
            if up == classes:
                end[link] = classes
                slope[link] = 0.0
            else:
                end[link] = end[up]
                height[link] += slope[link] * height[up]
                slope[link] *= slope[up]
    number, kept = path, 0
    for label in range(classes):
        if parent[label] == label:
            number[label] = kept
            kept += 1
    number[classes] = kept
    keep = np.empty(kept, np.uint32)
    for label in range(classes):
        if parent[label] == label:
            keep[number[label]] = label
        end[label] = number[end[label]]
    return keep


@njit(cache=True, nogil=True)
def widen(root, slope, height, links, roots, pages):  # type: ignore[no-untyped-def]
    """From classes to pages, in place: what comes in as class and base of a page goes out as its root and height.

    Slope and height are those of w y, what a page gives along each link. Returns the reach of each root.
    """
    (closed, gifts), (page_root, page_slope, page_height) = links, pages
    reach = np.zeros(roots)
    for page in range(len(page_root)):
        label = page_root[page]
        share = 1.0 / (1.0 + gifts[page]) if closed[page] else 1.0
        gift = share * gifts[page] if gifts[page] > 0.0 else share
        if root[label] < roots:
            reach[root[label]] += slope[label] * share
        page_root[page] = root[label]
        page_slope[page] = slope[label] * gift
        page_height[page] = (height[label] + page_height[page]) * gift
    return reach


@njit(cache=True, nogil=True)
def contract(out_offsets, damping, example, slope, height, sums):  # type: ignore[no-untyped-def]
    """From y to S at the roots, by an example page of each, in place."""
    for root in range(len(example)):
        page = example[root]
        degree = out_offsets[page + 1] - out_offsets[page]
        given = sums[root] * (damping / degree) if degree > 0 else sums[root]
        sums[root] = (given - height[page]) / slope[page]


@njit(cache=True, nogil=True)
def expand(out_offsets, damping, root, slope, sums, height):  # type: ignore[no-untyped-def]
    """From w y = height + slope · S[root] to y, in place."""
    for page in range(len(height)):
        degree = out_offsets[page + 1] - out_offsets[page]
        value = height[page]
        if root[page] < len(sums):
            value += slope[page] * sums[root[page]]
        height[page] = value * (degree / damping) if degree > 0 else value


@njit(cache=True, nogil=True)
def merge(offsets, sources, example, closed, page_root, page_slope, page_height, weights):  # type: ignore[no-untyped-def]
    """The rows of the kept classes over the roots: offsets, sources, constants, the diagonal apart, and `weights`."""
    rows = len(example)
    new_offsets, new_sources = np.empty(rows + 1, np.int64), np.empty(len(weights), np.uint32)
    constant, loops = np.zeros(rows), np.zeros(rows)
    place_of = np.full(rows + 1, -1, np.int64)
    place = 0
    for row in range(rows):
        page = example[row]
        begin, end = offsets[page], offsets[page + 1]
        start = place
        new_offsets[row] = place
        total = 0.0
        for link in range(begin, end + 1 if closed[page] else end):
            source = sources[link] if link < end else page
            root = page_root[source]
            total += page_height[source]
            if root == rows:
                continue
            weight = page_slope[source]
            if root == row:
                loops[row] += weight
            elif place_of[root] >= start:
                weights[place_of[root]] += weight
            else:
                place_of[root] = place
                new_sources[place] = root
                weights[place] = weight
                place += 1
        constant[row] = total
    new_offsets[rows] = place
    return new_offsets, new_sources[:place], constant, loops
