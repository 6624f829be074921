"""Bits that are set, against Python's own count."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from periplus.numeric.bits import ones


@given(st.integers(0, 2**64 - 1))
def test_bits_are_counted_as_python_counts_them(word: int) -> None:
    assert ones(np.uint64(word)) == word.bit_count()


def test_no_bit_and_every_bit() -> None:
    assert [ones(np.uint64(word)) for word in (0, 1, 2**63, 2**64 - 1)] == [0, 1, 1, 64]
