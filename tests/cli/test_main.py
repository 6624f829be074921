"""The entry point: help where nothing was asked, one line and an exit code where the command line is wrong."""

import json
from pathlib import Path

import pytest

from periplus.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.mark.parametrize("group", [(), ("graph",), ("rank",), ("model",)])
def test_a_group_alone_shows_its_help_in_lines(capsys: pytest.CaptureFixture[str], group: tuple[str, ...]) -> None:
    code, out, err = run(capsys, *group)
    assert code == 2
    assert out == ""
    assert "\nCommands:\n" in err


@pytest.mark.parametrize(
    ("arguments", "help_of"),
    [
        (("nonsense",), "periplus --help"),
        (("--nonsense",), "periplus --help"),
        (("info",), "periplus info --help"),
        (("graph", "nonsense"), "periplus graph --help"),
        (("graph", "top", "x", "--by", "sideways"), "periplus graph top --help"),
    ],
)
def test_a_wrong_command_line_ends_in_one_line_that_names_the_help(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], help_of: str
) -> None:
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 2
    assert err.count("\n") == 1
    assert f"`{help_of}`" in err
    assert json.loads(out)["error"] == "usage"


def test_a_file_that_ends_too_early_is_no_ctrl_c(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_past_the_end(path: object, **more: object) -> None:
        raise EOFError("no data left")

    monkeypatch.setattr("periplus.pipeline.graphs.open_graph", read_past_the_end)
    code, out, err = run(capsys, "rank", "pagerank", "web.txt", "--json")
    assert code == 3
    assert "a file ended too early: no data left" in err
    assert json.loads(out)["error"] == "input"


@pytest.mark.parametrize(
    "arguments", [("graph", "convert", "GRAPH", ""), ("model", "erdos-renyi", "--n", "5", "-o", "")], ids=lambda a: a[0]
)
def test_an_output_without_a_name_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)  # where it would be written
    graph = tmp_path / "web.tsv"
    graph.write_text("0\t1\n")
    code, _, err = run(capsys, *(str(graph) if word == "GRAPH" else word for word in arguments))
    assert code == 2
    assert "output = ''" in err
