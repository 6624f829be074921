"""Collections made by the version before: they open, and nothing in them is made again without need.

tests/data/collection-format-1.tar.gz was built by Periplus 0.1.0: five pages, one of them a copy, a ranking at other
settings than the usual ones, and the study of the shape.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from periplus.collection import Collection
from periplus.library import info, open_library, portrait_of, verify
from periplus.pipeline import build
from periplus.pipeline.stages.structure import load_study

ARCHIVE = Path(__file__).parent / "data" / "collection-format-1.tar.gz"


@pytest.fixture
def coast(tmp_path: Path) -> Collection:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return Collection.open(tmp_path / "coast.web")


def test_it_is_whole_and_built_anew_only_where_stages_changed(coast: Collection) -> None:
    assert coast.settings.format == 1
    assert verify(coast).problems == ()
    states = {name: stage["state"] for name, stage in info(coast)["stages"].items()}
    assert states["parsed"] == "current"
    before = open_library(coast.path).searcher.search("lighthouse").results[0]
    assert build(coast).ran == tuple(name for name, state in states.items() if state != "current")
    assert open_library(coast.path).searcher.search("lighthouse").results[0].url == before.url
    assert {stage["state"] for stage in info(coast)["stages"].values()} == {"current"}


def test_links_have_no_places_until_the_graph_is_built_anew(coast: Collection) -> None:
    assert open_library(coast.path).links.anchors.positions is None
    build(coast)
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
