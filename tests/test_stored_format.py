"""Collections made by the version before: whole, told what to do, and built anew only where stages changed.

tests/data/collection-format-1.tar.gz was built by Periplus 0.1.0: five pages, one of them a copy, a ranking at other
settings than the usual ones, and the study of the shape.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import unpack_coast

from periplus.collection import Collection
from periplus.errors import DamagedError
from periplus.library import info, open_library, portrait_of, verify
from periplus.pipeline import build
from periplus.pipeline.stages.structure import load_study


@pytest.fixture
def coast(built_once: Path) -> Collection:
    return Collection.open(built_once)


def test_it_is_whole_and_built_anew_only_where_stages_changed(tmp_path: Path) -> None:
    coast = Collection.open(unpack_coast(tmp_path))
    assert coast.settings.format == 1
    assert verify(coast).problems == ()
    states = {name: stage["state"] for name, stage in info(coast)["stages"].items()}
    with pytest.raises(DamagedError, match="made by another version of Periplus: run `periplus build`"):
        open_library(coast.path)
    assert build(coast).ran == tuple(name for name, state in states.items() if state != "current")
    best = open_library(coast.path).searcher.search("lighthouse").results[0]
    assert best.url == "http://coast.example/light.html"
    assert {stage["state"] for stage in info(coast)["stages"].values()} == {"current"}


def test_links_have_places_once_the_graph_is_built_anew(coast: Collection) -> None:
    library = open_library(coast.path)
    assert len(library.links.anchors.positions) == library.graph.links


def test_it_is_searched_with_its_rankings(coast: Collection) -> None:
    library = open_library(coast.path)
    assert library.searcher.rankers.names[:2] == ("pagerank", "indegree")
    assert {"hits", "hits-hubs", "salsa", "salsa-hubs", "pagerank-damping-0.5"} <= set(library.scores)
    best = library.searcher.search("lighthouse").results[0]
    assert best.url == "http://coast.example/light.html"
    assert library.searcher.rankers.label("pagerank-damping-0.5") == "PageRank (damping-0.5)"


def test_the_certified_error_stored_then_is_read_now(coast: Collection) -> None:
    library = open_library(coast.path)
    assert 0 < library.scores["pagerank"].error_bound < 1e-9
    assert library.scores["hits"].extra["eigengap"] > 0
    place = portrait_of(library, "http://coast.example/light.html").places[0]
    assert (place.ranker, place.error_bound) == ("pagerank", library.scores["pagerank"].error_bound)


def test_the_study_is_kept(coast: Collection) -> None:
    library = open_library(coast.path)
    study = load_study(coast, library.graph.digest)
    assert study is not None
    assert study["bowtie"]["scc"] == 3


def test_every_part_opens_by_the_name_of_its_stage(coast: Collection) -> None:
    library = open_library(coast.path)
    for stage in ("parsed", "graph", "scores", "index", "structure"):
        assert library.part(stage) is library.part(stage)
