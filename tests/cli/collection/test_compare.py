"""`periplus compare` and `periplus search --rank`: tables for people, one object for programs, mistakes in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.collection.test_search import PAGES
from tests.serve.fake import FakeLibrary

from periplus import library as home
from periplus.cli.main import main
from periplus.collection import Collection


@pytest.fixture
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    made = Collection.create(tmp_path / "my.web")
    library = FakeLibrary(PAGES, tmp_path / "index")
    monkeypatch.setattr(home, "open_searcher", lambda opened: library.searcher, raising=False)
    monkeypatch.setattr(home, "open_library", lambda path: library, raising=False)
    return str(made.path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_tables_and_sentences(collection: str, capsys) -> None:
    code, out, _ = run(capsys, "compare", collection, "wind")
    assert code == 0
    assert "Words and links and Authorities" in out
    assert "a wind farm"[2:] in out.lower()
    assert "\x1b" not in out


def test_one_object(collection: str, capsys) -> None:
    code, out, _ = run(capsys, "compare", collection, "wind", "--rank", "text", "--rank", "markov", "--json")
    assert code == 0
    assert [column["rank"] for column in json.loads(out)["columns"]] == ["text", "markov"]


@pytest.mark.parametrize("options", [["--rank", "text"], ["--rank", "magic"], ["--top", "0"], ["--magic"], []])
def test_mistakes_end_in_one_line(collection: str, capsys, options: list[str]) -> None:
    words = ["wind"] if options else []
    code, out, err = run(capsys, "compare", collection, *words, *options)
    assert code == 2
    assert not out
    assert len(err.strip().splitlines()) == 1


def test_search_by_a_ranking_of_the_query(collection: str, capsys) -> None:
    code, out, _ = run(capsys, "search", collection, "wind", "--rank", "hits", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["rank"] == "hits"
    assert told["hubs"]
    _, out, _ = run(capsys, "search", collection, "wind", "--rank", "hits", "--size", "1")
    assert "Hubs beside them" in out
    assert "--rank hits --size 1 --offset 1" in out
