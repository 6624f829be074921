"""Wrong kinds of arguments end in an error that names them, in every public function that takes a graph."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import networkx
import numpy as np
import pytest
from scipy.sparse import csr_array

from periplus import dynamics, models, rank, structure
from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph, write_graph
from periplus.graph.order import ordering
from periplus.numeric.stop import Stop, Tol

# Parts that the public functions are put together from; they are called with what was checked before.
INNER = {
    "periplus.structure.paths.undirected",
    "periplus.structure.connectivity.sweeps",
    "periplus.models.pictures.report",
}


def public_functions() -> Iterator[Callable[..., Any]]:
    yield from (getattr(rank, name) for name in rank.__all__)
    yield from (write_graph, ordering)
    for package in (structure, models, dynamics):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name not in INNER and not found.ispkg:
                module = importlib.import_module(found.name)
                yield from (
                    function
                    for name, function in inspect.getmembers(module, inspect.isfunction)
                    if function.__module__ == found.name and not name.startswith("_")
                )


def graph_parameter(function: Callable[..., Any]) -> str | None:
    """The name of the first parameter, where a graph belongs there."""
    if not inspect.isfunction(function):
        return None
    first = next(iter(inspect.signature(function).parameters.values()), None)
    return first.name if first is not None and first.annotation == "Graph" else None


TAKES_A_GRAPH = {function.__qualname__: function for function in public_functions() if graph_parameter(function)}


def test_the_rankings_and_more_are_among_them() -> None:
    assert {"pagerank", "hits", "salsa", "indegree", "katz", "harmonic", "markov_chain"} <= set(TAKES_A_GRAPH)
    assert {"stability", "overturn", "compare", "push", "personalised", "update"} <= set(TAKES_A_GRAPH)
    assert {"bowtie", "distances", "strong_components", "spread", "write_graph"} <= set(TAKES_A_GRAPH)


@pytest.mark.parametrize("name", sorted(TAKES_A_GRAPH))
def test_what_is_no_graph_is_refused_by_every_function(name: str) -> None:
    for given in (networkx.DiGraph([(0, 1)]), 3, None, "web.txt", np.zeros((2, 2))):
        with pytest.raises(ParameterError, match=type(given).__name__) as caught:
            TAKES_A_GRAPH[name](given)
        assert caught.value.name == graph_parameter(TAKES_A_GRAPH[name])


@pytest.mark.parametrize(
    ("given", "way"),
    [
        (networkx.Graph([(0, 1)]), "periplus.graph.convert.from_networkx"),
        (csr_array(np.eye(2)), "periplus.graph.convert.from_scipy"),
        (np.zeros((2, 2)), "Graph.from_edges"),
        ("web.txt", "periplus.open_graph"),
    ],
)
def test_the_error_says_how_to_make_a_graph(given: object, way: str) -> None:
    with pytest.raises(ParameterError, match=way):
        rank.pagerank(given)  # type: ignore[arg-type]


@checked
def example(graph: Graph, *, times: int = 1, share: float | None = None, stop: Stop = Tol(1e-9)) -> str:  # noqa: B008
    """An example."""
    return f"{graph.nodes} {times} {share} {stop.tolerance}"


TWO = Graph.from_edges(np.array([0]), np.array([1]))


def test_right_arguments_pass_and_the_function_stays_itself() -> None:
    assert example(TWO) == "2 1 None 1e-09"
    assert example(graph=TWO, times=np.int64(3), share=2, stop=Tol(1e-6)) == "2 3 2 1e-06"  # type: ignore[arg-type]
    assert (example.__name__, example.__doc__) == ("example", "An example.")
    assert list(inspect.signature(example).parameters) == ["graph", "times", "share", "stop"]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("times", 1.5, "a whole number"),
        ("times", None, "a whole number"),
        ("share", "0.5", "a number or None"),
        ("share", [0.5], "a number or None"),
        ("stop", 1e-9, r"Tol\(1e-09\)"),
        ("stop", "fine", "a stopping rule"),
    ],
)
def test_wrong_kinds_are_named(name: str, value: object, allowed: str) -> None:
    with pytest.raises(ParameterError, match=allowed) as caught:
        example(TWO, **{name: value})  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == (name, value)


def test_other_mistakes_are_python_s_own() -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        example(TWO, wrong=1)  # type: ignore[call-arg]


def test_numbers_of_numpy_become_python_s() -> None:
    @checked
    def kinds(graph: Graph, *, times: int = 1, share: float = 0.5, loud: bool = False) -> list[type]:
        return [type(times), type(share), type(loud)]

    given = {"times": np.int32(2), "share": np.float32(0.25), "loud": np.bool_(True)}
    assert kinds(TWO, **given) == [int, float, bool]  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="True or False"):
        kinds(TWO, loud="yes")  # type: ignore[arg-type]
