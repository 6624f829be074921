"""What a page says, as a few numbers: enough to see that a page says nothing new, or the same as another.

marks    the smallest CRC-32 of its blocks of text without their digits, of a short block those of its words: pages
         of a calendar share theirs, whatever the weekday and the month
exact    the smallest CRC-32 of its blocks as they stand
saying   the CRC-32 of all of its text as it stands: pages that differ in links alone share it
"""

from __future__ import annotations

from array import array
from zlib import crc32

KEPT = 64
SHORT = 5  # words
_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))


def marks_of(title: str, text: str) -> tuple[bytes, bytes, int]:
    """The marks and exact marks of a page, as packed 32-bit numbers, and its saying; `text` has a block per line."""
    whole = f"{title}\n{text}"
    blocks = {block.strip() for block in whole.translate(_NO_DIGITS).split("\n")} - {""}
    said: set[str] = set()
    for block in blocks:
        words = block.split()
        said.update(words if len(words) <= SHORT else (block,))
    return _smallest(said), _smallest(set(whole.split("\n"))), crc32(whole.encode("utf-8", "replace"))


def _smallest(parts: set[str]) -> bytes:
    marks = sorted(crc32(part.encode("utf-8", "replace")) for part in parts)
    return array("I", marks[:KEPT]).tobytes()
