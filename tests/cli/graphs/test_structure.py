"""`periplus structure` as a person and as a program calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from periplus.cli.graphs.structure import structure
from periplus.cli.main import main

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
    assert "pages without links, by walks" in result.output
    assert "Shares of all 15 pages" in result.output
    found = json.loads(CliRunner().invoke(structure, [links, "--sample", "--json"]).stdout)["sampling"]
    assert found["links_a_page"]["low"] <= found["links_a_page"]["value"] <= found["links_a_page"]["high"]


def test_the_sample_is_in_the_page_too(links: str, tmp_path: Path) -> None:
    out = tmp_path / "shape.html"
    assert CliRunner().invoke(structure, [links, "--sample", "--html", str(out)]).exit_code == 0
    assert "Shares of all 15 pages" in out.read_text()
    assert "pages without links, by walks" in out.read_text()


def test_given_groups(tmp_path: Path) -> None:
    ring = tmp_path / "ring.txt"
    ring.write_text("".join(f"{k} {(k + 1) % 40}\n" for k in range(40)))
    groups = tmp_path / "groups.tsv"
    groups.write_text("# page\tgroup\n" + "".join(f"{k}\t{'low' if k < 15 else 'high'}\n" for k in range(30)) + "\n")
    found = json.loads(CliRunner().invoke(structure, [str(ring), "--groups", str(groups), "--json"]).stdout)
    similar = found["self_similarity"]
    assert similar["by"] == "given group"
    assert [(part["name"], part["pages"], part["links"]) for part in similar["parts"]] == [
        ("low", 15, 14),
        ("high", 15, 14),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0\ta\nnonsense\n", "line 2: not a page, a tab and a name"),
        ("0\t\n", "line 1: not a page"),
        ("0\ta\n\n99\tb\n", "line 3: '99' is no page"),
        ("0\ta\n0\tb\n", "line 2: page 0 was put into another group before"),
    ],
)
def test_bad_groups_are_told_with_their_line(
    links: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, problem: str
) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text(text)
    with pytest.raises(SystemExit) as stopped:
        main(["structure", links, "--groups", str(groups)])
    assert stopped.value.code == 3
    assert problem in capsys.readouterr().err


def test_lenient_passes_over_bad_lines_and_the_next_command_can_be_copied(tmp_path: Path) -> None:
    path = tmp_path / "two words.txt"
    path.write_text(LINKS + "no link here\n")
    assert CliRunner().invoke(structure, [str(path)]).exit_code != 0
    result = CliRunner().invoke(structure, [str(path), "--lenient"])
    assert result.exit_code == 0, result.output
    assert f"Next: `periplus structure '{path}' --html shape.html`" in result.output


def test_an_absent_target_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["structure", str(tmp_path / "nothing.txt")])
    assert stopped.value.code != 0
    captured = capsys.readouterr()
    assert captured.err.startswith("periplus: ")
    assert "nothing.txt" in captured.err
    assert len(captured.err.splitlines()) == 1


def test_every_picture_as_a_file_of_its_own_with_its_data(links: str, tmp_path: Path) -> None:
    folder = tmp_path / "figs"
    done = CliRunner().invoke(structure, [links, "--fast", "--figures", str(folder), "--figures-as", "svg"])
    assert done.exit_code == 0, done.output
    pictures = sorted(path.stem for path in folder.glob("*.svg"))
    assert {"bowtie", "broder", "in_degree", "distances"} <= set(pictures)
    assert pictures == sorted(path.stem for path in folder.glob("*.csv"))
    assert "@media" in (folder / "bowtie.svg").read_text()  # no width: for a page, with its themes
    pytest.importorskip("typst")
    again = CliRunner().invoke(structure, [links, "--fast", "--figures", str(folder), "--width-mm", "85"])
    assert again.exit_code == 0, again.output
    assert (folder / "bowtie.pdf").read_bytes().startswith(b"%PDF-")
    assert "85 mm wide, letters of 8 points in Libertinus Serif" in again.output
