"""The study of a collection is made once, kept with the regions, and shown by every server after."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.serve.client import Client

from periplus.cli.graphs.structure import structure
from periplus.collection import Collection
from periplus.library import open_library, verify
from periplus.pipeline import add, build
from periplus.pipeline.stages.structure import complete_study, load_study
from periplus.serve.app import create_app


def written(folder: Path, pages: int) -> Path:
    """A folder of pages on a ring with shortcuts."""
    folder.mkdir(exist_ok=True)
    for k in range(pages):
        links = "".join(f'<a href="{there}.html">page {there}</a>' for there in ((k + 1) % pages, k // 2))
        (folder / f"{k}.html").write_text(f"<!doctype html><title>Page {k}</title><p>number {k}</p>{links}")
    return folder


@pytest.fixture
def web(tmp_path: Path) -> Collection:
    add(tmp_path / "c.web", [written(tmp_path / "html", 12)], base="http://a.example/")
    build(Collection.open(tmp_path / "c.web"))
    return Collection.open(tmp_path / "c.web")


def served(web: Collection) -> Client:
    return Client(create_app(open_library(web.path), rate=1e9, burst=1e9))


def test_the_study_is_kept_and_shown_by_the_next_server(web: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = open_library(web.path).graph.digest
    assert load_study(web, digest) is None
    made = json.loads(served(web).get("/api/structure").text)
    assert made["nodes"] == 12
    assert load_study(web, digest) == made
    assert verify(web).problems == ()

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr("periplus.structure.studies.study.study", refuse)
    again = served(web)
    assert json.loads(again.get("/api/structure").text) == made
    assert again.get("/structure").status == 200


def test_the_command_line_keeps_its_study_too(web: Collection) -> None:
    digest = open_library(web.path).graph.digest
    assert CliRunner().invoke(structure, [str(web.path), "--by", "host", "--fast"]).exit_code == 0
    assert load_study(web, digest) is None  # parts chosen by hand are one person's question
    made = json.loads(CliRunner().invoke(structure, [str(web.path), "--json"]).stdout)
    assert load_study(web, digest) == made
    assert json.loads(served(web).get("/api/structure").text) == made
    for other in (["--fast"], ["--seed", "7"]):
        assert CliRunner().invoke(structure, [str(web.path), *other]).exit_code == 0
        assert load_study(web, digest) == made
    fast = {**made, "fast": True}
    complete_study(fast, web, open_library(web.path).graph)
    assert load_study(web, digest) == made
    assert verify(web).problems == ()


def test_a_study_of_another_graph_or_a_damaged_one_is_not_shown(web: Collection) -> None:
    digest = open_library(web.path).graph.digest
    web.keep("structure", {"study.json": b'{"graph_digest": "other"}'})
    assert load_study(web, digest) is None
    web.keep("structure", {"study.json": b"{ not json"})
    assert load_study(web, digest) is None
    made = json.loads(served(web).get("/api/structure").text)
    assert made["graph_digest"] == digest


def test_a_new_build_throws_the_study_away(web: Collection, tmp_path: Path) -> None:
    served(web).get("/api/structure")
    add(web.path, [written(tmp_path / "html", 15)], base="http://a.example/")
    build(web)
    assert load_study(web, open_library(web.path).graph.digest) is None
    assert json.loads(served(web).get("/api/structure").text)["nodes"] == 15


def test_a_collection_that_is_being_written_is_shown_all_the_same(web: Collection) -> None:
    with web.writing():
        client = served(web)
        for _ in range(120):
            if (answer := client.get("/structure")).status == 200:
                break
            time.sleep(0.25)
        assert answer.status == 200
    assert load_study(web, open_library(web.path).graph.digest) is None
