"""What every method in the table promises, whatever it finds."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.rankings import special_graphs

from periplus import communities
from periplus.communities import COMMUNITIES, PageGroups, Tree
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.record import PageLabels

NAMES = list(COMMUNITIES)


def web(nodes: int = 60, links: int = 400, seed: int = 5) -> Graph:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, nodes, links), (nodes * rng.random(links) ** 1.5).astype(np.int64)
    return Graph.from_edges(*ends, nodes)


def needed(name: str, graph: Graph) -> dict:
    """What a method cannot do without."""
    return {one.name: [0] for one in COMMUNITIES[name].parameters if one.required and one.kind == "pages"}


def call(name: str, graph: Graph, **more) -> PageLabels | PageGroups:
    return COMMUNITIES[name].function()(graph, **needed(name, graph), **more)


@pytest.mark.parametrize("name", NAMES)
def test_record_is_complete(name: str) -> None:
    graph = web()
    found = call(name, graph)
    assert found.method == name
    assert found.graph_digest == graph.digest
    assert isinstance(found, PageLabels) == ("labels" in COMMUNITIES[name].returns)
    given = {one.name for one in COMMUNITIES[name].parameters}
    assert given <= set(found.parameters) | {"stop"}
    json.dumps(found.to_dict(), allow_nan=False)
    if isinstance(found, PageLabels):
        assert len(found) == graph.nodes
        assert found.labels.dtype == np.int64
        assert found.labels.min() >= -1
        used = np.unique(found.labels[found.labels >= 0])
        assert isinstance(found, Tree) or used.tolist() == list(range(found.count))
    else:
        for group in found:
            assert len(group.pages)
            assert group.pages.max() < graph.nodes


@pytest.mark.parametrize("name", NAMES)
def test_same_answer_twice(name: str) -> None:
    first, second = call(name, web()), call(name, web())
    assert first.to_dict() == second.to_dict()
    if isinstance(first, PageLabels):
        assert np.array_equal(first.labels, second.labels)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", list(special_graphs()))
def test_corner_graphs_give_an_answer_or_a_clear_error(name: str, kind: str) -> None:
    graph = special_graphs()[kind]
    if needed(name, graph) and not graph.nodes:
        with pytest.raises(ParameterError, match="seeds"):
            call(name, graph)
        return
    json.dumps(call(name, graph).to_dict(), allow_nan=False)


@pytest.mark.parametrize("name", NAMES)
def test_table_says_what_the_function_takes(name: str) -> None:
    row = COMMUNITIES[name]
    taken = inspect.signature(row.function()).parameters
    assert next(iter(taken)) == "graph"
    assert {one.name for one in row.parameters} == set(taken) - {"graph", "words"}
    for one in row.parameters:
        if not one.required:
            assert taken[one.name].default == one.default
        if one.kind == "choice":
            assert one.default in one.choices


def test_unknown_names_are_answered_with_those_there_are() -> None:
    with pytest.raises(ParameterError, match="leiden"):
        COMMUNITIES.find("leyden")


def test_every_exported_name_can_be_loaded() -> None:
    for name in communities.__all__:
        assert getattr(communities, name) is not None


def test_the_table_is_listed_without_loading_a_method() -> None:
    code = (
        "import sys; from periplus.communities import COMMUNITIES; assert len(COMMUNITIES) > 1;"
        "assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_method_is_in_the_guide() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs" / "communities.md").read_text()
    assert [name for name in COMMUNITIES if f"`{name}`" not in guide] == []
