"""`periplus communities`: every row of the table is a command, and its files are those that scripts expect."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from periplus.cli.main import app, main
from periplus.communities import COMMUNITIES, leiden, trawl
from periplus.graph.formats import read_graph
from periplus.models import linear_copying
from periplus.pipeline import open_graph


@pytest.fixture
def target(tmp_path: Path) -> str:
    path = tmp_path / "web.npz"
    from periplus.graph import write_graph

    write_graph(linear_copying(400, rho=0.2, seed=1), path)
    return str(path)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["communities", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def failing(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as caught:
        main(["communities", *arguments])
    return int(caught.value.code or 0), capsys.readouterr().err


def test_list_names_every_method() -> None:
    assert [row["name"] for row in json.loads(run("list", "--json"))["methods"]] == list(COMMUNITIES)
    assert all(name in run("list") for name in COMMUNITIES)


@pytest.mark.parametrize("name", list(COMMUNITIES))
def test_every_method_is_a_command(name: str, target: str) -> None:
    seeds = [word for one in COMMUNITIES[name].parameters if one.required for word in (f"--{one.name}", "3")]
    found = json.loads(run(name, target, *seeds, "--json"))
    assert found["method"] == name
    assert found["count"] >= 0
    assert run(name, target, *seeds, "--top", "2")


def test_trawled_cores_have_the_shape_that_scripts_read(target: str, tmp_path: Path) -> None:
    expected = trawl(open_graph(target))
    found = json.loads(run("trawl", target, "--i", "3", "--j", "3", "--cap", "50", "--json"))
    assert found["cores"] == [{role: core.parts[role].tolist() for role in ("fans", "centres")} for core in expected]
    assert found["removed"]["fans_in_cores"] == 3 * len(expected)
    assert found["parameters"] == {"i": 3, "j": 3, "cap": 50}
    assert found["sizes"] == [6] * len(expected)
    run("trawl", target, "--out", str(tmp_path / "cores.json"))
    assert json.loads((tmp_path / "cores.json").read_text()) == [core.pages.tolist() for core in expected]
    run("trawl", target, "--out", str(tmp_path / "cores.csv"))
    assert (tmp_path / "cores.csv").read_text().splitlines()[0] == "group,role,page"


def test_labels_are_one_a_page(target: str, tmp_path: Path) -> None:
    expected = leiden(open_graph(target), seed=3)
    told = json.loads(run("leiden", target, "--seed", "3", "--json"))
    assert told["modularity"] == pytest.approx(expected.extra["modularity"])
    assert (told["count"], told["sizes"]) == (expected.count, expected.sizes.tolist())
    for ending in ("npy", "csv", "gexf"):
        run("leiden", target, "--seed", "3", "--out", str(tmp_path / f"labels.{ending}"))
    kept = np.load(tmp_path / "labels.npy")
    assert kept.dtype == np.int64
    assert np.array_equal(kept, expected.labels)
    lines = (tmp_path / "labels.csv").read_text().splitlines()
    assert lines[:2] == ["page,label", f"0,{kept[0]}"]
    drawn = read_graph(tmp_path / "labels.gexf")
    assert drawn == open_graph(target)
    assert drawn.node_attributes["community"].tolist() == kept.tolist()


def test_how_many_cores_of_every_size(target: str) -> None:
    told = json.loads(run("core-counts", target, "--highest", "4", "--json"))
    assert told["counts"][0][0] == len(trawl(open_graph(target)))
    assert "centres" in run("core-counts", target)


def test_files_that_cannot_hold_the_answer_are_refused(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = failing(capsys, "trawl", target, "--out", str(tmp_path / "cores.npy"))
    assert code == 2
    assert "may overlap" in said
    code, said = failing(capsys, "leiden", target, "--out", str(tmp_path / "labels.txt"))
    assert code == 2
    code, said = failing(capsys, "trawl", target, "--i", "11")
    assert (code, "i" in said) == (2, True)
    code, said = failing(capsys, "leiden", str(tmp_path / "nothing"))
    assert code == 3


def test_the_command_that_is_offered_next_can_be_run(target: str) -> None:
    offered = run("min-cut", target, "--seeds", "3", "--seeds", "5", "--k", "2").splitlines()[-1]
    assert (
        offered
        == f"Next: periplus communities min-cut {target} --seeds 3 --seeds 5 --k 2 --out min-cut.npy keeps them."
    )
