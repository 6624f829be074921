"""Kernels between text and numbers: pairs of decimal ids out of lines of bytes, and back.

A line is blanks, an id, a separator (tab, space, comma, semicolon, any number of them), an id, and whatever follows
after a further separator. `#` and `%` begin a comment line; empty lines count as comments.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic

from periplus.numeric.arrays import AnyArray, Ids, Offsets

TAB, NEWLINE, RETURN, SPACE, HASH, PERCENT, COMMA, ZERO, SEMICOLON = 9, 10, 13, 32, 35, 37, 44, 48, 59
LARGEST_ID = 2**32 - 1

# What may be said of a line.
GOOD, NO_PAIR, TOO_LARGE, COMMENT = 0, 1, 2, 3


@intrinsic
def load_8_bytes(context, text, at):  # type: ignore[no-untyped-def]
    """The eight bytes from `text[at]` on as one number, the first byte lowest; `at` need not be a multiple of 8."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(text, types.intp), generate


@intrinsic
def trailing_zeros(context, number):  # type: ignore[no-untyped-def]
    """How many of the lowest bits of a number other than 0 are 0."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@njit(cache=True, nogil=True)
def digit_word(text: AnyArray, at: int) -> Any:
    """Eight bytes with the digits 0 … 9 as their values."""
    return load_8_bytes(text, at) ^ np.uint64(0x3030303030303030)  # type: ignore[call-arg]


@njit(cache=True, nogil=True)
def other_bytes(word: Any) -> Any:
    """The highest bit of every byte that is no digit, up to the first such byte; what follows it may be wrong."""
    return ((word + np.uint64(0x7676767676767676)) | word) & np.uint64(0x8080808080808080)


@njit(cache=True, nogil=True)
def first_other(others: Any) -> Any:
    """Where the first bit of `other_bytes` is: 8 · digits + 7."""
    return trailing_zeros(others)  # type: ignore[call-arg]


@njit(cache=True, nogil=True)
def value_before(word: Any, zeros: Any) -> Any:
    """The number whose digits stand below bit `zeros` of the word: 8 · digits + 7, one to eight digits.

    The digits are moved to the upper end of the word and added up in pairs, then fours, then eights.
    """
    word <<= np.uint64(71) - zeros
    word = word * np.uint64(10) + (word >> np.uint64(8))
    even = (word & np.uint64(0x000000FF000000FF)) * np.uint64(100 + (1000000 << 32))
    odd = ((word >> np.uint64(16)) & np.uint64(0x000000FF000000FF)) * np.uint64(1 + (10000 << 32))
    return (even + odd) >> np.uint64(32)


@njit(cache=True, nogil=True)
def parse_id(text: AnyArray, at: int) -> tuple[int, int]:
    """The number that begins at `at` and where it ends; −1 where no digit stands there, 2³² for any larger id."""
    value, begin = 0, at
    while True:
        digit = int(text[at]) - ZERO
        if digit < 0 or digit > 9:
            break
        value = min(value * 10 + digit, LARGEST_ID + 1)
        at += 1
    return (value if at > begin else -1), at


@njit(cache=True, nogil=True)
def skip_separators(text: AnyArray, at: int) -> int:
    while True:
        byte = text[at]
        if byte >= ZERO:  # most often a digit: asked first
            if byte != SEMICOLON:
                return at
        elif byte != TAB and byte != SPACE and byte != COMMA and byte != RETURN:
            return at
        at += 1


@njit(cache=True, nogil=True)
def parse_line(text: AnyArray, at: int) -> tuple[int, int, int, int, bool]:
    """Any line: source, target, where the next line begins, what is wrong, whether there are further fields."""
    wide = False
    at = skip_separators(text, at)
    if text[at] == NEWLINE or text[at] == HASH or text[at] == PERCENT:
        source, target, problem = 0, 0, COMMENT
    else:
        source, after = parse_id(text, at)
        at = skip_separators(text, after)
        target, past = parse_id(text, at)
        problem = GOOD
        if source < 0 or target < 0 or at == after:
            problem = NO_PAIR
        elif source > LARGEST_ID or target > LARGEST_ID:
            problem = TOO_LARGE
        at = skip_separators(text, past)
        if text[at] != NEWLINE:
            if at == past:
                problem = NO_PAIR
            wide = problem == GOOD
    while text[at] != NEWLINE:
        at += 1
    return source, target, at + 1, problem, wide


@njit(cache=True, nogil=True)
def parse_pairs(text: AnyArray, end: int, sources: Ids, targets: Ids, report: Offsets) -> int:
    """Parse whole lines; `text[end - 1]` and the 16 bytes after it are line ends. Returns the number of pairs.

    A line of two ids of at most seven digits with one separator, which is nearly every line, takes the short way.
    `report` receives: lines, bad lines, lines with more than two fields, the first bad line (from 0), what is wrong
    with it.
    """
    at, pairs, lines, bad, wide_lines, first_bad, first_problem = 0, 0, 0, 0, 0, 0, GOOD
    while at < end:
        first = digit_word(text, at)
        others = other_bytes(first)
        if others != 0:
            zeros = first_other(others)
            size = int(zeros >> np.uint64(3))
            separator = text[at + size]
            second = digit_word(text, at + size + 1)
            others = other_bytes(second)
            if size > 0 and others != 0 and separator in (TAB, SPACE, COMMA):
                zeros_of_second = first_other(others)
                after = at + size + 1 + int(zeros_of_second >> np.uint64(3))
                if after > at + size + 1 and text[after] == NEWLINE:
                    sources[pairs] = value_before(first, zeros)
                    targets[pairs] = value_before(second, zeros_of_second)
                    pairs += 1
                    lines += 1
                    at = after + 1
                    continue
        source, target, at, problem, wide = parse_line(text, at)
        if problem == GOOD:
            sources[pairs] = source
            targets[pairs] = target
            pairs += 1
            wide_lines += wide
        elif problem != COMMENT:
            if bad == 0:
                first_bad, first_problem = lines, problem
            bad += 1
        lines += 1
    report[0], report[1], report[2], report[3], report[4] = lines, bad, wide_lines, first_bad, first_problem
    return pairs


@njit(cache=True, nogil=True)
def write_id(value: int, text: AnyArray, at: int) -> int:
    """Write a number in decimal digits; returns where it ends."""
    size, rest = 1, value
    while rest >= 10:
        rest //= 10
        size += 1
    for place in range(at + size - 1, at - 1, -1):
        text[place] = ZERO + value % 10
        value //= 10
    return at + size


@njit(cache=True, nogil=True)
def format_rows(first: int, offsets: Offsets, targets: Ids, text: AnyArray, separator: int) -> int:
    """Write rows `first`, `first + 1`, … as lines; `text` has 22 bytes per link. Returns the bytes written.

    `offsets` are those of the rows, counted from the first of `targets`.
    """
    at = 0
    source = np.empty(11, np.uint8)
    for row in range(len(offsets) - 1):
        size = write_id(first + row, source, 0)
        source[size] = separator
        for i in range(offsets[row], offsets[row + 1]):
            for k in range(size + 1):
                text[at + k] = source[k]
            at = write_id(int(targets[i]), text, at + size + 1)
            text[at] = NEWLINE
            at += 1
    return at
