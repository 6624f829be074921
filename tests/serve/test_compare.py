"""/compare and the menu of rankings, as web pages and as data."""

from __future__ import annotations

import re

import pytest
from tests.serve.client import Client
from tests.serve.hostile import VECTORS

from periplus.focus import QUERY_RANKERS


def test_the_menu_offers_every_ranking_and_marks_the_one_chosen(client: Client) -> None:
    page = client.get("/search?q=wind&rank=hits").text
    for row in QUERY_RANKERS.values():
        assert re.search(rf'<a href="/search\?q=wind[^"]*"[^>]*>{row.title}</a>', page), row.name
    assert 'aria-current="true">Authorities</a>' in page
    assert "Hubs beside them" in page
    assert 'href="/compare?q=wind&amp;a=blended&amp;b=hits"' in page


@pytest.mark.parametrize("rank", list(QUERY_RANKERS))
def test_the_choice_stays_on_the_next_page_and_in_the_branches(client: Client, rank: str) -> None:
    page = client.get("/search", {"q": "paper OR wind OR evil", "rank": rank, "all": "true"}).text
    after = re.search(r'rel="next" href="([^"]*)"', page)
    assert after is not None
    assert (f"rank={rank}" in after[1]) == (rank != "blended")


def test_columns_with_lines_and_sentences(client: Client) -> None:
    page = client.get("/compare?q=wind&a=text&b=blended&c=salsa").text
    assert page.count('<svg class="strands"') == 2
    assert page.count('<section class="way"') == 3
    assert "Words alone and SALSA" in page
    assert "of the first" in page
    assert "Links play no part." in page
    assert '<option value="salsa" selected>' in page
    assert "style=" not in page


def test_as_data_and_as_a_table(client: Client) -> None:
    told = client.get("/api/compare?q=wind&a=text&b=hits&size=2").json()
    assert [len(column["pages"]) for column in told["columns"]] == [2, 2]
    table = client.get("/compare.csv?q=wind&a=text&b=hits").text.splitlines()
    assert table[0] == "rank,place,url,title"
    assert {line.partition(",")[0] for line in table[1:]} == {"text", "hits"}


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/compare?q=wind&a=text&b=text", 400, "two or three different ones"),
        ("/compare?q=wind&a=magic", 400, "magic"),
        ("/compare?q=wind&a=&b=&c=", 400, "two or three different ones"),
        ("/compare?q=%3F%3F", 400, "Nothing to look for"),
        ("/compare?q=xylophone", 200, "nothing to rank"),
        ("/search?q=wind&rank=magic", 400, "magic"),
        ("/search?q=wind&rank=hits&offset=999999999", 400, "narrow the query"),
        ("/api/compare?q=wind&size=1000000", 400, "less than or equal to 100"),
        ("/compare.csv?q=", 400, "Nothing to look for"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(client: Client, address: str, status: int, says: str) -> None:
    answer = client.get(address)
    assert answer.status == status
    assert says in answer.text


def test_an_empty_query_leads_to_the_beginning(client: Client) -> None:
    assert client.get("/compare?q=+").status == 303


@pytest.mark.parametrize("vector", VECTORS[:12])
def test_hostile_titles_and_queries_are_escaped(client: Client, vector: str) -> None:
    for address in ("/compare", "/search"):
        page = client.get(address, {"q": f"evil {vector}", "a": "text", "b": "hits", "rank": "hits"}).text
        assert vector not in page or "<" not in vector
