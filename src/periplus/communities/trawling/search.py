"""Kernels of trawling: pruning to a fixed point, and the search for one core around one fan.

A bipartite graph is given both ways, fans → centres and centres → fans. `fan_degrees` and `centre_degrees` count the
living neighbours of each; `GONE` marks what has been removed. Rows are never rewritten: the dead are passed over.

The search around fan f looks at its d living centres as bits. Another fan is the set of those bits that it links to, so
"do these fans have j centres in common" is an `and` of words and a count of bits. Fans are added one at a time;
whoever has fewer than j bits in common with those chosen is left out of all further trials. They are tried in a
scattered order that depends on nothing but their ids: the most alike first gives fewer cores, the least alike more, and
neither is typical of a maximal set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.bits import ones
from periplus.numeric.random import mix

GONE = -1
_ONE = np.uint64(1)


class Sides(NamedTuple):
    """A bipartite graph both ways, the living degrees of both sides, and the site of each fan."""

    fan_offsets: Offsets
    fan_rows: Ids
    centre_offsets: Offsets
    centre_rows: Ids
    fan_degrees: AnyArray
    centre_degrees: AnyArray
    sites: AnyArray


class Space(NamedTuple):
    """Working space of the search: one place a fan, one a centre, and a stack for removals."""

    bit_of: AnyArray
    shared: AnyArray
    place: AnyArray
    stack: AnyArray


@njit(cache=True, nogil=True, inline="always")
def _common(first: AnyArray, second: AnyArray) -> np.int64:
    """The number of bits that two sets share."""
    found = np.int64(0)
    for w in range(len(first)):
        found += ones(first[w] & second[w])
    return found


@njit(cache=True, nogil=True)
def spread(sides: Sides, i: int, j: int, stack: AnyArray, waiting: int) -> None:
    """Take the dead on the stack out of their neighbours' degrees, and whoever falls below i or j after them.

    Fan f is on the stack as f, centre c as (number of fans) + c.
    """
    fans = len(sides.fan_degrees)
    while waiting:
        waiting -= 1
        one = stack[waiting]
        if one < fans:
            for at in range(sides.fan_offsets[one], sides.fan_offsets[one + 1]):
                centre = sides.fan_rows[at]
                if sides.centre_degrees[centre] != GONE:
                    sides.centre_degrees[centre] -= 1
                    if sides.centre_degrees[centre] < i:
                        sides.centre_degrees[centre] = GONE
                        stack[waiting] = fans + centre
                        waiting += 1
        else:
            for at in range(sides.centre_offsets[one - fans], sides.centre_offsets[one - fans + 1]):
                fan = sides.centre_rows[at]
                if sides.fan_degrees[fan] != GONE:
                    sides.fan_degrees[fan] -= 1
                    if sides.fan_degrees[fan] < j:
                        sides.fan_degrees[fan] = GONE
                        stack[waiting] = fan
                        waiting += 1


@njit(cache=True, nogil=True)
def marks_of(sources: Ids, targets: Ids, nodes: int) -> AnyArray:
    """A number for each page that any two pages with the same links share (others with probability 2⁻⁶⁴)."""
    marks = np.zeros(nodes, np.uint64)
    for at in range(len(sources)):
        marks[sources[at]] += mix(np.uint64(targets[at]) + _ONE)
    return marks


@njit(cache=True, nogil=True)
def prune(sides: Sides, i: int, j: int, stack: AnyArray) -> None:
    """Remove fans with fewer than j centres and centres with fewer than i fans, until none is left."""
    fans, waiting = len(sides.fan_degrees), 0
    for fan in range(fans):
        if sides.fan_degrees[fan] < j:
            sides.fan_degrees[fan] = GONE
            stack[waiting] = fan
            waiting += 1
    for centre in range(len(sides.centre_degrees)):
        if sides.centre_degrees[centre] < i:
            sides.centre_degrees[centre] = GONE
            stack[waiting] = fans + centre
            waiting += 1
    spread(sides, i, j, stack, waiting)


@njit(cache=True, nogil=True)
def _partners(sides: Sides, fan: int, j: int, space: Space) -> tuple[Ids, Ids]:
    """The living centres of a fan, and the fans of other sites that share j of them or more."""
    centres = np.empty(sides.fan_degrees[fan], np.uint32)
    count, seen = 0, 0
    for at in range(sides.fan_offsets[fan], sides.fan_offsets[fan + 1]):
        centre = sides.fan_rows[at]
        if sides.centre_degrees[centre] == GONE:
            continue
        centres[count] = centre
        count += 1
        for back in range(sides.centre_offsets[centre], sides.centre_offsets[centre + 1]):
            other = sides.centre_rows[back]
            if sides.fan_degrees[other] != GONE and sides.sites[other] != sides.sites[fan]:
                if space.shared[other] == 0:
                    space.place[seen] = other
                    seen += 1
                space.shared[other] += 1
    kept = 0
    for k in range(seen):
        other = space.place[k]
        if space.shared[other] >= j:
            space.place[kept] = other
            kept += 1
        else:
            space.shared[other] = 0
    partners = space.place[:kept].astype(np.uint32)
    keys = np.empty(kept, np.uint64)
    for k in range(kept):
        keys[k] = mix(np.uint64(partners[k]) + _ONE)
        space.shared[partners[k]] = 0
    return centres, partners[np.argsort(keys)]


@njit(cache=True, nogil=True)
def _masks(sides: Sides, centres: Ids, partners: Ids, space: Space) -> AnyArray:
    """Row k: which of the centres partner k links to, one bit each."""
    masks = np.zeros((len(partners), (len(centres) + 63) >> 6), np.uint64)
    for k in range(len(centres)):
        space.bit_of[centres[k]] = k
    for row in range(len(partners)):
        partner = partners[row]
        for at in range(sides.fan_offsets[partner], sides.fan_offsets[partner + 1]):
            bit = space.bit_of[sides.fan_rows[at]]
            if bit >= 0:
                masks[row, bit >> 6] |= _ONE << np.uint64(bit & 63)
    for k in range(len(centres)):
        space.bit_of[centres[k]] = -1
    return masks


@njit(cache=True, nogil=True)
def _choose(masks: AnyArray, sites: AnyArray, need: int, j: int) -> tuple[AnyArray, AnyArray]:
    """`need` rows of different sites with j bits in common, and these bits; no rows where there are none.

    `lists[level]` are the rows still possible beside those chosen on the levels before. A trial takes the first row of
    its list: with it all sets are tried, then it is dropped.
    """
    rows, words = masks.shape
    lists = np.empty((need + 1, rows), np.int64)
    sizes, at = np.zeros(need + 1, np.int64), np.zeros(need + 1, np.int64)
    common = np.empty((need + 1, words), np.uint64)
    common[0] = ~np.uint64(0)
    lists[0] = np.arange(rows)
    sizes[0] = rows
    chosen = np.empty(need, np.int64)
    level = 0
    while level >= 0:
        if level == need:
            return chosen, common[need]
        if sizes[level] - at[level] < need - level:
            level -= 1
            continue
        row = lists[level, at[level]]
        at[level] += 1
        chosen[level] = row
        for w in range(words):
            common[level + 1, w] = common[level, w] & masks[row, w]
        kept = 0
        for k in range(at[level], sizes[level]):
            other = lists[level, k]
            if sites[other] != sites[row] and _common(common[level + 1], masks[other]) >= j:
                lists[level + 1, kept] = other
                kept += 1
        sizes[level + 1], at[level + 1] = kept, 0
        level += 1
    return chosen[:0], common[0]


@njit(cache=True, nogil=True)
def _core_of(sides: Sides, fan: int, i: int, j: int, space: Space) -> tuple[Ids, Ids]:
    """A core that has this fan: its i fans and j centres; none where there is none."""
    none = np.empty(0, np.uint32)
    centres, partners = _partners(sides, fan, j, space)
    if len(partners) < i - 1:
        return none, none
    masks = _masks(sides, centres, partners, space)
    rows, common = _choose(masks, sides.sites[partners], i - 1, j)
    if len(rows) < i - 1:
        return none, none
    fans, found = np.empty(i, np.uint32), np.empty(j, np.uint32)
    fans[0] = fan
    fans[1:] = partners[rows]
    count = 0
    for k in range(len(centres)):
        if count < j and (common[k >> 6] >> np.uint64(k & 63)) & _ONE:
            found[count] = centres[k]
            count += 1
    return np.sort(fans), found


@njit(cache=True, nogil=True)
def find_cores(sides: Sides, order: Ids, i: int, j: int, space: Space) -> tuple[Ids, Ids]:
    """Visit every fan once; row k of the result holds the fans, and the centres, of core k."""
    most = min(len(sides.fan_degrees) // i, len(sides.centre_degrees) // j)
    fans, centres = np.empty((most, i), np.uint32), np.empty((most, j), np.uint32)
    count, total = 0, len(sides.fan_degrees)
    for fan in order:
        if sides.fan_degrees[fan] == GONE:
            continue
        core, common = _core_of(sides, fan, i, j, space)
        waiting = 0
        if len(core):
            fans[count], centres[count] = core, common
            count += 1
            for k in range(j):
                sides.centre_degrees[common[k]] = GONE
                space.stack[waiting] = total + common[k]
                waiting += 1
            for k in range(i):
                sides.fan_degrees[core[k]] = GONE
                space.stack[waiting] = core[k]
                waiting += 1
        else:
            sides.fan_degrees[fan] = GONE
            space.stack[0] = fan
            waiting = 1
        spread(sides, i, j, space.stack, waiting)
    return fans[:count].copy(), centres[:count].copy()
