"""Which files are pages, and the HTTP heads that stand before some of them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from periplus.pages.folders.files import capture_of_file, files_of, is_page, split

PAGE = b"<!doctype html><title>t</title><p>words"


@pytest.mark.parametrize(
    ("name", "content", "page"),
    [
        ("a.html", b"", True), ("A.HTM", PAGE, True), ("index.html?p=2", PAGE, True), ("b?x=1.html", PAGE, True),
        ("about", PAGE, True), ("view.php?id=1", PAGE, True), ("page.80", b"<HTML>\n", True), ("old", b"<TITLE>", True),
        ("notes", b"just words", False), ("style.css", PAGE, False), ("app.js?v=<html>", PAGE, False),
        ("feed", b"<?xml version='1.0'?><rss>", False), ("x", b"<?xml version='1.0'?><html>", True),
        ("map.xml", b"<?xml version='1.0'?><urlset>", False), ("logo", b"\x89PNG\r\n", False),
        ("readme.txt", PAGE, False),
        ("sent", b"Server: x\nContent-type: text/html\n\nwords", True),
        ("sent.txt", b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nwords", True),
        ("picture", b"HTTP/1.0 200 OK\r\nContent-Type: image/gif\r\n\r\nGIF89a", False),
        ("letter", b"Dear: all\n\n<p>hello", False),
    ],
)  # fmt: skip
def test_what_is_a_page(tmp_path: Path, name: str, content: bytes, page: bool) -> None:
    (tmp_path / name).write_bytes(content)
    assert is_page(tmp_path / name) is page


def test_a_head_is_taken_off_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_bytes(
        b"Date: Mon, 02 Dec 1996 15:04:25 GMT\nServer: NCSA/1.4\n: text/html\nContent-length: 5\n\n" + PAGE
    )
    found = capture_of_file(path, "http://a.test/")
    assert (found.kind, found.status, found.payload) == ("response", 200, PAGE)
    assert found.fetched == datetime(1996, 12, 2, 15, 4, 25, tzinfo=UTC)
    assert found.header("server") == "NCSA/1.4"
    assert found.header("content-length") == str(len(PAGE))  # the true one; what the server said is kept beside it
    assert found.header("x-crawl-content-length") == "5"


def test_a_head_that_points_elsewhere_is_a_redirect() -> None:
    head, body = split(b"WWW Alert:  Redirection\nLocation: http://b.test/\nContent-type: text/html\n\n<h1>moved")
    assert head.startswith(b"HTTP/1.1 302 Found\r\nLocation: http://b.test/\r\n")
    assert b"Alert" not in head
    assert body == b"<h1>moved"
    assert split(b"HTTP/1.0 404 Not Found\r\nServer: x\r\n\r\ngone")[0].startswith(
        b"HTTP/1.1 404 Not Found\r\nServer: x"
    )


@pytest.mark.parametrize("data", [b"", PAGE, b"One: two\n\nthree", b"Server: x", b"a: b\n" * 9000 + b"\n"])
def test_what_is_no_head_stays(data: bytes) -> None:
    assert split(data) == (b"", data)


def test_what_httrack_made_for_itself_is_left_out(tmp_path: Path) -> None:
    for name in (
        "index.html",
        "hts-log.txt",
        "hts-cache/new.html",
        "www.example.org/index.html",
        "www.example.org/x.gif",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(PAGE)
    found = files_of(tmp_path)
    assert [path.name for path in found.pages] == ["index.html"]
    assert found.pages[0].parent.name == "www.example.org"
    assert (len(found.others), found.ours) == (1, 3)
