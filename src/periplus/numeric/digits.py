"""Kernels between text and numbers: pairs of decimal ids out of lines of bytes, and back.

A line is blanks, an id, a separator (tab, space, comma, semicolon, any number of them), an id, and whatever follows
after a further separator. `#` and `%` begin a comment line; empty lines count as comments.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Ids, Offsets

TAB, NEWLINE, RETURN, SPACE, HASH, PERCENT, COMMA, ZERO, SEMICOLON = 9, 10, 13, 32, 35, 37, 44, 48, 59
LARGEST_ID = 2**32 - 1

# What `parse_pairs` reports about the first bad line.
GOOD, NO_PAIR, TOO_LARGE = 0, 1, 2


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
    while text[at] == TAB or text[at] == SPACE or text[at] == COMMA or text[at] == SEMICOLON or text[at] == RETURN:
        at += 1
    return at


@njit(cache=True, nogil=True)
def parse_pairs(text: AnyArray, end: int, sources: Ids, targets: Ids, report: Offsets) -> int:
    """Parse whole lines; `text[end - 1]` and at least one byte after it are line ends. Returns the number of pairs.

    `report` receives: lines, bad lines, lines with more than two fields, the first bad line (from 0), what is
    wrong with it.
    """
    at, pairs = 0, 0
    report[:] = 0
    while at < end:
        at = skip_separators(text, at)
        first = text[at]
        if first == NEWLINE:
            at += 1
            report[0] += 1
            continue
        problem = GOOD
        if first != HASH and first != PERCENT:
            source, after = parse_id(text, at)
            at = skip_separators(text, after)
            target, past = parse_id(text, at)
            if source < 0 or target < 0 or at == after:
                problem = NO_PAIR
            elif source > LARGEST_ID or target > LARGEST_ID:
                problem = TOO_LARGE
            at = skip_separators(text, past)
            if text[at] != NEWLINE:
                if at == past:
                    problem = NO_PAIR
                report[2] += problem == GOOD
            if problem == GOOD:
                sources[pairs] = source
                targets[pairs] = target
                pairs += 1
            else:
                if report[1] == 0:
                    report[3], report[4] = report[0], problem
                report[1] += 1
        while text[at] != NEWLINE:
            at += 1
        at += 1
        report[0] += 1
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
    """Write rows `first`, `first + 1`, … as lines; `text` has 22 bytes a link. Returns the bytes written.

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
