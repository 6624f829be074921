"""Sequences of words as numbers, and the fingerprint by which pages that say nearly the same know each other.

`sequences(text)` has one 64-bit number for each run of `WINDOW` words. `fingerprint(text)` has a bit for each of their
64: what most of the numbers have there. Two texts that share the part J of their sequences (Jaccard) differ in about
64/π · arccos(2J / (1 + J)) bits: 7 of 64 where J = 0.9, 32 where nothing is shared. (Charikar, Similarity estimation
techniques from rounding algorithms, STOC 2002; Manku, Jain and Das Sarma, Detecting near-duplicates for web crawling,
WWW 2007.) Cost: one pass over the text, 64 additions a word.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numba import njit

from periplus.index.schema import UNSPACED
from periplus.numeric.arrays import AnyArray

WINDOW = 3
FEWEST = 30
"""Texts with fewer sequences have no fingerprint: a few words in common say nothing."""

_PARTS, _LETTER, _WORD = 0, 1, 2
_PLANE = 0x10000
_MIX = np.uint64(0x9E3779B97F4A7C15)


def sequences(text: str) -> AnyArray:
    """A number for each run of `WINDOW` words of a text, in its order; capitals do not count."""
    points = np.frombuffer(text.lower().encode("utf-32-le", "replace"), dtype="<u4")
    words = _words(points, _kinds())
    count = max(len(words) - WINDOW + 1, 0)
    keys = np.zeros(count, dtype=np.uint64)
    for at in range(WINDOW):
        keys = _mixed(keys + words[at : at + count])
    return keys


def fingerprint(text: str) -> int:
    """The 64 bits of a text; 0 where it says too little."""
    found = sequences(text)
    return int(_majority(found)) if len(found) >= FEWEST else 0


@lru_cache(maxsize=1)
def _kinds() -> AnyArray:
    """For each character of the first plane: parts words, belongs to one, or is one by itself."""
    letters = map(chr, range(_PLANE))
    return np.array([_WORD if UNSPACED.match(one) else int(one.isalnum()) for one in letters], dtype=np.uint8)


@njit(cache=True)
def _words(points, kinds):  # type: ignore[no-untyped-def]
    """A number for each word."""
    found = np.empty(len(points) + 1, np.uint64)
    count, word = 0, np.uint64(0)
    for at in range(len(points) + 1):
        kind = _PARTS if at == len(points) else kinds[points[at]] if points[at] < len(kinds) else _WORD
        if kind != _LETTER and word:
            found[count] = word
            count, word = count + 1, np.uint64(0)
        if kind != _PARTS:
            word = (word + np.uint64(points[at]) + np.uint64(1)) * _MIX
            word ^= word >> np.uint64(29)
        if kind == _WORD:
            found[count] = word
            count, word = count + 1, np.uint64(0)
    return found[:count].copy()


def _mixed(keys: AnyArray) -> AnyArray:
    mixed = keys * _MIX
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True)
def _majority(found):  # type: ignore[no-untyped-def]
    votes = np.zeros(64, np.int64)
    for key in found:
        for bit in range(64):
            votes[bit] += np.int64((key >> np.uint64(bit)) & np.uint64(1))
    made = np.uint64(0)
    for bit in range(64):
        if 2 * votes[bit] > len(found):
            made |= np.uint64(1) << np.uint64(bit)
    return made
