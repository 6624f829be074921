"""The loops of `front_coding`: pack a block, expand it, search in it.

A packed block of n strings is 4 planes: shared[n-1], low[n-1], high[n-1], rests. String k (k ≥ 1) is the first
`shared[k]` bytes of string k-1 followed by `low[k] + 256·high[k]` bytes of the rests. The head (string 0) lies
elsewhere. Every index is checked against its array, so a damaged block ends in an error code and never in a read
outside the arrays.
"""

from __future__ import annotations

from numba import njit

from periplus.numeric.arrays import AnyArray, Offsets

DAMAGED = -256


@njit(cache=True, nogil=True)
def pack_block(data: AnyArray, lengths: Offsets, packed: AnyArray) -> int:
    """Pack the strings that lie one after the other in `data`; returns the bytes used of `packed`."""
    others = len(lengths) - 1
    before, here, out = 0, lengths[0], 3 * others
    for k in range(others):
        size = lengths[k + 1]
        most = min(lengths[k], size, 255)
        shared = 0
        while shared < most and data[before + shared] == data[here + shared]:
            shared += 1
        rest = size - shared
        packed[k], packed[others + k], packed[2 * others + k] = shared, rest & 255, rest >> 8
        for i in range(rest):
            packed[out + i] = data[here + shared + i]
        out += rest
        before, here = here, here + size
    return out


@njit(cache=True, nogil=True)
def expand_block(
    planes: AnyArray, heads: AnyArray, span: tuple[int, int], size: int, last: int, ends: Offsets, out: AnyArray
) -> int:
    """Write all strings one after the other (`last` < 0), or string `last` alone, into `out`; returns the room needed.

    With an empty `out` nothing is written: call once for the room, then with an array of that room. `ends[k]` is where
    string k ends; returns a negative number for a damaged block.
    """
    others, head = size - 1, heads[span[0] : span[1]]
    if len(planes) < 3 * others:
        return DAMAGED
    together = last < 0
    stop = others if together else last
    length, at, start, most = len(head), 3 * others, 0, len(head)
    ends[0] = length
    for i in range(length if len(out) else 0):
        out[i] = head[i]
    for k in range(stop):
        shared = int(planes[k])
        rest = int(planes[others + k]) + 256 * int(planes[2 * others + k])
        if shared > length or at + rest > len(planes):
            return DAMAGED
        here = start + length if together else 0
        if len(out):
            if together:
                for i in range(shared):
                    out[here + i] = out[start + i]
            for i in range(rest):
                out[here + shared + i] = planes[at + i]
        start, length, at = here, shared + rest, at + rest
        ends[k + 1] = start + length
        most = max(most, start + length)
    return most


@njit(cache=True, nogil=True)
def bisect_heads(heads: AnyArray, offsets: Offsets, key: AnyArray) -> tuple[int, bool]:
    """How many heads are smaller than `key`, and whether the next one is `key`; `offsets` are known to rise."""
    low, high = 0, len(offsets) - 1
    follows = False
    while low < high:
        middle = (low + high) // 2
        start, size = offsets[middle], offsets[middle + 1] - offsets[middle]
        same, most = 0, min(size, len(key))
        while same < most and heads[start + same] == key[same]:
            same += 1
        equal = same == size and same == len(key)
        if same < len(key) and (same == size or heads[start + same] < key[same]):
            low = middle + 1
        else:
            high = middle
            follows = equal
    return low, follows


@njit(cache=True, nogil=True)
def search_block(planes: AnyArray, heads: AnyArray, span: tuple[int, int], size: int, key: AnyArray) -> int:
    """The place of `key` in the block, or -1 - (number of strings smaller); the head is known to be smaller.

    `matched` bytes of the key agree with the string before, which is smaller. A string that shares more than that
    with it is smaller too, without a look at its bytes; any other is compared from its shared length on.
    """
    others, head = size - 1, heads[span[0] : span[1]]
    if len(planes) < 3 * others:
        return DAMAGED
    matched = 0
    while matched < min(len(head), len(key)) and head[matched] == key[matched]:
        matched += 1
    at = 3 * others
    for k in range(others):
        shared = int(planes[k])
        rest = int(planes[others + k]) + 256 * int(planes[2 * others + k])
        if at + rest > len(planes):
            return DAMAGED
        if shared <= matched:
            same = 0
            most = min(rest, len(key) - shared)
            while same < most and planes[at + same] == key[shared + same]:
                same += 1
            if same == rest and shared + same == len(key):
                return k + 1
            if shared + same == len(key) or (same < rest and planes[at + same] > key[shared + same]):
                return -1 - (k + 1)
            matched = shared + same
        at += rest
    return -1 - size
