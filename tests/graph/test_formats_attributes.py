"""Attributes in files: every format that keeps them gives back each value and its type, and says what it cannot."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import data_path
from tests.graph.test_formats import graph_of, links_of, target

from periplus.errors import FormatError, ParameterError, PeriplusWarning
from periplus.graph import Graph
from periplus.graph.attributes import Attributes
from periplus.graph.formats import FORMATS, read_graph, write_graph
from periplus.graph.formats.xml import _UNSTORABLE
from periplus.graph.urls.table import NameTable


def same(first: list, second: list) -> bool:
    """Equal values of equal types; NaN is NaN."""
    return len(first) == len(second) and all(
        type(a) is type(b) and (a == b or (a != a and b != b)) for a, b in zip(first, second, strict=True)
    )


# What XML holds: no control characters but these three; "\r" and the rest of the line ends must survive too.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]).filter(lambda c: _UNSTORABLE.search(c) is None), max_size=8)
VALUES = [
    st.lists(st.none() | TEXTS, min_size=4, max_size=4),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=4, max_size=4),
    st.lists(st.none() | st.floats(), min_size=4, max_size=4),
    st.lists(st.none() | st.booleans(), min_size=4, max_size=4),
    st.just(["007", "1.50", "true", ""]),  # texts that look like something else
]
COLUMNS = st.dictionaries(
    st.sampled_from(["value", "two words", "ä„é", "source", "id", "Label", "weight", "a.b", "<&\"'>", "column1", "x"])
    | TEXTS.filter(lambda name: name.strip()),
    st.one_of(VALUES),
    max_size=4,
)
KEEPING = [each.name for each in FORMATS if each.keeps_attributes]


def _without_carriage_returns(columns: dict) -> dict:
    return {
        name.replace("\r", "").replace("\n", ""): [v.replace("\r", "") if isinstance(v, str) else v for v in values]
        for name, values in columns.items()
    }


@pytest.mark.parametrize("name", [name for name in KEEPING if name != "folder"])  # see test_attributes
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COLUMNS, COLUMNS, st.booleans())
@pytest.mark.filterwarnings("ignore:.*without any value")
def test_attributes_go_round_with_their_values_and_types(tmp_path, name, nodes, links, named) -> None:
    if name == "tables":  # lines are told apart by their ends: "\r\n" is one, and a heading is one line
        nodes, links = (_without_carriage_returns(columns) for columns in (nodes, links))
    urls = NameTable.from_names(["http://a.example/ä", 'b "c"', "d e", "f"]) if named else None
    wanted = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 2], 4, urls=urls).described(nodes, links)
    path = target(tmp_path, name)
    write_graph(wanted, path, format=name)
    back = read_graph(path, format=name)
    assert back == wanted
    for kept, given_ in ((back.node_attributes, nodes), (back.link_attributes, links)):
        for column, values in given_.items():
            if any(value is not None for value in values) or name != "pajek":
                assert same(kept[column].tolist(), values), (column, values)
        assert set(kept or {}) <= set(given_)
    assert named is False or list(back.urls) == list(urls)


def test_leanings_survive_a_journey_through_every_format(tmp_path) -> None:
    """polblogs' `value` and `source` and its names, from format to format and back to GML."""
    first = read_graph(data_path("polblogs") / "polblogs.gml.xz")
    assert {name: column.kind for name, column in first.node_attributes.items()} == {"value": "whole", "source": "text"}
    weights = np.arange(first.links) / 8
    current = first.described(links={"weight": weights, "is even": weights % 0.25 == 0})
    for number, name in enumerate([*KEEPING, "gml"]):
        if name in ("parquet", "arrow"):
            pytest.importorskip("pyarrow")
        folder = tmp_path / str(number)
        folder.mkdir()
        path = target(folder, name)
        write_graph(current, path, format=name)
        current = read_graph(path)
    assert current == first
    assert list(current.urls) == list(first.urls)
    assert current.node_attributes.to_dict() == first.node_attributes.to_dict()
    assert current.link_attributes.to_dict() == {"weight": weights.tolist(), "is even": (weights % 0.25 == 0).tolist()}


def warned(path, **how) -> tuple[Graph, str]:
    """A graph and all that was said about its file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PeriplusWarning)
        graph = read_graph(path, **how)
    return graph, " | ".join(str(one.message) for one in caught)


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (
            "gexf",
            "<gexf><graph><nodes><node id='0'/><node id='1'/></nodes>"
            "<edges><edge source='0' target='1'/></edges></graph></gexf>",
        ),
        ("gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]"),
    ],
)
def test_a_file_that_does_not_say_what_its_links_are(tmp_path, ending, text) -> None:
    path = tmp_path / f"g.{ending}"
    path.write_text(text)
    graph, said = warned(path)
    assert links_of(graph) == {(0, 1), (1, 0)}
    assert "read as undirected" in said
    assert "--directed" in said
    assert [links_of(warned(path, directed=way)[0]) for way in (True, False)] == [{(0, 1)}, {(0, 1), (1, 0)}]
    assert warned(path, directed=True)[1] == ""


@pytest.mark.parametrize("name", [each.name for each in FORMATS if each.takes_direction])
def test_a_reader_can_be_told_what_the_links_are(tmp_path, name) -> None:
    path = target(tmp_path, name)
    write_graph(graph_of([(0, 1), (1, 1)], 2), path)
    assert links_of(read_graph(path, directed=False)) == {(0, 1), (1, 0), (1, 1)}


def test_other_formats_are_symmetrised_and_undirected_ones_refuse(tmp_path) -> None:
    write_graph(graph_of([(0, 1)], 2), tmp_path / "g.mtx")
    assert links_of(read_graph(tmp_path / "g.mtx", directed=False)) == {(0, 1), (1, 0)}
    write_graph(graph_of([(0, 1), (1, 0)], 2), tmp_path / "g.metis")
    with pytest.raises(ParameterError, match="METIS"):
        read_graph(tmp_path / "g.metis", directed=True)


def test_gml_of_strangers(tmp_path) -> None:
    """Lists, nested records, mixed types, names borne twice, ids that are no numbering."""
    (tmp_path / "g.gml").write_text(
        """Version 1
        graph [ directed 1 node [ id 7 label "a" tags "x" tags "y" graphics [ x 1.5 Line [ w 2 ] ] big 1 ]
        node [ id 9 label "a" big "one" Fill 3 ] edge [ source 7 target 9 value 2 ]
        edge [ source 7 target 9 value 5 ] ]"""
    )
    graph, said = warned(tmp_path / "g.gml")
    assert graph.node_attributes.to_dict() == {
        "tags": ['["x", "y"]', None],
        "graphics.x": [1.5, None],
        "graphics.Line.w": [2, None],
        "big": ["1", "one"],
        "Fill": [None, 3],
        "id": [7, 9],
    }
    assert graph.link_attributes.to_dict() == {"value": [2]}
    for words in (
        "'tags' comes several times",
        "'big' mixes",
        "1 node bears the name of another",
        "1 link came again",
    ):
        assert words in said


def test_graphml_of_strangers(tmp_path) -> None:
    """Defaults, two keys of one name, data of no key, data that are XML, values of the wrong kind."""
    text = """<graphml><key id="a" for="node" attr.name="k" attr.type="int"><default>4</default></key>
    <key id="b" for="all" attr.name="k" attr.type="boolean"/><key id="c" for="edge" attr.name="w" attr.type="double"/>
    <key id="y" for="node" yfiles.type="nodegraphics"/>
    <graph><node id="p"><data key="a">1</data><data key="b">true</data></node>
    <node id="q"><data key="y"><y:Shape xmlns:y="u"><data key="a">9</data></y:Shape></data>
    <data key="zz">?</data></node>
    <edge source="p" target="q" directed="false"><data key="c">0.5</data></edge></graph></graphml>"""
    (tmp_path / "g.graphml").write_text(text)
    graph, said = warned(tmp_path / "g.graphml")
    assert graph.node_attributes.to_dict() == {"k": [1, 4], "k (2)": [True, None], "y": [None, None]}
    assert graph.link_attributes.to_dict() == {"k": [None, None], "w": [0.5, 0.5]}
    for words in ("two columns are called 'k'", "passed over 1 data of no key (zz)", "passed over 1 data that are XML"):
        assert words in said
    (tmp_path / "g.graphml").write_text(
        text.replace(">1<", ">one<").replace('name="k" attr.type="b', 'name="l" attr.type="b')
    )
    with pytest.raises(FormatError, match="line 4: 'one' is no whole number"):
        read_graph(tmp_path / "g.graphml")


def test_gexf_of_gephi(tmp_path) -> None:
    """Attributes with defaults, weights and labels in the tags of edges, colours and places."""
    (tmp_path / "g.gexf").write_text(
        """<gexf xmlns:viz="v"><graph defaultedgetype="directed"><attributes class="node" mode="static">
        <attribute id="0" title="Country" type="string"><default>FR</default></attribute></attributes>
        <nodes><node id="a" label="A"><attvalues><attvalue for="0" value="SI"/></attvalues><viz:size value="3"/></node>
        <node id="b" label="B"><viz:color r="1" g="2" b="3"/></node></nodes>
        <edges><edge id="0" source="a" target="b" weight="2.0" label="cites"/></edges></graph></gexf>"""
    )
    graph, said = warned(tmp_path / "g.gexf")
    assert graph.node_attributes.to_dict() == {"Country": ["SI", "FR"], "id": ["a", "b"]}
    assert graph.link_attributes.to_dict() == {"weight": [2.0], "label": ["cites"]}
    assert "passed over 1 sizes" in said
    assert "passed over 1 colours" in said


def test_pajek_of_strangers(tmp_path) -> None:
    (tmp_path / "g.net").write_text(
        '*Vertices 2\n1 "a" 0.5 0.25 0 box ic Red\n2 b 1 1\n*Arcs\n1 2 3 c Blue\n*Edges\n2 2\n'
    )
    graph = read_graph(tmp_path / "g.net")
    assert graph.node_attributes.to_dict() == {
        "x": [0.5, 1.0],
        "y": [0.25, 1.0],
        "z": [0, None],
        "shape": ["box", None],
        "ic": ["Red", None],
    }
    assert graph.link_attributes.to_dict() == {"weight": [3, None], "c": ["Blue", None]}


@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml", "net"])
def test_networkx_reads_our_attributes(tmp_path, ending) -> None:
    graph = graph_of([(0, 1), (1, 0)], 2, ["a", "b"]).described({"camp": ["left", None]}, {"weight": [0.5, 2.0]})
    path = tmp_path / f"g.{ending}"
    write_graph(graph, path)
    if ending == "net":
        theirs = nx.read_pajek(path)
    else:
        how = {"gexf": {"version": "1.2draft"}, "gml": {"label": "id"}}.get(ending, {})
        theirs = getattr(nx, f"read_{ending}")(path, **how)
    assert sorted(told["weight"] for _, _, told in theirs.edges(data=True)) == [0.5, 2.0]
    if ending != "net":  # networkx reads what follows a vertex's label only behind its place and shape
        assert [told.get("camp") for _, told in theirs.nodes(data=True)] == ["left", None]


# -- tables --------------------------------------------------------------------------------------------------


def test_tables_counted_from_one_and_ids_of_any_kind(tmp_path) -> None:
    (tmp_path / "edges.tsv").write_text("1\t2\n3\t1\n")
    (tmp_path / "nodes.tsv").write_text("#id\tcamp\n2\tb\n1\ta\n3\tc\n")
    graph, said = warned(tmp_path)
    assert links_of(graph) == {(0, 1), (2, 0)}
    assert graph.node_attributes.to_dict() == {"camp": ["a", "b", "c"]}
    assert "run from 1 to 3" in said
    (tmp_path / "edges.tsv").write_text("x1\t70\n70\t70\n")
    (tmp_path / "nodes.tsv").write_text("#id\turl\tage\n70\tSeventy\t1\nx1\tEx\t\n")
    graph, said = warned(tmp_path)
    assert (links_of(graph), list(graph.urls)) == ({(1, 0), (0, 0)}, ["Seventy", "Ex"])
    assert graph.node_attributes.to_dict() == {"age": [1, None], "id": ["70", "x1"]}


def test_tables_of_gephi(tmp_path) -> None:
    (tmp_path / "n.nodes.csv").write_text('Id,Label,Party,Big\n0,"A, B",l,true\n1,C,r,false\n2,D,,true\n')
    (tmp_path / "n.edges.csv").write_text("Source,Target,Type,Weight\n0,1,Directed,2\n1,2,Undirected,\n")
    graph = read_graph(tmp_path / "n.edges.csv")
    assert list(graph.urls) == ["A, B", "C", "D"]
    assert graph.node_attributes.to_dict() == {"Party": ["l", "r", None], "Big": [True, False, True]}
    assert links_of(graph) == {(0, 1), (1, 2), (2, 1)}
    assert graph.link_attributes.to_dict() == {"Weight": [2, None, None]}
    assert links_of(read_graph(tmp_path / "n.edges.csv", directed=True)) == {(0, 1), (1, 2)}


def test_the_nodes_beside_links_between_names(tmp_path) -> None:
    """Gephi's two tables where ids are texts: nodes without links and attributes are there too."""
    for edges, nodes in (("n.edges.csv", "n.nodes.csv"), ("m.csv", "m.nodes.csv")):
        (tmp_path / nodes).write_text("Id,Label,Party\nc,Gamma,l\na,Alpha,r\nb,Beta,\n")
        (tmp_path / edges).write_text("Source,Target\na,b\nb,a\n")
        graph = read_graph(tmp_path / edges)
        assert (links_of(graph), list(graph.urls)) == ({(1, 2), (2, 1)}, ["Gamma", "Alpha", "Beta"])
        assert graph.node_attributes.to_dict() == {"Party": ["l", "r", None], "Id": ["c", "a", "b"]}


def test_a_csv_keeps_what_is_known_of_the_nodes_in_a_table_beside(tmp_path) -> None:
    graph = graph_of([(0, 1), (2, 1)], 4, ["a", "b", "c", "d"])
    graph.node_attributes = Attributes.of({"camp": ["l", None, "r", "l"]}, 4)
    write_graph(graph, tmp_path / "g.csv")
    again = read_graph(tmp_path / "g.csv")
    assert (links_of(again), list(again.urls)) == (links_of(graph), list(graph.urls))
    assert again.node_attributes.to_dict() == graph.node_attributes.to_dict()
    graph.link_attributes = Attributes.of({"weight": [2, 3]}, 2)
    write_graph(graph, tmp_path / "h.csv.gz")
    assert (tmp_path / "h.nodes.csv.gz").exists()
    assert read_graph(tmp_path / "h.csv.gz").link_attributes.to_dict() == {"weight": [2, 3]}
    write_graph(graph_of([(0, 1), (1, 0)], 2), tmp_path / "g.csv")  # a graph of ids alone: no names of an older one
    assert read_graph(tmp_path / "g.csv").urls is None


def test_a_list_that_counts_from_one_is_told(tmp_path) -> None:
    (tmp_path / "g.csv").write_text("1,2\n2,3\n")
    graph, said = warned(tmp_path / "g.csv")
    assert graph.nodes == 4
    assert "if ids count from 1 here, page 0 is one too many" in said
    (tmp_path / "g.nodes.csv").write_text("Id\n1\n2\n3\n")
    graph, said = warned(tmp_path / "g.csv")
    assert graph.nodes == 3
    assert "run from 1 to 3" in said
    (tmp_path / "h.csv").write_text("1,2\n2,4\n")  # 3 has no link either: ids with gaps
    assert read_graph(tmp_path / "h.csv").nodes == 5


def test_quotes_that_mean_something(tmp_path) -> None:
    path = tmp_path / "t.edges.csv"
    path.write_text('source,target,a,b\n0,1,"5",\n1,0,"6",""\n')
    assert read_graph(path).link_attributes.to_dict() == {"a": ["5", "6"], "b": [None, ""]}
    path.write_text('"source","target","a"\n"0","1","5"\n"1","0",""\n')  # all in quotes: they tell nothing
    assert read_graph(path).link_attributes.to_dict() == {"a": [5, None]}
    path.write_text("source,target,a\n0,1,007\n1,0,8\n")
    assert read_graph(path).link_attributes.to_dict() == {"a": ["007", "8"]}
    path.write_text("source,target,a\n0,1,x,y\n")
    with pytest.warns(PeriplusWarning, match="1 row has more fields"):
        read_graph(path)


def test_a_lost_table_of_nodes_is_told(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    write_graph(graph_of([(0, 1)], 3, ["a", "b", "c"]), tmp_path / "g.parquet")
    (tmp_path / "g.nodes.parquet").unlink()
    graph, said = warned(tmp_path / "g.parquet")
    assert (graph.nodes, graph.urls) == (3, None)
    assert "g.nodes.parquet, which is not here" in said
