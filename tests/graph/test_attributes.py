"""Attributes of nodes and links: columns of any kind, on disk, and in every graph made out of a graph."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from periplus.errors import DamagedError, FormatError, ParameterError, PeriplusWarning
from periplus.graph import Graph
from periplus.graph.attributes import Attributes, Column
from periplus.graph.urls.table import NameTable

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
COLUMNS = st.one_of(
    st.lists(st.none() | TEXTS, min_size=4, max_size=4),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=4, max_size=4),
    st.lists(st.none() | st.floats(), min_size=4, max_size=4),
    st.lists(st.none() | st.booleans(), min_size=4, max_size=4),
)


def same(first: list, second: list) -> bool:
    """Equal values of equal types; NaN is NaN."""
    return len(first) == len(second) and all(
        type(a) is type(b) and (a == b or (a != a and b != b)) for a, b in zip(first, second, strict=True)
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(COLUMNS, st.lists(st.integers(-1, 3), max_size=6))
def test_a_column_gives_back_what_it_was_given(values: list, rows: list[int]) -> None:
    column = Column.of(values)
    assert same(column.tolist(), values)
    assert same([column[row] for row in range(4)], values)
    assert same(column.take(np.array(rows, np.int64)).tolist(), [None if row < 0 else values[row] for row in rows])


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(TEXTS, COLUMNS, max_size=4), st.dictionaries(TEXTS, COLUMNS, max_size=2))
def test_a_graph_folder_keeps_every_value_and_type(tmp_path: Path, nodes: dict, links: dict) -> None:
    graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]).described(nodes, links)
    graph.save(tmp_path / "g")
    back = Graph.open(tmp_path / "g")
    for kept, given_ in ((back.node_attributes, nodes), (back.link_attributes, links)):
        assert list(kept or {}) == list(given_)
        assert all(same(kept[name].tolist(), values) for name, values in given_.items())


def test_a_folder_saved_again_without_attributes_has_none(tmp_path: Path) -> None:
    Graph.from_edges([0], [1]).described({"a": ["x", "y"]}, {"w": [1.5]}).save(tmp_path / "g")
    Graph.from_edges([0], [1]).save(tmp_path / "g")
    assert Graph.open(tmp_path / "g").node_attributes is None
    assert sorted(path.name for path in (tmp_path / "g").iterdir()) == [
        "graph.json",
        "out.offsets.npy",
        "out.targets.npy",
    ]


def test_damage_is_told(tmp_path: Path) -> None:
    Graph.from_edges([0], [1]).described({"a": ["x", "y"]}).save(tmp_path / "g")
    np.save(tmp_path / "g" / "nodes.0.npy", np.array([0, 7], np.uint32))
    with pytest.raises(DamagedError, match="text 7 of 2"):
        Graph.open(tmp_path / "g").node_attributes["a"].tolist()
    np.save(tmp_path / "g" / "nodes.0.npy", np.array([0], np.uint32))
    with pytest.raises(FormatError, match=r"nodes\.0\.npy"):
        Graph.open(tmp_path / "g")
    (tmp_path / "g" / "nodes.json").write_text("[{}]")
    with pytest.raises(FormatError, match="convert the graph again"):
        Graph.open(tmp_path / "g")


@pytest.mark.parametrize(
    ("values", "kept", "why"),
    [
        ([1, "a"], ["1", "a"], "mixes texts and whole numbers"),
        ([True, 2], ["true", "2"], "mixes flags and whole numbers"),
        ([[1, 2], None], ["[1, 2]", None], "lists"),
        ([2**63, 1], [str(2**63), "1"], "int64"),
        ([2**60 + 1, 0.5], [str(2**60 + 1), "0.5"], "float64"),
    ],
)
def test_a_mixture_is_kept_as_text_and_told(values: list, kept: list, why: str) -> None:
    with pytest.warns(PeriplusWarning, match=why):
        assert Attributes.of({"c": values}, 2)["c"].tolist() == kept


def test_whole_numbers_among_numbers_are_numbers() -> None:
    assert same(Column.of([1, 2.5, None]).tolist(), [1.0, 2.5, None])
    assert same(Column.of(np.array([1, 2], np.uint8)).tolist(), [1, 2])
    assert Column.of(np.array([2**64 - 1], np.uint64)).kind == "text"
    assert math.isnan(Column.of(np.array([math.nan])).tolist()[0])


def test_a_column_of_the_wrong_length_and_one_that_is_not_there() -> None:
    with pytest.raises(ParameterError, match="one for each of 3 rows"):
        Attributes.of({"c": [1, 2]}, 3)
    with pytest.raises(ParameterError, match="one of a, b"):
        Attributes.of({"a": [1], "b": [2]}, 1).find("c")


def test_arrow() -> None:
    table = Attributes.of({"t": ["x", None], "w": [1, 2], "n": [math.nan, None], "f": [None, True]}, 2).to_arrow()
    assert table.column("t").to_pylist() == ["x", None]
    assert table.schema.field("w").type == "int64"
    assert math.isnan(table.column("n").to_pylist()[0])
    assert table.column("n").null_count == 1
    assert table.column("f").to_pylist() == [None, True]


# -- graphs out of a graph -----------------------------------------------------------------------------------

EDGES = [(0, 1), (0, 2), (1, 0), (2, 2), (3, 1), (3, 0)]


@pytest.fixture
def graph() -> Graph:
    """Every link knows its ends, every node its name."""
    plain = Graph.from_edges([a for a, _ in EDGES], [b for _, b in EDGES], urls=NameTable.from_names("abcd"))
    ends = [f"{a}{b}" for a, b in zip(plain.sources.tolist(), plain.out_targets.tolist(), strict=True)]
    return plain.described({"was": [0, 1, 2, 3]}, {"ends": ends})


def told(graph: Graph) -> list[tuple[str, str]]:
    """What each link says it is, and what it is."""
    was = graph.node_attributes["was"].tolist()
    pairs = zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True)
    return list(zip(graph.link_attributes["ends"].tolist(), (f"{was[a]}{was[b]}" for a, b in pairs), strict=True))


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g.subgraph([3, 0, 1]),
        lambda g: g.subgraph(np.array([True, False, True, True])),
        lambda g: g.reordered(np.array([2, 3, 0, 1])),
        lambda g: g.without(g.sources == 0),
        lambda g: g.reverse().reverse(),
        lambda g: g.subgraph([2]).subgraph([0]),
    ],
)
def test_nodes_and_links_keep_theirs(graph: Graph, change) -> None:
    changed = change(graph)
    assert changed.links
    assert all(said == is_ for said, is_ in told(changed))


def test_a_link_turned_round_keeps_its_own(graph: Graph) -> None:
    assert all(said == is_[::-1] for said, is_ in told(graph.reverse()))
    both = {is_: said for said, is_ in told(graph.symmetrised())}
    assert all(sorted(said) == sorted(is_) for is_, said in both.items())
    assert both["01"] == "01"  # there already: its own
    assert both["20"] == "02"


def test_a_graph_of_groups_has_weights_sizes_and_what_is_shared() -> None:
    graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 0]).described(
        {"camp": ["l", "l", "r", None], "half": [1, 1, 2, 3], "k": [None, 5, 6, 6]},
        {"weight": [1.0, 2.0, 4.0, 8.0, 0.5]},
    )
    with pytest.warns(PeriplusWarning, match="'half' is left empty in 1 of 2 groups"):
        groups = graph.collapse(np.array([0, 0, 1, 1])).graph
    assert groups.node_attributes.to_dict() == {"pages": [2, 2], "camp": ["l", "r"], "half": [1, None], "k": [5, 6]}
    assert groups.link_attributes.to_dict() == {"weight": [1.0, 6.0, 0.5, 8.0], "links": [1, 2, 1, 1]}
    with pytest.warns(PeriplusWarning, match="'half' is left out"):
        assert (
            "half" not in graph.described({"half": [1, 2, 3, 4]}).collapse(np.array([0, 0, 1, 1])).graph.node_attributes
        )
    by_camp = graph.described({"half": [0] * 4, "k": [0] * 4}).collapse("camp")
    assert by_camp.names == ("l", "r", "(none)")
    assert by_camp.sizes.tolist() == [2, 1, 1]


def test_groups_by_top_level_domain() -> None:
    names = ["http://a.example.org/", "http://b.example/", "http://127.0.0.1/x", "http://c.org/"]
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], urls=NameTable.from_names(names))
    collapsed = graph.collapse("tld")
    assert [collapsed.names[label] for label in collapsed.labels] == ["org", "example", "127.0.0.1", "org"]
    with pytest.raises(ParameterError, match='"host", "site", "tld", "leaning"'):
        graph.described({"leaning": [1, 2, 3, 4]}).collapse("laening")
