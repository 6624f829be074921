"""`periplus structure` as a person and as a program calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from periplus.cli.main import main
from periplus.cli.structure import structure

LINKS = "0 1\n1 2\n2 3\n2 0\n2 6\n4 5\n6 2\n6 7\n8 7\n8 9\n10 3\n11 0\n11 12\n12 3\n13 0\n14 6\n"


@pytest.fixture
def links(tmp_path: Path) -> str:
    path = tmp_path / "links.txt"
    path.write_text(LINKS)
    return str(path)


def test_table(links: str) -> None:
    result = CliRunner().invoke(structure, [links])
    assert result.exit_code == 0, result.output
    assert "core (SCC)" in result.output
    assert "4 (26.7 %)" in result.output
    assert result.output.rstrip().splitlines()[-1].startswith("Next: `periplus structure")


def test_json_is_one_object(links: str) -> None:
    result = CliRunner().invoke(structure, [links, "--json", "--fast", "--seed", "3"])
    found = json.loads(result.stdout)
    tie = found["bowtie"]
    assert [tie[name] for name in ("scc", "in", "out", "tendrils", "tubes", "disconnected")] == [4, 3, 2, 3, 1, 2]
    assert found["fast"] is True
    assert found["seed"] == 3


def test_html(links: str, tmp_path: Path) -> None:
    out = tmp_path / "shape.html"
    result = CliRunner().invoke(structure, [links, "--html", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_text().startswith("<!doctype html>")
    assert str(out) in result.output


def test_sampling(links: str) -> None:
    result = CliRunner().invoke(structure, [links, "--sample"])
    assert result.exit_code == 0, result.output
    assert "By random walks, 8,000 visits" in result.output
    found = json.loads(CliRunner().invoke(structure, [links, "--sample", "--json"]).stdout)["sampling"]
    assert found["links_a_page"]["low"] <= found["links_a_page"]["value"] <= found["links_a_page"]["high"]


def test_an_absent_target_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["structure", str(tmp_path / "nothing.txt")])
    assert stopped.value.code != 0
    captured = capsys.readouterr()
    assert captured.err.startswith("periplus: ")
    assert "nothing.txt" in captured.err
    assert len(captured.err.splitlines()) == 1
