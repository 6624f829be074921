"""`/related`, `/api/related` and the strip on the portrait."""

from __future__ import annotations

import csv
from io import StringIO
from urllib.parse import quote

import pytest
from tests.serve.client import Client
from tests.serve.conftest import FARM


def test_the_page_lists_pages_and_says_why(client: Client) -> None:
    page = client.get("/related", {"url": FARM})
    assert page.status == 200
    assert "Pages like" in page.text
    assert "around link to both, first" in page.text
    assert "/related?url=" in page.text
    assert "By this method no page is like it" in client.get("/related", {"url": FARM, "method": "cocitation"}).text


def test_json_is_that_of_the_command(client: Client) -> None:
    found = client.get("/api/related", {"url": FARM, "size": "3"}).json()
    assert set(found) == {"method", "of", "results", "notes"}
    assert found["method"] == "companion"
    assert [one["url"] for one in found["of"]] == [FARM]
    assert all(set(one) == {"id", "url", "score", "why"} for one in found["results"])
    assert 0 < len(found["results"]) <= 3


def test_the_table(client: Client) -> None:
    rows = list(csv.reader(StringIO(client.get("/related.csv", {"url": FARM}).text)))
    assert rows[0] == ["url", "score", "why"]


def test_the_portrait_has_a_strip_that_leads_on(client: Client) -> None:
    page = client.get("/page", {"url": FARM}).text
    assert "Pages like this one" in page
    assert f"/related?url={quote(FARM, safe='')}&amp;method=companion" in page


@pytest.mark.parametrize(
    ("parameters", "status", "slug"),
    [
        ({"url": "http://nowhere.example/"}, 404, "not-found"),
        ({"url": ""}, 404, "not-found"),
        ({"url": FARM, "method": "magic"}, 400, "parameter"),
        ({"url": FARM, "method": "x" * 5000}, 400, "parameter"),
    ],
)
def test_bad_requests_say_what_is_wrong(client: Client, parameters: dict, status: int, slug: str) -> None:
    assert client.get("/related", parameters).status == status
    told = client.get("/api/related", parameters)
    assert (told.status, told.json()["error"]) == (status, slug)
