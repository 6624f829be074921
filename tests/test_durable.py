"""Files whole or not at all, through errors and after killed writers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from periplus.durable import appearing, is_draft_of, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_file_is_replaced_whole_and_no_draft_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_atomically(path, b"a longer old text")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["file.json"]


def test_after_an_error_nothing_has_changed(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_atomically(first, b"old")

    def write() -> None:
        with appearing(first, second) as (draft, other):
            draft.write_bytes(b"new")
            assert first.read_bytes() == b"old"
            other.write_bytes(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert first.read_bytes() == b"old"
    assert names(tmp_path) == ["first"]


def test_several_files_appear_only_when_all_are_written(tmp_path: Path) -> None:
    paths = tmp_path / "data", tmp_path / "header"
    with appearing(*paths) as drafts:
        for draft in drafts:
            draft.write_bytes(draft.name.encode())
        assert all(is_draft_of(draft, path.name) for draft, path in zip(drafts, paths, strict=True))
        assert not any(path.exists() for path in paths)
    assert names(tmp_path) == ["data", "header"]


def test_what_killed_writers_left_is_cleared_and_nobody_elses(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead, alive = f".scores.npy.{ended.pid}.tmp", f".scores.npy.{os.getppid()}.tmp"
    others = [f".other.npy.{ended.pid}.tmp", ".scores.npy.notes.tmp", f"scores.npy.{ended.pid}.tmp"]
    for name in (dead, alive, *others):
        (tmp_path / name).write_bytes(b"half")
    write_atomically(tmp_path / "scores.npy", b"whole")
    assert names(tmp_path) == sorted([alive, *others, "scores.npy"])
