"""What every model of the table promises: a sound graph, the same for the same seed, and clear refusals."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from periplus.catalog import Parameter
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.models import MODELS, Model

SMALL = {"kleinberg": 400, "alpha-beta": 500}
models = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def small(model: Model, **more) -> Graph:
    return model.generate(n=SMALL.get(model.name, 300), **more)


@models
def test_rows_are_sorted_unique_and_in_range(model: Model) -> None:
    graph = small(model, seed=5)
    assert graph.nodes > 0
    assert graph.links > 0
    for page in range(graph.nodes):
        row = graph.successors(page).astype(np.int64)
        assert (np.diff(row) > 0).all()
        assert not len(row) or (row[0] >= 0 and row[-1] < graph.nodes)


@models
def test_undirected_models_have_both_directions(model: Model) -> None:
    if not model.directed:
        graph = small(model, seed=2)
        assert graph.reverse().digest == graph.digest


@models
def test_one_seed_one_graph_another_seed_another(model: Model) -> None:
    assert small(model, seed=1).digest == small(model, seed=1).digest
    assert len({small(model, seed=seed).digest for seed in range(4)}) > 1


def test_the_number_of_threads_does_not_matter() -> None:
    program = (
        "from periplus.models import MODELS\n"
        "for m in MODELS.values(): print(m.name, m.generate(n=140_000 if m.name == 'linear-copying' else 3000,"
        " seed=9).digest)"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PERIPLUS_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3")
    }
    assert len(digests) == 1


@models
def test_the_smallest_number_of_pages_works_and_fewer_are_refused(model: Model) -> None:
    least = next(parameter for parameter in model.parameters if parameter.name == "n")
    with pytest.raises(ParameterError, match="n = "):
        model.generate(n=int(least.low) - 1)
    sizes = {"watts-strogatz": {"d": 2}, "edge-addition": {"d": 2}, "kleinberg": {"long_range": 0}}
    more = sizes.get(model.name, {})
    if any(parameter.name == "m" for parameter in model.parameters):
        more = {"m": 0}
    graph = model.generate(n=int(least.low), **more)
    assert graph.nodes >= 1


def bad_values(parameter: Parameter) -> list[object]:
    if parameter.kind == "flag":
        return ["perhaps"]
    if parameter.choices:
        return ["nonsense"]
    values: list[object] = ["many", math.nan]
    if parameter.low > -math.inf:
        values += [parameter.low - 1, *([parameter.low] if parameter.open_low else [])]
    if parameter.high < math.inf:
        values += [parameter.high * 2 + 1, *([parameter.high] if parameter.open_high else [])]
    if parameter.kind == "int":
        values.append(parameter.low + 0.5)
    return values


CASES = [(m, p, v) for m in MODELS.values() for p in m.parameters for v in bad_values(p)]


@pytest.mark.parametrize(("model", "parameter", "value"), CASES, ids=lambda c: getattr(c, "name", str(c)))
def test_bad_values_name_the_parameter_and_its_range(model: Model, parameter: Parameter, value: object) -> None:
    with pytest.raises(ParameterError) as refused:
        model.generate(**{parameter.name: value})
    assert parameter.name in str(refused.value)
    assert parameter.allowed in str(refused.value)


@pytest.mark.parametrize(("model", "parameter", "value"), CASES, ids=lambda c: getattr(c, "name", str(c)))
def test_a_generator_called_by_itself_refuses_them_too(model: Model, parameter: Parameter, value: object) -> None:
    with pytest.raises(ParameterError, match=parameter.name):
        model.function()(**{"n": 100, parameter.name: value})


@models
def test_unknown_parameters_are_refused(model: Model) -> None:
    with pytest.raises(ParameterError, match="no_such"):
        model.generate(no_such=1)


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("erdos-renyi-links", {"n": 5, "m": 21}, "at most 20"),
        ("erdos-renyi-links", {"n": 5, "m": 11, "directed": False}, "at most 10"),
        ("preference-only", {"n": 10, "m": 46}, "at most 45"),
        ("watts-strogatz", {"n": 20, "d": 3}, "even"),
        ("watts-strogatz", {"n": 10, "d": 10}, "less than n"),
        ("edge-addition", {"n": 10, "d": 12}, "less than n"),
        ("preferential-attachment", {"n": 10, "m0": 4, "n0": 3}, "at least m0"),
        ("preferential-attachment", {"n": 4, "m0": 4}, "less than n"),
        ("directed-scale-free", {"gamma": 0.5}, "1/mean_degree"),
        ("directed-scale-free", {"in_exponent": 2.001, "gamma": 0.1}, "in_exponent"),
        ("rmat", {"a": 0.9, "b": 0.9}, "at most 1"),
        ("growth-only", {"n": 4, "m0": 4}, "less than n"),
        ("alpha-beta", {"alpha": 20.0, "beta": 1.1}, "alpha/beta"),
        ("alpha-beta", {"alpha": 17.0, "beta": 1.1}, "links"),
        ("kleinberg", {"n": 1}, "long-range"),
    ],
)
def test_combinations_that_make_no_sense(name: str, given: dict[str, object], told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        MODELS[name].generate(**given)
