"""Reading files of click paths."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from periplus.errors import FormatError
from periplus.similar.usage.clicks import Clicks


def page(name: bytes) -> int:
    return int(name) if name.isdigit() else -1


def paths(tmp_path: Path, text: str | bytes) -> list[list[int]]:
    path = tmp_path / "paths.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(Clicks(path, page))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1;2;3", [[1, 2, 3]]),
        ("1\t2\t3", [[1, 2, 3]]),
        ("user\t1;2\tgoal", [[1, 2]]),
        ("1;2;<;3", [[1, 2, 1, 3]]),
        ("1;2;3;<;<;4", [[1, 2, 3, 2, 1, 4]]),
        ("<;1;<;2", [[1, 2]]),
        ("1;x;2;<;3", [[1], [2, 3]]),
        ("1", [[1]]),
        ("x;y", []),
        ("", []),
        ("# 1;2", []),
        (" 1 ; 2 ;; 3 ", [[1, 2, 3]]),
    ],
)
def test_a_line_is_a_path(tmp_path: Path, line: str, expected: list[list[int]]) -> None:
    assert paths(tmp_path, line + "\n") == expected


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "paths.tsv"
    path.write_text("1;x\n\n2;3\n")
    clicks = Clicks(path, page)
    assert list(clicks) == [[1], [2, 3]]
    assert clicks.counts == {"lines": 2, "page views": 3, "not of this collection": 1}


def test_xz_is_read_and_damage_named(tmp_path: Path) -> None:
    packed = lzma.compress(b"1;2\n" * 50_000)
    assert paths(tmp_path, packed) == [[1, 2]] * 50_000
    with pytest.raises(FormatError, match="compression is damaged"):
        paths(tmp_path, packed[:-30])
