"""Of a page that stands at two addresses, the one that others link to is found, and the result says there are two."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.serve.client import Client

import periplus
from periplus.cli.main import app
from periplus.library import open_library
from periplus.serve.app import create_app

SITE = "http://otters.example/"
GUIDE = "<title>Otters</title>All that rivers know."


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A newer copy that nobody links to stands first in the order of URLs."""
    pages = [
        (SITE, "<title>River</title><a href='z-guide'>the otter guide</a>", datetime(2020, 1, 1, tzinfo=UTC)),
        (SITE + "a-copy", GUIDE, datetime(2021, 1, 1, tzinfo=UTC)),
        (SITE + "z-guide", GUIDE, datetime(2020, 1, 1, tzinfo=UTC)),
    ]
    periplus.add_pages(tmp_path / "otters.web", pages)
    periplus.build(tmp_path / "otters.web")
    return tmp_path / "otters.web"


def test_the_copy_that_others_link_to_is_found_with_what_they_call_it(target: Path) -> None:
    found, river = open_library(target).searcher.search("otter guide").results
    assert (found.url, river.url) == (SITE + "z-guide", SITE)
    assert found.duplicates == (SITE + "a-copy",)
    assert "“the otter guide”" in found.why


def test_every_surface_says_that_there_are_two_copies(target: Path) -> None:
    said = CliRunner().invoke(app, ["search", str(target), "otter guide"], catch_exceptions=False).stdout
    assert "2 copies." in said
    answer = CliRunner().invoke(app, ["search", str(target), "otter guide", "--json"], catch_exceptions=False).stdout
    assert json.loads(answer)["results"][0]["copies"] == [SITE + "z-guide", SITE + "a-copy"]
    assert "2 copies" in Client(create_app(open_library(target), rate=1e9, burst=1e9)).get("/search?q=otter+guide").text


def test_results_beyond_the_last_are_said_to_be_none(target: Path) -> None:
    said = (
        CliRunner().invoke(app, ["search", str(target), "otter guide", "--offset", "9"], catch_exceptions=False).stdout
    )
    assert "2 pages, none after the first 9" in said
