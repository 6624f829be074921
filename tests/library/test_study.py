"""What the home page and the structure page show can be asked from Python too."""

from __future__ import annotations

from pathlib import Path

import pytest

from periplus.library import Library, best_of_sites, open_library, study_of
from periplus.pipeline.stages.structure import load_study


@pytest.fixture
def library(built_coast: Path) -> Library:
    return open_library(built_coast)


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
