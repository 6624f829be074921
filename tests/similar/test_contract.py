"""What every method in the table promises, whatever makes pages alike."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from periplus import similar
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.record import Findings
from periplus.similar import SIMILAR, Related
from periplus.similar.table import VECTORS

NAMES = list(SIMILAR)


def web(nodes: int = 60, links: int = 400, seed: int = 5) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), (nodes * rng.random(links) ** 1.5).astype(np.int64), nodes)


def words(nodes: int = 60, count: int = 90, seed: int = 6) -> csr_array:
    rng = np.random.default_rng(seed)
    return csr_array(rng.poisson(0.2, (nodes, count)).astype(np.float32))


def paths(nodes: int = 60, count: int = 300, seed: int = 7) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.integers(0, nodes, rng.integers(1, 8)).tolist() for _ in range(count)]


def call(name: str, graph: Graph, **more: Any) -> Any:
    has = {"words": words(graph.nodes), "paths": paths(graph.nodes)}
    return SIMILAR[name].function()(graph, *(has[one] for one in SIMILAR[name].needs), **more)


@pytest.mark.parametrize("name", NAMES)
def test_nearest_gives_the_pages_most_alike_best_first(name: str) -> None:
    graph = web()
    found = call(name, graph).nearest(3, 10)
    assert isinstance(found, Related)
    assert isinstance(found, Findings)
    assert found.method == name
    assert found.of == (3,)
    assert 0 < len(found) <= 10
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(np.isfinite(scores))
    assert 3 not in found.pages
    assert len(set(found.pages)) == len(found)
    assert all(one.why and one.url is None for one in found)
    told = json.loads(json.dumps(found.to_dict()))
    assert set(told) == {"method", "of", "results", "notes"}
    assert set(told["results"][0]) == {"id", "url", "score", "why"}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_call_gives_the_same_answer(name: str) -> None:
    assert call(name, web()).nearest([3, 9]) == call(name, web()).nearest([3, 9])


@pytest.mark.parametrize("name", NAMES)
def test_more_pages_are_the_same_pages_and_further_ones(name: str) -> None:
    record = call(name, web())
    assert record.nearest(7, 20).pages[:5] == record.nearest(7, 5).pages


@pytest.mark.parametrize("name", NAMES)
def test_the_graph_is_left_as_it_was(name: str) -> None:
    graph = web()
    before = graph.out_targets.copy(), graph.in_sources.copy()
    call(name, graph).nearest(1)
    assert np.array_equal(before[0], graph.out_targets)
    assert np.array_equal(before[1], graph.in_sources)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("nodes", [1, 2])
def test_tiny_graphs_have_an_answer_or_a_clear_error(name: str, nodes: int) -> None:
    graph = Graph.from_edges(np.zeros(0, int), np.zeros(0, int), nodes)
    found = call(name, graph).nearest(0)
    assert found.results == () or SIMILAR[name].needs


@pytest.mark.parametrize("name", NAMES)
def test_pages_that_are_none_are_refused(name: str) -> None:
    record = call(name, web())
    for wrong in (-1, 60, 1.5, None, [], "http://a.example/", object()):
        with pytest.raises(ParameterError, match="pages"):
            record.nearest(wrong)
    for count in (0, -3, 1.5, "ten"):
        with pytest.raises(ParameterError, match="count"):
            record.nearest(1, count)


@pytest.mark.parametrize("name", NAMES)
def test_the_table_says_what_the_function_takes(name: str) -> None:
    row = SIMILAR[name]
    taken = inspect.signature(row.function()).parameters
    first = ["graph", *row.needs]
    assert list(taken)[: len(first)] == first
    assert all(one.kind is one.KEYWORD_ONLY for key, one in taken.items() if key not in first)
    for parameter in row.parameters:
        assert taken[parameter.name].default == parameter.default
    hidden = set(taken) - set(first) - {parameter.name for parameter in row.parameters}
    assert hidden <= {"positions"}, "a parameter that the table does not tell of"
    assert row.returns == (VECTORS,) or hasattr(call(name, web()), "nearest")


@pytest.mark.parametrize("name", [name for name in NAMES if SIMILAR[name].returns == (VECTORS,)])
def test_vectors_have_a_row_a_page(name: str) -> None:
    assert call(name, web()).vectors.shape[0] == 60


@pytest.mark.parametrize("name", [name for name in NAMES if "words" in SIMILAR[name].needs])
@pytest.mark.parametrize("wrong", [None, "words", 3, csr_array((59, 4)), np.ones(60), csr_array((60, 0))])
def test_words_of_another_shape_are_refused(name: str, wrong: object) -> None:
    with pytest.raises(ParameterError, match="words"):
        SIMILAR[name].function()(web(), wrong, *([paths()] if "paths" in SIMILAR[name].needs else []))


@pytest.mark.parametrize("name", [name for name in NAMES if "paths" in SIMILAR[name].needs])
@pytest.mark.parametrize("wrong", [None, 3, "abc", [[1, 60]], [[-1]], [["a"]], [5]])
def test_paths_that_are_none_are_refused(name: str, wrong: object) -> None:
    with pytest.raises(ParameterError, match="paths"):
        SIMILAR[name].function()(web(), *([words()] if "words" in SIMILAR[name].needs else []), wrong)


def test_the_table_is_listed_without_loading_a_method() -> None:
    code = (
        "import sys; from periplus.similar import SIMILAR; assert SIMILAR;"
        "assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_exported_name_can_be_loaded() -> None:
    for name in similar.__all__:
        assert getattr(similar, name) is not None


def test_every_method_is_in_the_guide() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs" / "similar.md").read_text()
    assert [name for name in SIMILAR if f"`{name}`" not in guide] == []
