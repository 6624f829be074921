"""What every ranking in the table promises, whatever it measures."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus import rank
from periplus.errors import NotConvergedError, ParameterError, PeriplusError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import RANKERS, Scores
from periplus.rank.study.stability import Perturbation

NAMES = list(RANKERS)
# Kinds of randomness, or choices between equal answers, that a renumbering of the pages may change.
DEPENDS_ON_NUMBERS = {"monte-carlo", "opic"}


def web(nodes: int = 40, links: int = 240, seed: int = 5) -> Graph:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, nodes, links), (nodes * rng.random(links) ** 1.5).astype(np.int64)
    return Graph.from_edges(*ends, nodes)


def arguments(name: str, nodes: int, order: np.ndarray | None = None) -> dict:
    """What a ranking cannot do without, for pages renumbered so that new page k is old page order[k]."""
    order = np.arange(nodes) if order is None else order
    place = np.argsort(order)
    hosts = (np.arange(nodes) % 7)[order]
    return {
        "weighted-hits": {"hosts": hosts},
        "distillation": {"hosts": hosts, "relevance": (1.0 + np.arange(nodes) % 5)[order]},
        "personalised": {"seeds": [int(place[0]), int(place[nodes // 2])] if nodes else []},
    }.get(name, {})


def call(name: str, graph: Graph, **more) -> Scores:
    return RANKERS[name].function()(graph, **arguments(name, graph.nodes), **more)


def outcome(name: str, graph: Graph, **more) -> Scores | PeriplusError:
    try:
        return call(name, graph, **more)
    except PeriplusError as error:
        return error


@pytest.mark.parametrize("name", NAMES)
def test_record_is_complete(name):
    graph = web()
    scores = call(name, graph)
    assert isinstance(scores, Scores)
    assert scores.method == name
    assert scores.values.dtype == np.float64
    assert scores.values.shape == (graph.nodes,)
    assert np.all(np.isfinite(scores.values))
    assert scores.values.min() >= 0
    assert scores.values.max() > 0
    assert scores.converged
    assert scores.graph_digest == graph.digest
    assert scores.iterations >= 0
    assert scores.residual >= 0
    assert np.isnan(scores.error_bound) or scores.error_bound >= 0
    json.dumps(scores.to_dict(), allow_nan=False)
    assert ("hubs" in scores.extra) == RANKERS[name].hubs
    if RANKERS[name].hubs:
        assert scores.extra["hubs"].shape == (graph.nodes,)
        assert scores.extra["hubs"].min() >= 0


@pytest.mark.parametrize("name", NAMES)
def test_same_answer_twice_bit_by_bit(name):
    assert np.array_equal(call(name, web()).values, call(name, web()).values)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in DEPENDS_ON_NUMBERS])
def test_renumbering_the_pages_renumbers_the_scores(name):
    graph = web()
    order = np.random.default_rng(1).permutation(graph.nodes)
    place = np.argsort(order)
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    moved = Graph.from_edges(place[sources], place[graph.out_targets], graph.nodes)
    again = RANKERS[name].function()(moved, **arguments(name, graph.nodes, order))
    np.testing.assert_allclose(again.values, call(name, graph).values[order], atol=2e-7)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", list(oracle.special_graphs()))
def test_corner_graphs_give_an_answer_or_a_clear_error(name, kind):
    graph = oracle.special_graphs()[kind]
    found = outcome(name, graph)
    if isinstance(found, PeriplusError):
        assert isinstance(found, ParameterError)
        refused = "links" in RANKERS[name].needs and (graph.links == 0 or "different hosts" in str(found))
        assert refused or found.name in ("seeds", "index"), str(found)
    else:
        assert found.values.shape == (graph.nodes,)
        assert np.all(np.isfinite(found.values))


@pytest.mark.parametrize("name", [name for name in NAMES if "links" in RANKERS[name].needs])
def test_a_graph_without_links_is_refused(name):
    with pytest.raises(ParameterError, match="link"):
        call(name, graph_of([], 3))


@pytest.mark.parametrize("name", NAMES)
def test_table_says_what_the_function_takes(name):
    entry = RANKERS[name]
    taken = inspect.signature(entry.function()).parameters
    assert next(iter(taken)) == "graph"
    assert all(p.kind is p.KEYWORD_ONLY for key, p in taken.items() if key != "graph")
    assert ("stop" in taken) == (entry.stop is not None)
    for parameter in entry.parameters:
        assert parameter.name in taken
        if not parameter.required:
            assert taken[parameter.name].default == parameter.default
        if parameter.kind == "choice":
            assert parameter.default in parameter.choices
    hidden = set(taken) - {"graph", "stop"} - {parameter.name for parameter in entry.parameters}
    assert hidden <= {"gap", "hosts", "start"}, "a parameter that the table does not tell of"


@pytest.mark.parametrize("name", [name for name in NAMES if RANKERS[name].stop])
def test_too_few_passes_raise_with_the_partial_record_or_suffice(name):
    graph = web(600, 3000)
    found = outcome(name, graph, stop=Tol(1e-14) | MaxIter(1))
    if isinstance(found, PeriplusError):
        assert isinstance(found, NotConvergedError)
        assert found.partial is not None
    else:
        assert min(found.error_bound, found.residual) <= 1e-14


@pytest.mark.parametrize("name", [name for name in NAMES if RANKERS[name].stop])
def test_a_bare_number_is_no_stopping_rule(name):
    with pytest.raises(ParameterError, match=r"Tol\(1e-09\)"):
        call(name, web(), stop=1e-9)


@pytest.mark.parametrize("tolerance", [0.0, 1e-17, -1.0, float("nan")])
def test_tolerances_below_machine_precision_are_refused(tolerance):
    with pytest.raises(ParameterError, match="tolerance"):
        Tol(tolerance)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, p.name) for name in NAMES for p in RANKERS[name].parameters if p.name == "damping"],
)
@pytest.mark.parametrize("damping", [1.0, -0.1, 1.5, float("nan"), "0.85", None, [0.85]])
def test_damping_outside_its_range_is_refused(name, parameter, damping):
    with pytest.raises(ParameterError) as caught:
        call(name, web(), damping=damping)
    assert caught.value.name == "damping"


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, p.name)
        for name in NAMES
        for p in RANKERS[name].parameters
        if p.kind == "vector" and name != "distillation"
    ],
)
@pytest.mark.parametrize("bad", ["nan", "negative", "short", "zero", "text", "mapping", "dates", "complex", "huge"])
@pytest.mark.filterwarnings("error")
def test_bad_vectors_are_refused(name, parameter, bad):
    vector = {
        "nan": np.array([0.5, np.nan, 0.5]),
        "negative": np.array([0.5, -0.5, 1.0]),
        "short": np.ones(2),
        "zero": np.zeros(3),
        "text": "abc",
        "mapping": {0: 1.0},
        "dates": np.array(["2020-01-01"] * 3, "datetime64[D]"),
        "complex": np.array([1 + 1j, 1, 1]),
        "huge": np.full(3, 1e308),
    }[bad]
    if bad == "zero" and parameter == "similarity":
        pytest.skip("a query may be like no page at all")
    with pytest.raises(ParameterError) as caught:
        call(name, graph_of([(0, 1), (1, 2), (2, 0)]), **{parameter: vector})
    assert caught.value.name == parameter


def test_unknown_names_are_answered_with_those_there_are():
    for name in ("pagerang", None, ["pagerank"]):
        with pytest.raises(ParameterError, match="pagerank"):
            RANKERS.find(name)


@pytest.mark.parametrize("name", ["personalised", "distillation"])
def test_a_ranking_that_lacks_an_argument_says_which(name):
    graph, lacks = web(), f"{name} lacks {RANKERS[name].missing()[0]}"
    with pytest.raises(ParameterError, match=lacks):
        rank.overturn(graph, method=name)
    with pytest.raises(ParameterError, match=lacks):
        rank.compare(graph, ["pagerank", name])
    with pytest.raises(ParameterError, match=lacks):
        rank.stability(graph, name, Perturbation())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("monte-carlo", {"walks": 1.5}),
        ("monte-carlo", {"first": 10**20}),
        ("subspace-hits", {"power": 1e308}),
        ("subspace-hits", {"dimensions": 2.5}),
        ("harmonic", {"seed": 0.5}),
        ("katz", {"attenuation": "0.1"}),
        ("markov", {"novelty": None}),
        ("opic", {"rounds": "20"}),
        ("pagerank", {"solver": ["power"]}),
    ],
)
def test_arguments_of_the_wrong_kind_or_size_are_named(name, arguments):
    with pytest.raises(ParameterError) as caught:
        call(name, web(), **arguments)
    assert caught.value.name in arguments


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (lambda graph: rank.stability(graph, "hits", None), "perturbation"),
        (lambda graph: rank.stability(graph, 5, Perturbation()), "method"),
        (lambda graph: rank.compare(graph, "pagerank"), "methods"),
        (lambda graph: rank.compare(graph, 5), "methods"),
        (lambda graph: rank.update(graph, None, graph), "scores"),
        (lambda graph: rank.update(graph, rank.pagerank(graph), None), "after"),
        (lambda graph: rank.update(graph, np.ones(40), graph), "scores"),
        (lambda graph: rank.all_reputations(graph, "abc"), "terms"),
    ],
)
def test_records_and_lists_of_the_wrong_kind_are_named(wrong, name):
    with pytest.raises(ParameterError) as caught:
        wrong(web())
    assert caught.value.name == name


@pytest.mark.parametrize("seeds", [3, 1.5, [1.5], ["1"], "12", None, []])
def test_seeds_that_are_no_pages_are_refused(seeds):
    with pytest.raises(ParameterError, match="seeds"):
        rank.personalised_pagerank(web(), seeds=seeds)


def test_functions_win_over_modules_of_the_same_name():
    code = (
        "import periplus.rank.methods.pagerank, periplus.rank.methods.hits, importlib;"
        "from periplus.rank import pagerank, hits, stability;"
        "importlib.import_module('periplus.rank.study.stability'); import periplus.rank as r;"
        "assert all(callable(f) for f in (pagerank, hits, stability, r.stability, r.pagerank)), r.stability;"
        "from periplus import pagerank as again; assert again is pagerank"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_every_exported_name_can_be_loaded():
    for name in rank.__all__:
        assert getattr(rank, name) is not None
    with pytest.raises(AttributeError):
        _ = rank.no_such_ranking


def test_the_table_is_listed_without_loading_a_ranking():
    code = (
        "import sys; from periplus.rank import RANKERS; assert len(RANKERS) > 15;"
        "assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_ranking_is_in_the_guide():
    guide = (Path(__file__).parent.parent.parent / "docs" / "rankers.md").read_text()
    assert [name for name in RANKERS if f"`{name}`" not in guide] == []
