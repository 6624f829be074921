"""Instantaneous codes over a stream of bits, most significant bit first: read, write, length.

For x ≥ 0, with m = ⌊log₂(x+1)⌋:

    unary      x zeros and a one
    γ          m in unary, then the m low bits of x+1
    δ          m in γ, then the m low bits of x+1
    ζ_k        h = ⌊m/k⌋ in unary, then x+1 − 2^{hk} in minimal binary over an interval of 2^{(h+1)k} − 2^{hk} numbers
    nibble     x in octal digits, each in 4 bits, the last one marked by the high bit
    Golomb_b   ⌊x/b⌋ in unary, then x mod b in minimal binary over b numbers

A stream is an array of 64-bit words (host order; bit 0 of the stream is the high bit of word 0) with two zero words
after the end, and a `limit` in bits. A read that begins at or after the limit returns (0, limit + 1), one that crosses
it a place after the limit. So callers check the place once, at the end, and no read leaves the array.

    cost: 1–3 ns per code; the leading zeros of a 64-bit window give every unary part at once
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from periplus.numeric.arrays import AnyArray

UNARY, GAMMA, DELTA, ZETA, NIBBLE, GOLOMB = range(6)
PADDING = 2
_ONE: Any = np.uint64(1)
_SIX: Any = np.uint64(6)
_LAST: Any = np.uint64(63)
_BIT: Any = np.int64(1)


def _leading_zeros(typing_context: Any, word: Any) -> Any:
    """The number of leading zero bits of a 64-bit word; 64 for zero."""
    del typing_context

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del signature
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.uint64), code


leading_zeros: Any = intrinsic(_leading_zeros)


def as_words(data: bytes) -> AnyArray:
    """The words of a stream of bytes, with the zero words that the readers need after the end."""
    words = _empty_words(len(data))
    words.view(np.uint8)[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return _host_order(words)


def read_words(path: Path) -> tuple[AnyArray, int]:
    """The words of a file, read once into their place, and its length in bits."""
    with path.open("rb") as stream:
        size = path.stat().st_size
        words = _empty_words(size)
        filled = stream.readinto(words.view(np.uint8)[:size].data)
    return _host_order(words), 8 * filled


def _empty_words(size: int) -> AnyArray:
    return np.zeros(-(-size // 8) + PADDING, dtype=np.uint64)


def _host_order(words: AnyArray) -> AnyArray:
    return words.byteswap(inplace=True) if sys.byteorder == "little" else words


@njit(cache=True, nogil=True, forceinline=True)
def peek(words: AnyArray, at: int) -> Any:
    """The 64 bits from bit `at` on; `at` is at most the limit."""
    place = np.uint64(at)  # unsigned: a signed index would be tested for being negative
    word, shift = place >> _SIX, place & _LAST
    return (words[word] << shift) | ((words[word + _ONE] >> _ONE) >> (_LAST - shift))


@njit(cache=True, nogil=True, forceinline=True)
def top_bits(window: Any, width: int) -> Any:
    """The first `width` bits of a window, 0 ≤ width ≤ 64, as a number."""
    return (window >> _ONE) >> np.uint64(63 - width) if width else np.uint64(0)


@njit(cache=True, nogil=True, forceinline=True)
def _signed(word: Any) -> Any:
    return np.int64(word)


@njit(cache=True, nogil=True, forceinline=True)
def read_unary(words: AnyArray, limit: int, at: int) -> tuple[int, int]:
    if at >= limit:
        return 0, limit + 1
    zeros = leading_zeros(peek(words, at))
    if zeros < 64:
        return zeros, at + zeros + 1
    return _read_long_unary(words, limit, at)


@njit(cache=True, nogil=True)
def _read_long_unary(words: AnyArray, limit: int, at: int) -> tuple[int, int]:
    value = 0
    while at < limit:
        zeros = leading_zeros(peek(words, at))
        if zeros < 64:
            return value + zeros, at + zeros + 1
        value += 64
        at += 64
    return 0, limit + 1


@njit(cache=True, nogil=True)
def read_bits(words: AnyArray, limit: int, at: int, width: int) -> tuple[int, int]:
    if at + width > limit or width > 62:
        return 0, limit + 1
    return _signed(top_bits(peek(words, at), width)), at + width


@njit(cache=True, nogil=True, forceinline=True)
def read_zeta(words: AnyArray, limit: int, at: int, k: int) -> tuple[int, int]:
    """ζ_k; γ is ζ_1."""
    if at >= limit:
        return 0, limit + 1
    window = peek(words, at)
    zeros = leading_zeros(window)
    width = zeros * k + k - 1
    if zeros + 1 + width + 1 <= 64:  # the whole code lies in the window: nearly always
        # Both lengths of the minimal binary part are looked at, without a branch that half of the codes would miss.
        long = _signed((window << np.uint64(zeros + 1)) >> np.uint64(63 - width))
        left = _BIT << (zeros * k)
        is_long = 1 if long >> 1 >= left else 0
        value = long if is_long else (long >> 1) + left
        return value - 1, at + zeros + 1 + width + is_long
    return _read_long_zeta(words, limit, at, k)


@njit(cache=True, nogil=True)
def _read_long_zeta(words: AnyArray, limit: int, at: int, k: int) -> tuple[int, int]:
    zeros, at = read_unary(words, limit, at)
    width = zeros * k + k - 1
    if at + width > limit or width > 61:
        return 0, limit + 1
    low, after = read_bits(words, limit, at, width)
    left = _BIT << (zeros * k)
    if low < left:
        return low + left - 1, after
    value, after = read_bits(words, limit, at, width + 1)
    return value - 1, after


@njit(cache=True, nogil=True, forceinline=True)
def read_gamma(words: AnyArray, limit: int, at: int) -> tuple[int, int]:
    if at >= limit:
        return 0, limit + 1
    window = peek(words, at)
    zeros = leading_zeros(window)
    if zeros < 32:
        return _signed(window >> np.uint64(63 - 2 * zeros)) - 1, at + 2 * zeros + 1
    return _read_long_zeta(words, limit, at, 1)


@njit(cache=True, nogil=True)
def _read_rare(words: AnyArray, limit: int, at: int, code: int, k: int) -> tuple[int, int]:
    """δ, nibble and Golomb."""
    value = 0
    if code == DELTA:
        size, at = read_gamma(words, limit, at)
        value, after = read_bits(words, limit, at, size)
        return (value | (_BIT << size)) - 1 if after <= limit else 0, after
    if code == NIBBLE:
        for _ in range(21):
            digit, at = read_bits(words, limit, at, 4)
            value = value << 3 | digit & 7
            if digit & 8 or at > limit:
                return value, at
        return 0, limit + 1
    quotient, at = read_unary(words, limit, at)
    size = 63 - leading_zeros(np.uint64(k))
    short = (_BIT << (size + 1)) - k
    low, after = read_bits(words, limit, at, size)
    if low >= short:
        low, after = read_bits(words, limit, at, size + 1)
        low -= short
    return (quotient * k + low, after) if quotient < 1 << 40 else (0, limit + 1)


@njit(cache=True, nogil=True)
def read_code(words: AnyArray, limit: int, at: int, code: int, k: int) -> tuple[int, int]:
    """A number and the place after it; k is the parameter of ζ and Golomb codes."""
    if code == GAMMA:
        return read_gamma(words, limit, at)
    if code == ZETA:
        return read_zeta(words, limit, at, k)
    if code == UNARY:
        return read_unary(words, limit, at)
    return _read_rare(words, limit, at, code, k)


# The parts of a row are read through the next three. A code of None is the default one: numba compiles a function for
# each type of argument and drops the branch that cannot be taken, so the default graph is read without a question.


@njit(cache=True, nogil=True, forceinline=True)
def read_count(words: AnyArray, limit: int, at: int, code: Any, k: int) -> tuple[int, int]:
    """Default γ."""
    if code is None:
        return read_gamma(words, limit, at)
    return read_code(words, limit, at, code, k)


@njit(cache=True, nogil=True, forceinline=True)
def read_reference(words: AnyArray, limit: int, at: int, code: Any, k: int) -> tuple[int, int]:
    """Default unary."""
    if code is None:
        return read_unary(words, limit, at)
    return read_code(words, limit, at, code, k)


@njit(cache=True, nogil=True, forceinline=True)
def read_residual(words: AnyArray, limit: int, at: int, code: Any, k: int) -> tuple[int, int]:
    """Default ζ_3."""
    if code is None:
        return read_zeta(words, limit, at, 3)
    return read_code(words, limit, at, code, k)


@njit(cache=True, nogil=True, forceinline=True)
def log2(x: int) -> int:
    """⌊log₂ x⌋ for x ≥ 1."""
    return 63 - leading_zeros(np.uint64(x))


@njit(cache=True, nogil=True, forceinline=True)
def code_length(x: int, code: int, k: int) -> int:
    """The bits that `write_code` uses for x."""
    if code == UNARY:
        return x + 1
    if code == GAMMA:
        return 2 * log2(x + 1) + 1
    if code == ZETA:
        h = log2(x + 1) // k
        left = _BIT << (h * k)
        return h + 1 + h * k + k - (1 if x + 1 - left < left else 0)
    if code == DELTA:
        size = log2(x + 1)
        return 2 * log2(size + 1) + 1 + size
    if code == NIBBLE:
        return 4 * (log2(x) // 3 + 1) if x else 4
    size = log2(k)
    return x // k + 1 + size + (1 if x % k >= (_BIT << (size + 1)) - k else 0)


@njit(cache=True, nogil=True, forceinline=True)
def write_bits(words: AnyArray, at: int, value: int, width: int) -> int:
    """Write the `width` low bits of value (0 ≤ width ≤ 63; the words are 0 from `at` on); returns the place after."""
    if width == 0:
        return at
    word, free = at >> 6, 64 - (at & 63)
    bits = np.uint64(value)
    if width <= free:
        words[word] |= bits << np.uint64(free - width)
    else:
        words[word] |= bits >> np.uint64(width - free)
        words[word + 1] |= bits << np.uint64(64 - (width - free))
    return at + width


@njit(cache=True, nogil=True, forceinline=True)
def write_unary(words: AnyArray, at: int, x: int) -> int:
    at += x  # zeros are there already
    words[at >> 6] |= _ONE << np.uint64(63 - (at & 63))
    return at + 1


@njit(cache=True, nogil=True)
def write_code(words: AnyArray, at: int, x: int, code: int, k: int) -> int:
    """Write x; returns the place after it. The caller has room for `code_length(x, code, k)` bits."""
    if code == UNARY:
        return write_unary(words, at, x)
    if code == GAMMA:
        size = log2(x + 1)
        at = write_unary(words, at, size)
        return write_bits(words, at, x + 1 - (_BIT << size), size)
    if code == ZETA:
        h = log2(x + 1) // k
        left = _BIT << (h * k)
        at = write_unary(words, at, h)
        if x + 1 - left < left:
            return write_bits(words, at, x + 1 - left, h * k + k - 1)
        return write_bits(words, at, x + 1, h * k + k)
    if code == DELTA:
        size = log2(x + 1)
        width = log2(size + 1)
        at = write_unary(words, at, width)
        at = write_bits(words, at, size + 1 - (_BIT << width), width)
        return write_bits(words, at, x + 1 - (_BIT << size), size)
    if code == NIBBLE:
        digits = log2(x) // 3 if x else 0
        for digit in range(digits, -1, -1):
            at = write_bits(words, at, (8 if digit == 0 else 0) | (x >> (3 * digit) & 7), 4)
        return at
    at = write_unary(words, at, x // k)
    size, rest = log2(k), x % k
    short = (_BIT << (size + 1)) - k
    return write_bits(words, at, rest, size) if rest < short else write_bits(words, at, rest + short, size + 1)
