from __future__ import annotations

import pytest

from periplus.errors import ParameterError
from periplus.numeric.memory import available_memory, parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4GB", 4 * 10**9),
        ("512 MiB", 512 * 2**20),
        ("1.5g", 15 * 10**8),
        ("17", 17),
        (17, 17),
        ("2KiB", 2048),
        ("3B", 3),
    ],
)
def test_amounts(text: str | int, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GB", "-4GB", "4 parsecs", "1e9"])
def test_texts_that_are_no_amounts(text: str) -> None:
    with pytest.raises(ParameterError, match="size"):
        parse_size(text)


def test_some_memory_is_available() -> None:
    assert available_memory() > 2**20
