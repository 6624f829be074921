"""The store: what goes in comes out, by any reader; a torn tail costs one record; damage is found and named."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from periplus.errors import DamagedError, StorageError
from periplus.pages import cdx
from periplus.pages.store import PageStore
from periplus.pages.warc import Capture, head_bytes
from periplus.web.page import Page

WHEN = datetime(2026, 11, 16, 6, 0, 1, 250_000, tzinfo=UTC)


@pytest.fixture
def store(tmp_path) -> PageStore:
    return PageStore(tmp_path, tmp_path / "pages.cdxj")


def page(url: str, body: bytes = b"<p>text</p>", status: int = 200, **headers: str) -> Page:
    return Page(url, status, {"Content-Type": "text/html; charset=utf-8", **headers}, body, WHEN)


def fill(store: PageStore, count: int = 50, **options) -> list[str]:
    urls = [f"http://h{i % 7}.example/page/{i}?q={i}" for i in range(count)]
    with store.writer(**options) as writer:
        for i, url in enumerate(urls):
            writer.append(page(url, b"<p>body %d</p>" % i * (i + 1)), request_headers=b"GET / HTTP/1.1\r\n\r\n")
    return urls


def test_every_page_is_found_by_its_url(store) -> None:
    urls = fill(store)
    for i, url in enumerate(urls):
        entry = store.find(url)
        assert entry is not None
        assert (entry.url, entry.status, entry.mime, entry.timestamp) == (url, 200, "text/html", "20261116060001")
        read = store.read(entry)
        assert read.body == b"<p>body %d</p>" % i * (i + 1)
        assert read.fetched == WHEN
        assert read.content_type == "text/html"
    assert store.find("http://h0.example/absent") is None
    assert store.find("no url at all") is None
    assert store.verify() == []


def test_bisection_equals_a_linear_search(store) -> None:
    rng = random.Random(1)
    hosts = [f"{letter}{number}.example" for letter in "abc" for number in range(30)]
    urls = sorted({f"https://{rng.choice(hosts)}/{'x' * rng.randrange(400)}" for _ in range(400)})
    with store.writer() as writer:
        for url in rng.sample(urls, len(urls)):
            writer.append(page(url))
    linear = {entry.url: entry for entry in store.entries()}
    for url in urls:
        assert cdx.lookup(store.cdx_path, url) == [linear[url]]
    for url in urls:
        assert cdx.lookup(store.cdx_path, url + "!") == []


def test_the_newest_of_a_url_is_found(store) -> None:
    with store.writer() as writer:
        writer.append(Page("http://a.example/", 200, {}, b"old", datetime(2020, 1, 1, tzinfo=UTC)))
    with store.writer() as writer:
        writer.append(Page("http://a.example/", 200, {}, b"new", datetime(2021, 1, 1, tzinfo=UTC)))
        writer.append(Page("http://a.example/", 404, {}, b"between", datetime(2020, 6, 1, tzinfo=UTC)))
    assert store.read(store.find("http://a.example/")).body == b"new"
    assert len(store.find_all("http://a.example/")) == 3
    assert len(store.warc_names()) == 2


@settings(max_examples=60, derandomize=True)
@given(
    body=st.binary(max_size=3000),
    headers=st.lists(
        st.tuples(st.from_regex(r"\A[A-Za-z][A-Za-z0-9-]{0,15}\Z"), st.text(st.characters(codec="utf-8"), max_size=40)),
        max_size=6,
    ),
    status=st.integers(100, 599),
)  # fmt: skip
def test_two_other_readers_see_the_same_bytes(tmp_path_factory, body, headers, status) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    store = PageStore(folder, folder / "pages.cdxj")
    head = head_bytes(status, "Reason", [(name.encode(), value.encode()) for name, value in headers])
    with store.writer() as writer:
        entry = writer.append_capture(Capture("http://x.example/", WHEN, head, body, request=b"GET / HTTP/1.1\r\n\r\n"))
    back = store.capture(entry)
    assert (back.head, back.payload, back.status) == (head, body, status)
    with (folder / entry.filename).open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file, check_digests="raise")]
    assert kinds == ["warcinfo", "response", "request"]
    with (folder / entry.filename).open("rb") as file:
        blocks = [record.reader.read() for record in FastIterator(file, parse_http=False)]
    assert blocks[1] == head + body


def test_warcio_check_accepts_every_file(store) -> None:
    fill(store, 20)
    for name in store.warc_names():
        command = [sys.executable, "-c", "from warcio.cli import main; main()", "check", str(store.path_of(name))]
        assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_one_gzip_member_a_record(store) -> None:
    fill(store, 5)
    data = store.path_of(store.warc_names()[0]).read_bytes()
    for entry in store.entries():
        member = data[entry.offset : entry.offset + entry.length]
        assert gzip.decompress(member).startswith(b"WARC/1.1\r\nWARC-Type: response\r\n")


def test_files_rotate_by_size(store) -> None:
    urls = fill(store, 40, max_file=4000)
    assert len(store.warc_names()) > 3
    assert all(store.find(url) for url in urls)
    assert {e.filename for e in store.entries()} == set(store.warc_names())
    assert store.verify() == []


def test_content_encodings_are_kept_on_disk_and_undone_on_reading(store) -> None:
    packed = gzip.compress(b"<p>packed</p>")
    head = head_bytes(200, "OK", [(b"Content-Encoding", b"gzip"), (b"Content-Type", b"text/html")])
    with store.writer() as writer:
        entry = writer.append_capture(Capture("http://x.example/", WHEN, head, packed))
    assert store.capture(entry).payload == packed
    assert store.read(entry).body == b"<p>packed</p>"


# -- after a crash -------------------------------------------------------------------------------------------


def crashed(store: PageStore, count: int = 10) -> list[str]:
    urls = [f"http://crash.example/{i}" for i in range(count)]
    writer = store.writer()
    for url in urls:
        writer.append(page(url))
    writer.abandon()
    return urls


@pytest.mark.parametrize("seed", range(25))
def test_a_torn_tail_costs_only_the_record_it_tears(store, seed: int) -> None:
    fill(store, 3)
    urls = crashed(store)
    warc = next(store.folder.glob("*.warc.gz.open"))
    entries = {entry.url: entry for entry in store.entries(warc.name.removesuffix(".open"))}
    rng = random.Random(seed)
    cut = rng.randrange(warc.stat().st_size + 1)
    os.truncate(warc, cut)
    index = next(store.folder.glob("*.cdxj.open"))
    os.truncate(index, rng.randrange(index.stat().st_size + 1))  # the index was not synced: any part may be lost
    assert store.recover() == 1
    kept = {entry.url for entry in store.entries()} & set(urls)
    assert kept == {url for url in urls if entries[url].end <= cut}
    assert store.verify() == []
    assert not list(store.folder.glob("*.open"))
    assert all(store.find(url) for url in kept)
    assert store.recover() == 0


def test_a_torn_file_never_hides_what_is_written_later(store) -> None:
    crashed(store)
    warc = next(store.folder.glob("*.warc.gz.open"))
    os.truncate(warc, warc.stat().st_size - 5)
    fill(store, 5)
    for name in store.warc_names():
        with store.path_of(name).open("rb") as file:
            assert sum(record.rec_type == "response" for record in ArchiveIterator(file)) in (9, 5)


def test_a_crash_in_the_middle_of_closing_is_mended(store) -> None:
    """The index is renamed first, then the WARC, then the open index goes: stop after each."""
    urls = crashed(store)
    warc, index = next(store.folder.glob("*.warc.gz.open")), next(store.folder.glob("*.cdxj.open"))
    kept = index.read_bytes()
    cdx.write_sorted(store.folder / index.name.removesuffix(".open"), sorted(kept.splitlines(keepends=True)))
    assert all(store.find(url) for url in urls)
    store.recover()
    assert store.verify() == []
    index.write_bytes(kept)  # as if only the last step were missing
    store.recover()
    assert not index.exists()
    assert warc.name.removesuffix(".open") in store.warc_names()
    assert store.verify() == []


def test_a_lost_index_is_made_again(store) -> None:
    urls = fill(store)
    for path in store.folder.glob("*.cdxj"):
        path.unlink()
    assert store.verify() != []
    store.recover()
    assert all(store.find(url) for url in urls)
    assert store.verify() == []


# -- damage --------------------------------------------------------------------------------------------------


def readable(store: PageStore, url: str) -> bool:
    """Read a page of `fill`: it is what it was, or it is refused; never anything else."""
    number = int(url.rpartition("=")[2])
    try:
        body = store.read(store.find(url)).body
    except DamagedError:
        return False
    assert body == b"<p>body %d</p>" % number * (number + 1)
    return True


@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_is_found_and_the_rest_stays_readable(store, seed: int) -> None:
    urls = fill(store, 20)
    path = store.path_of(store.warc_names()[0])
    rng, data = random.Random(seed), bytearray(path.read_bytes())
    at = rng.randrange(len(data))
    data[at] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    broken = sum(not readable(store, url) for url in urls)
    assert broken <= 1
    problems = store.verify()
    if broken:
        assert problems


def test_a_damaged_index_is_named(store) -> None:
    fill(store, 5)
    index = store.index_path(store.warc_names()[0])
    index.write_bytes(index.read_bytes().replace(b'"offset": "', b'"offset": "1', 1))
    assert any(index.name in str(problem) or "should be here" in str(problem) for problem in store.verify())


def test_a_full_disk_leaves_whole_records(store, monkeypatch) -> None:
    writer = store.writer()
    writer.append(page("http://full.example/1"))
    real = os.write

    def full(descriptor: int, data) -> int:
        if len(data) > 20:
            return real(descriptor, data[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StorageError, match="make room"):
        writer.append(page("http://full.example/2", os.urandom(500)))
    monkeypatch.undo()
    writer.abandon()
    with store.writer() as again:
        again.append(page("http://full.example/2"))
    assert {entry.url for entry in store.entries()} == {"http://full.example/1", "http://full.example/2"}
    assert store.verify() == []
