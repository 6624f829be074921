"""The view of the structure, over a small web."""

from __future__ import annotations

import json
import time

import pytest
from tests.serve.client import Answer, Client
from tests.serve.fake import FakeLibrary, FakePage

from periplus.serve.app import create_app


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    urls = [f"http://s{k % 3}.example.org/{k}" for k in range(30)]
    pages = [
        FakePage(url, f"Page {k}", "text", links=[(urls[(k + 1) % 20], ""), (urls[k // 2], "")])
        for k, url in enumerate(urls)
    ]
    return Client(create_app(FakeLibrary(pages, tmp_path_factory.mktemp("web") / "index"), rate=1e9, burst=1e9))


def measured(client: Client) -> Answer:
    """The view once the study is there; until then it says that it is being made, and asks again."""
    for _ in range(120):
        answer = client.get("/structure")
        if answer.status == 200:
            return answer
        assert answer.status == 202
        assert answer.headers["refresh"]
        assert "Being measured" in answer.text
        time.sleep(0.5)
    raise AssertionError("the study did not end within a minute")


def test_the_view_shows_bow_tie_laws_and_distances(client: Client) -> None:
    answer = measured(client)
    for name in ("bowtie", "broder", "in_degree", "out_degree", "distances", "robustness", "parts"):
        assert f'<figure id="{name}"><div class="wide"><svg' in answer.text
    assert "27.7 %" in answer.text
    assert "style=" not in answer.text
    assert 'href="/structure" aria-current="page"' in answer.text


def test_every_picture_has_its_data(client: Client) -> None:
    measured(client)
    rows = client.get("/structure/bowtie.csv")
    assert rows.headers["content-type"].startswith("text/csv")
    assert rows.text.startswith("region,pages,broder_1999\n")
    assert client.get("/structure/nothing.csv").status == 404
    study = json.loads(client.get("/structure.json").text)
    assert study["nodes"] == 30
    assert sum(study["bowtie"][name] for name in ("scc", "in", "out", "tendrils", "tubes", "disconnected")) == 30


def test_the_stylesheet_of_the_pictures_is_our_own(client: Client) -> None:
    answer = client.get("/structure/charts.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert ".chart" in answer.text
    assert "url(" not in answer.text
