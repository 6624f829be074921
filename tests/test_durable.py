"""Files whole or not at all, through errors and after killed writers."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from periplus.durable import atomic_files, is_draft_of, write_atomically


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
        with atomic_files(first, second) as (draft, other):
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
    with atomic_files(*paths) as drafts:
        for draft in drafts:
            draft.write_bytes(draft.name.encode())
        assert all(is_draft_of(draft, path.name) for draft, path in zip(drafts, paths, strict=True))
        assert not any(path.exists() for path in paths)
    assert names(tmp_path) == ["data", "header"]


def test_threads_of_one_process_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "scores.npy"
    texts = [bytes([65 + number]) * 1000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            list(pool.map(lambda text: write_atomically(path, text), texts))
    assert path.read_bytes() in texts
    assert names(tmp_path) == ["scores.npy"]


def test_a_link_is_written_through_and_a_pipe_is_written_itself(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, goal, pipe = tmp_path / "link", tmp_path / "there" / "goal", tmp_path / "pipe"
    goal.write_bytes(b"old")
    link.symlink_to(goal)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert goal.read_bytes() == b"new"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        write_atomically(pipe, b"through")
        assert read.result(timeout=10) == b"through"
    assert pipe.is_fifo()
    assert names(tmp_path / "there") == ["goal"]


def test_what_killed_writers_left_is_cleared_and_nobody_elses(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead, alive = [f".scores.npy.{ended.pid}{end}" for end in (".tmp", "-3.tmp")], f".scores.npy.{os.getppid()}-1.tmp"
    others = [f".other.npy.{ended.pid}.tmp", ".scores.npy.notes.tmp", f"scores.npy.{ended.pid}.tmp"]
    others.append(".scores.npy.99999999999999999999.tmp")
    for name in (*dead, alive, *others):
        (tmp_path / name).write_bytes(b"half")
    write_atomically(tmp_path / "scores.npy", b"whole")
    assert names(tmp_path) == sorted([alive, *others, "scores.npy"])


def test_the_disk_s_refusal_names_the_file_and_not_its_draft(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)  # a name that is allowed, but leaves no room for what a draft adds
    with pytest.raises(OSError) as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
