"""The index is whole or refused, and says what to do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from periplus.errors import DamagedError, ParameterError, StorageError
from periplus.index import IndexDocument, build_index, open_index

PAGES = [IndexDocument(node, f"http://a.org/{node}", title=f"page {node}", body="some words") for node in range(600)]


def test_every_document_is_there_and_progress_ends_at_the_count(tmp_path: Path) -> None:
    told: list[int] = []
    report = build_index(iter(PAGES), tmp_path / "index", progress=told.append)
    assert report.documents == open_index(tmp_path / "index").searcher().num_docs == len(PAGES)
    assert told == [256, 512, 600]
    assert report.bytes == sum(path.stat().st_size for path in (tmp_path / "index").iterdir())


def test_an_index_of_nothing_opens(tmp_path: Path) -> None:
    assert build_index([], tmp_path / "index").documents == 0
    assert open_index(tmp_path / "index").searcher().num_docs == 0


def test_only_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(ParameterError, match="empty folder"):
        build_index(PAGES, tmp_path)
    assert (tmp_path / "mine").read_text() == "keep"


def test_what_breaks_the_documents_breaks_the_build_and_leaves_no_whole_index(tmp_path: Path) -> None:
    def pages():
        yield PAGES[0]
        raise RuntimeError("the parser died")

    with pytest.raises(RuntimeError, match="parser died"):
        build_index(pages(), tmp_path / "index")
    with pytest.raises(DamagedError, match="periplus build"):
        open_index(tmp_path / "index")


@pytest.mark.parametrize("damage", ["folder", "record", "older", "meta", "segment"])
def test_a_damaged_index_is_named_with_the_remedy(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "index"
    build_index(PAGES, folder)
    if damage == "folder":
        folder = tmp_path / "elsewhere"
    elif damage == "record":
        (folder / "periplus.json").write_text("{")
    elif damage == "older":
        (folder / "periplus.json").write_text('{"schema": 0, "documents": 600}')
    elif damage == "meta":
        (folder / "meta.json").write_text("{}")
    else:
        next(path for path in folder.iterdir() if path.suffix == ".store").unlink()
    with pytest.raises(DamagedError, match=str(folder)) as caught:
        open_index(folder).searcher()
    assert "periplus build" in str(caught.value)


@pytest.mark.parametrize(
    "told",
    [
        "Internal error: 'No space left on device (os error 28)'",
        "An error occurred in a thread: 'An index writer was killed.. A worker thread encountered an error (io::Error "
        "most likely) or panicked.'",
        "An index writer was killed",
    ],
)
def test_what_tantivy_says_of_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    """Its own words for it, met on a real full disk; how much room is missing is an estimate from the text."""

    def pages():
        yield IndexDocument(0, "http://a.org/", title="t" * 10, body="b" * 1_540_000)
        raise ValueError(told)

    monkeypatch.setattr("periplus.index.build.free_bytes", lambda path: 10_000)
    with pytest.raises(StorageError) as caught:
        build_index(pages(), tmp_path / "index")
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'index'}: No space left on device")
    missing = int(re.search(r"At least ([\d,]+) bytes more are needed", message)[1].replace(",", ""))
    assert 900_000 < missing <= 991_010
    assert "make room" in message


def test_an_error_that_is_not_the_disks_keeps_its_own_words(tmp_path: Path) -> None:
    def pages():
        yield PAGES[0]
        raise ValueError("a number too large")

    with pytest.raises(ValueError, match="a number too large"):
        build_index(pages(), tmp_path / "index")


def test_a_full_disk_is_said_in_one_line(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: the kernel refuses the write in the same way."""
    program = """
import resource, signal, sys
from pathlib import Path
from periplus.errors import StorageError
from periplus.index import IndexDocument, build_index
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
words = " ".join(f"word{n}" for n in range(20_000))
try:
    build_index([IndexDocument(n, f"http://a.org/{n}", body=words) for n in range(50)], Path(sys.argv[1]))
except StorageError as error:
    print("storage:", str(error))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "index")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.startswith(f"storage: {tmp_path}"), done.stderr
