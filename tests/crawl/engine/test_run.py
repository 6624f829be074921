"""A whole crawl over real HTTP: limits, politeness on the server's clock, redirects, duplicates, going on."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from tests.webs.server import Asked, Writer, honest_site, not_found, response, site

from periplus.collection import Collection
from periplus.errors import DamagedError, LockedError, NetworkError, StorageError, UrlError


def test_a_site_is_fetched_whole_and_its_links_counted(web) -> None:
    here = web(a=site(honest_site(30)))
    seen = []
    report = here.crawl("http://a.run.test/", progress=seen.append)
    assert (report.pages, report.total_pages, report.hosts, report.waiting, report.resumed) == (30, 30, 1, 0, False)
    assert report.outcomes == {"OK": 30}
    assert report.links == sum(page.count("<a ") for page in honest_site(30).values())
    assert seen[-1].pages == 30
    assert seen[-1].waiting == 0
    assert here.store().verify() == []


def test_max_pages_and_then_on(web) -> None:
    here = web(a=site(honest_site(40)))
    assert here.crawl("http://a.run.test/", max_pages=10, concurrency=4).pages == 10
    again = here.crawl("http://a.run.test/", max_pages=25, concurrency=4)
    assert (again.pages, again.total_pages, again.resumed) == (15, 25, True)
    rest = here.crawl("http://a.run.test/")
    assert rest.total_pages == 40
    assert len(here.server.paths("a.run.test")) == 40
    assert len(here.log()) == 40


def test_a_limit_of_bytes_and_then_on(web) -> None:
    here = web(a=site(honest_site(40)))
    first = here.crawl("http://a.run.test/", max_bytes=5_000, concurrency=1)
    assert 0 < first.pages < 40
    assert first.limit == "5,000 bytes"
    stored = sum(path.stat().st_size for path in here.folder.rglob("*.warc.gz"))
    assert stored >= 5_000
    again = here.crawl("http://a.run.test/", max_bytes=5_000)
    assert (again.pages, again.limit) == (0, "5,000 bytes")
    rest = here.crawl("http://a.run.test/", max_bytes=10**9)
    assert (rest.total_pages, rest.limit) == (40, "")


def test_a_limit_of_time_ends_a_run_that_waits(web) -> None:
    here = web(a=site(honest_site(40)))
    started = time.monotonic()
    report = here.crawl("http://a.run.test/", max_seconds=1.0, delay=30.0)
    assert time.monotonic() - started < 20
    assert report.limit == "1.0 s"
    assert report.waiting


def test_a_busy_robots_txt_is_asked_again_after_the_pause_it_wants(web) -> None:
    answers = iter([response("", "429 Slow down", "text/plain", Retry_After="1")])
    rules = response("User-agent: *\nDisallow: /x", content_type="text/plain")

    async def busy_once(asked: Asked, writer: Writer) -> None:
        if asked.path == "/robots.txt":
            writer.write(next(answers, rules))
        else:
            writer.write(response("<a href='/x'>x</a>"))

    here = web(a=busy_once)
    report = here.crawl("http://a.run.test/")
    assert report.outcomes == {"OK": 1, "BLOCKED_ROBOTS": 1}
    first, second = (asked.at for asked in here.server.asked if asked.path == "/robots.txt")
    assert second - first >= 0.99


def test_a_robots_txt_that_stays_busy_leaves_the_host_for_the_next_run(web) -> None:
    busy = response("", "429 Slow down", "text/plain", Retry_After="600")
    here = web(a=site({"/robots.txt": busy, "/": "<p>never</p>"}), b=site(honest_site(3)))
    report = here.crawl("http://a.run.test/", "http://b.run.test/")
    assert report.deferred_hosts == ("a.run.test: http://a.run.test/robots.txt: HTTP 429",)
    assert here.server.paths("a.run.test") == []


def test_max_depth_and_then_deeper(web) -> None:
    here = web(a=site(honest_site(31)))
    assert here.crawl("http://a.run.test/", max_depth=0).pages == 1
    assert here.crawl("http://a.run.test/", max_depth=2).total_pages == 7
    assert here.crawl("http://a.run.test/").total_pages == 31


def test_breadth_first(web) -> None:
    here = web(a=site(honest_site(31)))
    here.crawl("http://a.run.test/", concurrency=1)
    depths = [record["depth"] for record in here.log().values()]
    assert depths == sorted(depths)


def test_scope_and_nofollow(web) -> None:
    here = web(
        a=site({
            "/": "<a href='http://b.run.test/'>b</a><a href='/x'>x</a><a rel=nofollow href='/no'>n</a>"
                 "<a href='/m'>m</a><a href='mailto:x@y'>mail</a><a href='ftp://a.run.test/'>ftp</a>"
                 "<a href='//a.run.test/x#part'>same</a>",
            "/x": "<p>x</p>",
            "/m": "<meta name=robots content='nofollow'><a href='/hidden'>h</a>",
        }),
        b=site({"/": "<p>b</p>"}),
    )  # fmt: skip
    here.crawl("http://a.run.test/", scope="host")
    assert sorted(here.server.paths("a.run.test")) == ["/", "/m", "/x"]
    assert here.server.paths("b.run.test") == []


def test_the_pause_is_kept_on_the_servers_clock(web) -> None:
    here = web(**{name: site(honest_site(6, name)) for name in ("a", "b", "c")})
    here.crawl(*(f"http://{name}.run.test/" for name in ("a", "b", "c")), delay=0.2)
    times = defaultdict(list)
    for asked in here.server.asked:
        times[asked.host].append(asked.at)
    assert set(map(len, times.values())) == {7}  # robots.txt counts as a request
    gaps = [later - earlier for host in times.values() for earlier, later in pairwise(host)]
    assert min(gaps) >= 0.19
    assert max(times["a.run.test"]) - min(times["a.run.test"]) < 6  # hosts take turns, they do not queue


def test_crawl_delay_is_kept_and_capped(web) -> None:
    rules = response("User-agent: *\nCrawl-delay: 500\n", content_type="text/plain")
    here = web(a=site({"/robots.txt": rules, "/": "<a href='/x'>x</a>", "/x": "<p>x</p>"}))
    here.crawl("http://a.run.test/", max_delay=0.3)
    at = [asked.at for asked in here.server.asked]
    assert len(at) == 3
    assert min(later - earlier for earlier, later in pairwise(at)) >= 0.29


def test_retry_after_is_obeyed(web) -> None:
    answers = iter([response("busy", "503 Busy", "text/plain", Retry_After="1"), response("<p>now</p>")])

    async def busy_once(asked: Asked, writer: Writer) -> None:
        if asked.path == "/robots.txt":
            await not_found(asked, writer)
        else:
            writer.write(next(answers))

    here = web(a=busy_once)
    assert here.crawl("http://a.run.test/").pages == 1
    first, second = (asked.at for asked in here.server.asked if asked.path == "/")
    assert second - first >= 0.99


def test_a_host_that_asks_for_long_patience_is_left_for_the_next_run(web) -> None:
    busy = response("busy", "429 Slow down", "text/plain", Retry_After="999999999")
    here = web(a=site({"/": busy}), b=site(honest_site(5)))
    report = here.crawl("http://a.run.test/", "http://b.run.test/")
    assert report.pages == 5
    assert report.waiting == 1
    assert report.deferred_hosts == ("a.run.test: asked us to come back in 3600 s",)
    assert "a/" not in here.log()
    here.server.asked.clear()
    report = here.crawl("http://a.run.test/", "http://b.run.test/", patience=0.0)  # the hour is not over
    assert here.server.asked == []


def test_a_pause_that_a_host_asked_for_last_of_all_is_kept_by_the_next_run(web) -> None:
    busy = response("busy", "429 Slow down", "text/plain", Retry_After="600")
    here = web(a=site({"/": "<a href='/busy'>b</a>", "/busy": busy}))
    assert here.crawl("http://a.run.test/").deferred_hosts == ("a.run.test: asked us to come back in 600 s",)
    here.server.asked.clear()
    (left,) = here.crawl("http://a.run.test/").deferred_hosts
    assert left.startswith("a.run.test: asked us to wait")
    assert here.server.asked == []


def test_redirects_are_records_of_their_own(web) -> None:
    moved = response(status="301 Moved", Location="/new")
    here = web(a=site({"/": "<a href='/old'>o</a>", "/old": moved, "/new": "<p>new</p>"}))
    here.crawl("http://a.run.test/")
    store = here.store()
    assert store.find("http://a.run.test/old").redirect == "/new"
    assert store.find("http://a.run.test/old").status == 301
    assert store.read(store.find("http://a.run.test/new")).body == b"<p>new</p>"
    log = here.log()
    assert (log["a/old"]["outcome"], log["a/new"]["hops"], log["a/new"]["depth"]) == ("HTTP_301", 1, 1)


def test_a_loop_of_redirects_is_an_error_that_names_it(web) -> None:
    def moved(to: str) -> bytes:
        return response(status="301 Moved", Location=to)

    here = web(
        a=site({"/": "<a href='/a'>a</a> <a href='/x'>x</a>", "/a": moved("/b"), "/b": moved("/a"), "/x": moved("/x")})
    )
    report = here.crawl("http://a.run.test/", concurrency=1)
    log = here.log()
    assert (log["a/a"]["outcome"], log["a/b"]["outcome"]) == ("HTTP_301", "ERR_REDIRECT")
    assert log["a/b"]["reason"] == "redirect loop: http://a.run.test/b → http://a.run.test/a → http://a.run.test/b"
    assert log["a/x"]["reason"] == "redirect loop: http://a.run.test/x → http://a.run.test/x"
    assert report.outcomes["ERR_REDIRECT"] == 2


def test_a_loop_of_redirects_is_found_across_two_runs(web) -> None:
    answers = [response("busy", "503 Busy")]

    async def serve(asked: Asked, writer: Writer) -> None:
        if asked.path == "/robots.txt":
            await not_found(asked, writer)
            return
        writer.write(response(status="301 Moved", Location="/b") if asked.path == "/" else answers[-1])

    here = web(a=serve, c=site(honest_site(1)))
    here.crawl("http://a.run.test/", "http://c.run.test/", retries=0)
    answers.append(response(status="301 Moved", Location="/"))
    here.crawl("http://a.run.test/b", retries=0)
    last = here.folder.joinpath("crawl", "log.jsonl").read_text().splitlines()[-1]
    assert "redirect loop: http://a.run.test/b → http://a.run.test/ → http" in json.loads(last)["reason"]


def test_a_seed_that_moved_to_another_site_takes_the_scope_with_it(web) -> None:
    here = web(a=site({"/": response(status="302 Found", Location="http://b.run.test/")}), b=site(honest_site(4)))
    assert here.crawl("http://a.run.test/", scope="host").pages == 4
    assert here.crawl("http://a.run.test/", scope="host").total_pages == 4


def test_a_redirect_to_a_page_that_robots_forbid(web) -> None:
    rules = response("User-agent: *\nDisallow: /private\n", content_type="text/plain")
    moved = response(status="302 Found", Location="http://b.run.test/private")
    here = web(a=site({"/": "<a href='/go'>g</a>", "/go": moved}), b=site({"/robots.txt": rules, "/private": "x"}))
    here.crawl("http://a.run.test/")
    assert here.server.paths("b.run.test") == []
    assert here.log()["b/private"]["outcome"] == "BLOCKED_ROBOTS"


def test_types_and_statuses(web) -> None:
    here = web(
        a=site({
            "/": "".join(f"<a href='/{name}'>x</a>" for name in ("pdf", "txt", "gone", "none", "xhtml", "part")),
            "/pdf": response(b"%PDF-1.7" * 1000, content_type="application/pdf"),
            "/txt": response("plain words", content_type="text/plain"),
            "/gone": response("gone", "410 Gone", "text/plain"),
            "/none": response("<!doctype html><p>no type</p>", content_type=""),
            "/xhtml": response("<html><p>x</p></html>", content_type="application/xhtml+xml"),
            "/part": response("<p>part</p>", "206 Partial Content"),
        })
    )  # fmt: skip
    here.crawl("http://a.run.test/")
    outcomes = {url: record["outcome"] for url, record in here.log().items()}
    assert outcomes == {"a/": "OK", "a/pdf": "SKIP_TYPE", "a/txt": "OK", "a/gone": "HTTP_410", "a/none": "OK",
                        "a/xhtml": "OK", "a/part": "HTTP_206"}  # fmt: skip
    entry = here.store().find("http://a.run.test/pdf")
    assert (entry.truncated, entry.mime, entry.status) == ("unspecified", "application/pdf", 200)
    assert here.store().read(entry).body == b""


def test_the_request_is_stored_beside_the_response(web) -> None:
    here = web(a=site({"/": "<p>a</p>"}))
    here.crawl("http://a.run.test/", contact="https://me.example/")
    sent = here.server.asked[-1].headers
    assert sent["User-Agent"].startswith("periplus/")
    assert sent["User-Agent"].endswith("(+https://me.example/)")
    data = here.store().path_of(here.store().warc_names()[0]).read_bytes()
    import gzip

    text = gzip.decompress(data).decode()
    assert "WARC-Type: request" in text
    assert f"User-Agent: {sent['User-Agent']}" in text
    assert text.count("WARC-IP-Address: 127.0.0.1") == 2


# -- what goes wrong -----------------------------------------------------------------------------------------


def test_a_seed_that_is_no_url(web) -> None:
    with pytest.raises(UrlError, match="not a url"):
        web().crawl("not a url")


def test_a_host_that_does_not_answer(web) -> None:
    here = web()
    port = here.server.port
    here.server.__exit__()
    here.server.__enter__()
    with pytest.raises(NetworkError, match=r"http://127\.0\.0\.1"):
        here.crawl(f"http://127.0.0.1:{port}/", allow_net=(f"127.0.0.1:{port}",))


def test_a_private_seed_says_how_to_allow_it(web) -> None:
    with pytest.raises(NetworkError, match="--allow-net"):
        web().crawl("http://127.0.0.1/")


def test_a_failed_seed_is_tried_again_by_the_same_command(web) -> None:
    here = web(a=site({"/": response("no", "404 Not Found", "text/plain")}))
    with pytest.raises(NetworkError, match="HTTP_404"):
        here.crawl("http://a.run.test/")
    here.server.sites["a.run.test"] = site(honest_site(3))
    assert here.crawl("http://a.run.test/").pages == 3


def test_two_writers_at_once(web) -> None:
    here = web(a=site(honest_site(3)))
    with Collection.open_or_create(here.folder).writing(), pytest.raises(LockedError, match="being written by process"):
        here.crawl("http://a.run.test/")
    assert here.crawl("http://a.run.test/").pages == 3


def test_a_full_disk_stops_with_a_reason_and_goes_on_later(web, monkeypatch) -> None:
    here = web(a=site(honest_site(60)))
    real, written = os.write, [0]

    def full(descriptor: int, data) -> int:
        written[0] += len(data)
        if written[0] > 15_000:
            raise OSError(28, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr("periplus.pages.store.os.write", full)
    with pytest.raises(StorageError, match="No space left"):
        here.crawl("http://a.run.test/")
    monkeypatch.undo()
    before = len(here.server.paths("a.run.test"))
    report = here.crawl("http://a.run.test/")
    assert report.total_pages == 60
    assert len(list(here.store().entries())) == 60
    assert here.store().verify() == []
    assert len(here.server.paths("a.run.test")) <= before + 60
    assert len(here.log()) == 60


def test_a_worker_that_dies_costs_one_page(web) -> None:
    """X17: the process that parses is killed from outside; the crawl goes on."""
    here = web(a=site(honest_site(200)))
    killed = []

    def kill_once(progress) -> None:
        if progress.pages > 5 and not killed:
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            for child in map(int, children):
                if b"periplus.sandbox.process" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(child, signal.SIGKILL)
                    killed.append(child)
                    return

    report = here.crawl("http://a.run.test/", delay=0.002, progress=kill_once)
    assert killed
    assert report.total_pages + report.outcomes.get("ERR_PARSE", 0) >= 150
    assert report.outcomes.get("ERR_PARSE", 0) <= 1
    assert here.store().verify() == []


def test_ctrl_c_stops_in_order_and_the_same_command_goes_on(web) -> None:
    here = web(a=site(honest_site(100)))
    threading.Timer(0.8, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        here.crawl("http://a.run.test/", delay=0.02)
    assert time.monotonic() - started < 6
    assert here.store().verify() == []
    asked = len(here.server.paths("a.run.test"))
    assert 0 < asked < 100
    assert here.crawl("http://a.run.test/").total_pages == 100
    assert len(here.server.paths("a.run.test")) == 100  # what was under way was finished, and is not asked again


def test_no_socket_listens_while_crawling(web) -> None:
    here = web(a=site(honest_site(20)))
    listening = set()

    def look(progress) -> None:
        for name in ("tcp", "tcp6"):
            for line in Path(f"/proc/self/net/{name}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A":
                    inode = f"socket:[{fields[9]}]"
                    mine = {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _is_link(fd)}
                    if inode in mine:
                        listening.add(int(fields[1].rpartition(":")[2], 16))

    here.crawl("http://a.run.test/", progress=look)
    assert listening == {here.server.port, here.server.canary_port}


def _is_link(descriptor: str) -> bool:
    try:
        os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return False
    return True


def test_a_damaged_frontier_is_named_and_the_pages_are_kept(web) -> None:
    here = web(a=site(honest_site(5)))
    here.crawl("http://a.run.test/")
    path = Collection.open(here.folder).frontier_path
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(DamagedError, match=r"frontier\.sqlite.*Move it away"):
        here.crawl("http://a.run.test/")
    path.unlink()
    assert here.crawl("http://a.run.test/").total_pages == 5
    assert here.store().verify() == []
