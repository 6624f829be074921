"""Coming back: conditional requests, revisit records, rounds that survive a kill, and what has changed meanwhile."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from tests.webs.server import Asked, WebServer, Writer, honest_site, response, site
from warcio.archiveiterator import ArchiveIterator

from periplus.collection import Collection
from periplus.library import verify
from periplus.pages.store import store_of
from periplus.pipeline import build

FILL = "<p>" + " ".join(f"word{n} of a page that has some length" for n in range(600))


class Living:
    """It answers conditional requests by `ETag`, by `Last-Modified`, or not at all; its pages can be edited."""

    def __init__(self, pages: dict[str, str], validator: str) -> None:
        self.pages, self.validator, self.sent = dict(pages), validator, 0

    async def __call__(self, asked: Asked, writer: Writer) -> None:
        page = self.pages.get(asked.path)
        if page is None:
            writer.write(response("gone", "404 Not Found", "text/plain"))
            return
        if page.startswith("HTTP/"):
            writer.write(page.encode())
            return
        mark = hashlib.sha1(page.encode()).hexdigest()
        day = 1 + int(mark[:4], 16) % 28
        known = {"etag": f'"{mark}"', "last": f"Mon, {day:02d} Jan 2024 00:00:00 GMT", "none": ""}[self.validator]
        by_tag = self.validator == "etag"
        name, condition = ("ETag", "If-None-Match") if by_tag else ("Last-Modified", "If-Modified-Since")
        headers = {name: known} if known else {}
        if known and asked.headers.get(condition) == known:
            answer = response(b"", "304 Not Modified", "", **headers)
        else:
            answer = response(page, **headers)
        self.sent += len(answer)
        writer.write(answer)


def pages() -> dict[str, str]:
    return {path: f"{body}{FILL}" for path, body in honest_site(30).items()}


@pytest.mark.parametrize("validator", ["etag", "last"])
def test_an_unchanged_site_costs_few_bytes(web, validator: str) -> None:
    living = Living(pages(), validator)
    made = web(a=living)
    made.crawl("http://a.run.test/")
    first, living.sent = living.sent, 0
    report = made.crawl("http://a.run.test/", again=True)
    assert report.outcomes == {"UNCHANGED": 30}
    assert living.sent <= 0.05 * first
    old, new = (made.folder / "pages" / f"00000{n}-crawl.warc.gz" for n in (1, 2))
    assert new.stat().st_size < 0.3 * old.stat().st_size
    assert report.total_pages == 30


def test_equal_bytes_without_validators_are_kept_once(web) -> None:
    made = web(a=Living(pages(), "none"))
    made.crawl("http://a.run.test/")
    assert made.crawl("http://a.run.test/", again=True).outcomes == {"UNCHANGED": 30}
    store = made.store()
    assert sum(entry.is_revisit for entry in store.entries()) == 30
    for entry in store.entries():
        page = store.read(entry)
        assert page.status == 200
        assert FILL.encode() in page.body
    assert store.verify() == []


def test_revisits_are_read_by_others(web) -> None:
    made = web(a=Living(pages(), "etag"), b=Living(pages(), "none"))
    for again in (False, True):
        made.crawl("http://a.run.test/", "http://b.run.test/", again=again)
    path = made.folder / "pages" / "000002-crawl.warc.gz"
    first = {e.url: e for e in made.store().entries("000001-crawl.warc.gz")}
    profiles = []
    with path.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            record.content_stream().read()
            if record.rec_type == "revisit":
                headers = record.rec_headers
                url = headers.get_header("WARC-Target-URI")
                assert headers.get_header("WARC-Refers-To-Target-URI") == url
                assert headers.get_header("WARC-Payload-Digest") == f"sha1:{first[url].digest}"
                profiles.append((record.http_headers.get_statuscode(), headers.get_header("WARC-Profile")[-19:]))
    assert sorted(set(profiles)) == [("200", "tical-payload-digest"[1:]), ("304", "server-not-modified")]
    with path.open("rb") as file:
        assert sum(record.record_type == WarcRecordType.revisit for record in FastIterator(file)) == 60


def test_what_changed_is_stored_and_built(web) -> None:
    living = Living(pages(), "etag")
    made = web(a=living)
    made.crawl("http://a.run.test/")
    build(made.folder)
    living.pages["/3"] = '<title>new words</title><p>quite different <a href="/new">new</a>'
    living.pages["/new"] = "<title>a new page</title>"
    del living.pages["/5"]
    report = made.crawl("http://a.run.test/", again=True)
    assert report.outcomes == {"HTTP_404": 1, "OK": 2, "UNCHANGED": 28}
    build(made.folder)
    from periplus.library import open_library

    library = open_library(made.folder)
    urls = {library.graph.urls[page] for page in range(library.graph.nodes)}
    assert len(urls) == 30
    assert "http://a.run.test/new" in urls
    assert "http://a.run.test/5" not in urls
    assert library.searcher.search("quite different").results[0].url == "http://a.run.test/3"
    assert library.searcher.search("honest").total == 29  # one of them because others call it so
    assert verify(Collection.open(made.folder)).problems == ()


def test_a_page_that_returns_to_what_it_was_is_no_copy_of_itself(web) -> None:
    living = Living(pages(), "etag")
    made, before = web(a=living), pages()["/3"]
    made.crawl("http://a.run.test/")
    for text in ("<p>for a while", before):
        living.pages["/3"] = text
        time.sleep(1.01)  # two captures in one second would have no order
        assert made.crawl("http://a.run.test/", again=True).outcomes == {"OK": 1, "UNCHANGED": 29}
    assert made.store().read(made.store().find("http://a.run.test/3")).body == before.encode()


def test_redirects_and_errors_that_stay_are_revisits_too(web) -> None:
    moved = response("moved", "301 Moved Permanently", Location="/1").decode()
    living = Living({**pages(), "/": '<a href="/old">o</a> <a href="/none">n</a>', "/old": moved}, "none")
    made = web(a=living)
    made.crawl("http://a.run.test/")
    report = made.crawl("http://a.run.test/", again=True)
    assert report.outcomes["HTTP_301"] == 1
    assert report.outcomes["HTTP_404"] == 1
    assert all(entry.is_revisit for entry in made.store().entries("000002-crawl.warc.gz"))


def test_robots_and_pauses_hold(web) -> None:
    shut = {"/robots.txt": "User-agent: *\nDisallow: /2", **pages()}
    made = web(a=site(shut))
    made.crawl("http://a.run.test/")
    made.server.asked.clear()
    made.crawl("http://a.run.test/", again=True, delay=0.02)
    times = [asked.at for asked in made.server.asked]
    assert "/2" not in made.server.paths("a.run.test")
    assert min(after - before for before, after in pairwise(times)) >= 0.01


def test_a_killed_round_goes_on(tmp_path: Path) -> None:
    with WebServer({"a.kill.test": Living(honest_site(80), "etag")}) as server:
        folder = tmp_path / "killed.web"
        command = [sys.executable, "-m", "periplus.cli.main", "crawl", str(folder), "http://a.kill.test/", "--json",
                   "--connect-to", f"*.kill.test=127.0.0.1:{server.port}"]  # fmt: skip
        subprocess.run([*command, "--delay", "0"], check=True, capture_output=True, timeout=60)
        server.asked.clear()
        process = subprocess.Popen([*command, "--again", "--delay", "0.02"], stdout=subprocess.DEVNULL)
        while len(server.asked) < 30:
            time.sleep(0.005)
        process.kill()
        process.wait()
        subprocess.run([*command, "--again", "--delay", "0"], check=True, capture_output=True, timeout=60)
        visits = server.paths("a.kill.test")
        assert set(visits) == set(honest_site(80))
        assert len(visits) <= 80 + 40  # what was under way, and the commits of the last moment
        assert store_of(Collection.open(folder)).verify() == []
        last = subprocess.run([*command, "--delay", "0"], check=True, capture_output=True, timeout=60)
        assert json.loads(last.stdout)["pages"] == 0
