"""What the command, the report, the docs and the file of results make of claims."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from periplus import reproduce
from periplus.cli.main import app
from periplus.cli.reference import write
from periplus.errors import InputError, ParameterError
from periplus.reproduce.claim import Result
from periplus.reproduce.data import Data
from periplus.reproduce.docs import markdown
from periplus.reproduce.kept import read_text, stored
from periplus.reproduce.report import html_report
from periplus.reproduce.table import chosen, claims, run

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "reproduced.md"
ONE = "fogaras.figure-3"


def test_the_page_of_the_docs_is_written_from_the_results(tmp_path: Path) -> None:
    page = tmp_path / "reproduced.md"
    page.write_text("")
    write(page)
    assert page.read_text() == DOCS.read_text() == markdown(stored())


def test_the_report_stands_alone_and_holds_every_claim() -> None:
    page = html_report(stored())
    assert re.findall(r'(?:src|href)="(?!#|data:)', page) == []
    assert " style=" not in page
    for one in stored().results:
        assert f'id="{one.id}"' in page
    assert page.count("<svg") == 2 * sum(len(one.pictures) for one in stored().results)


def test_without_data_a_claim_says_so_and_does_not_fail(tmp_path: Path) -> None:
    for data in (Data(), Data(tmp_path)):
        found = run("fogaras.out-degree", data=data)
        assert found.verdict == "needs data"
        assert "cnr-2000" in found.why
        assert "PERIPLUS_DATA" in found.why


def test_claims_are_chosen_by_id_by_paper_and_all() -> None:
    assert [row.id for row in chosen([ONE])] == [ONE]
    assert {row.paper for row in chosen(["fogaras"])} == {"fogaras"}
    assert len(chosen(["all", ONE])) == len(claims())
    with pytest.raises(ParameterError, match=r"fogaras\.figure-3"):
        chosen(["fogaras.figure3"])


@pytest.mark.parametrize("scale", [0, 0.001, 1e9, float("nan")])
def test_a_scale_out_of_range_is_refused(scale: float) -> None:
    with pytest.raises(ParameterError, match="scale"):
        run(ONE, scale=scale)


def test_the_command_prints_saves_and_draws(tmp_path: Path) -> None:
    kept, page = tmp_path / "results.json", tmp_path / "report.html"
    asked = ["reproduce", ONE, "--save", str(kept), "--html", str(page)]
    told = CliRunner().invoke(app, asked)
    assert told.exit_code == 0, told.output
    assert "reproduced" in told.output
    assert "<svg" in page.read_text()
    CliRunner().invoke(app, ["reproduce", "fogaras.cosine", "--save", str(kept)])
    assert [one.id for one in read_text(kept.read_text(), "x").results] == [ONE, "fogaras.cosine"]
    answer = json.loads(CliRunner().invoke(app, ["reproduce", ONE, "--json"]).output)
    assert answer["results"][0]["verdict"] == "reproduced"


def test_what_the_package_offers_is_no_module_of_its_name() -> None:
    """A module called as a function is would take its place once it is loaded."""
    assert not {path.stem for path in Path(reproduce.__file__).parent.glob("*.py")} & set(reproduce.__all__)


def test_ctrl_c_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(ONE)

    def stopped(*_: object, **__: object) -> Iterator[Result]:
        yield first
        raise KeyboardInterrupt

    monkeypatch.setattr("periplus.reproduce.table.run_all", stopped)
    kept = tmp_path / "results.json"
    told = CliRunner().invoke(app, ["reproduce", "fogaras", "--save", str(kept)])
    assert told.exit_code == 130
    assert "stopped when 1 of" in told.output
    assert str(kept) in told.output
    assert [one.id for one in read_text(kept.read_text(), "x").results] == [ONE]


def test_without_ids_the_claims_are_listed_and_nothing_is_worked_out() -> None:
    told = CliRunner().invoke(app, ["reproduce"])
    assert told.exit_code == 0
    assert all(id in told.output for id in claims())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"made": "", "version": "", "results": [{"id": 1}]}'])
def test_a_file_that_holds_no_results_is_refused_by_name(text: str) -> None:
    with pytest.raises(InputError, match=r"mine\.json"):
        read_text(text, "mine.json")
