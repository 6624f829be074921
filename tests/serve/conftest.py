"""One small web and the application over it, shared by the tests of the pages."""

from __future__ import annotations

import pytest
from tests.serve.client import Client
from tests.serve.fake import FakeLibrary, FakePage
from tests.serve.hostile import VECTORS

from periplus.serve.app import create_app

HUB = "http://wind.example.org/"
FARM = "http://wind.example.org/farm.html"
DIARY = "http://diary.example.net/day"


def web() -> list[FakePage]:
    """A hub, a much linked page, a diary, a page a vector of the hostile list, and twenty of one site."""
    pages = [
        FakePage(
            HUB, "All about wind", "Pages about wind, turbines and farms.", links=[(FARM, "wind farm"), (DIARY, "")]
        ),
        FakePage(FARM, "Wind farm", "A wind farm turns wind into power.\nSecond line. " * 200, "Wind farm"),
        FakePage(DIARY, "My day", "I saw a farm.", links=[(FARM, "a farm I saw"), (FARM, "wind farm")]),
    ]
    hostile = [f"http://h{number}.example.com/hostile" for number in range(len(VECTORS))]
    for number, (url, vector) in enumerate(zip(hostile, VECTORS, strict=True)):
        links = [(FARM, vector), (hostile[(number + 1) % len(VECTORS)], vector)]
        pages.append(FakePage(url, f"hostile {vector}", f"evil {vector}", vector, links))
    for number in range(25):
        url = f"http://many.example.edu/{number}"
        pages.append(FakePage(url, f"Paper {number}", "A paper on tides.", links=[(FARM, "")]))
    return pages


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> FakeLibrary:
    return FakeLibrary(web(), tmp_path_factory.mktemp("web") / "index")


@pytest.fixture(scope="session")
def client(library: FakeLibrary) -> Client:
    return Client(create_app(library, rate=1e9, burst=1e9))
