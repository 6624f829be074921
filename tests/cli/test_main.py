"""The entry point: help where nothing was asked, one line and an exit code where the command line is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from periplus.cli.main import COMMANDS, main


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


def completed(*words: str, shell: str = "bash") -> str:
    """What the shell's tab key is told after these words."""
    asked = {
        "_PERIPLUS_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    program = [sys.executable, "-m", "periplus"]
    return subprocess.run(program, env={**os.environ, **asked}, capture_output=True, text=True, check=True).stdout


def test_the_tab_key_completes_commands_and_options() -> None:
    assert completed("periplus", "ra").split() == ["plain,rank"]
    assert {line.partition(",")[2] for line in completed("periplus", "").splitlines()} >= set(COMMANDS)
    assert "plain,--damping" in completed("periplus", "rank", "pagerank", "--da").split()
    assert "plain,pagerank" in completed("periplus", "rank", "pa").split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_that_the_docs_give_for_a_shell(shell: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    assert f"_PERIPLUS_COMPLETE={shell}_source periplus" in page
    environment = {**os.environ, "_PERIPLUS_COMPLETE": f"{shell}_source"}
    program = [sys.executable, "-m", "periplus"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert f"_PERIPLUS_COMPLETE={shell}_complete" in done.stdout, done.stderr
