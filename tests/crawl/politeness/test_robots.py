"""robots.txt: Google's own cases, thousands of real files, and what silence means."""

from __future__ import annotations

import json
import lzma
import tarfile
import time

import pytest
from tests.conftest import data_path

from periplus.crawl.politeness.robots import MAX_BYTES, Robots, normalise, product_token

# Where we differ from Google's parser, and mean it: see the head of robots.py.
MEANT = {
    ("GoogleOnly_AcceptUserAgentUpToFirstSpace", "Foo Bar", "http://foo.bar/x/y"),
    ("ID_Encoding", "FooBot", "http://foo.bar/foo/bar/ツ"),
    ("ID_Encoding", "FooBot", "http://foo.bar/foo/bar/baz"),
}


def test_googles_cases() -> None:
    with lzma.open(data_path("robotstxt-google") / "google-robots-cases.json.xz") as file:
        cases = json.load(file)
    different = [
        case
        for case in cases
        if Robots(200, case["robots_txt"].encode()).allows(case["url"], case["user_agent"]) != case["allowed"]
    ]
    assert len(cases) == 140
    assert len(different) == 4
    assert {(case["test"], case["user_agent"], case["url"]) for case in different} <= MEANT


def test_thousands_of_real_files_are_read_without_trouble() -> None:
    seen, slowest = 0, 0.0
    with tarfile.open(data_path("robotstxt-corpus") / "robotstxt-4k-sites.tar.xz") as bundle:
        for member in bundle:
            file = bundle.extractfile(member) if member.isfile() else None
            if file is None:
                continue
            started = time.process_time()
            rules = Robots(200, file.read())
            assert rules.allows("https://example.org/a/b?c=d", "periplus") in (True, False)
            delay = rules.crawl_delay("periplus")
            assert delay is None or delay >= 0
            slowest = max(slowest, time.process_time() - started)
            seen += 1
    assert seen == 4231
    assert slowest < 2.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_4xx_allows_everything(status: int) -> None:
    rules = Robots(status, b"User-agent: *\nDisallow: /")
    assert rules.reachable
    assert rules.allows("http://a.example/x", "periplus")


@pytest.mark.parametrize("status", [429, 500, 502, 503, 599])
def test_429_and_5xx_disallow_everything(status: int) -> None:
    rules = Robots(status, b"User-agent: *\nAllow: /")
    assert not rules.reachable
    assert not rules.allows("http://a.example/x", "periplus")
    assert rules.crawl_delay("periplus") is None


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /x",
        b"User-agent: *\rDisallow: /x\r",
        b"user-agent:*\r\ndisallow:/x # why",
        b"USER-AGENT : periplus\n\n\nDISALLOW : /x",
        b"User-agent: other\nUser-agent: Periplus/9.9\nUnknown: line\nDisallow: /x",
        b"\0User-agent: *\0\nDisallow: /x\0",
    ],
)
def test_spellings_that_mean_the_same(body: bytes) -> None:
    rules = Robots(200, body)
    assert not rules.allows("http://a.example/x/y", "periplus")
    assert rules.allows("http://a.example/other", "periplus")


def test_a_group_of_our_own_name_wins() -> None:
    rules = Robots(200, b"User-agent: *\nDisallow: /\n\nUser-agent: periplus\nDisallow: /private\n")
    assert rules.allows("http://a.example/public", "periplus")
    assert not rules.allows("http://a.example/private/x", "periplus")
    assert not rules.allows("http://a.example/public", "stranger")


@pytest.mark.parametrize(
    "body", [b"<!DOCTYPE html><p>User-agent: *\nDisallow: /", b" <html>\nUser-agent: *\nDisallow: /"]
)
def test_a_web_page_holds_no_rules(body: bytes) -> None:
    assert Robots(200, body).allows("http://a.example/", "periplus")


def test_only_the_first_half_mebibyte_counts() -> None:
    filler = b"# " + b"x" * 1000 + b"\n"
    head = b"User-agent: *\n"
    body = head + filler * 400 + b"Disallow: /early\n" + filler * 200 + b"Disallow: /late\n"
    assert len(body) > MAX_BYTES
    rules = Robots(200, body)
    assert not rules.allows("http://a.example/early", "periplus")
    assert rules.allows("http://a.example/late", "periplus")


@pytest.mark.parametrize(
    ("value", "delay"),
    [("2", 2.0), ("0.5", 0.5), ("999999", 999999.0), ("999999999", None), ("-5", None), ("nan", None), ("inf", None)],
)
def test_crawl_delay(value: str, delay: float | None) -> None:
    assert Robots(200, f"User-agent: *\nCrawl-delay: {value}\n".encode()).crawl_delay("periplus") == delay


@pytest.mark.parametrize(
    "line", ["a" + " " * 200_000 + "b", ":" * 200_000, "disallow" + " " * 200_000, "a b " * 50_000]
)
def test_hostile_lines_take_no_time(line: str) -> None:
    started = time.process_time()
    normalise(f"User-agent: *\n{line}\n".encode())
    assert time.process_time() - started < 0.5


def test_the_product_token() -> None:
    assert product_token("periplus/0.1.0 (+https://example.org)") == "periplus"
    assert product_token("My-Bot 2") == "My-Bot"
    assert product_token("123") == "periplus"
