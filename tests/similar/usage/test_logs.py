"""Reading web-server logs: both formats, gzip, robots, and what is no log."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from periplus.errors import FormatError
from periplus.similar.usage.logs import Log

COMMON = '192.0.2.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.html HTTP/1.0" 200 2326'
COMBINED = (
    '192.0.2.7 - - [10/Oct/2000:20:55:36 +0000] "GET /b?x=1 HTTP/1.1" 200 - "http://a.example/" "Mozilla/5.0 (X11)"'
)


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "access.log"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_both_formats_are_read(tmp_path: Path) -> None:
    hits = list(Log(write(tmp_path, COMMON, COMBINED), b"k"))
    assert [(hit.path, hit.referrer) for hit in hits] == [(b"/a.html", b""), (b"/b?x=1", b"http://a.example/")]
    assert hits[0].time == hits[1].time == 971211336
    assert hits[0].visitor != hits[1].visitor


def test_the_key_decides_who_is_known_again_and_no_address_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, COMMON, COMMON)
    first, again = list(Log(path, b"one"))
    assert first.visitor == again.visitor
    assert b"192.0.2.1" not in first.visitor
    assert next(iter(Log(path, b"two"))).visitor != first.visitor


@pytest.mark.parametrize(
    "line",
    [
        COMMON.replace(" 200 ", " 404 "),
        COMMON.replace(" 200 ", " 301 "),
        COMMON.replace("GET", "POST"),
        COMMON.replace("GET", "HEAD"),
        COMBINED.replace("Mozilla/5.0 (X11)", "Googlebot/2.1 (+http://www.google.com/bot.html)"),
        COMBINED.replace("Mozilla/5.0 (X11)", "curl/8.0"),
        COMBINED.replace("Mozilla/5.0 (X11)", "Mozilla/5.0 (compatible; bingbot/2.0)"),
    ],
)
def test_robots_and_what_is_no_page_are_left_out(tmp_path: Path, line: str) -> None:
    log = Log(write(tmp_path, line, COMBINED), b"k")
    assert len(list(log)) == 1
    assert log.counts["robots"] + log.counts["no page"] == 1


def test_who_reads_robots_txt_is_a_robot(tmp_path: Path) -> None:
    log = Log(write(tmp_path, COMMON.replace("/a.html", "/robots.txt"), COMMON), b"k")
    assert {hit.visitor for hit in log} == log.robots


def test_gzip_is_found_by_its_bytes_and_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "access.log.1"
    path.write_bytes(gzip.compress(f"{COMMON}\n".encode() * 1000))
    assert len(list(Log(path, b"k"))) == 1000
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FormatError, match="compression is damaged"):
        list(Log(path, b"k"))


def test_a_line_of_a_megabyte_is_passed_over(tmp_path: Path) -> None:
    long = COMMON.replace("/a.html", "/" + "x" * (1 << 20))
    log = Log(write(tmp_path, COMMON, long, COMBINED), b"k")
    assert [hit.path for hit in log] == [b"/a.html", b"/b?x=1"]
    assert log.counts == {"lines": 3, "not a log line": 1}


@pytest.mark.parametrize(
    "bad", ["", "hello", COMMON.replace("Oct", "Ock"), COMMON[:30], "\x00\xff", COMMON.replace("10/", "xx/")]
)
def test_bad_lines_are_counted(tmp_path: Path, bad: str) -> None:
    log = Log(write(tmp_path, bad, COMMON), b"k")
    assert len(list(log)) == 1
    assert log.counts["not a log line"] == 1


def test_a_log_that_is_no_log_is_refused(tmp_path: Path) -> None:
    for text in ("<html>\n<p>no log</p>\n", "a,b,c\n1,2,3\n", "x" * (1 << 20)):
        with pytest.raises(FormatError, match="Common or Combined"):
            list(Log(write(tmp_path, text), b"k"))
    (tmp_path / "empty.log").write_text("")
    assert list(Log(tmp_path / "empty.log", b"k")) == []
    with pytest.raises(FileNotFoundError):
        list(Log(tmp_path / "nothing.log", b"k"))
