"""`build` on a disk that is too small: exit 5, which file, how much is missing, what to do; then go on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from periplus.collection import Collection
from periplus.errors import StorageError
from periplus.numeric.npy import save_array
from periplus.pages.store import store_of
from periplus.pipeline import STAGES, add, build
from periplus.pipeline.run import _run

MESSAGE = re.compile(
    r"At least ([\d,]+) bytes more are needed\. What was written before is safe; make room and run the"
)


def pages(folder: Path, count: int = 60) -> Path:
    """Pages that all link to each other, with much text: the graph and the index take more than their pages."""
    folder.mkdir()
    links = "".join(f"<a href='{number}.html'>the page {number}</a> " for number in range(count))
    for number in range(count):
        words = " ".join(f"w{number}x{word}" for word in range(2000))
        (folder / f"{number}.html").write_text(f"<title>{number}</title><body>{links}{words}")
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte; only root may mount it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("mounting a small file system needs root")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


def building(target: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "periplus.cli.main", "build", str(target)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def fill(disk: Path, leave: int) -> Path:
    """A file that leaves so many bytes free."""
    block = disk / "block"
    space = os.statvfs(disk)
    block.write_bytes(b"\0" * (space.f_bavail * space.f_frsize - leave))
    return block


def resized(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)


@pytest.mark.parametrize(("stage", "leave"), [("graph", 24_000), ("index", 300_000)])
def test_a_full_disk_in_a_stage(small_disk: Path, tmp_path: Path, stage: str, leave: int) -> None:
    target = small_disk / "my.web"
    resized(small_disk, "40m")
    add(target, [pages(tmp_path / "site")], base="http://h.example/")
    collection = Collection.open(target)
    with collection.writing(), collection.building():
        store_of(collection).recover()
        for name in ("parsed", *(("graph", "scores") if stage == "index" else ())):
            _run(collection, STAGES[name], lambda *told: None)
    block = fill(small_disk, leave)
    code, message = building(target)
    assert code == 5, message
    assert f"{target}/{stage}/g0001" in message
    missing = MESSAGE.search(message)
    assert missing, message
    block.unlink()
    assert building(target)[0] == 0
    assert build(collection).ran == ()


def test_an_array_that_finds_no_room_is_named_with_what_is_missing(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk where nobody may mount one."""
    program = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from periplus.errors import StorageError
from periplus.numeric.npy import save_array
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    save_array(Path(sys.argv[1]), np.arange(50_000))
except StorageError as error:
    print(error)
"""
    path = tmp_path / "targets.npy"
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{path}: File too large. At least 300,000 bytes more are needed.")


def test_an_array_is_what_numpy_writes(tmp_path: Path) -> None:
    for values in (np.arange(7), np.zeros((3, 2), order="F"), np.zeros(0, np.uint8), np.ones(4, bool)):
        save_array(tmp_path / "ours.npy", values)
        np.save(tmp_path / "theirs.npy", np.ascontiguousarray(values))
        assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()


def test_a_graph_that_cannot_fit_is_refused_before_it_is_written(tmp_path: Path, monkeypatch) -> None:
    collection = Collection.create(tmp_path / "my.web")
    add(collection.path, [pages(tmp_path / "site", 5)], base="http://h.example/")
    monkeypatch.setattr("periplus.durable.free_bytes", lambda path: 100)
    with pytest.raises(StorageError, match=r"graph/g0001: [\d,]+ bytes are to be written here and 100 are free"):
        build(collection)
    monkeypatch.undo()
    assert "graph" in build(collection).ran
