"""Decoding a BVGraph: the compiled loops. The format is described in `bv.reader`.

A row is decoded where it will lie in the output: residuals go to its end, intervals are merged into them from the left,
then the copied part of the reference row is merged into both, again from the left. The place written is never past the
place read, so no scratch row is needed. Every number read is checked before it is used as an index or a length: bad
input returns one of the codes below, the node and the bit, never an access outside the arrays, and no loop is longer
than the row that the output has room for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from periplus.graph.bv.codes import read_count, read_reference, read_residual
from periplus.graph.bv.properties import Codes
from periplus.numeric.arrays import AnyArray, Ids, Offsets

PROBLEMS = {
    1: "the bit stream ends inside a successor list",
    2: "a reference points outside the window or before the first node",
    3: "the copy blocks are longer than the row that they copy from",
    4: "the parts of a successor list do not add up to its outdegree",
    5: "a successor is not a node",
    6: "a successor occurs twice",
    7: "there are more arcs than the properties promise",
}
_PARTS_WITH_CODES = ("outdegrees", "references", "block_count", "blocks", "intervals", "residuals")
_END, _REFERENCE, _BLOCKS, _PARTS, _NO_NODE, _TWICE, _TOO_MANY = range(1, 8)


class Bits(NamedTuple):
    """A bit stream to read: its words, how many bits count, and the codes that its numbers are written in.

    The place in it is a number of its own, which every step takes and returns: so it stays in a register.
    """

    words: AnyArray
    limit: int
    codes: Codes


def for_reading(codes: Codes) -> Codes:
    """The same codes with the default ones as None: for those the loops below are compiled without a choice of code."""
    default = Codes()
    usual = codes.k == default.k and all(getattr(codes, part) == getattr(default, part) for part in _PARTS_WITH_CODES)
    return codes._replace(**dict.fromkeys(_PARTS_WITH_CODES)) if usual else codes  # type: ignore[arg-type]


@njit(cache=True, nogil=True, forceinline=True)
def _read_blocks(bits: Bits, at: int, size: int, scratch: Offsets) -> tuple[int, int, int]:
    """Copy blocks over a row of `size`: their number, how many successors they copy (-1: too long), the place after."""
    words, limit, codes = bits
    count, at = read_count(words, limit, at, codes.block_count, codes.k)
    if count > size + 1:
        return 0, -1, at
    copied, total = 0, 0
    for i in range(count):
        length, at = read_count(words, limit, at, codes.blocks, codes.k)
        if i > 0:
            length += 1
        if length > size - total:
            return 0, -1, at
        scratch[i] = length
        total += length
        if i & 1 == 0:
            copied += length
    if count & 1 == 0:
        copied += size - total
    return count, copied, at


@njit(cache=True, nogil=True, forceinline=True)
def _read_intervals(bits: Bits, at: int, node: int, most: int, scratch: Offsets) -> tuple[int, int, int]:
    """Intervals of at most `most` successors in all: their number, their successors (-1: too many), the place after."""
    words, limit, codes = bits
    lefts = len(scratch) // 3
    lengths = 2 * lefts
    count, at = read_count(words, limit, at, codes.intervals, codes.k)
    if count > most or count * codes.min_interval > most:
        return 0, -1, at
    total, end = 0, 0
    for i in range(count):
        left, at = read_count(words, limit, at, codes.intervals, codes.k)
        if i == 0:
            left = node + ((left >> 1) ^ -(left & 1))
        else:
            left += end + 1
        length, at = read_count(words, limit, at, codes.intervals, codes.k)
        length += codes.min_interval
        total += length
        if total > most or at > limit:
            return 0, -1, at
        scratch[lefts + i], scratch[lengths + i] = left, length
        end = left + length
    return count, total, at


@njit(cache=True, nogil=True, forceinline=True)
def _read_residuals(bits: Bits, at: int, node: int, nodes: int, place: tuple[int, int], out: Ids) -> tuple[int, int]:
    """Residuals into `out[place[0] : place[1]]`: a status and the place after."""
    words, limit, codes = bits
    first, end = place
    value, at = read_residual(words, limit, at, codes.residuals, codes.k)
    successor = node + ((value >> 1) ^ -(value & 1))
    if successor < 0 or successor >= nodes:
        return _NO_NODE, at
    out[first] = successor
    for i in range(first + 1, end):
        value, at = read_residual(words, limit, at, codes.residuals, codes.k)
        if value >= nodes - successor - 1:
            return _NO_NODE, at
        successor += value + 1
        out[i] = successor
    return 0, at


@njit(cache=True, nogil=True, forceinline=True)
def _merge_intervals(out: Ids, to: int, residual: int, end: int, nodes: int, count: int, scratch: Offsets) -> int:
    """Merge intervals with the residuals at `out[residual:end]` into `out[to:end]`."""
    lefts = len(scratch) // 3
    for i in range(count):
        left, length = scratch[lefts + i], scratch[2 * lefts + i]
        if left < 0 or left + length > nodes:
            return _NO_NODE
        while residual < end and out[residual] < left:
            out[to] = out[residual]
            to += 1
            residual += 1
        if residual < end and out[residual] < left + length:
            return _TWICE
        for j in range(length):
            out[to + j] = left + j
        to += length
    return 0


@njit(cache=True, nogil=True, forceinline=True)
def _merge_copies(
    out: Ids, to: int, extra: int, end: int, reference: tuple[int, int], count: int, scratch: Offsets
) -> int:
    """Merge the blocks of the row `out[reference[0]:][:reference[1]]` with `out[extra:end]` into `out[to:end]`."""
    source, row_end = reference[0], reference[0] + reference[1]
    for i in range(count + 1):
        length = scratch[i] if i < count else row_end - source
        if i & 1 == 0:
            for j in range(source, source + length):
                successor = out[j]
                while extra < end and out[extra] < successor:
                    out[to] = out[extra]
                    to += 1
                    extra += 1
                if extra < end and out[extra] == successor:
                    return _TWICE
                out[to] = successor
                to += 1
        source += length
    return 0


@njit(cache=True, nogil=True, forceinline=True)
def decode_row(
    bits: Bits,
    at: int,
    node: int,
    nodes: int,
    row: tuple[int, int],
    reference: tuple[int, int],
    out: Ids,
    scratch: Offsets,
) -> tuple[int, int]:
    """Decode a successor list, from after its reference, into `out[row[0] : row[0] + row[1]]`: status, place after.

    `reference` is the start and the length of the row that it copies from; `new_scratch` was made for both.
    """
    start, degree = row
    block_count, copied, interval_count, interval_total = 0, 0, 0, 0
    if reference[0] >= 0:
        block_count, copied, at = _read_blocks(bits, at, reference[1], scratch)
        if copied < 0:
            return (_END if at > bits.limit else _BLOCKS), at
    extra = degree - copied
    if extra > 0 and bits.codes.min_interval > 0:
        interval_count, interval_total, at = _read_intervals(bits, at, node, extra, scratch)
    residuals = extra - interval_total
    if extra < 0 or interval_total < 0:
        return (_END if at > bits.limit else _PARTS), at
    end, status = start + degree, 0
    if residuals > 0:
        status, at = _read_residuals(bits, at, node, nodes, (end - residuals, end), out)
    if at > bits.limit:
        return _END, at
    if status == 0 and interval_count > 0:
        status = _merge_intervals(out, start + copied, end - residuals, end, nodes, interval_count, scratch)
    if status == 0 and copied > 0:
        status = _merge_copies(out, start, start + copied, end, reference, block_count, scratch)
    return status, at


@njit(cache=True, nogil=True)
def new_scratch(size: int) -> Offsets:
    """Scratch for rows of up to `size` successors: three parts, for copy blocks, left ends and lengths of intervals."""
    return np.empty(3 * (size + 2), dtype=np.int64)


@njit(cache=True, nogil=True)
def decode_all(bits: Bits, nodes: int, offsets: Offsets, out: Ids, bit_offsets: Offsets) -> tuple[int, int, int]:
    """Decode every row: status, node and bit where it stopped. Fills `offsets` and `bit_offsets` (may be empty)."""
    words, limit, codes = bits
    capacity = 1024
    scratch = new_scratch(capacity)
    at, start = 0, 0
    offsets[0] = 0
    for node in range(nodes):
        if len(bit_offsets):
            bit_offsets[node] = at
        degree, at = read_count(words, limit, at, codes.outdegrees, codes.k)
        if at > limit:
            return _END, node, limit
        if degree > len(out) - start:
            return _TOO_MANY, node, at
        if degree > 0:
            reference = (-1, 0)
            if codes.window > 0:
                back, at = read_reference(words, limit, at, codes.references, codes.k)
                if back > codes.window or back > node:
                    return (_END if at > limit else _REFERENCE), node, min(at, limit)
                if back > 0:
                    reference = (offsets[node - back], offsets[node - back + 1] - offsets[node - back])
            if degree > capacity:
                capacity = 2 * degree
                scratch = new_scratch(capacity)
            status, at = decode_row(bits, at, node, nodes, (start, degree), reference, out, scratch)
            if status:
                return status, node, min(at, limit)
        start += degree
        offsets[node + 1] = start
    if len(bit_offsets):
        bit_offsets[nodes] = at
    return 0, nodes, at


@njit(cache=True, nogil=True)
def _chain(bits: Bits, bit_offsets: Offsets, node: int) -> tuple[int, Any]:
    """The rows that a row is made from, itself first: status, and (node, degree, place after the reference) each."""
    words, limit, codes = bits
    links = np.empty((8, 3), dtype=np.int64)
    count = 0
    while True:
        if count == len(links):
            grown = np.empty((2 * count, 3), dtype=np.int64)
            grown[:count] = links
            links = grown
        degree, at = read_count(words, limit, bit_offsets[node], codes.outdegrees, codes.k)
        back = 0
        if degree > 0 and codes.window > 0:
            back, at = read_reference(words, limit, at, codes.references, codes.k)
        if at > limit:
            return _END, links[:0]
        if back > codes.window or back > node:
            return _REFERENCE, links[:0]
        links[count, 0], links[count, 1], links[count, 2] = node, degree, at
        count += 1
        if back == 0:
            return 0, links[:count]
        node -= back


@njit(cache=True, nogil=True)
def decode_one(bits: Bits, bit_offsets: Offsets, node: int, most: int) -> tuple[int, int, Ids]:
    """One row by its bit offset, through its chain of references: status, bit, successors."""
    nodes = len(bit_offsets) - 1
    status, links = _chain(bits, bit_offsets, node)
    total, longest = 0, 0
    for i in range(len(links)):
        total += links[i, 1]
        if total > most:  # the rows of a chain are different rows
            return _TOO_MANY, bit_offsets[node], np.empty(0, dtype=np.uint32)
        longest = max(longest, links[i, 1])
    out = np.empty(total, dtype=np.uint32)
    if status:
        return status, bit_offsets[node], out
    scratch = new_scratch(longest)
    reference, start = (-1, 0), 0
    for i in range(len(links) - 1, -1, -1):
        row = (start, links[i, 1])
        if row[1] > 0:
            status, at = decode_row(bits, links[i, 2], links[i, 0], nodes, row, reference, out, scratch)
            if status:
                return status, min(at, bits.limit), out
        reference = row
        start += row[1]
    return 0, 0, out[reference[0] : start]


@njit(cache=True, nogil=True)
def decode_offsets(words: AnyArray, limit: int, code: Any, out: Offsets) -> int:
    """The running sums of the coded differences (code None: γ); returns the number read before the stream ended."""
    at, position = 0, 0
    for i in range(len(out)):
        step, at = read_count(words, limit, at, code, 3)
        if at > limit:
            return i
        position += step
        out[i] = position
    return len(out)
