"""Pairs of whole numbers, one per line, read by a compiled loop: for Matrix Market, Pajek and Common Crawl files.

About 10 ns per line. A line is `a b` with anything after the second number, separated by blanks, tabs, `,` or `;`;
blank lines and lines that begin with `#` or `%` are skipped. Numbers outside `low … high` are refused, so the results
may index an array.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit

from periplus.errors import FormatError
from periplus.numeric.arrays import AnyArray, Offsets

_NEWLINE, _RETURN, _SPACE, _TAB, _COMMA, _SEMICOLON, _HASH, _PERCENT = 10, 13, 32, 9, 44, 59, 35, 37
_TOO_LARGE = np.int64(1) << np.int64(40)


@njit(cache=True, nogil=True)
def _number(data: AnyArray, at: int) -> tuple[int, int]:
    """A run of digits from `at`: its value (-1 where there is no digit) and the place after it."""
    begin, value = at, 0
    while at < len(data) and 48 <= data[at] <= 57:
        if value < _TOO_LARGE:
            value = value * 10 + (data[at] - 48)
        at += 1
    return (value if at > begin else -1), at


@njit(cache=True, nogil=True)
def _gap(data: AnyArray, at: int) -> int:
    while at < len(data) and (data[at] in (_SPACE, _TAB, _COMMA, _SEMICOLON, _RETURN)):
        at += 1
    return at


@njit(cache=True, nogil=True)
def scan_pairs(data: AnyArray, low: int, high: int, pairs: Offsets, bad_lines: Offsets) -> tuple[int, int, int, bool]:
    """Fill `pairs` (two numbers per pair) and `bad_lines` (as many as fit) from whole lines of text.

    Gives the number of pairs, of lines, of bad lines, and whether any line had a third column.
    """
    at, count, line, bad, third = 0, 0, 0, 0, False
    while at < len(data):
        at = _gap(data, at)
        if at < len(data) and data[at] != _NEWLINE and data[at] != _HASH and data[at] != _PERCENT:
            first, end = _number(data, at)
            at = _gap(data, end)
            separated = at > end
            second, end = _number(data, at)
            at = _gap(data, end)
            at_end = at >= len(data) or data[at] == _NEWLINE
            if separated and low <= first <= high and low <= second <= high and (at_end or at > end):
                pairs[2 * count], pairs[2 * count + 1] = first, second
                count += 1
                third = third or not at_end
            else:
                if bad < len(bad_lines):
                    bad_lines[bad] = line
                bad += 1
        while at < len(data) and data[at] != _NEWLINE:
            at += 1
        at += 1
        line += 1
    return count, line, bad, third


@dataclass(slots=True)
class Pairs:
    """The two columns, how many lines were skipped, and whether there were more columns."""

    first: Offsets
    second: Offsets
    skipped: int
    has_more_columns: bool


def read_pairs(
    path: Path, blocks: Iterable[bytes], *, line: int = 0, low: int = 0, high: int = 2**32 - 1, lenient: bool = False
) -> Pairs:
    """Read blocks of whole lines; the first bad line (numbered from `line` on) is an error unless lenient."""
    columns: list[Offsets] = []
    skipped, more = 0, False
    bad_lines = np.zeros(1, dtype=np.int64)
    for block in blocks:
        data = np.frombuffer(block, dtype=np.uint8)
        pairs = np.empty(2 * (block.count(b"\n") + 1), dtype=np.int64)
        count, lines, bad, third = scan_pairs(data, low, high, pairs, bad_lines)
        if bad and not lenient:
            text = block.split(b"\n", int(bad_lines[0]) + 1)[int(bad_lines[0])].decode("utf-8", "replace").strip()
            problem = f"{text[:80]!r} is no pair of ids from {low} to {high}"
            raise FormatError(path, problem, line=line + int(bad_lines[0]) + 1)
        columns.append(pairs[: 2 * count].copy())
        skipped, more, line = skipped + bad, more or third, line + lines
    both = np.concatenate(columns) if columns else np.empty(0, dtype=np.int64)
    return Pairs(both[::2], both[1::2], skipped, more)
