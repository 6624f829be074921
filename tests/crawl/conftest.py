"""What the tests of the crawler share."""

from __future__ import annotations

import pytest
from tests.webs.crawled import Web

from periplus.crawl.frontier.store import Frontier


@pytest.fixture
def web(tmp_path):
    made = []

    def make(**sites) -> Web:
        web = Web(tmp_path, sites)
        web.server.__enter__()
        made.append(web)
        return web

    yield make
    for web in made:
        web.server.__exit__()


@pytest.fixture
def frontier(tmp_path):
    made = Frontier(tmp_path / "frontier.sqlite")
    yield made
    made.close()
