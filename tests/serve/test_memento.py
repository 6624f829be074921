"""The archive for other programs: CDX lines, timemaps, the nearest capture; stored pages from which nothing leaves."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from tests.serve.client import Client
from tests.serve.live import live_server
from tests.webs.composed import FETCHED, composed, html, link
from tests.webs.server import WebServer

from periplus.library import open_library
from periplus.pages.store import store_of
from periplus.serve.app import create_app
from periplus.serve.memento import SANDBOX
from periplus.web.page import Page

URL = "http://a.test/b?z=1&y=2"
HOSTILE = (
    "<script>document.title='ran'; fetch('http://leak.test/')</script><img src='http://leak.test/i.png'>"
    "<meta http-equiv=refresh content='0;url=http://leak.test/'><link rel=stylesheet href='http://leak.test/s.css'>"
    "<iframe src='http://leak.test/f'></iframe><p>old words</p>"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("memento") / "a.web"
    answers = {"http://a.test/": html(link(URL), title="start"), URL: html(HOSTILE, title="first")}
    collection = composed(folder, answers, built=False)
    with store_of(collection).writer("added") as writer:
        later = FETCHED + timedelta(days=30)
        writer.append(Page(URL, 200, {"content-type": "text/html"}, html("new words", title="second").encode(), later))
    from periplus.pipeline import build

    build(collection)
    return folder


@pytest.fixture(scope="module")
def client(built: Path) -> Client:
    return Client(create_app(open_library(built), rate=1e9, burst=1e9))


def test_cdx_lines_are_those_that_pywb_reads(client: Client) -> None:
    lines = client.get("/cdx", {"url": URL}).text.splitlines()
    assert len(lines) == 2
    key, stamp, told = lines[0].split(" ", 2)
    assert (key, len(stamp)) == ("test,a)/b?y=2&z=1", 14)
    assert json.loads(told)["url"] == URL
    assert len(client.get("/cdx", {"url": "http://a.test/", "matchType": "prefix"}).text.splitlines()) == 3
    assert len(client.get("/cdx", {"url": URL, "limit": "1"}).text.splitlines()) == 1
    assert len(client.get("/cdx", {"url": URL, "from": "20261201"}).text.splitlines()) == 1
    assert json.loads(client.get("/cdx", {"url": URL, "output": "json", "limit": "1"}).text)["urlkey"] == key
    assert client.get("/cdx", {"url": "no url"}).status == 400


def test_memento_finds_the_nearest_capture(client: Client) -> None:
    told = client.get("/timemap", {"url": URL}).text
    assert told.count('rel="memento"') == 2
    near = client.ask("GET", "/timegate?url=http%3A%2F%2Fa.test%2Fb%3Fz%3D1%26y%3D2",
                      headers={"accept-datetime": "Tue, 17 Nov 2026 00:00:00 GMT"})  # fmt: skip
    assert near.status == 302
    assert near.headers["vary"] == "accept-datetime"
    found = client.get(near.headers["location"])
    assert found.headers["memento-datetime"] == "Mon, 16 Nov 2026 05:52:59 GMT"
    assert 'rel="original"' in found.headers["link"]
    assert b"old words" in found.content
    newest = client.get(client.get("/timegate", {"url": URL}).headers["location"])
    assert b"new words" in newest.content
    assert client.get("/timemap", {"url": "http://a.test/never"}).status == 404
    assert client.get("/memento", {"url": URL, "at": "1"}).status == 404


def test_stored_pages_have_no_rights(client: Client) -> None:
    found = client.get("/memento", {"url": URL, "at": "20261116055259"})
    policies = [value for name, value in found.header_lines if name == "content-security-policy"]
    assert policies == [SANDBOX]
    assert found.headers["x-content-type-options"] == "nosniff"
    top = client.ask(
        "GET", "/memento?url=http%3A%2F%2Fa.test%2F&at=20261116055258", headers={"sec-fetch-dest": "document"}
    )
    assert top.headers["location"].startswith("/replay?")
    assert "<iframe" in client.get("/replay", {"url": URL}).text


def test_a_public_server_does_not_give_away_what_it_stored(built: Path) -> None:
    public = Client(create_app(open_library(built, public=True), rate=1e9, burst=1e9))
    for path in ("/cdx", "/timemap", "/timegate", "/memento", "/replay"):
        assert public.get(path, {"url": URL}).status == 404


@pytest.mark.browser
def test_nothing_leaves_the_frame_of_a_hostile_page(built: Path) -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with (
        WebServer({}) as elsewhere,
        live_server(open_library(built)) as port,
        playwright.sync_playwright() as play,
    ):
        away = f"--host-resolver-rules=MAP leak.test:80 127.0.0.1:{elsewhere.port}"
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu", away])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/replay?url=http%3A%2F%2Fa.test%2Fb%3Fz%3D1%26y%3D2&at=20261116055259")
        page.frame_locator("iframe.stored").get_by_text("old words").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.frames[1].title() == "first"  # its script did not run
        assert elsewhere.asked == []
        page.goto("http://leak.test/")  # it would have been seen
        assert elsewhere.asked
        browser.close()
