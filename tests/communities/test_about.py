"""Which names are about some words."""

from __future__ import annotations

import pytest

from periplus.communities.about import about

NAMES = (["wind", "farm"], [], ["lighthouses", "sea"], ["farm", "sea"], ["édouard".replace("é", "e"), "manet"])


@pytest.mark.parametrize(
    ("query", "every", "found"),
    [
        ("wind", False, [0]),
        ("FARM", False, [0, 3]),
        ("farm sea", False, [3, 0, 2]),  # both words before one of them
        ("farm sea", True, [3]),
        ("farms", False, [0, 3]),  # a plural for a singular
        ("lighthouse", False, [2]),
        ("light", False, [2]),  # a beginning
        ("house", False, []),
        ("Édouard", False, [4]),  # accents do not count
        ("the sea", True, [2, 3]),  # a word that tells nothing is left out
        ("the", False, []),
        ("wind wind", True, [0]),
        ("", False, []),
        (" · !", True, []),
    ],
)
def test_about(query: str, every: bool, found: list[int]) -> None:
    assert about(NAMES, query, every=every) == found
