"""Webs that a method must survive: a star of a million leaves, equal pages, one clique, one page alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from periplus.collection import Collection
from periplus.communities import COMMUNITIES, PageGroups
from periplus.graph.graph import Graph
from periplus.library import Library
from periplus.pipeline import add, build


def star(leaves: int) -> Graph:
    return Graph.from_edges(np.arange(1, leaves + 1), np.zeros(leaves, np.int64), leaves + 1)


def equal_pages() -> Graph:
    """Five thousand pages that all link to the same twelve."""
    return Graph.from_edges(np.repeat(np.arange(5000), 12), np.tile(np.arange(5000, 5012), 5000), 5012)


def clique() -> Graph:
    ends = np.array([(a, b) for a in range(80) for b in range(80) if a != b]).T
    return Graph.from_edges(*ends, 80)


MILLION = 1_000_000
WEBS = {
    "star": lambda: star(20_000),
    "fan": lambda: star(20_000).reverse(),
    "equal": equal_pages,
    "clique": clique,
    "large star": pytest.param(lambda: star(MILLION), marks=pytest.mark.long),
    "large fan": pytest.param(lambda: star(MILLION).reverse(), marks=pytest.mark.long),
}


@pytest.mark.parametrize("name", list(COMMUNITIES))
@pytest.mark.parametrize("make", list(WEBS.values()), ids=list(WEBS))
def test_every_method_answers(name: str, make: Callable[[], Graph]) -> None:
    web = make()
    seeds = {one.name: [3] for one in COMMUNITIES[name].parameters if one.required}
    found = COMMUNITIES[name].function()(web, **seeds)
    if isinstance(found, PageGroups):
        assert all(group.pages.max() < web.nodes for group in found)
        assert len(found) < 5000
    else:
        assert len(found) == web.nodes
        sizes = np.bincount(found.labels[found.labels >= 0])
        if name == "dichotomy":  # which matches near pages in pairs, so equal pages end in small groups, never alone
            assert sizes.min() >= 2
        else:
            assert len(sizes) <= 1000  # not a group for every page


def test_a_collection_of_one_page(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<html><title>Alone</title><body>Nothing links here.</body></html>")
    add(tmp_path / "one.web", [tmp_path / "site"])
    collection = Collection.open(tmp_path / "one.web")
    build(collection)
    kept = Library(collection).part("communities")
    assert kept.tree.as_tree()["leaf_of"] == [0]
    assert kept.tree.name(0) == "all pages"
    assert len(kept.base) == 0
    json.dumps(kept.tree.as_tree())
