"""What the home page and the structure page show can be asked from Python too."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from periplus.library import Library, best_of_sites, open_library, study_of
from periplus.pipeline import build
from periplus.pipeline.stages.structure import load_study

ARCHIVE = Path(__file__).parents[1] / "data" / "collection-format-1.tar.gz"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    opened = open_library(tmp_path / "coast.web")
    build(opened.collection)
    return open_library(tmp_path / "coast.web")


def test_the_study_is_measured_once_and_then_read(library: Library) -> None:
    library.collection.keep("structure", {"study.json": b"{}"})
    assert load_study(library.collection, library.graph.digest) is None
    found = study_of(library)
    assert found["nodes"] == library.graph.nodes
    kept = load_study(library.collection, library.graph.digest)
    assert kept is not None
    assert study_of(library) == kept


def test_ports_are_the_best_pages_one_per_site_first(library: Library) -> None:
    ports = best_of_sites(library)
    assert 0 < len(ports) <= 3
    best = int(library.scores[library.searcher.rankers.default].values.argmax())
    assert ports[0].url == library.graph.urls[best]
    assert ports[0].in_links == len(library.graph.predecessors(best))
    sites = len({port.site for port in ports})
    assert sites == min(3, len(library.graph.urls.sites()))
