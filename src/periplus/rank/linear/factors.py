"""The system of a graph factored once, to correct its solution after some links changed.

`reduction` gives pages with the same in-links one unknown S_c, y_j = q_j (b_j + S_c); the system of these classes is
factored (`triangles`). A⁻¹ r, with A = I − αHᵀ, is then one pass over the factors.

**The change.** In A′ = A − E the columns of the changed pages C differ (`edits`). The correction Δ of A′ Δ = r is
A⁻¹ (r + E f), once f equals Δ at C; for any f at all the residual left is E (Δ_C − f), which is known exactly and costs
the links of C alone. As r = E y_C, the right one is f = (I − S)⁻¹ y_C − y_C with S = (A⁻¹E)_CC. An estimate S̃ from the
links near by (`responses`) gives a first f to three digits; each solve, restricted to what the changed pages depend on,
gains two more, and the last one, of everything, tells what is left.
Memory: 12 bytes for each entry of the factors, 24 a page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids
from periplus.rank.linear.passes import chunk_bounds, link_weights, threads_for
from periplus.rank.linear.reduction import find_classes, merge, row_hashes
from periplus.rank.linear.responses import near_inverse
from periplus.rank.linear.triangles import Triangles, triangles
from periplus.rank.updating.edits import Edits
from periplus.rank.updating.forward import Settled

MOST_SOLVES = 12
# Of more pages than this share (and these few) what they do to each other fills in, and a cold solve is faster.
MOST_CHANGED, FEW = 0.01, 100
# What a solve leaves of the residual that it starts from, or less: when to make the next one the last.
GAIN = 0.02


@dataclass(frozen=True, slots=True)
class Factors:
    """A⁻¹ of a graph's system: `place` is the unknown of each page, `spot` the same for one page of each class."""

    graph: Graph
    place: Ids
    spot: Ids  # the number of unknowns for all other pages
    shrink: Floats
    inverse: Triangles

    def settle(
        self, after: Graph, changes: Edits, values: Floats, residual: Floats | None, damping: float, allowed: float
    ) -> Settled:
        """Correct `values` in place for their `residual` over `after`, as `changes` made it; None: what these cause.

        Where that does not help (too many changes, or the estimate misleads) `values` stay, and the residual left is
        given as infinity.
        """
        place, shrink = self._extended(after.nodes)
        changes = changes.differing
        pages = changes.pages
        if len(pages) > max(FEW, MOST_CHANGED * after.nodes):
            return Settled(np.inf, 0, 0)
        near, where, given = _sources(changes, values, residual)
        own = _found(pages, near)
        (sums, far), solves, amounts = np.zeros((2, len(self.inverse.pivots) + 1)), 0, given
        left = first = float(np.abs(given).sum())
        taken, steps, full = np.zeros(len(pages)), list[tuple[Floats, Floats]](), not len(pages)
        if not full:
            refine, some = near_inverse(self.graph, changes, values, damping), self.inverse.needed(place[pages])
            taken = refine(values[pages]) - values[pages]
        while np.isfinite(taken).all():
            amounts = given + _spread(changes, where, taken, len(near))
            sums.fill(0.0)
            rows = self.graph.out_offsets, self.graph.out_targets
            gather_sources(rows, self.shrink, self.spot, damping, near, amounts, sums)
            self.inverse.solve(self.inverse.everything if full else some, sums, far)
            solves += 1
            missed = shrink[pages] * (np.append(amounts, 0.0)[own] + sums[place[pages]]) - taken
            previous, left = left, float(np.abs(_spread(changes, where, missed, len(near))).sum())
            if full and (left <= allowed or not len(pages) or solves >= MOST_SOLVES):
                break
            taken = taken + _mixed(steps, taken, refine(missed))
            soon = GAIN * left <= allowed or left * left <= allowed * previous
            full = full or soon or solves + 1 >= MOST_SOLVES
        read = solves * self.inverse.entries
        if not np.isfinite(taken).all() or not left <= max(first, allowed):
            return Settled(np.inf, solves, read)
        with threads_for(len(values)):
            expand(sums, place, shrink, values)
        values[near] += shrink[near] * amounts
        return Settled(left, solves, read)

    def _extended(self, nodes: int) -> tuple[Ids, Floats]:
        """`place` and `shrink` with the new pages, which the old system does not know: they keep what they get."""
        more = nodes - len(self.place)
        if not more:
            return self.place, self.shrink
        none = np.full(more, len(self.inverse.pivots), np.uint32)
        return np.append(self.place, none), np.append(self.shrink, np.ones(more))


def factors(graph: Graph, damping: float) -> Factors | None:
    """The factors of a graph's system; None where they would fill in too much."""
    gifts = link_weights(graph, damping)
    rows = graph.in_offsets, graph.in_sources
    class_of, closed, first = find_classes(*rows, row_hashes(*rows, chunk_bounds(rows[0])), gifts)
    shrink = np.where(closed, 1.0 / (1.0 + gifts), 1.0)
    weights = np.empty(graph.links + graph.nodes)
    merged = merge(*rows, first, closed, class_of, gifts * shrink, np.zeros(graph.nodes), weights)
    offsets, sources, _, loops = merged
    found = triangles(offsets, sources, weights[: len(sources)], loops)
    if found is None:
        return None
    inverse, rank = found
    spot = np.full(graph.nodes, len(first), np.uint32)
    spot[first] = rank
    return Factors(graph, rank[class_of], spot, shrink, inverse)


def _spread(changes: Edits, where: AnyArray, amounts: Floats, size: int) -> Floats:
    """E · amounts where E has entries: `where` numbers the targets of the changes."""
    shares = changes.shares * np.repeat(amounts, np.diff(changes.offsets))
    return np.bincount(where, shares, minlength=size).astype(np.float64, copy=False)


def _sources(changes: Edits, values: Floats, residual: Floats | None) -> tuple[Ids, AnyArray, Floats]:
    """Pages with a residual, or where changes may bring one; which of them each change leads to; what waits there."""
    if residual is None:
        near, where = np.unique(changes.targets, return_inverse=True)
        return near, where, _spread(changes, where, values[changes.pages], len(near))
    near = np.union1d(np.flatnonzero(residual).astype(np.uint32), changes.targets)
    return near, np.searchsorted(near, changes.targets), residual[near]


def _found(pages: Ids, near: Ids) -> AnyArray:
    """Where each page stands in `near`, which is sorted; its length for those that do not."""
    places = np.searchsorted(near, pages)
    return np.where(np.append(near, 0)[places] == pages, places, len(near)) if len(near) else places


def _mixed(steps: list[tuple[Floats, Floats]], point: Floats, step: Floats) -> Floats:
    """Anderson mixing: the step from the combination of all points so far whose step is least; remembers this one."""
    steps.append((point, step))
    if len(steps) == 1:
        return step
    moved = np.stack([point - old for old, _ in steps[:-1]], axis=1)
    bend = np.stack([step - old for _, old in steps[:-1]], axis=1)
    share = np.linalg.lstsq(bend, step, rcond=None)[0]
    mixed: Floats = step - (moved + bend) @ share
    return mixed


@njit(cache=True, nogil=True)
def gather_sources(rows, shrink, spot, damping, pages, amounts, x):  # type: ignore[no-untyped-def]
    """k_c = Σ w_i q_i amount_i over the row of each class c, which for a clique holds the page itself."""
    offsets, targets = rows
    known, unknowns = len(offsets) - 1, len(x) - 1
    for place in range(len(pages)):
        page = pages[place]
        if page >= known or offsets[page + 1] == offsets[page]:
            continue
        given = amounts[place] * shrink[page] * damping / (offsets[page + 1] - offsets[page])
        for link in range(offsets[page], offsets[page + 1]):
            x[spot[targets[link]]] += given
        if shrink[page] < 1.0:
            x[spot[page]] += given
    x[unknowns] = 0.0


@njit(cache=True, nogil=True, parallel=True)
def expand(sums, place, shrink, values):  # type: ignore[no-untyped-def]
    """values_j += q_j S_c, with c the class of page j."""
    for page in prange(len(values)):
        values[page] += shrink[page] * sums[place[page]]
