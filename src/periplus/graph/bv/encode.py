"""Encoding a BVGraph: the authors' greedy choice of references, as compiled loops.

For each node the loop tries no reference first, then each non-empty row of the window whose own chain of references is
shorter than `max_references`, nearest first. The first of those with the fewest bits is taken. So equal graphs and
parameters give equal bytes: those that WebGraph writes on one thread.

Rows are read straight from the CSR arrays. A row is written only when its bits, known beforehand, fit the buffer;
otherwise the loop stops and the caller empties the buffer.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from periplus.graph.bv.codes import code_length, log2, write_code
from periplus.graph.bv.properties import Codes
from periplus.numeric.arrays import AnyArray, Ids, Offsets

COUNTERS = (
    "bitsforoutdegrees",
    "bitsforreferences",
    "bitsforblocks",
    "bitsforintervals",
    "bitsforresiduals",
    "copiedarcs",
    "intervalisedarcs",
    "residualarcs",
    "chains",
    "distances",
)
BINS = 64
_OUTDEGREES, _REFERENCES, _BLOCKS, _INTERVALS, _RESIDUALS, _COPIED, _INTERVALISED, _RESIDUAL, _CHAINS, _DISTANCES = (
    range(10)
)
_FAR = 1 << 62


# Four rows: blocks, extras, left ends and lengths of intervals.
Scratch = tuple[Offsets, Offsets, Offsets, Offsets]


class Writing(NamedTuple):
    """What an encoder keeps from row to row, apart from the words that it fills.

    `chains[x mod (window + 1)]` is the length of the chain of references of x. `tally` counts by `COUNTERS`, `gaps` (of
    successors, of residuals) by logarithm.
    """

    codes: Codes
    chains: Offsets
    scratch: Scratch
    tally: Offsets
    gaps: AnyArray


@njit(cache=True, nogil=True, forceinline=True)
def _natural(x: int) -> int:
    """ν: 0, −1, 1, −2, … to 0, 1, 2, 3, …"""
    return 2 * x if x >= 0 else -2 * x - 1


@njit(cache=True, nogil=True)
def _difference(row: Ids, reference: Ids, blocks: Offsets, extras: Offsets) -> tuple[int, int]:
    """What a row has in common with a reference row, as copy blocks, and what it has beyond it: how many of each."""
    block_count, extra_count, run, copying = 0, 0, 0, True
    i, j = 0, 0
    while i < len(row) and j < len(reference):
        here, there = row[i], reference[j]
        if here < there:
            extras[extra_count] = here
            extra_count += 1
            i += 1
        elif copying != (here == there):  # a run ends: copying and passed one, or skipping and met one
            blocks[block_count] = run
            block_count += 1
            copying, run = not copying, 0
        else:
            j += 1
            run += 1
            if copying:
                i += 1
    if copying and j < len(reference):
        blocks[block_count] = run
        block_count += 1
    while i < len(row):
        extras[extra_count] = row[i]
        extra_count += 1
        i += 1
    return block_count, extra_count


@njit(cache=True, nogil=True)
def _split(extras: Offsets, count: int, least: int, lefts: Offsets, lengths: Offsets) -> tuple[int, int]:
    """Split extras into intervals of at least `least` and residuals, which stay in `extras`: how many of each."""
    if least == 0:
        return 0, count
    intervals, residuals, i = 0, 0, 0
    while i < count:
        j = i + 1
        while j < count and extras[j] == extras[j - 1] + 1:
            j += 1
        if j - i >= least:
            lefts[intervals], lengths[intervals] = extras[i], j - i
            intervals += 1
        else:
            for k in range(i, j):
                extras[residuals] = extras[k]
                residuals += 1
        i = j
    return intervals, residuals


@njit(cache=True, nogil=True)
def _head_bits(reference: int, blocks: Offsets, count: int, codes: Codes) -> int:
    """Bits of the reference and its copy blocks."""
    bits = code_length(reference, codes.references, codes.k) if codes.window > 0 else 0
    if reference > 0:
        bits += code_length(count, codes.block_count, codes.k)
        for i in range(count):
            bits += code_length(blocks[i] - (1 if i else 0), codes.blocks, codes.k)
    return bits


@njit(cache=True, nogil=True)
def _interval_bits(node: int, lefts: Offsets, lengths: Offsets, count: int, codes: Codes) -> int:
    bits = code_length(count, codes.intervals, codes.k)
    end = 0
    for i in range(count):
        left = _natural(lefts[i] - node) if i == 0 else lefts[i] - end - 1
        bits += code_length(left, codes.intervals, codes.k)
        bits += code_length(lengths[i] - codes.min_interval, codes.intervals, codes.k)
        end = lefts[i] + lengths[i]
    return bits


@njit(cache=True, nogil=True)
def _residual_bits(node: int, residuals: Offsets, count: int, codes: Codes) -> int:
    if count == 0:
        return 0
    bits = code_length(_natural(residuals[0] - node), codes.residuals, codes.k)
    for i in range(1, count):
        bits += code_length(residuals[i] - residuals[i - 1] - 1, codes.residuals, codes.k)
    return bits


@njit(cache=True, nogil=True)
def _best_reference(
    offsets: Offsets, targets: Ids, node: int, chains: Offsets, scratch: Scratch, codes: Codes
) -> tuple[int, int]:
    """The reference that takes the fewest bits, the nearest of equals, and those bits."""
    blocks, extras, lefts, lengths = scratch
    row = targets[offsets[node] : offsets[node + 1]]
    best, fewest, ring = 0, _FAR, codes.window + 1
    for back in range(min(codes.window, node) + 1):
        other = node - back
        size = offsets[other + 1] - offsets[other] if back else 0
        if back and (size == 0 or chains[other % ring] >= codes.max_references):
            continue
        block_count, extra_count = _difference(row, targets[offsets[other] : offsets[other] + size], blocks, extras)
        bits = _head_bits(back, blocks, block_count, codes)
        if extra_count and bits < fewest:
            intervals, residuals = _split(extras, extra_count, codes.min_interval, lefts, lengths)
            if codes.min_interval > 0:
                bits += _interval_bits(node, lefts, lengths, intervals, codes)
            if bits < fewest:
                bits += _residual_bits(node, extras, residuals, codes)
        if bits < fewest:
            best, fewest = back, bits
    return best, fewest


@njit(cache=True, nogil=True)
def _count_gaps(node: int, values: AnyArray, count: int, bins: Offsets) -> None:
    """Count gaps by their binary logarithm; the first, from the node itself, only where it is not zero."""
    before = int(values[0])
    first = _natural(before - node)
    if first > 0:
        bins[log2(first)] += 1
    for i in range(1, count):
        here = int(values[i])
        bins[log2(here - before)] += 1
        before = here


@njit(cache=True, nogil=True)
def _write_extras(writing: Writing, at: int, node: int, extra_count: int, words: AnyArray) -> int:
    """Write intervals and residuals; returns the place after them."""
    codes, tally, (_, extras, lefts, lengths) = writing.codes, writing.tally, writing.scratch
    intervals, residuals = _split(extras, extra_count, codes.min_interval, lefts, lengths)
    begin = at
    if codes.min_interval > 0:
        at = write_code(words, at, intervals, codes.intervals, codes.k)
        end = 0
        for i in range(intervals):
            left = _natural(lefts[i] - node) if i == 0 else lefts[i] - end - 1
            at = write_code(words, at, left, codes.intervals, codes.k)
            at = write_code(words, at, lengths[i] - codes.min_interval, codes.intervals, codes.k)
            end = lefts[i] + lengths[i]
            tally[_INTERVALISED] += lengths[i]
    tally[_INTERVALS] += at - begin
    begin = at
    if residuals:
        _count_gaps(node, extras, residuals, writing.gaps[1])
        at = write_code(words, at, _natural(extras[0] - node), codes.residuals, codes.k)
    for i in range(1, residuals):
        at = write_code(words, at, extras[i] - extras[i - 1] - 1, codes.residuals, codes.k)
    tally[_RESIDUALS] += at - begin
    tally[_RESIDUAL] += residuals
    return at


@njit(cache=True, nogil=True)
def _write_row(writing: Writing, at: int, node: int, back: int, rows: tuple[Ids, Ids], words: AnyArray) -> int:
    """Write a row after its outdegree; returns the place after it."""
    codes, tally, (blocks, extras, _, _) = writing.codes, writing.tally, writing.scratch
    block_count, extra_count = _difference(rows[0], rows[1], blocks, extras)
    begin = at
    if codes.window > 0:
        at = write_code(words, at, back, codes.references, codes.k)
    tally[_REFERENCES] += at - begin
    begin = at
    if back > 0:
        at = write_code(words, at, block_count, codes.block_count, codes.k)
        for i in range(block_count):
            at = write_code(words, at, blocks[i] - (1 if i else 0), codes.blocks, codes.k)
    tally[_BLOCKS] += at - begin
    tally[_COPIED] += len(rows[0]) - extra_count
    if extra_count:
        at = _write_extras(writing, at, node, extra_count, words)
    return at


@njit(cache=True, nogil=True)
def encode_rows(
    offsets: Offsets, targets: Ids, node: int, writing: Writing, buffer: tuple[AnyArray, int], row_bits: Offsets
) -> tuple[int, int]:
    """Encode rows from `node` on while they fit the buffer (words, place): the first not encoded, the place after.

    `row_bits[x]` becomes the bits of row x.
    """
    (words, at), codes, chains, tally = buffer, writing.codes, writing.chains, writing.tally
    room = 64 * (len(words) - 1)
    while node < len(offsets) - 1:
        degree = offsets[node + 1] - offsets[node]
        head = code_length(degree, codes.outdegrees, codes.k)
        back, bits = _best_reference(offsets, targets, node, chains, writing.scratch, codes) if degree else (0, 0)
        if at + head + bits > room:
            break
        begin = at
        at = write_code(words, at, degree, codes.outdegrees, codes.k)
        tally[_OUTDEGREES] += head
        if degree:
            row, other = targets[offsets[node] : offsets[node + 1]], node - back
            _count_gaps(node, row, degree, writing.gaps[0])
            size = offsets[other + 1] - offsets[other] if back else 0
            reference = targets[offsets[other] : offsets[other] + size]
            at = _write_row(writing, at, node, back, (row, reference), words)
            chain = chains[other % (codes.window + 1)] + 1 if back else 0
            chains[node % (codes.window + 1)] = chain
            tally[_CHAINS] += chain
            tally[_DISTANCES] += back
        row_bits[node] = at - begin
        node += 1
    return node, at


@njit(cache=True, nogil=True)
def encode_steps(steps: Offsets, code: int, words: AnyArray, at: int) -> int:
    """Write the differences of the offsets; the words have room for 3 per step. Returns the place after."""
    for i in range(len(steps)):
        at = write_code(words, at, steps[i], code, 3)
    return at
