"""Parameters and tables, and what every public function does with arguments of the wrong kind."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import typing
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any

import networkx
import numpy as np
import pytest
from scipy.sparse import csr_array

from periplus import dynamics, models, rank, similar, structure
from periplus.catalog import CATALOGUES, SEED, Algorithm, Catalogue, Parameter, catalogues, checked, load
from periplus.errors import ParameterError, UnknownParameterError
from periplus.graph import Graph, write_graph
from periplus.graph.order import ordering
from periplus.numeric.stop import Stop, Tol

# -- tables --------------------------------------------------------------------------------------------------

ROWS = [(table, row) for table, rows in catalogues().items() for row in rows.values()]
rows = pytest.mark.parametrize(("table", "row"), ROWS, ids=[f"{table}-{row.name}" for table, row in ROWS])


def test_a_table_keeps_its_order_and_names_what_it_has() -> None:
    table = Catalogue("toy", [Algorithm("b", "math:sqrt", "root"), Algorithm("a", "math:exp", "growth", label="power")])
    assert list(table) == ["b", "a"]
    assert len(table) == 2
    assert "b" in table
    assert table.find("a").function()(0) == 1
    assert (table["a"].label, table["b"].label) == ("power", "b")
    assert repr(table) == "Catalogue(toy: b, a)"
    for name in ("c", None, ["a"], 3):
        with pytest.raises(ParameterError, match="one of b, a") as caught:
            table.find(name)
        assert caught.value.name == "toy"
    with pytest.raises(ParameterError, match=r"one of pagerank \(did you mean pagerank\?\)"):
        Catalogue("toy", [Algorithm("pagerank", "", "")]).find("pagerang")
    with pytest.raises(ValueError, match="two rows of the table are named a"):
        Catalogue("toy", [Algorithm("a", "", ""), Algorithm("a", "", "")])


def test_parameters_are_filled_in_and_strange_ones_refused() -> None:
    row = Algorithm("toy", "", "", parameters=(Parameter("p", "float", 0.5, "", 0, 1, also=("alpha",)), SEED))
    assert row.checked({}) == {"p": 0.5, "seed": 0}
    assert row.checked({"p": 1}) == {"p": 1.0, "seed": 0}
    assert (row.parameter("p"), row.parameter("q")) == (row.parameters[0], None)
    for name, meant in (("alpha", "did you mean p?"), ("sede", "did you mean seed?"), ("zzz", "it has p, seed")):
        with pytest.raises(UnknownParameterError) as caught:
            row.checked({name: 1})
        assert str(caught.value) == f"toy has no parameter '{name}': {meant}"
        assert (caught.value.name, caught.value.value) == (name, 1)
    needy = Algorithm("needy", "", "", parameters=(Parameter("seeds", "pages", None, "", required=True),))
    assert needy.missing() == ["seeds"]
    assert needy.missing({"seeds": [1]}) == []
    with pytest.raises(ParameterError, match="seeds"):
        needy.checked({})


@rows
def test_every_row_is_whole(table: str, row: Algorithm) -> None:
    assert callable(row.function())
    assert row.help
    assert row.paper or row.name in ("auto", "indegree", "text", "blended")
    assert row.returns
    assert set(row.needs) <= {"links", "urls", "words", "paths", "pagerank", "topics"}
    described = row.to_dict()
    assert described["name"] == row.name
    assert all(described[key] is not None for key in ("help", "label", "when", "paper"))
    names = [parameter.name for parameter in row.parameters]
    assert len(set(names)) == len(names)
    for parameter in row.parameters:
        assert parameter.help
        assert parameter.default is None or parameter.check(parameter.default) == parameter.default
        assert not set(parameter.also) & set(names), "a name of another library is ours for something else"
        assert parameter.required or parameter.check(parameter.default) == parameter.default


@rows
def test_ranges_of_the_table_hold_for_its_functions(table: str, row: Algorithm) -> None:
    for parameter in row.parameters:
        beyond = [value for value in (parameter.low - 1, parameter.high + 1) if math.isfinite(value)]
        for value in ["none of them"] if parameter.kind == "choice" else beyond:
            with pytest.raises(ParameterError) as caught:
                row.function()(**{parameter.name: value})
            assert caught.value.name == parameter.name


def test_every_catalogue_is_listed_once() -> None:
    assert list(catalogues()) == list(CATALOGUES)
    assert load("periplus.catalog:SEED") is SEED


# -- what public functions do with their arguments -----------------------------------------------------------

# Parts that the public functions are put together from; they are called with what was checked before.
INNER = {
    "periplus.structure.paths.undirected",
    "periplus.structure.connectivity.sweeps",
    "periplus.models.pictures.report",
}
OURS = ("builtins", "periplus")
Function = Callable[..., Any]


def offered() -> Iterator[Function]:
    """Every function that a package offers by name."""
    for package in (rank, structure, dynamics, models, similar):
        yield from filter(inspect.isfunction, (getattr(package, name) for name in package.__all__))


def taking_a_graph() -> Iterator[Function]:
    """Every public function, offered or not, whose first argument is a graph."""
    yield from (write_graph, ordering)
    for package in (structure, models, dynamics):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name not in INNER and not found.ispkg:
                module = importlib.import_module(found.name)
                members = inspect.getmembers(module, inspect.isfunction)
                mine = [one for name, one in members if one.__module__ == found.name and not name.startswith("_")]
                yield from filter(graph_parameter, mine)


def graph_parameter(function: Function) -> str | None:
    """The name of the first parameter, where a graph belongs there."""
    first = next(iter(inspect.signature(function).parameters.values()), None)
    return first.name if first is not None and first.annotation == "Graph" else None


PUBLIC = {f"{one.__module__}.{one.__name__}": one for one in (*offered(), *taking_a_graph())}
TAKES_A_GRAPH = {one.__name__: one for one in PUBLIC.values() if graph_parameter(one)}
public = pytest.mark.parametrize("function", PUBLIC.values(), ids=PUBLIC)


def test_the_rankings_and_more_are_among_them() -> None:
    assert {"pagerank", "hits", "salsa", "indegree", "katz", "harmonic", "markov_chain"} <= set(TAKES_A_GRAPH)
    assert {"stability", "overturn", "compare", "push", "personalised", "update"} <= set(TAKES_A_GRAPH)
    assert {"bowtie", "distances", "strong_components", "spread", "write_graph"} <= set(TAKES_A_GRAPH)
    assert {"fit_law", "currency", "kendall_tau", "erdos_renyi"} <= {one.__name__ for one in PUBLIC.values()}


@public
def test_every_argument_of_the_wrong_kind_is_named(function: Function) -> None:
    """All hints resolve when called, and `object()` is refused where a number, text, flag or class of ours belongs."""
    hints = typing.get_type_hints(function)
    for name in inspect.signature(function).parameters:
        kinds = typing.get_args(hints[name]) if isinstance(hints[name], UnionType) else (hints[name],)
        if all(isinstance(kind, type) and kind.__module__.partition(".")[0] in OURS for kind in kinds):
            with pytest.raises(ParameterError) as caught:
                function(**{name: object()})
            assert caught.value.name == name
            if bool not in kinds:
                with pytest.raises(ParameterError):
                    function(**{name: True})


@public
def test_a_wrong_keyword_is_answered_with_the_right_one(function: Function) -> None:
    signature = inspect.signature(function).parameters
    if any(one.kind is one.VAR_KEYWORD for one in signature.values()):
        return
    with pytest.raises(UnknownParameterError, match=f"{function.__name__} has no parameter 'zzz': it has "):
        function(zzz=1)
    for name in signature:
        with pytest.raises(TypeError, match=f"has no parameter '{name}x': did you mean "):
            function(**{f"{name}x": 1})


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("pagerank", "alpha", "damping?"),
        ("pagerank", "damping_factor", "damping?"),
        ("pagerank", "personalization", "preference?"),
        ("pagerank", "nstart", "start?"),
        ("pagerank", "tol", "stop? It takes a stopping rule, such as Tol(1e-9) | MaxIter(1000)"),
        ("pagerank", "max_iter", "stop? It takes a stopping rule, such as Tol(1e-9) | MaxIter(1000)"),
        ("pagerank", "dampin", "damping?"),
        ("hits", "max_iter", "stop? It takes a stopping rule, such as Tol(1e-9) | MaxIter(1000)"),
        ("katz", "alpha", "attenuation?"),
        ("personalised_pagerank", "personalization", "seeds?"),
        ("monte_carlo", "random_state", "seed?"),
    ],
)
def test_names_of_other_libraries_are_known(name: str, wrong: str, right: str) -> None:
    with pytest.raises(UnknownParameterError) as caught:
        getattr(rank, name)(TWO, **{wrong: 0.5})
    assert str(caught.value) == f"{name} has no parameter '{wrong}': did you mean {right}"


@pytest.mark.parametrize("name", sorted(TAKES_A_GRAPH))
def test_what_is_no_graph_is_refused_by_every_function(name: str) -> None:
    for value in (networkx.DiGraph([(0, 1)]), 3, None, "web.txt", np.zeros((2, 2))):
        with pytest.raises(ParameterError, match=type(value).__name__) as caught:
            TAKES_A_GRAPH[name](value)
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
def example_of_all(graph: Graph, *, times: int = 1, share: float | None = None, stop: Stop = Tol(1e-9)) -> str:  # noqa: B008
    """An example."""
    return f"{graph.nodes} {times} {share} {stop.tolerance}"


TWO = Graph.from_edges(np.array([0]), np.array([1]))


def test_right_arguments_pass_and_the_function_stays_itself() -> None:
    assert example_of_all(TWO) == "2 1 None 1e-09"
    assert example_of_all(graph=TWO, times=np.int64(3), share=2, stop=Tol(1e-6)) == "2 3 2 1e-06"  # type: ignore[arg-type]
    assert example_of_all(TWO, times=1e3, share=np.float32(0.5)) == "2 1000 0.5 1e-09"  # type: ignore[arg-type]
    assert (example_of_all.__name__, example_of_all.__doc__) == ("example_of_all", "An example.")
    assert list(inspect.signature(example_of_all).parameters) == ["graph", "times", "share", "stop"]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("times", 1.5, "a whole number"),
        ("times", math.nan, "a whole number"),
        ("times", math.inf, "a whole number"),
        ("times", True, "a whole number"),
        ("times", None, "a whole number"),
        ("share", "0.5", "a number or None"),
        ("share", [0.5], "a number or None"),
        ("share", True, "a number or None"),
        ("stop", 1e-9, r"Tol\(1e-09\)"),
        ("stop", "fine", "a stopping rule"),
    ],
)
def test_wrong_kinds_are_named(name: str, value: object, allowed: str) -> None:
    with pytest.raises(ParameterError, match=allowed) as caught:
        example_of_all(TWO, **{name: value})  # type: ignore[arg-type]
    assert caught.value.name == name
    assert caught.value.value is value


def test_other_mistakes_are_python_s_own() -> None:
    with pytest.raises(TypeError, match="1 positional argument but 2"):
        example_of_all(TWO, 1)  # type: ignore[misc]
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        example_of_all()  # type: ignore[call-arg]


def test_numbers_of_numpy_become_python_s() -> None:
    @checked
    def kinds(graph: Graph, *, times: int = 1, share: float = 0.5, loud: bool = False) -> list[type]:
        return [type(times), type(share), type(loud)]

    given = {"times": np.int32(2), "share": np.float32(0.25), "loud": np.bool_(True)}
    assert kinds(TWO, **given) == [int, float, bool]  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="True or False"):
        kinds(TWO, loud="yes")  # type: ignore[arg-type]


def test_what_resembles_the_graph_alone_is_told_what_there_is() -> None:
    with pytest.raises(UnknownParameterError, match="hits has no parameter 'alpha': it has gap, stop"):
        rank.hits(TWO, alpha=0.1)
