"""`periplus map` on graph files and on a collection."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from periplus.cli.main import app
from periplus.errors import ParameterError
from periplus.graph import Graph, write_graph
from periplus.gravity.formation import Formation
from periplus.models import MODELS


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["map", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def web(tmp_path: Path) -> str:
    write_graph(MODELS["watts-strogatz"].generate(n=200, d=6, p=0.05, seed=1), tmp_path / "web.npz")
    return str(tmp_path / "web.npz")


def test_positions_and_summary(web: str, tmp_path: Path) -> None:
    out = tmp_path / "positions.npy"
    told = json.loads(run(web, "--steps", "40", "--seed", "3", "--out", str(out), "--json"))
    places = np.load(out)
    assert places.dtype == np.float32
    assert places.shape == (200, 3)
    assert {"energy", "radius", "link_distance", "pair_distance"} <= told.keys()
    assert told["total_mass"] == pytest.approx(200)
    assert told["parameters"]["steps"] == told["iterations"] == 40
    run(web, "--steps", "40", "--seed", "3", "--out", str(out), "--json")
    assert np.array_equal(places, np.load(out))
    run(web, "--steps", "40", "--seed", "3", "--preset", "paper", "--start", "ring", "--out", str(out))
    assert not np.array_equal(places, np.load(out))
    assert not (tmp_path / "positions.npy.checkpoint").exists()


def test_a_person_reads_a_table_and_the_next_command(web: str, tmp_path: Path) -> None:
    told = run(web, "--steps", "20", "--plot", str(tmp_path / "time.svg"))
    assert "mean distance along links" in told
    assert "The heaviest pages" in told
    assert "--out positions.npy" in told
    assert "<svg" in (tmp_path / "time.svg").read_text()


@pytest.mark.parametrize("nodes", [0, 1])
@pytest.mark.parametrize("preset", ["sky", "paper"])
def test_no_pages_and_one(nodes: int, preset: str, tmp_path: Path) -> None:
    write_graph(Graph.from_edges(np.zeros(0, int), np.zeros(0, int), nodes), tmp_path / "web.npz")
    told = json.loads(run(str(tmp_path / "web.npz"), "--preset", preset, "--steps", "5", "--json"))
    assert told["pages"] == nodes
    run(str(tmp_path / "web.npz"), "--preset", preset, "--steps", "5")


def test_constants_that_must_explode_are_refused(web: str) -> None:
    with pytest.raises(ParameterError, match=r"gravity \(G\), softening \(ε\), time_step \(dt\)"):
        run(web, "--gravity", "1e9")
    with pytest.raises(ParameterError, match="expansion"):
        run(web, "--expansion", "1e9")
    told = json.loads(run(web, "--gravity", "0", "--expansion", "0", "--steps", "5", "--json"))
    assert told["kinetic"] == 0


def test_a_graph_file_keeps_no_sky_by_name(web: str) -> None:
    result = CliRunner().invoke(app, ["map", web, "--steps", "1", "--keep", "mine"])
    assert result.exit_code == 2
    assert "only a collection keeps skies" in result.output


def test_ctrl_c_keeps_what_was_done_and_the_same_command_goes_on(
    web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert threading.current_thread() is threading.main_thread()
    whole, broken = tmp_path / "whole.npy", tmp_path / "broken.npy"
    run(web, "--steps", "50", "--out", str(whole))
    film = Formation._film

    def pressing(self: Formation) -> None:
        film(self)
        if self.simulation.steps == 20:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Formation, "_film", pressing)
        result = CliRunner().invoke(app, ["map", web, "--steps", "50", "--out", str(broken)])
        assert isinstance(result.exception, (KeyboardInterrupt, SystemExit))
    assert not broken.exists()
    assert (tmp_path / "broken.npy.checkpoint" / "sky.json").exists()
    run(web, "--steps", "50", "--out", str(broken))
    assert np.array_equal(np.load(whole), np.load(broken))
    assert not (tmp_path / "broken.npy.checkpoint").exists()


def test_a_picture_and_a_film(web: str, tmp_path: Path) -> None:
    png, video = tmp_path / "sky.png", tmp_path / "sky.webm"
    run(web, "--steps", "10", "--png", str(png), "--video", str(video), "--size", "160x90", "--seconds", "1")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert video.read_bytes()[:4] == b"\x1a\x45\xdf\xa3"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sky.png", "sky.webm", "web.npz"]


@pytest.mark.parametrize("size", ["160", "0x90", "161x90", "160x99999", "axb"])
def test_a_size_that_is_none_is_refused(web: str, size: str) -> None:
    result = CliRunner().invoke(app, ["map", web, "--png", "sky.png", "--size", size])
    assert result.exit_code == 2
    assert size in result.output
