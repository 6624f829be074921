"""Archives made by others: every sound page of every sample, counted by another library; every broken one named."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
import zstandard
from tests.conftest import data_path
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from periplus.errors import FormatError, InputError, UnknownFormatError, UrlError
from periplus.pages.add import add_files
from periplus.pages.store import PageStore


@pytest.fixture
def store(tmp_path) -> PageStore:
    folder = tmp_path / "pages"
    folder.mkdir()
    return PageStore(folder, folder / "pages.cdxj")


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    source = data_path("warc-samples")
    for path in source.iterdir():
        if path.name.endswith(".tar.xz"):
            with tarfile.open(path) as bundle:
                bundle.extractall(folder, filter="data")
        elif path.name.endswith(".gz"):
            (folder / path.name).write_bytes(path.read_bytes())
    return folder


# What is broken in each sample, by our reading of the bytes; all other records must be taken.
BROKEN = {
    "bad.arc": 4,  # lengths of -1 and abc, and one record that holds no HTTP
    "example-bad-non-chunked.warc.gz": 1,  # block digest of the revisit
    "example-digest.warc": 1,  # block digest of a request
    "example-trunc.warc": 1,  # Content-Length two bytes short
    "example-wrong-chunks.warc.gz": 1,  # block digest of the response
}
# warcio stops reading these after the first record: they are one gzip member; counted by hand from their bytes.
ONE_MEMBER = {"example-bad-non-chunked.warc.gz": 1, "example-bad.warc.gz.bad": 3}


def counted_by_warcio(path: Path) -> int:
    """Responses, http(s) resources and revisits of known payload, as another library sees the file."""
    pages, digests = 0, set()
    with path.open("rb") as file:
        for record in ArchiveIterator(file, arc2warc=True):
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            digest = record.rec_headers.get_header("WARC-Payload-Digest")
            if not url.strip("<>").startswith("http"):
                continue
            if record.rec_type in ("response", "resource") or (record.rec_type == "revisit" and digest in digests):
                pages += 1
                digests.add(digest)
    return pages


def test_every_sample(samples, tmp_path) -> None:
    names = sorted(path for path in samples.rglob("*") if path.is_file())
    assert len(names) >= 24
    for path in names:
        folder = tmp_path / path.name
        folder.mkdir()
        report = add_files(PageStore(folder, folder / "pages.cdxj"), [path])
        assert len(report.problems) == BROKEN.get(path.name, 0), path.name
        assert all(path.name in str(problem) for problem in report.problems)
        if path.name in ONE_MEMBER:
            expected = ONE_MEMBER[path.name]
        elif path.name == "bad.arc":
            expected = 0
        else:
            bad_pages = path.name in ("example-trunc.warc", "example-wrong-chunks.warc.gz")
            expected = 0 if bad_pages else counted_by_warcio(path)
        assert report.pages + report.redirects + report.known == expected, path.name


def test_what_is_added_equals_what_another_reader_sees(samples, store) -> None:
    path = samples / "stormcrawler-test.warc.gz"
    add_files(store, [path])
    with path.open("rb") as file:
        theirs = [record.content_stream().read() for record in ArchiveIterator(file) if record.rec_type == "response"]
    ours = [store.read(entry).body for entry in store.entries()]
    assert len(theirs) == 18
    assert sorted(ours) == sorted(theirs)


def test_chunked_and_encoded_bodies_are_read_as_a_browser_would(samples, store) -> None:
    add_files(store, [samples / "example-iana.org-chunked.warc", samples / "example.warc.gz"])
    assert all(store.read(entry).body.lstrip().startswith(b"<!doctype html>") for entry in store.entries())
    assert store.verify() == []


def test_a_common_crawl_capture(samples, store) -> None:
    report = add_files(store, [samples / "whirlwind.warc.gz"])
    assert report.pages == 1
    entry = store.find("https://an.wikipedia.org/wiki/Escopete")
    assert entry is not None
    assert b"Escopete" in store.read(entry).body
    assert report.skipped == {"metadata": 1, "request": 1, "warcinfo": 1}


def test_adding_twice_adds_nothing(samples, store) -> None:
    files = [samples / "stormcrawler-test.warc.gz", samples / "post-test.warc.gz", samples / "example.warc"]
    first = add_files(store, files)
    again = add_files(store, files)
    assert first.pages > 20
    assert again.pages == 0
    assert again.known == first.pages + first.known
    assert len(list(store.entries())) == first.pages + first.redirects


# -- made here -----------------------------------------------------------------------------------------------


def warc_bytes(count: int = 5, packed: bool = False) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed)
    for i in range(count):
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.0")
        url = f"http://made.example/{i}"
        writer.write_record(
            writer.create_warc_record(url, "response", io.BytesIO(b"<p>%d</p>" % i), http_headers=headers)
        )
    return out.getvalue()


def urls_of(store: PageStore) -> list[str]:
    return sorted(entry.url for entry in store.entries())


@pytest.mark.parametrize("form", ["plain", "gzip", "one-member", "zstd", "wacz"])
def test_every_wrapping(form: str, tmp_path, store) -> None:
    path = tmp_path / "made.bin"
    plain = warc_bytes()
    if form == "wacz":
        with zipfile.ZipFile(path, "w") as bundle:
            bundle.writestr("archive/data.warc.gz", warc_bytes(packed=True))
            bundle.writestr("datapackage.json", "{}")
    else:
        pack = {"plain": bytes, "gzip": lambda _: warc_bytes(packed=True), "one-member": gzip.compress,
                "zstd": zstandard.ZstdCompressor().compress}  # fmt: skip
        path.write_bytes(pack[form](plain))
    report = add_files(store, [path])
    assert report.problems == ()
    assert urls_of(store) == [f"http://made.example/{i}" for i in range(5)]
    assert store.read(store.find("http://made.example/3")).body == b"<p>3</p>"


@pytest.mark.parametrize("packed", [False, True])
def test_a_torn_end_and_a_broken_middle_cost_only_themselves(packed: bool, tmp_path, store) -> None:
    data = bytearray(warc_bytes(10, packed))
    mark = data.find(b"made.example/4") if not packed else _nth(data, b"\x1f\x8b\x08", 5) + 60
    data[mark + 3 : mark + 6] = b"\0\0\0"
    path = tmp_path / "torn.warc"
    path.write_bytes(data[:-20])
    report = add_files(store, [path])
    found = {url.rpartition("/")[2] for url in urls_of(store)}
    assert {"0", "1", "2", "3", "5", "6", "7", "8"} <= found
    assert "9" not in found
    assert len(report.problems) >= 1
    assert all("torn.warc, byte" in str(problem) for problem in report.problems)


def _nth(data: bytearray, mark: bytes, count: int) -> int:
    at = -1
    for _ in range(count):
        at = data.find(mark, at + 1)
    return at


def test_a_revisit_gets_its_payload(tmp_path, store) -> None:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.0")
    first = writer.create_warc_record("http://a.example/", "response", io.BytesIO(b"<p>same</p>"), http_headers=headers)
    writer.write_record(first)
    digest = first.rec_headers.get_header("WARC-Payload-Digest")
    for known in (digest, "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
        writer.write_record(
            writer.create_revisit_record(f"http://b.example/{known[5:8]}", known, "http://a.example/",
                                         "2020-01-01T00:00:00Z", http_headers=headers)
        )  # fmt: skip
    path = tmp_path / "revisit.warc.gz"
    path.write_bytes(out.getvalue())
    report = add_files(store, [path])
    assert report.pages == 2
    assert report.skipped == {"revisit without its payload": 1}
    assert store.read(store.find(f"http://b.example/{digest[5:8]}")).body == b"<p>same</p>"


def test_a_folder_of_html(tmp_path, store) -> None:
    folder = tmp_path / "My Site"
    (folder / "about").mkdir(parents=True)
    (folder / "index.html").write_text("<a href='about/'>about</a> <a href='caf\u00e9.htm'>x</a>")
    (folder / "about" / "index.html").write_text("<p>about</p>")
    (folder / "caf\u00e9.htm").write_text("<p>coffee</p>")
    (folder / "style.css").write_text("p {}")
    os.utime(folder / "index.html", (1_600_000_000, 1_600_000_000))
    report = add_files(store, [folder], base="https://site.example/docs")
    assert report.skipped == {".css file": 1}
    assert urls_of(store) == [
        "https://site.example/docs/",
        "https://site.example/docs/about/",
        "https://site.example/docs/about/index.html",
        "https://site.example/docs/caf%C3%A9.htm",
        "https://site.example/docs/index.html",
    ]
    assert store.find("https://site.example/docs/index.html").redirect == "https://site.example/docs/"
    assert store.read(store.find("https://site.example/docs/about/")).body == b"<p>about</p>"
    assert store.find("https://site.example/docs/").fetched == datetime.fromisoformat("2020-09-13T12:26:40+00:00")
    assert add_files(store, [folder], base="https://site.example/docs/").pages == 0


def test_a_folder_without_a_base_uses_canonical_links_or_a_local_name(tmp_path, store) -> None:
    folder = tmp_path / "My Site"
    folder.mkdir()
    (folder / "a.html").write_text("<p>a</p>")
    add_files(store, [folder])
    assert urls_of(store) == ["http://my-site.local/a.html"]


def test_bad_input_is_named(tmp_path, store) -> None:
    with pytest.raises(InputError, match="absent"):
        add_files(store, [tmp_path / "absent"])
    (tmp_path / "text.txt").write_text("nothing of the kind")
    with pytest.raises(UnknownFormatError, match=r"text\.txt"):
        add_files(store, [tmp_path / "text.txt"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="neither HTML"):
        add_files(store, [tmp_path / "empty"])
    (tmp_path / "zip.wacz").write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(FormatError, match=r"zip\.wacz"):
        add_files(store, [tmp_path / "zip.wacz"])
    with pytest.raises(UrlError):
        add_files(store, [tmp_path], base="not a url")
    assert list(store.entries()) == []


def test_an_addition_that_was_cut_short_is_completed_by_the_same_command(tmp_path, store) -> None:
    path = tmp_path / "made.warc.gz"
    path.write_bytes(warc_bytes(20, packed=True))

    def crash(name: str, pages: int) -> None:
        assert name == "made.warc.gz"
        if pages == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add_files(store, [path], progress=crash)
    report = add_files(store, [path])
    assert (report.pages, report.known) == (12, 8)
    assert urls_of(store) == sorted(f"http://made.example/{i}" for i in range(20))
    assert store.verify() == []
