"""`periplus audit`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cli.collection.test_page import run
from tests.library.audit.defects import ANSWERS, DEFECTS, LOG, SEEDS
from tests.webs.composed import composed

from periplus.library.audit.page import report


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(composed(tmp_path_factory.mktemp("audit") / "shop.web", ANSWERS, seeds=SEEDS, log=LOG).path)


def test_what_is_printed(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "audit", shop)
    assert (code, err) == (0, "")
    assert "24 findings" in out
    assert "Links that lead nowhere" in out
    assert "https://www.shop.example/gone answers 404 (Not Found)" in out
    assert "“our catalogue”" in out
    assert "Nothing found: pages that waste rank" in out
    assert out.index("Links that lead nowhere") < out.index("Pages that share a title")


def test_json_tables_and_the_page(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, folder = tmp_path / "audit.html", tmp_path / "deep" / "tables"
    code, out, _ = run(capsys, "audit", shop, "--html", str(page), "--csv", str(folder), "--json")
    found = json.loads(out)
    assert code == 0
    assert {one["name"]: len(one["findings"]) for one in found["sections"]} == {
        name: len(known) for name, known in DEFECTS.items()
    }
    assert {path.stem for path in folder.iterdir()} == {"audit", *DEFECTS}
    for name, known in DEFECTS.items():
        with (folder / f"{name}.csv").open() as table:
            assert {row["url"] for row in csv.DictReader(table)} == set(known)
    text = page.read_text()
    for known in DEFECTS.values():
        assert all(url in text for url in known)
    assert not [word for word in ("<script", "http-equiv", 'src="', "@import", "url(") if word in text]


def test_one_site(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "audit", shop, "--site", "BLOG.example", "--json")[1])
    assert found["site"] == "blog.example"
    assert sum(len(one["findings"]) for one in found["sections"]) == 1
    assert "that concern blog.example" in run(capsys, "audit", shop, "--site", "blog.example")[1]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--site", "nowhere.example"), 2, "No page of nowhere.example"),
        (("--clicks", "0"), 2, "clicks"),
        (("--html", "audit.pdf"), 2, "must end in .html"),
        (("--html", "no/where/audit.html"), 2, "no folder"),
    ],
)
def test_what_is_refused(
    shop: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, message: str
) -> None:
    ended, _, err = run(capsys, "audit", shop, *arguments)
    assert (ended, message in err, "Traceback" in err) == (code, True, False)


def test_a_folder_that_cannot_be_written(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("")
    code, _, err = run(capsys, "audit", shop, "--csv", str(tmp_path / "taken" / "below"))
    assert code in (2, 3, 5)
    assert "taken" in err


def test_nothing_from_the_web_becomes_markup(tmp_path: Path) -> None:
    from periplus.library.audit import Audit, Finding, Place, Section

    evil = '<img src=x onerror="alert(1)">'
    places = (Place('javascript:alert("1")', evil), Place('http://a.example/"><script>', evil))
    section = Section(
        "broken-links", "Links", "Why.", "Linked from", (Finding(f"http://a.example/{evil}", evil, places),)
    )
    text = report(Audit(evil, "", 1, 1, 4, (), (section,), (evil,)))
    assert "<img" not in text
    assert "<script" not in text
    assert 'href="javascript' not in text
