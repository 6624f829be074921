"""What programs read beside the JSON API: the feed of a query, its description, and the page about the API."""

from __future__ import annotations

from xml.etree import ElementTree as XML

import pytest
from tests.serve.client import Client
from tests.serve.conftest import FARM
from tests.serve.fake import FakeLibrary

OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


def test_a_query_is_a_feed(client: Client, library: FakeLibrary) -> None:
    answer = client.get("/search.rss", params={"q": "wind farm", "size": "5"}, host="localhost:8080")
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    channel = XML.fromstring(answer.content).find("channel")
    found = library.searcher.search("wind farm", size=5)
    assert channel is not None
    assert channel.findtext("link") == "http://localhost:8080/search?q=wind+farm"
    assert channel.findtext(f"{OPENSEARCH}totalResults") == str(found.total)
    assert [item.findtext("link") for item in channel.findall("item")] == [one.url for one in found.results]
    assert [item.findtext("title") for item in channel.findall("item")] == [one.title for one in found.results]
    assert channel.findtext("item/link") == FARM


def test_a_feed_of_hostile_pages_is_xml(client: Client) -> None:
    for query in ("evil", "hostile \x08", "hostile ]]><x>", "evil & hostile;"):
        answer = client.get("/search.rss", params={"q": query, "size": "100"})
        assert answer.status == 200, query
        assert all(one.tag not in ("script", "img", "x") for one in XML.fromstring(answer.content).iter())


@pytest.mark.parametrize("wrong", ["", "?q=wind&size=101", "?q=wind&rank=none", "?q=wind&offset=-1"])
def test_a_feed_that_cannot_be_says_why(client: Client, wrong: str) -> None:
    assert client.get("/search.rss" + wrong).status == 400


def test_the_description_leads_to_results(client: Client) -> None:
    root = XML.fromstring(client.get("/opensearch.xml").content)
    templates = {one.get("type"): one.get("template", "") for one in root.findall(f"{OPENSEARCH}Url")}
    assert set(templates) == {"text/html", "application/rss+xml", "application/x-suggestions+json"}
    for template in templates.values():
        assert template.startswith("http://127.0.0.1/")
        filled = template.replace("{searchTerms}", "wind").replace("{startIndex?}", "0").replace("{count?}", "9")
        assert client.get(filled.removeprefix("http://127.0.0.1")).status == 200


def test_the_page_about_the_api_names_every_address(client: Client) -> None:
    described = client.get("/api/openapi.json").json()
    text = client.get("/api").text
    for path, operations in described["paths"].items():
        assert f"<code>{path}</code>" in text
        for parameter in operations["get"].get("parameters", []):
            assert f"<code>{parameter['name']}</code>" in text
    assert "integer, 1 to 100" in text
    assert 'href="#Answer"' in text
    assert 'href="/api"' in client.get("/").text
