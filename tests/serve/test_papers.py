"""`/papers`: the results shipped with the package, paper by paper, without working anything out."""

from __future__ import annotations

import pytest
from tests.serve.client import Client

from periplus.reproduce.claim import PAPERS
from periplus.reproduce.kept import by_paper, stored


def test_the_first_page_counts_and_leads_to_each_paper(client: Client) -> None:
    answer = client.get("/papers")
    assert answer.status == 200
    assert f"Of {len(stored().results)} claims" in answer.text.replace("\N{NO-BREAK SPACE}", " ")
    for paper in PAPERS:
        assert f'href="/papers/{paper}"' in answer.text


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_holds_its_claims_and_their_pictures(client: Client, paper: str) -> None:
    answer = client.get(f"/papers/{paper}")
    assert answer.status == 200
    rows = by_paper(stored().results)[paper]
    assert all(f'id="{one.id}"' in answer.text for one in rows)
    assert answer.text.count('class="claim"') == len(rows)
    assert "style=" not in answer.text.split("<main", 1)[1]  # the content policy forbids inline styles


def test_other_papers_are_not_found(client: Client) -> None:
    answer = client.get("/papers/kleinberg")
    assert answer.status == 404
    assert "fogaras" in answer.text


def test_results_as_json(client: Client) -> None:
    assert client.get("/papers.json").text.count('"verdict"') > len(stored().results)
