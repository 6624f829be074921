"""The bow-tie of a web (Broder et al., "Graph structure in the Web", WWW9, 2000; Deo & Gupta 4.1).

Let CORE be the largest strong component.

    SCC            CORE itself
    IN             pages that reach CORE and are not in it
    OUT            pages reached from CORE and not in it
    TUBES          of the rest: reached from IN and reaching OUT, past CORE
    TENDRILS       of the rest, weakly joined to the above: reached from IN ("from in"), or reaching OUT
                   ("into out"), or neither ("other": what only hangs off a tendril)
    DISCONNECTED   pages in other weak components

Broder's TENDRILS are all of the giant weak component that is not SCC, IN or OUT: his four counts add up to that
component. A page that hangs off a tendril against the direction of its link is therefore counted with the
TENDRILS here too. Of several largest strong components of one size, CORE is the one with the smallest page id;
`ties` says how many there are. In a web without any cycle CORE is one page.

No full search for strong components is made unless needed. From one pivot, the page with the largest product of
in- and out-degree, a forward and a backward sweep F and B run side by side; F ∩ B is the pivot's component. Any
other component lies inside F \\ B, B \\ F or outside both, so when each of these holds fewer pages with links both
ways than F ∩ B has pages, F ∩ B is proved to be the unique largest. Otherwise Tarjan's algorithm decides and the
two sweeps run from the component it names. The rest is settled by sweeps that never leave the unnamed pages.
Cost: F and B read each link at most once each; 8 bytes per page beside the graph and its transpose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from periplus.catalog import checked
from periplus.graph import Graph
from periplus.numeric.arrays import Offsets
from periplus.record import PageLabels
from periplus.structure.connectivity.components import strong_components
from periplus.structure.connectivity.sweeps import Bits, both, mark, pivot_of, spread, spread_undirected, sweeps_from

Regions = npt.NDArray[np.uint8]

DISCONNECTED, SCC, IN, OUT, TUBES, FROM_IN, INTO_OUT, OTHER = range(8)
REGION_NAMES: tuple[str, ...] = (
    "disconnected",
    "scc",
    "in",
    "out",
    "tubes",
    "tendrils_from_in",
    "tendrils_into_out",
    "tendrils_other",
)
REGION_WORDS: tuple[str, ...] = (
    "Disconnected: no path joins it to the core, whichever way links are followed",
    "Core (SCC): every page of the core can be reached from it, and it from them",
    "IN: it leads to the core, and nothing in the core leads back",
    "OUT: the core leads to it, and it does not lead back",
    "Tube: on a way from IN to OUT that passes the core by",
    "Tendril from IN: reached from IN, leads neither to the core nor to OUT",
    "Tendril into OUT: leads to OUT, reached neither from the core nor from IN",
    "Tendril: joined to the rest only against the direction of some link",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BowTie(PageLabels):
    """The region of every page: `labels[page]` is its place in `REGION_NAMES`, `counts[name]` the pages of a region.

    `core_page` is the first page of the core, `ties` how many strong components are as large as the core, and
    `found_by` says what found the core: two "sweeps", all strong "components", or nothing, in an "empty" graph.
    """

    names: Sequence[str] = REGION_NAMES
    counts: Mapping[str, int]
    core_page: int
    ties: int
    found_by: str

    @cached_property
    def sizes(self) -> Offsets:
        """The pages of each region, in the order of `REGION_NAMES`."""
        return np.array([self.counts[name] for name in REGION_NAMES], np.int64)

    @property
    def regions(self) -> Regions:
        """The region of every page, as a place in `REGION_NAMES`."""
        return self.labels

    @property
    def tendrils(self) -> int:
        """The pages of all three kinds of tendrils."""
        return sum(count for name, count in self.counts.items() if name.startswith("tendrils"))

    def region(self, page: int | str) -> str:
        """The name of the region of one page, by id or by URL."""
        return REGION_NAMES[self[page]]

    def to_dict(self) -> dict[str, Any]:
        """Node counts: the six regions of Broder first, the three kinds of tendrils after."""
        six = {name: self.counts[name] for name in ("scc", "in", "out")}
        six |= {"tendrils": self.tendrils, "tubes": self.counts["tubes"], "disconnected": self.counts["disconnected"]}
        kinds = {name: self.counts[name] for name in REGION_NAMES if name.startswith("tendrils")}
        return {**six, **kinds, "core_page": self.core_page, "equal_largest": self.ties}


@checked
def regions(graph: Graph) -> Regions:
    """The region of every page, as indices into `REGION_NAMES`."""
    return bowtie(graph).regions


@checked
def bowtie(graph: Graph) -> BowTie:
    """The bow-tie of a graph."""
    if graph.nodes == 0:
        return _record(graph, np.empty(0, np.uint8), np.zeros(len(REGION_NAMES), np.int64), 0, "empty")
    found_by, ties = "sweeps", 1
    pivot = int(pivot_of(graph.out_offsets, graph.in_offsets))
    forward, backward = sweeps_from(graph, pivot)
    core, rivals = _core_and_rivals(graph.out_offsets, graph.in_offsets, forward, backward)
    if rivals >= core:
        found_by = "components"
        components = strong_components(graph)
        ties = components.ties
        label = components.labels[pivot]
        if label != components.largest_label:
            pivot = int(np.argmax(components.labels == components.largest_label))
            forward, backward = sweeps_from(graph, pivot)
    found, counts = _classify(graph, forward, backward)
    return _record(graph, found, counts, ties, found_by)


def _record(graph: Graph, found: Regions, counts: Offsets, ties: int, found_by: str) -> BowTie:
    return BowTie(
        "bowtie",
        found,
        counts=dict(zip(REGION_NAMES, counts.tolist(), strict=True)),
        core_page=int(np.argmax(found == SCC)) if len(found) else -1,
        ties=ties,
        found_by=found_by,
        graph_digest=graph,
        urls=graph.urls,
    )


def _classify(graph: Graph, forward: Bits, backward: Bits) -> tuple[Regions, Offsets]:
    """Regions from the two sweeps, and the pages in each; what neither reached is told apart by sweeps among itself."""
    named = forward | backward
    rest = np.flatnonzero(np.unpackbits(named, count=graph.nodes, bitorder="little") == 0).astype(np.uint32)
    from_in, to_out = both(
        lambda: _sweep_rest(rest, named, (graph.in_offsets, graph.in_sources), (graph.out_offsets, graph.out_targets)),
        lambda: _sweep_rest(rest, named, (graph.out_offsets, graph.out_targets), (graph.in_offsets, graph.in_sources)),
    )
    joined = from_in | to_out
    queue = np.empty(max(len(rest), 1), np.uint32)
    waiting = _gather(rest, joined, queue)
    spread_undirected(graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources, joined, queue, waiting)
    found = np.empty(graph.nodes, np.uint8)
    return found, _name(forward, backward, from_in, to_out, joined, found)


def _sweep_rest(rest: Any, named: Bits, towards_named: Any, away: Any) -> Bits:
    """Unnamed pages with a neighbour among the named on one side, and all unnamed pages they reach on the other.

    An unnamed page's named predecessors can only be in IN, its named successors only in OUT.
    The bitmap returned includes the named pages.
    """
    seen, queue = named.copy(), np.empty(max(len(rest), 1), np.uint32)
    waiting = _touching(rest, named, towards_named[0], towards_named[1], queue)
    mark(seen, queue[:waiting])
    spread(away[0], away[1], seen, queue, waiting)
    return seen


@njit(cache=True, nogil=True)
def _core_and_rivals(out_offsets, in_offsets, forward, backward):  # type: ignore[no-untyped-def]
    """|F ∩ B|, and a bound on any other component: the pages with links both ways in the fullest other part."""
    core = 0
    parts = np.zeros(3, np.int64)
    for page in range(np.uint64(len(out_offsets) - 1)):
        f = forward[page >> np.uint64(3)] >> np.uint8(page & np.uint64(7)) & 1
        b = backward[page >> np.uint64(3)] >> np.uint8(page & np.uint64(7)) & 1
        if f and b:
            core += 1
        elif (
            out_offsets[page] < out_offsets[page + np.uint64(1)] and in_offsets[page] < in_offsets[page + np.uint64(1)]
        ):
            parts[0 if f else 1 if b else 2] += 1
    singleton = np.int64(1 if core < len(out_offsets) - 1 else 0)  # any other page is a component of one at least
    return core, max(parts.max(), singleton)


@njit(cache=True, nogil=True)
def _touching(rest, named, offsets, ends, queue):  # type: ignore[no-untyped-def]
    """Put into the queue the pages of `rest` with a named neighbour; returns how many."""
    found = 0
    for page in rest:
        for at in range(offsets[page], offsets[page + np.uint64(1)]):
            there = ends[at]
            if named[there >> np.uint32(3)] >> np.uint8(there & np.uint32(7)) & 1:
                queue[found] = page
                found += 1
                break
    return found


@njit(cache=True, nogil=True)
def _gather(rest, joined, queue):  # type: ignore[no-untyped-def]
    """Put into the queue the pages of `rest` that are joined already; returns how many."""
    found = 0
    for page in rest:
        if joined[page >> np.uint32(3)] >> np.uint8(page & np.uint32(7)) & 1:
            queue[found] = page
            found += 1
    return found


@njit(cache=True, nogil=True)
def _name(forward, backward, from_in, to_out, joined, found):  # type: ignore[no-untyped-def]
    """Write the region of every page into `found`; returns how many pages each has."""
    counts = np.zeros(len(REGION_NAMES), np.int64)
    for page in range(np.uint64(len(found))):
        at, bit = page >> np.uint64(3), np.uint8(page & np.uint64(7))
        f, b = forward[at] >> bit & 1, backward[at] >> bit & 1
        if f or b:
            found[page] = SCC if f and b else OUT if f else IN
        elif joined[at] >> bit & 1:
            i, o = from_in[at] >> bit & 1, to_out[at] >> bit & 1
            found[page] = TUBES if i and o else FROM_IN if i else INTO_OUT if o else OTHER
        else:
            found[page] = DISCONNECTED
        counts[found[page]] += 1
    return counts
