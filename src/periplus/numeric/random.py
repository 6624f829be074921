"""Random numbers by counter: the k-th number of stream s under a seed is a function of (seed, s, k) alone.

    bits(seed, s, k) = mix(key(seed, s) + (k + 1)·φ),     key(seed, s) = mix(mix(seed) + (s + 1)·φ')

with `mix` the finaliser of SplitMix64 (Steele, Lea, Flood 2014) and φ, φ' odd constants. No state is carried, so
any thread may draw any number in any order and the result of a parallel kernel does not depend on their number.
Uniform integers below n are ⌊u·n⌋ with a 53-bit u: the bias is below n/2⁵³.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

_PHI = np.uint64(0x9E3779B97F4A7C15)
_PHI_STREAM = np.uint64(0xD1342543DE82EF95)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 1.0 / (1 << 53)


@njit(cache=True, nogil=True, inline="always")
def mix(x: np.uint64) -> np.uint64:
    """SplitMix64's finaliser: a bijection of 64 bits in which every input bit moves every output bit."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@njit(cache=True, nogil=True, inline="always")
def stream_key(seed: int, stream: int) -> np.uint64:
    """The key of one stream under a seed."""
    return mix(mix(np.uint64(seed)) + (np.uint64(stream) + _ONE) * _PHI_STREAM)


@njit(cache=True, nogil=True, inline="always")
def bits_at(key: np.uint64, counter: int) -> np.uint64:
    """The 64 random bits at a place of a stream."""
    return mix(key + (np.uint64(counter) + _ONE) * _PHI)


@njit(cache=True, nogil=True, inline="always")
def uniform_at(key: np.uint64, counter: int) -> float:
    """A float64 uniform in [0, 1) at a place of a stream."""
    # 53 bits fit a signed integer, which turns into a float in one instruction.
    return np.float64(np.int64(bits_at(key, counter) >> _S11)) * _UNIT


@njit(cache=True, nogil=True, inline="always")
def falls_at(key: np.uint64, counter: int, limit: np.uint64) -> bool:
    """Whether `uniform_at` is less than p, for `limit` = `coin_limit(p)`: quicker, where many coins are tossed."""
    return bool((bits_at(key, counter) >> _S11) < limit)


@njit(cache=True, nogil=True)
def coin_limit(p: float) -> np.uint64:
    """⌈p·2⁵³⌉: a coin falls when its 53 bits are below."""
    return np.uint64(math.ceil(p * (1 << 53)))


@njit(cache=True, nogil=True, inline="always")
def below_at(key: np.uint64, counter: int, bound: int) -> int:
    """An integer uniform in [0, bound) at a place of a stream."""
    return int(uniform_at(key, counter) * bound)
