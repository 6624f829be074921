"""`periplus add`: files in, one line or one object out, errors that name the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.collection.test_crawl import periplus
from tests.pages.test_add import warc_bytes


def test_add_and_add_again(tmp_path) -> None:
    warc, folder = tmp_path / "made.warc.gz", str(tmp_path / "a.web")
    warc.write_bytes(warc_bytes(5, packed=True))
    first = json.loads(periplus("add", folder, str(warc), "--json").stdout)
    assert (first["pages"], first["known"], first["problems"]) == (5, 0, [])
    again = periplus("add", folder, str(warc))
    assert again.stdout.splitlines()[0].startswith("0 pages added from 1 file in ")
    assert "5 pages were there before" in again.stdout
    assert again.stdout.splitlines()[-1] == f"next: periplus build {folder}"


def test_a_broken_record_is_named_and_the_rest_is_added(tmp_path) -> None:
    warc = tmp_path / "torn.warc"
    warc.write_bytes(warc_bytes(5)[:-20])
    done = periplus("add", str(tmp_path / "a.web"), str(warc), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["pages"] == 4
    assert [problem["file"] for problem in report["problems"]] == ["torn.warc"]
    assert "torn.warc, byte" in periplus("add", str(tmp_path / "a.web"), str(warc)).stderr


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("absent.warc", None, "does not exist"),
        ("notes.txt", b"no archive", "is not a WARC, ARC, WACZ or HTML file"),
        ("empty.warc.gz", b"", "is not a WARC, ARC, WACZ or HTML file"),
        ("torn.wacz", b"PK\x03\x04torn", "zip file is broken"),
        ("torn.warc.gz", b"\x1f\x8b\x08\x00torn", "cannot be decompressed"),
    ],
)
def test_what_is_no_archive_is_refused_by_name(tmp_path, name: str, content: bytes | None, words: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    done = periplus("add", str(tmp_path / "a.web"), str(path), "--json")
    assert done.returncode == 3
    assert words in done.stderr
    assert name in done.stderr
    assert json.loads(done.stdout)["exit_code"] == 3


def test_a_folder_of_html_by_its_base(tmp_path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<p>front</p>")
    (folder / "a.html").write_text("<p>a</p>")
    collection = tmp_path / "a.web"
    done = periplus("add", str(collection), str(folder), "--base", "https://s.example/", "--json")
    told = json.loads(done.stdout)
    assert (told["pages"], told["redirects"], told["files"]) == (2, 1, 2)  # index.html leads to the front page
    again = periplus("add", str(collection), str(folder), "--base", "https://s.example/")
    assert "0 pages added from 2 files" in again.stdout
    assert "2 pages were there before" in again.stdout
    index = (Path(collection) / "pages" / "pages.cdxj").read_text()
    assert '"url": "https://s.example/a.html"' in index
    assert periplus("add", str(collection), str(folder), "--base", "nonsense").returncode == 2
