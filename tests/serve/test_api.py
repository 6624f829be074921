"""The JSON API: shapes, limits, description."""

from __future__ import annotations

import pytest
from tests.serve.client import Client
from tests.serve.conftest import FARM, HUB
from tests.serve.fake import FakeLibrary
from tests.serve.hostile import VECTORS

from periplus.library import neighbours
from periplus.serve.app import VIEWS, addresses


def test_search_has_the_shape_of_the_command(client: Client, library: FakeLibrary) -> None:
    answer = client.get("/api/search", params={"q": "wind farm", "size": 1}).json()
    printed = library.searcher.search("wind farm", size=1).as_json()
    assert {**answer, "ms": 0} == {**printed, "ms": 0}
    assert answer["results"][0]["url"] == FARM
    assert answer["results"][0]["rank"] == 1


def test_facets_where_they_are_asked_for(client: Client) -> None:
    assert "facets" not in client.get("/api/search", params={"q": "tides"}).json()
    answer = client.get("/api/search", params={"q": "tides", "facets": "true"}).json()
    assert set(answer["facets"]) == {"site", "language", "year", "type"}
    assert sum(one["count"] for one in answer["facets"]["type"]) == answer["total"]
    assert answer["facets"]["site"][0]["narrows"].startswith("site:")


def test_suggestions_have_the_shape_of_opensearch(client: Client) -> None:
    answer = client.get("/suggest", params={"q": "wind f"})
    assert answer.headers["content-type"].startswith("application/x-suggestions+json")
    typed, offered = answer.json()
    assert typed == "wind f"
    assert "Wind farm" in offered
    assert client.get("/suggest").json() == ["", []]


def test_search_explained(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "wind", "explain": "true"}).json()
    assert answer["results"][0]["explanation"][-1].startswith("Score: ")


@pytest.mark.parametrize(
    ("parameters", "slug"),
    [
        ({"q": "("*400}, "query"),
        ({"q": "x" * 600}, "query"),
        ({}, "parameter"),
        ({"q": "wind", "size": "1000000"}, "parameter"),
        ({"q": "wind", "size": "-1"}, "parameter"),
        ({"q": "wind", "size": "1e3"}, "parameter"),
        ({"q": "wind", "size": "NaN"}, "parameter"),
        ({"q": "wind", "offset": "1000000000"}, "parameter"),
        ({"q": "wind", "offset": "950", "size": "100"}, "parameter"),
        ({"q": "wind", "ranker": "magic"}, "parameter"),
    ],
)  # fmt: skip
def test_bad_requests(client: Client, parameters: dict[str, str], slug: str) -> None:
    answer = client.get("/api/search", params=parameters)
    assert answer.status == 400
    assert answer.json()["error"] == slug
    assert "\n" not in answer.json()["message"]
    assert set(answer.json()) == {"error", "message"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"q": "wind", "offset": "-1"}, "offset = -1 is not allowed: greater than or equal to 0"),
        ({"q": "wind", "size": "many"}, "size = many is not allowed: a valid integer"),
        ({}, "q is missing"),
    ],
)
def test_refusals_say_what_is_allowed(client: Client, parameters: dict[str, str], message: str) -> None:
    assert client.get("/api/search", params=parameters).json()["message"] == message


def test_page(client: Client) -> None:
    answer = client.get("/api/page", params={"url": FARM}).json()
    assert answer["title"] == "Wind farm"
    assert {"text": "wind farm", "links": 2, "sites": 2} in answer["known_as"]
    assert answer["in_links"]["total"] == len(answer["in_links"]["links"])
    assert {"url": HUB, "texts": ["wind farm"]} in answer["in_links"]["links"]
    assert [place["ranker"] for place in answer["ranks"]] == ["pagerank", "indegree"]
    assert answer["ranks"][0]["place"] == 1


def test_page_is_bounded_and_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MAX_NEIGHBOURS", 10)
    links = client.get("/api/page", params={"url": FARM}).json()["in_links"]
    assert len(links["links"]) == 10
    assert links["truncated"] is True
    assert links["total"] > 10
    assert "Gathered from the first 10 links" in client.get("/page", params={"url": FARM}).text


def test_page_that_is_not_here(client: Client) -> None:
    answer = client.get("/api/page", params={"url": "http://not.here/"})
    assert answer.status == 404
    assert answer.json()["error"] == "not-found"
    assert client.get("/api/nothing").json()["error"] == "not-found"


def test_info_and_health(client: Client, library: FakeLibrary) -> None:
    answer = client.get("/api/info").json()
    assert answer["name"] == "A small web"
    assert answer["counts"]["pages"] == library.graph.nodes
    assert answer["rankers"] == ["pagerank", "indegree", "text", "date"]
    assert client.get("/health").json() == {"status": "ok"}


def test_the_description_names_every_answer(client: Client) -> None:
    described = client.get("/api/openapi.json").json()
    answers = {path for view in VIEWS for path, _ in addresses(view) if path.startswith("/api/")}
    assert set(described["paths"]) == answers
    assert answers >= {"/api/search", "/api/page", "/api/info", "/api/structure", "/api/algorithms", "/api/related"}
    for operations in described["paths"].values():
        assert set(operations) == {"get"}
        assert "Problem" in str(operations["get"]["responses"]["4XX"])
        assert "422" not in operations["get"]["responses"]


@pytest.mark.parametrize("number", range(len(VECTORS)))
def test_hostile_text_is_escaped_in_snippets(client: Client, number: int) -> None:
    answer = client.get("/api/search", params={"q": f"evil site:h{number}.example.com"})
    assert answer.headers["content-type"] == "application/json"
    for result in answer.json()["results"]:
        bare = result["snippet"].replace("<mark>", "").replace("</mark>", "")
        assert "<" not in bare
        assert '"' not in bare
