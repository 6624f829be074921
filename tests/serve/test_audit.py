"""`/audit` over a web with known defects."""

from __future__ import annotations

import csv
import re
import time
from urllib.parse import quote

import pytest
from tests.library.audit.defects import ANSWERS, BLOG, DEFECTS, LOG, SEEDS, SHOP
from tests.serve.client import Answer, Client
from tests.serve.test_pages import check_markup
from tests.webs.composed import composed

from periplus.library import open_library
from periplus.serve.app import create_app


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    collection = composed(tmp_path_factory.mktemp("audit") / "shop.web", ANSWERS, seeds=SEEDS, log=LOG)
    return Client(create_app(open_library(collection.path), rate=1e9, burst=1e9))


def asked(client: Client, address: str) -> Answer:
    """The page once the audit is there."""
    for _ in range(600):
        answer = client.get(address)
        if answer.status != 202:
            return answer
        assert answer.headers["refresh"]
        time.sleep(0.1)
    raise AssertionError("the audit does not end")


def test_every_finding_stands_there_and_leads_to_its_page(client: Client) -> None:
    page = asked(client, "/audit")
    text = check_markup(page.text).text
    assert page.status == 200
    for known in DEFECTS.values():
        for url, (says, places) in known.items():
            assert url in text
            assert says in text
            assert all(place in text for place, _ in places)
    assert f'href="/page?url={quote(f"{SHOP}/blue", safe="")}"' in page.text
    assert f'href="{SHOP}/gone"' in page.text
    assert 'href="/audit/broken-links.csv"' in page.text


def test_one_site(client: Client) -> None:
    page = asked(client, "/audit?site=blog.example")
    text = check_markup(page.text).text
    assert "One thing is wrong with what concerns blog.example" in text
    assert f"{BLOG}/paint" in text
    assert 'href="/audit/broken-links.csv?site=blog.example"' in page.text


def test_a_check_has_all_its_findings_on_a_page_of_its_own(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The overview shows the first few; the page of the check shows all, in parts."""
    monkeypatch.setattr("periplus.library.audit.page.FEW", 1)
    monkeypatch.setattr("periplus.serve.audit.A_PAGE", 1)
    known = DEFECTS["broken-links"]
    assert len(known) > 1
    overview = asked(client, "/audit").text
    assert f'<a href="/audit/broken-links">All {len(known)}</a>' in overview
    shown = [client.get(f"/audit/broken-links?offset={at}") for at in range(len(known))]
    firsts = [re.findall(r'class="audit-finding"><p><bdi><a href="([^"]+)"', page.text) for page in shown]
    assert sorted(url for first in firsts for url in first) == sorted(known)
    assert {len(first) for first in firsts} == {1}
    assert f"1–1 of {len(known)}" in check_markup(shown[0].text).text
    beyond = client.get("/audit/broken-links?offset=900").text
    assert f"There are no more: {len(known)} in all" in beyond
    assert f'rel="prev" href="/audit/broken-links?offset={len(known) - 1}"' in beyond
    assert client.get("/audit/no-such-check").status == 404


def test_tables_json_and_report(client: Client) -> None:
    counts = {row["check"]: int(row["findings"]) for row in csv.DictReader(client.get("/audit.csv").text.splitlines())}
    assert counts == {name: len(known) for name, known in DEFECTS.items()}
    rows = csv.DictReader(client.get("/audit/broken-links.csv").text.splitlines())
    assert {row["url"] for row in rows} == set(DEFECTS["broken-links"])
    assert len(client.get("/audit.json").json()["sections"]) == len(DEFECTS)
    report = client.get("/audit/report.html")
    assert report.headers["content-disposition"] == 'attachment; filename="audit.html"'
    assert "Audit of shop" in report.text
    assert client.get("/audit/audit.css").headers["content-type"].startswith("text/css")
