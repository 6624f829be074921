"""Each code against its definition, bit by bit, for small, middling and large numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import graph_bv as book

from periplus.graph.bv import codes as bv_codes
from periplus.graph.bv.codes import DELTA, GAMMA, GOLOMB, NIBBLE, UNARY, ZETA

NUMBERS = [*range(70), 127, 128, 255, 256, 1000, 2**16 - 2, 2**16 - 1, 2**20 + 7, 2**32 - 1, 2**32, 2**33]
CASES = [
    (UNARY, 3, book.unary, NUMBERS[:75]),
    (GAMMA, 3, book.gamma, NUMBERS),
    (DELTA, 3, book.delta, NUMBERS),
    (NIBBLE, 3, book.nibble, NUMBERS),
    *[(ZETA, k, lambda x, k=k: book.zeta(x, k), NUMBERS) for k in (1, 2, 3, 4, 7, 15)],
    *[(GOLOMB, b, lambda x, b=b: book.golomb(x, b), NUMBERS[:75]) for b in (1, 2, 3, 7, 8)],
]


@pytest.mark.parametrize(("code", "k", "definition", "numbers"), CASES)
def test_code_is_its_definition_and_reads_back(code, k, definition, numbers) -> None:
    words = np.zeros(4000, dtype=np.uint64)
    at, bits = 0, ""
    for x in numbers:
        after = bv_codes.write_code(words, at, x, code, k)
        text = definition(x)
        assert after - at == len(text) == bv_codes.code_length(x, code, k), x
        at, bits = after, bits + text
    written = "".join(format(int(word), "064b") for word in words)[:at]
    assert written == bits
    place = 0
    for x in numbers:
        value, place = bv_codes.read_code(words, at, place, code, k)
        assert value == x
    assert place == at


@pytest.mark.parametrize("code", [UNARY, GAMMA, DELTA, ZETA, NIBBLE, GOLOMB])
def test_a_read_past_the_end_says_so(code) -> None:
    for data in (b"", b"\0", b"\0" * 40):
        words = bv_codes.as_words(data)
        _, place = bv_codes.read_code(words, 8 * len(data), 0, code, 3)
        assert place > 8 * len(data)


def test_golomb_with_one_is_unary() -> None:
    assert [book.golomb(x, 1) for x in range(5)] == [book.unary(x) for x in range(5)]
