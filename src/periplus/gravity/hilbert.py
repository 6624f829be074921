"""Hilbert's curve in three dimensions, both ways: cells to their places on it, and back (Skilling 2004).

The curve passes through every cell of a cube of 2^`BITS` cells a side, from each to one that shares a face with it. So
near places on the curve are near in space, and mostly the other way round.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray

BITS = 20


@njit(cache=True, nogil=True)
def places_of(cells: AnyArray) -> AnyArray:
    """The place of each cell, given as three whole numbers below 2^BITS."""
    places = np.empty(len(cells), np.uint64)
    axes = np.empty(3, np.uint64)
    for row in range(len(cells)):
        for axis in range(3):
            axes[axis] = cells[row, axis]
        _to_digits(axes)
        place = np.uint64(0)
        for bit in range(BITS - 1, -1, -1):
            for axis in range(3):
                place = (place << np.uint64(1)) | ((axes[axis] >> np.uint64(bit)) & np.uint64(1))
        places[row] = place
    return places


@njit(cache=True, nogil=True)
def cells_of(places: AnyArray) -> AnyArray:
    """The cell at each place, given as whole numbers below 8^BITS."""
    cells = np.empty((len(places), 3), np.uint64)
    axes = np.empty(3, np.uint64)
    for row in range(len(places)):
        axes[:] = 0
        for bit in range(3 * BITS):
            digit = (np.uint64(places[row]) >> np.uint64(bit)) & np.uint64(1)
            axes[2 - bit % 3] |= digit << np.uint64(bit // 3)
        _to_axes(axes)
        for axis in range(3):
            cells[row, axis] = axes[axis]
    return cells


@njit(cache=True, nogil=True)
def _swap(axes: AnyArray, axis: int, bit: np.unsignedinteger, low: np.unsignedinteger) -> None:
    """The turn of one level about one axis; it is its own inverse."""
    if axes[axis] & bit:
        axes[0] ^= low
    else:
        flipped = (axes[0] ^ axes[axis]) & low
        axes[0] ^= flipped
        axes[axis] ^= flipped


@njit(cache=True, nogil=True)
def _to_digits(axes: AnyArray) -> None:
    """Coordinates into the digits of the curve, in place."""
    one = np.uint64(1)
    bit = one << np.uint64(BITS - 1)
    while bit > one:
        for axis in range(3):
            _swap(axes, axis, bit, bit - one)
        bit >>= one
    axes[1] ^= axes[0]
    axes[2] ^= axes[1]
    turn = np.uint64(0)
    bit = one << np.uint64(BITS - 1)
    while bit > one:
        if axes[2] & bit:
            turn ^= bit - one
        bit >>= one
    for axis in range(3):
        axes[axis] ^= turn


@njit(cache=True, nogil=True)
def _to_axes(axes: AnyArray) -> None:
    """The digits of the curve into coordinates, in place."""
    one = np.uint64(1)
    turn = axes[2] >> one
    axes[2] ^= axes[1]
    axes[1] ^= axes[0]
    axes[0] ^= turn
    bit = np.uint64(2)
    while bit != one << np.uint64(BITS):
        for axis in range(2, -1, -1):
            _swap(axes, axis, bit, bit - one)
        bit <<= one
