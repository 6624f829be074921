"""`periplus table`: the endings, the head that is printed, graphs alone, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cli.collection.test_page import coast, run  # noqa: F401 - a fixture

LINKS = "0\t1\n1\t2\n2\t0\n2\t3\n"


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.tsv"
    path.write_text(LINKS)
    return str(path)


@pytest.mark.parametrize("kind", ["pages", "links", "sites"])
@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".xlsx"])
def test_every_table_in_every_format(
    coast: str,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    ending: str,
) -> None:
    output = tmp_path / f"out{ending}"
    code, out, _ = run(capsys, "table", coast, kind, "-o", str(output), "--json")
    assert (code, json.loads(out)["table"]) == (0, kind)
    assert output.stat().st_size > 0


def test_the_csv_holds_every_page(coast: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    output = tmp_path / "pages.csv"
    assert run(capsys, "table", coast, "pages", "-o", str(output))[1].startswith("5 pages in")
    rows = {row["url"]: row for row in csv.DictReader(output.open())}
    assert rows["http://coast.example/light.html"]["title"] == "Lighthouse"
    assert len(rows) == 5


def test_the_head_is_printed(coast: str, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    _, out, _ = run(capsys, "table", coast, "pages", "--top", "2")
    assert "the first 2 of 5 rows" in out
    assert "more columns: " in out
    found = json.loads(run(capsys, "table", coast, "links", "--top", "1", "--json")[1])
    assert len(found["first"]) == 1
    assert list(found["first"][0]) == found["columns"]


def test_a_graph_file(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "table", small, "links", "--json")[1])
    assert [(one["source"], one["target"]) for one in found["first"]] == [(0, 1), (1, 2), (2, 0), (2, 3)]
    code, _, err = run(capsys, "table", small, "sites")
    assert (code, "has no URLs" in err) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("pages", "-o", "pages.html"), 2, ".csv"),
        (("pages", "-o", "pages"), 2, ".csv"),
        (("pages", "-o", "nowhere/pages.csv"), 2, "no folder nowhere"),
        (("words",), 2, "pages"),
        (("pages", "--top", "0"), 2, "top"),
    ],
)
def test_what_is_refused(
    small: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, message: str
) -> None:
    ended, _, err = run(capsys, "table", small, *arguments)
    assert ended == code
    assert message in err
    assert "Traceback" not in err


def test_a_file_that_cannot_be_written(small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken.csv").mkdir()
    code, _, err = run(capsys, "table", small, "pages", "-o", str(tmp_path / "taken.csv"))
    assert code in (2, 5)
    assert "taken.csv" in err


def test_a_collection_that_was_not_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from periplus.collection import Collection

    Collection.create(tmp_path / "empty.web")
    code, _, err = run(capsys, "table", str(tmp_path / "empty.web"), "pages")
    assert (code, "periplus build" in err) == (4, True)
