"""The sky of a collection: made by the build, kept beside others, opened for reading."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

from periplus.collection import Collection
from periplus.errors import LockedError, ParameterError
from periplus.graph.graph import Graph
from periplus.library import open_library
from periplus.pipeline import build
from periplus.pipeline.shelf import Shelf
from periplus.pipeline.stages import sky
from periplus.pipeline.stages.graph import load_links

ARCHIVE = Path(__file__).parents[2] / "data" / "collection-format-1.tar.gz"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("sky")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    collection = Collection.open(folder / "coast.web")
    build(collection)
    return collection


def test_a_build_makes_the_sky_and_the_library_opens_it(built: Collection) -> None:
    library = open_library(built.path)
    found = library.skies["sky"]
    pages = library.graph.nodes
    assert found.positions.shape == (pages, 3)
    assert found.positions.dtype == found.extra["masses"].dtype == np.float32
    assert found.extra["frames"].shape == (61, pages, 3)
    assert found.extra["frames"].dtype == np.int16
    assert sorted(found.extra["order"].tolist()) == list(range(pages))
    assert found.parameters["start"] == "tree"
    assert found.url(0) == library.graph.urls[0]
    assert abs(float(found.extra["masses"].sum()) - pages) < 1e-4


def test_another_sky_is_kept_beside_it_until_the_next_build(built: Collection) -> None:
    graph = load_links(built).graph
    forming = sky.form(graph, "paper", steps=7)
    shelf = Shelf.of(built.path, "paper")
    assert shelf.found(forming) is None
    made = forming.run().record()
    shelf.keep(made)
    assert set(open_library(built.path).skies) == {"sky", "paper"}
    again = shelf.found(sky.form(graph, "paper", steps=7))
    assert again is not None
    assert np.array_equal(again.positions, made.positions)
    assert shelf.found(sky.form(graph, "paper", steps=8)) is None


def test_fewer_steps_where_there_are_many_links(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph.from_edges(np.arange(100), np.arange(1, 101), 101)
    assert sky.steps_within(graph) == 60
    monkeypatch.setattr(sky, "WORK", 5_000)
    assert sky.steps_within(graph) == 50
    monkeypatch.setattr(sky, "WORK", 10)
    assert sky.steps_within(graph) == sky.FEWEST


def test_a_checkpoint_beside_a_file_is_found_and_cleared(tmp_path: Path) -> None:
    graph = Graph.from_edges(np.arange(20), np.arange(1, 21), 21)
    assert Shelf.of("graph.npz", "sky").found(sky.form(graph, "sky", steps=3)) is None
    shelf = Shelf.of("graph.npz", "sky", tmp_path / "out.npy")
    shelf.keep(sky.form(graph, "sky", steps=3).run().record())
    assert shelf.found(sky.form(graph, "sky", steps=3)) is not None
    other = Graph.from_edges(np.arange(20), np.arange(1, 21)[::-1].copy(), 21)
    assert shelf.found(sky.form(other, "sky", steps=3)) is None
    shelf.clear()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_kept_is_said_before_the_work(built: Collection) -> None:
    Shelf.of(built.path, "mine").ready()
    for name in ("", "a/b", ".hidden"):
        with pytest.raises(ParameterError, match="keep"):
            Shelf.of(built.path, name).ready()
    with built.writing(), pytest.raises(LockedError):
        Shelf.of(built.path, "mine").ready()
