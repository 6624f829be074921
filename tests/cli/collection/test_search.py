"""`periplus search`: one object for programs, a page for people, one line for mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.serve.fake import FakeLibrary, FakePage

from periplus import library as home
from periplus.cli.collection.search import printable
from periplus.cli.main import main
from periplus.collection import Collection

PAGES = [
    FakePage(
        "http://a.org/",
        "Wind farm",
        "A wind farm \x1b[31mturns\x07 wind into power.",
        links=[("http://b.org/", "here")],
    ),
    FakePage("http://b.org/", "Coal \x1b]0;evil\x07 mine", "Coal, not wind.", links=[("http://a.org/", "wind farm")]),
]


@pytest.fixture
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    made = Collection.create(tmp_path / "my.web")
    library = FakeLibrary(PAGES, tmp_path / "index")
    monkeypatch.setattr(home, "open_searcher", lambda opened: library.searcher, raising=False)
    return str(made.path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["search", *arguments])
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_json_is_one_object_of_the_agreed_shape(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, collection, "wind farm", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert {"query", "total", "ms", "results"} <= set(found)
    assert found["query"] == "wind farm"
    assert set(found["results"][0]) == {"rank", "url", "title", "score", "snippet", "why"}
    assert found["results"][0]["url"] == "http://a.org/"


def test_people_get_titles_reasons_and_the_next_command(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, collection, "wind", "farm")
    assert code == 0
    assert "1. Wind farm\nhttp://a.org/" in out
    assert "Your words are its title" in out
    assert out.splitlines()[-1].startswith("2 pages in")
    assert "Without farm." in out
    assert f"Next: periplus serve {collection}" in out
    assert "--size 1 --offset 1" in run(capsys, collection, "wind", "--size", "1")[1]


def test_facets_are_counted_below_the_results(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, collection, "wind", "--facets", "--all")
    assert code == 0
    assert "type: html " in out
    assert "facets" in json.loads(run(capsys, collection, "wind", "--facets", "--json")[1])


def test_explained(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Score: " in run(capsys, collection, "wind", "--explain")[1]
    explained = json.loads(run(capsys, collection, "wind", "--explain", "--json")[1])
    assert explained["results"][0]["explanation"][-1].startswith("Score: ")


def test_text_from_the_web_cannot_drive_the_terminal(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, collection, "wind OR coal")[1]
    assert "\x1b" not in out
    assert "\x07" not in out
    assert printable("a\x1b[31mb\u202ec") == "a\ufffd[31mb\ufffdc"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("!!!", "nothing to look for"),
        ("(" * 10_000, "nothing to look for"),
    ],
    ids=["punctuation", "parentheses"],
)
def test_bad_queries_are_one_line_and_exit_code_two(
    collection: str, capsys: pytest.CaptureFixture[str], query: str, message: str
) -> None:
    code, out, err = run(capsys, collection, query)
    assert (code, out) == (2, "")
    assert err.startswith("periplus: ")
    assert err.count("\n") == 1
    assert message in err
    code, out, _ = run(capsys, collection, query, "--json")
    assert (code, json.loads(out)["error"]) == (2, "query")


@pytest.mark.parametrize("options", [["--size", "0"], ["--size", "1001"], ["--offset", "-1"], ["--ranker", "magic"]])
def test_bad_options_are_usage_errors(collection: str, capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    code, _, err = run(capsys, collection, "wind", *options)
    assert code == 2
    assert options[0].strip("-") in err


def test_a_folder_that_is_no_collection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, str(tmp_path), "wind")
    assert code == 4
    assert str(tmp_path) in err


def test_a_collection_without_an_index_says_which_command_makes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Collection.create(tmp_path / "my.web")
    code, _, err = run(capsys, str(tmp_path / "my.web"), "wind")
    assert code == 4
    assert "periplus build" in err


def test_a_word_with_a_minus_is_excluded_and_a_misspelt_option_refused(
    collection: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, collection, "wind", "-coal", "--json")
    assert code == 0
    assert [found["url"] for found in json.loads(out)["results"]] == ["http://a.org/"]
    code, _, err = run(capsys, collection, "wind", "--siez", "5")
    assert code == 2
    assert "--siez" in err
