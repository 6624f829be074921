"""`periplus dynamics`: every command tells what the library finds, draws it, and refuses what makes no sense."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

from periplus.cli.dynamics.group import dynamics
from periplus.cli.main import main
from periplus.dynamics import change
from periplus.dynamics.epidemics import percolation, percolation_curve, spread
from periplus.dynamics.immunisation import ORDERS, protection
from periplus.dynamics.routing import greedy_routing
from periplus.graph import Graph
from periplus.models import theory
from periplus.models.generators.kleinberg import kleinberg, positions
from periplus.models.generators.sites import site_histories
from periplus.models.generators.small_world import edge_addition

SUBCOMMANDS = ["spread", "percolate", "threshold", "protect", "route", "lifetimes", "refresh", "sites"]


def run(*arguments: object):
    return CliRunner().invoke(dynamics, [str(word) for word in arguments])


def told(*arguments: object) -> dict:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def small_world(tmp_path_factory) -> tuple[str, Graph]:
    graph = edge_addition(2000, d=4, p=0.1, seed=1)
    path = tmp_path_factory.mktemp("dynamics") / "small world"
    graph.save(path)
    return str(path), graph


@pytest.fixture(scope="module")
def grid(tmp_path_factory) -> tuple[str, Graph]:
    graph = kleinberg(400, seed=1)
    path = tmp_path_factory.mktemp("dynamics") / "grid"
    graph.save(path)
    return str(path), graph


def test_the_commands() -> None:
    assert list(dynamics.commands) == SUBCOMMANDS


def test_spread_tells_what_the_library_finds(small_world) -> None:
    path, graph = small_world
    found = told("spread", path, "--infection", 0.4, "--recovery", 0.5, "--runs", 20, "--seed", 3)
    same = spread(graph, infection=0.4, recovery=0.5, runs=20, seed=3)
    assert found["model"] == "SIR"
    assert found["sizes"] == same.sizes.tolist()
    assert found["curve"] == pytest.approx(same.curve)
    assert found["transmissibility"] == pytest.approx(theory.transmissibility(0.4, 0.5))
    assert told("spread", path, "--recovery", 0, "--steps", 5, "--runs", 2)["model"] == "SI"


def test_percolate_and_threshold(small_world) -> None:
    path, graph = small_world
    found = told("percolate", path, "--f", 0.7, "--seed", 2)
    same = percolation(graph, f=0.7, seed=2)
    assert (found["largest"], found["second"]) == (same.largest, same.second)
    assert sum(found["shares"]) == pytest.approx(1.0)
    expected = theory.percolation_threshold(4, 0.1)
    curve = told("threshold", path, "--d", 4, "--p", 0.1, "--from", 0.2, "--to", 0.8, "--points", 13, "--runs", 4)
    same_curve = percolation_curve(graph, shares=np.linspace(0.2, 0.8, 13), runs=4)
    assert curve["threshold"] == pytest.approx(same_curve.threshold)
    assert curve["second"] == pytest.approx(same_curve.second)
    assert expected in curve["theory"].values()
    assert len(curve["largest"]) == len(curve["shares"]) == 13


def test_protect_lists_the_first_pages_of_each_order(small_world) -> None:
    path, graph = small_world
    found = told("protect", path, "--share", 0.1, "--share", 0.2, "--top", 3)
    same = protection(graph, counts=np.array([0, 200, 400]))
    assert found["counts"] == [0, 200, 400]
    for one, expected in zip(found["orders"], same, strict=True):
        assert one["by"] == expected.method
        assert one["largest_left"] == expected.left.tolist()
        assert [page["id"] for page in one["first"]] == expected.order[:3].tolist()
    assert [one["by"] for one in told("protect", path, "--by", "pagerank", "--top", 0)["orders"]] == ["pagerank"]
    assert [one.method for one in same] == list(ORDERS)


def test_route_on_a_grid_and_by_given_positions(grid, tmp_path: Path) -> None:
    path, graph = grid
    found = told("route", path, "--grid", 2, "--trips", 50, "--seed", 4)
    same = greedy_routing(graph, positions(400, 2), trips=50, seed=4)
    assert found["mean_hops"] == pytest.approx(same.mean_hops)
    assert sum(found["messages"]) == 50
    np.save(tmp_path / "places.npy", positions(400, 2))
    np.savetxt(tmp_path / "places.csv", positions(400, 2), delimiter=",", header="x, y")
    for name in ("places.npy", "places.csv"):
        assert told("route", path, "--positions", tmp_path / name, "--trips", 50, "--seed", 4) == found


def test_brewington_and_cybenkos_figures() -> None:
    week = told("refresh")
    assert week["pages"] == 800_000_000
    assert week["period_days"] == pytest.approx(18, abs=1)
    assert week["fetches_a_day"] == pytest.approx(45e6, rel=0.06)
    day = told("refresh", "--grace", 1, "--period", 8.5)
    assert day["period_days"] == pytest.approx(8.5, abs=0.4)
    assert day["fetches_a_day"] == pytest.approx(94e6, rel=0.06)
    assert day["currency_of_period"] == pytest.approx(0.95, abs=0.005)


def test_rates_from_files(tmp_path: Path, small_world) -> None:
    rates, history = tmp_path / "rates.txt", tmp_path / "visits.csv"
    rates.write_text("# changes a day\n0.1\n0.5\n\n0\n")
    history.write_text("20,5,7\n10,0,30  # never seen to change\n")
    known = change.refetch(np.array([0.1, 0.5, 0.0]), pages=2000, currency_wanted=0.9, grace_days=2.0)
    found = told("refresh", small_world[0], "--rates", rates, "--currency", 0.9, "--grace", 2)
    assert found["pages"] == 2000
    assert found["period_days"] == pytest.approx(known.period_days)
    seen = told("lifetimes", "--history", history)
    expected = change.survival(np.array([change.change_rate(20, 5, 7.0), 0.0]), np.array(seen["ages"]))
    assert seen["unchanged"] == pytest.approx(expected)
    drawn = told("lifetimes")
    assert drawn["unchanged_drawn"] == pytest.approx(drawn["unchanged"], abs=0.01)


def test_pages_that_never_change_need_no_fetch(tmp_path: Path) -> None:
    (tmp_path / "still").write_text("0\n0\n")
    found = told("refresh", "--rates", tmp_path / "still", "--plot", tmp_path / "still.svg")
    assert found["period_days"] is None
    assert found["fetches_a_day"] == 0.0


def test_sites_over_time() -> None:
    found = told("sites", "--sites", 500, "--steps", 30, "--every", 10, "--mixture", "0.05:0.7,0.1:0.3", "--seed", 2)
    same = site_histories(500, times=[0, 10, 20, 30], mixture=((0.05, 0.7), (0.1, 0.3)), seed=2)
    assert found["times"] == [0, 10, 20, 30]
    assert found["pages"] == same.pages.tolist()
    assert found["sites"][-1] == 500
    assert told("sites", "--sites", 5, "--steps", 1, "--seed", 1)["times"] == [0, 1]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_people_get_a_table_a_next_command_and_a_picture(name: str, grid, tmp_path: Path) -> None:
    target = [] if name in ("lifetimes", "refresh", "sites") else [grid[0]]
    more = ["--grid", "2"] if name == "route" else []
    picture = tmp_path / "picture.svg"
    done = run(name, *target, *more, "--plot", picture)
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) > 3
    assert "periplus " in done.stdout.strip().splitlines()[-1]
    drawn = ElementTree.parse(picture).getroot()
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "no data" not in picture.read_text()
    assert str(picture) in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spread", "GRID", "--infection", "1.5"], "1.5"),
        (["spread", "GRID", "--infection", "nan"], "nan"),
        (["spread", "GRID", "--recovery", "-1"], "-1"),
        (["spread", "GRID", "--seed", "-1"], "-1"),
        (["spread", "GRID", "--runs", "0"], "0"),
        (["spread", "NOTHING"], "does not exist"),
        (["percolate", "GRID", "--f", "2"], "2"),
        (["threshold", "GRID", "--from", "0.5", "--to", "0.5"], "less than"),
        (["threshold", "GRID", "--points", "2"], "2"),
        (["threshold", "GRID", "--d", "4"], "--d and --p belong together"),
        (["protect", "GRID", "--by", "luck"], "luck"),
        (["protect", "GRID", "--sources", "0"], "0"),
        (["route", "GRID"], "--grid DIMENSIONS or --positions FILE"),
        (["route", "GRID", "--grid", "3"], "whole number to that power"),
        (["route", "GRID", "--grid", "2", "--positions", "WORDS"], "say where"),
        (["route", "GRID", "--positions", "WORDS"], "no row of numbers"),
        (["route", "GRID", "--positions", "SHORT"], "one row for each of the 400 pages"),
        (["route", "GRID", "--positions", "GONE"], "does not exist"),
        (["refresh", "--rates", "WORDS"], "line 2: 'two' is not one number"),
        (["refresh", "--rates", "SHORT"], "line 1: '1 2' is not one number"),
        (["refresh", "--rates", "NEGATIVE"], "at least 0 changes per day"),
        (["refresh", "--rates", "EMPTY"], "at least one page"),
        (["refresh", "--history", "SHORT"], "is not 3 numbers"),
        (["refresh", "--rates", "SHORT", "--history", "SHORT"], "give one"),
        (["refresh", "--currency", "1"], "1"),
        (["refresh", "--grace", "-1"], "-1"),
        (["refresh", "--period", "0"], "0"),
        (["refresh", "--pages", "-5"], "pages"),
        (["sites", "--mixture", "fast"], "rate:share"),
        (["sites", "--growth", "-1"], "growth"),
        (["sites", "--founding", "0"], "founding"),
        (["lifetimes", "--plot", "NOWHERE/x.svg"], "there is no folder"),
        (["lifetimes", "--plot", "X.jpg"], "must end in .svg, .pdf or .png"),
        (["route", "GRID", "--positions", "EMPTY.npy"], "no whole array"),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_bad_input_is_one_line_and_an_exit_code(words, said, grid, tmp_path: Path, capsys) -> None:
    for name, text in {"WORDS": "1\ntwo\n", "SHORT": "1 2\n3 4\n", "NEGATIVE": "-0.1\n", "EMPTY": "# none\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "EMPTY.npy").touch()
    places = {
        name: str(tmp_path / name)
        for name in ("WORDS", "SHORT", "NEGATIVE", "EMPTY", "EMPTY.npy", "X.png", "GONE", "NOTHING")
    }
    places |= {"GRID": grid[0], "NOWHERE/x.svg": str(tmp_path / "nowhere" / "x.svg")}
    with pytest.raises(SystemExit) as ended:
        main(["dynamics", *(places.get(word, word) for word in words), "--json"])
    shown = capsys.readouterr()
    assert ended.value.code in (2, 3)
    assert said in shown.err
    assert len(shown.err.strip().splitlines()) == 1
    assert json.loads(shown.out)["exit_code"] == ended.value.code


def test_an_empty_graph_is_refused(tmp_path: Path, capsys) -> None:
    Graph.from_edges(np.zeros(0, np.int64), np.zeros(0, np.int64), nodes=0).save(tmp_path / "empty")
    for words in (["spread"], ["protect"], ["route", "--grid", "2"]):
        with pytest.raises(SystemExit) as ended:
            main(["dynamics", words[0], str(tmp_path / "empty"), *words[1:]])
        assert ended.value.code == 2
        assert capsys.readouterr().err.startswith("periplus: ")
    for name in ("percolate", "threshold"):
        with pytest.raises(SystemExit) as ended:
            main(["dynamics", name, str(tmp_path / "empty")])
        assert ended.value.code == 0
