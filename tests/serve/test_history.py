"""The portrait's history and its comparison, and two sites side by side, over a collection with several captures."""

from __future__ import annotations

import pytest
from tests.library.captures import MOON, TIDES, TIMES, library_in
from tests.serve.client import Client

from periplus.serve.app import create_app


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    library = library_in(tmp_path_factory.mktemp("served") / "tides.web")
    return Client(create_app(library, rate=1e9, burst=1e9))


def test_the_portrait_says_what_it_is_known_for_and_how_certain_its_ranks_are(client: Client) -> None:
    page = client.get("/page", {"url": TIDES}).text
    assert "Known for" in page
    assert "rank=reputation" in page
    assert "certified to" in page
    assert "exact" in page
    assert "3 captures</a>, the last with changes" in page


def test_changes_are_shown_and_escaped(client: Client) -> None:
    page = client.get("/page/history", {"url": TIDES}).text
    assert "<ins" in page
    assert "<del" in page
    assert "Dues: &lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "2 paragraphs came, 1 paragraph went" in page
    same = client.get("/page/history", {"url": TIDES, "from": TIMES[0], "to": TIMES[1]}).text
    assert "the text is the same" in same


def test_one_capture_leaves_nothing_to_compare(client: Client) -> None:
    assert "nothing to compare yet" in client.get("/page/history", {"url": MOON}).text


@pytest.mark.parametrize(
    ("asked", "status"),
    [({"url": "http://nowhere.example/"}, 404), ({"url": TIDES, "from": "<b>", "to": TIMES[0]}, 400), ({}, 404)],
)
def test_unknown_pages_and_times_are_said_in_a_sentence(client: Client, asked: dict[str, str], status: int) -> None:
    answer = client.get("/page/history", asked)
    assert answer.status == status
    assert "<b>" not in answer.text


def test_the_site_leads_to_its_links_with_another_and_to_its_audit(client: Client) -> None:
    page = client.get("/site/tide.example").text
    assert 'action="/site/tide.example/with"' in page
    assert "What is wrong with its pages" in page
    for typed in ("moon.example", " MOON.example ", MOON):
        answer = client.get("/site/tide.example/with", {"other": typed})
        assert (answer.status, answer.headers["location"]) == (303, "/site/tide.example/with/moon.example")
    assert client.get("/site/tide.example/with", {"other": "nowhere.example"}).status == 404
    assert "the name of a site" in client.get("/site/tide.example/with").text


def test_the_audit_stands_beside_the_site_once_it_was_made(client: Client) -> None:
    assert client.get("/audit.csv").status == 200
    page = client.get("/site/s1.example").text
    assert "What is wrong with its pages" not in page
    assert "Its audit" in page
