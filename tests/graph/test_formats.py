"""Every format there and back, each against an independent reader and writer where there is one, and real files."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import data_path

from periplus.errors import FormatError, ParameterError, PeriplusWarning, UnknownFormatError
from periplus.graph import Graph
from periplus.graph.formats import FORMATS, detect, format_by_name, read_graph, write_graph
from periplus.graph.formats.common_crawl import Ranks, read_ranks
from periplus.graph.urls.table import NameTable

NAMES = [each.name for each in FORMATS]
LINKS_ONLY = {"edge-list", "named-edges"}  # formats in which a node without links has no place
SMALL = [(0, 1), (0, 3), (1, 1), (2, 0), (3, 2), (3, 3)]


def graph_of(links, nodes: int | None = None, names: list[str] | None = None) -> Graph:
    urls = None if names is None else NameTable.from_names(names)
    return Graph.from_edges([a for a, _ in links], [b for _, b in links], nodes, urls=urls)


def links_of(graph: Graph) -> set[tuple[int, int]]:
    return {(i, int(j)) for i in range(graph.nodes) for j in graph.successors(i)}


def target(folder, name: str):
    """A path that the format writes: with its ending where it has one."""
    suffixes = format_by_name(name).suffixes
    return folder / ("graph" + suffixes[0] if suffixes else f"graph_{name}")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40), st.booleans())
def test_any_multiset_of_links_goes_round(tmp_path_factory, name, nodes, links, named) -> None:
    links = [(a % nodes, b % nodes) for a, b in links]
    if not format_by_name(name).directed:
        links += [(b, a) for a, b in links]
    if name in LINKS_ONLY:
        links += [(i, i) for i in range(nodes)]
    names = [f'http://h{i % 3}.example/ä<&"{i:03}' for i in range(nodes)]
    wanted = graph_of(links, nodes, names if named or name in ("named-edges", "common-crawl") else None)
    path = target(tmp_path_factory.mktemp("f"), name)
    write_graph(wanted, path, format=name)
    back = read_graph(path, format=name)
    if back.urls is None or not format_by_name(name).keeps_names:
        assert links_of(back) == set(links)
    else:
        assert {(back.urls[a], back.urls[b]) for a, b in links_of(back)} == {(names[a], names[b]) for a, b in links}
    assert back.nodes == nodes
    if format_by_name(name).keeps_names:
        assert (back.urls is None) == (wanted.urls is None)
        assert back.urls is None or sorted(back.urls) == sorted(names)
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".")] == []


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("folder", "common-crawl", "bv", "tables")])
def test_the_content_tells_the_format_not_the_ending(tmp_path, name) -> None:
    links = [*SMALL, *[(b, a) for a, b in SMALL]] if name == "metis" else SMALL
    source = target(tmp_path, name)
    write_graph(graph_of(links, 4, list("abcd") if name == "named-edges" else None), source)
    renamed = tmp_path / "something.dat"
    source.rename(renamed)
    assert detect(renamed).name == name
    assert links_of(read_graph(renamed)) == set(links)


@pytest.mark.parametrize("ending", [".gz", ".xz", ".zst", ".bz2"])
@pytest.mark.parametrize(
    "name", ["edge-list", "matrix-market", "metis", "pajek", "gml", "graphml", "gexf", "named-edges"]
)
def test_compressed_files(tmp_path, name, ending) -> None:
    links = [*SMALL, *[(b, a) for a, b in SMALL]]
    path = target(tmp_path, name)
    path = path.with_name(path.name + ending)
    write_graph(graph_of(links, 4, list("abcd") if name == "named-edges" else None), path)
    assert detect(path).name == name
    assert links_of(read_graph(path)) == set(links)
    again = path.read_bytes()
    write_graph(read_graph(path), path)
    assert path.read_bytes() == again


def test_several_compressed_members_are_one_file(tmp_path) -> None:
    import gzip

    (tmp_path / "e.gz").write_bytes(gzip.compress(b"0 1\n1 2\n") + gzip.compress(b"2 0\n") + b"\0" * 7)
    assert links_of(read_graph(tmp_path / "e.gz")) == {(0, 1), (1, 2), (2, 0)}


# -- independent readers and writers ------------------------------------------------------------------------


@pytest.fixture
def named() -> Graph:
    return graph_of(SMALL, 5, ["http://a.example/?x=1&y=2", "b", "ç é", 'say "hi"', "e"])


def test_networkx_reads_our_graphml(tmp_path, named) -> None:
    write_graph(named, tmp_path / "g.graphml")
    theirs = nx.read_graphml(tmp_path / "g.graphml")
    assert theirs.is_directed()
    assert [theirs.nodes[f"n{i}"]["url"] for i in range(5)] == list(named.urls)
    assert {(int(a[1:]), int(b[1:])) for a, b in theirs.edges()} == links_of(named)


def test_networkx_reads_our_gexf(tmp_path, named) -> None:
    write_graph(named, tmp_path / "g.gexf")
    theirs = nx.read_gexf(tmp_path / "g.gexf", version="1.2draft")
    assert [theirs.nodes[str(i)]["label"] for i in range(5)] == list(named.urls)
    assert {(int(a), int(b)) for a, b in theirs.edges()} == links_of(named)


def test_networkx_reads_our_gml(tmp_path, named) -> None:
    write_graph(named, tmp_path / "g.gml")
    theirs = nx.read_gml(tmp_path / "g.gml", label="id")
    assert [theirs.nodes[i]["label"] for i in range(5)] == list(named.urls)
    assert set(theirs.edges()) == links_of(named)


def test_networkx_reads_our_pajek(tmp_path) -> None:
    graph = graph_of(SMALL, 5, list("abcde"))
    write_graph(graph, tmp_path / "g.net")
    theirs = nx.read_pajek(tmp_path / "g.net")
    assert list(theirs) == list("abcde")
    assert {("abcde".index(a), "abcde".index(b)) for a, b, _ in theirs.edges} == links_of(graph)


@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml", "net"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.filterwarnings("ignore:.*does not say whether")  # networkx says nothing of undirected graphs in GML
def test_we_read_what_networkx_writes(tmp_path, ending, directed) -> None:
    theirs = (nx.DiGraph if directed else nx.Graph)()
    theirs.add_nodes_from(["north", "east & west", "south"])
    theirs.add_edges_from([("north", "south"), ("south", "east & west"), ("south", "south")])
    path = tmp_path / f"g.{ending}"
    getattr(nx, {"net": "write_pajek"}.get(ending, f"write_{ending}"))(theirs, path)
    ours = read_graph(path)
    wanted = set(theirs.to_directed().edges())
    assert {(ours.urls[a], ours.urls[b]) for a, b in links_of(ours)} == wanted
    assert sorted(ours.urls) == sorted(theirs)


def test_scipy_and_matrix_market(tmp_path) -> None:
    graph = graph_of(SMALL, 5)
    write_graph(graph, tmp_path / "g.mtx")
    theirs = scipy.io.mmread(tmp_path / "g.mtx").tocoo()
    assert theirs.shape == (5, 5)
    assert set(zip(theirs.row.tolist(), theirs.col.tolist(), strict=True)) == links_of(graph)
    matrix = scipy.sparse.coo_array((np.array([2.5, 1.0]), ([0, 3], [1, 3])), shape=(4, 4))
    scipy.io.mmwrite(tmp_path / "w.mtx", matrix)
    with pytest.warns(PeriplusWarning, match="weights are ignored"):
        assert links_of(read_graph(tmp_path / "w.mtx")) == {(0, 1), (3, 3)}
    scipy.io.mmwrite(tmp_path / "s.mtx", matrix + matrix.T, field="pattern", symmetry="symmetric")
    assert links_of(read_graph(tmp_path / "s.mtx")) == {(0, 1), (1, 0), (3, 3)}


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_scipy_and_npz(tmp_path, kind) -> None:
    graph = graph_of(SMALL, 5)
    write_graph(graph, tmp_path / "g.npz")
    theirs = scipy.sparse.load_npz(tmp_path / "g.npz")
    assert set(zip(*(ends.tolist() for ends in theirs.nonzero()), strict=True)) == links_of(graph)
    scipy.sparse.save_npz(tmp_path / "t.npz", theirs.asformat(kind))
    assert read_graph(tmp_path / "t.npz").digest == graph.digest


def test_tables_of_arrow(tmp_path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    parquet.write_table(pyarrow.table({"weight": [1.0, 2.0], "src": [0, 2], "dst": [1, 1]}), tmp_path / "p")
    assert links_of(read_graph(tmp_path / "p")) == {(0, 1), (2, 1)}
    feather.write_feather(pyarrow.table({"a": ["x", "y"], "b": ["z", "x"]}), tmp_path / "f")
    graph = read_graph(tmp_path / "f")
    assert (list(graph.urls), links_of(graph)) == (["x", "y", "z"], {(0, 2), (1, 0)})
    write_graph(graph_of(SMALL, 9), tmp_path / "g.parquet")
    table = parquet.read_table(tmp_path / "g.parquet")
    assert set(zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True)) == set(SMALL)


# -- what formats mean --------------------------------------------------------------------------------------


def test_undirected_formats_refuse_directed_graphs(tmp_path) -> None:
    with pytest.raises(ParameterError, match="symmetrised"):
        write_graph(graph_of(SMALL, 4), tmp_path / "g.metis")
    assert list(tmp_path.iterdir()) == []


def test_graphml_mixes_directions_and_prefers_urls(tmp_path) -> None:
    (tmp_path / "g.xml").write_text(
        """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="d0" for="node" attr.name="label"/><key id="d1" for="node" attr.name="url"/>
        <graph edgedefault="undirected"><node id="x"><data key="d0">Label</data><data key="d1">http://u/</data></node>
        <node id="y"><data key="d0">only</data></node><node id="z"/>
        <edge source="x" target="y"/><edge source="y" target="z" directed="true"/></graph></graphml>"""
    )
    graph = read_graph(tmp_path / "g.xml")
    assert links_of(graph) == {(0, 1), (1, 0), (1, 2)}
    assert list(graph.urls) == ["http://u/", "only", "z"]


def test_pajek_sections(tmp_path) -> None:
    (tmp_path / "p.net").write_text(
        '% comment\n*Vertices 4\n1 "one" 0.1 0.2\n3 three\n*Arcs\n1 2 1.5\n*Edges\n2 3\n'
        "*Arcslist\n4 1 2\n*Edgeslist\n4 3\n"
    )
    graph = read_graph(tmp_path / "p.net")
    assert links_of(graph) == {(0, 1), (1, 2), (2, 1), (3, 0), (3, 1), (3, 2), (2, 3)}
    assert list(graph.urls) == ["one", "2", "three", "4"]


def test_metis_weights(tmp_path) -> None:
    (tmp_path / "w.metis").write_text("% c\n3 2 011 2\n7 7 2 5\n7 7 1 5 3 9\n7 7 2 9\n")
    with pytest.warns(PeriplusWarning, match="weights"):
        assert links_of(read_graph(tmp_path / "w.metis")) == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_a_common_crawl_release(tmp_path) -> None:
    names = ["com.example", "com.example.www", "org.other"]
    graph = graph_of([(0, 1), (1, 0), (2, 0)], 3, names)
    ranks = Ranks(harmonic=np.array([2.0, 1.5, 0.0]), pagerank=np.array([0.5, 0.3, 0.2]))
    write_graph(graph, tmp_path / "cc", format="common-crawl", ranks=ranks)
    assert detect(tmp_path / "cc").name == "common-crawl"
    back = read_graph(tmp_path / "cc")
    assert (back.digest, list(back.urls)) == (graph.digest, names)
    assert read_ranks(tmp_path / "cc", back).harmonic.tolist() == [2.0, 1.5, 0.0]
    assert read_ranks(tmp_path / "cc", back).pagerank.tolist() == [0.5, 0.3, 0.2]
    for part in (tmp_path / "cc").glob("cc.*"):
        part.unlink()
    assert read_graph(tmp_path / "cc").digest == graph.digest


def test_vertices_need_not_be_in_order(tmp_path) -> None:
    (tmp_path / "d-vertices.txt").write_text("0\torg.b\n1\tcom.a\n")
    (tmp_path / "d-edges.txt").write_text("1\t0\n")
    graph = read_graph(tmp_path)
    assert (list(graph.urls), graph.urls.find("com.a"), links_of(graph)) == (["org.b", "com.a"], 1, {(1, 0)})


def test_a_host_release_in_parts(tmp_path) -> None:
    for folder, parts in (("vertices", ["0\tcom.a\n1\tcom.b\t3\n", "2\tcom.c\n"]), ("edges", ["0\t1\n", "2\t0\n"])):
        (tmp_path / folder).mkdir()
        for i, text in enumerate(parts):
            (tmp_path / folder / f"part-0000{i}.txt").write_text(text)
    graph = read_graph(tmp_path)
    assert (links_of(graph), list(graph.urls)) == ({(0, 1), (2, 0)}, ["com.a", "com.b", "com.c"])


# -- real files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "name", "nodes", "links"),
    [
        ("cnr-2000/cnr-2000", "bv", 325_557, 3_216_152),
        ("kleinberg-california", "tables", 9_664, 16_150),
        ("wb-cs-stanford", "tables", 9_914, 36_854),
        ("tsaparas-query-graphs/vintage-cars.edges.tsv.xz", "edge-list", 3_460, 12_796),
        ("polblogs/polblogs.gml.xz", "gml", 1_490, 19_015),
        ("polblogs/polblogs-undirected.metis.xz", "metis", 1_490, 2 * 16_715),
        ("wikispeedia/links.tsv.xz", "named-edges", 4_592, 119_882),
        ("planetoid/cora.edges.tsv.xz", "edge-list", 2_708, 5_278),
    ],
)
@pytest.mark.filterwarnings("ignore:.*of another")
def test_published_counts(path, name, nodes, links) -> None:
    folder, _, rest = path.partition("/")
    file = data_path(folder) / rest if rest else data_path(folder)
    assert detect(file).name == name
    graph = read_graph(file)
    assert (graph.nodes, graph.links) == (nodes, links)


def test_names_come_from_the_list_of_nodes() -> None:
    graph = read_graph(data_path("tsaparas-query-graphs") / "vintage-cars.edges.tsv.xz")
    assert graph.urls[2] == "http://www.geocities.com/MotorCity/Shop/3342"
    assert graph.urls.find("http://vintagecars.about.com") == 0
    assert read_graph(data_path("wb-cs-stanford")).urls[3] == "http://cs.stanford.edu/"
    assert read_graph(data_path("polblogs") / "polblogs.gml.xz").urls[1] == "12thharmonic.com/wordpress"


def test_endings_choose_when_writing(tmp_path) -> None:
    with pytest.raises(UnknownFormatError, match=r"\.graphml"):
        write_graph(graph_of(SMALL), tmp_path / "g.unknown")
    with pytest.raises(ParameterError, match="matrix-market"):
        write_graph(graph_of(SMALL), tmp_path / "g", format="none")
    with pytest.raises(ParameterError, match="window"):
        write_graph(graph_of(SMALL), tmp_path / "g.mtx", window=3)
    write_graph(graph_of(SMALL, 4), tmp_path / "g.csv.gz")
    assert detect(tmp_path / "g.csv.gz").name == "edge-list"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_with_named_columns_is_read_by_their_names(tmp_path, separator) -> None:
    rows = ["Weight Source Target", "2 b https://a.example/x", '1 "c" b', "1 #d c"]
    (tmp_path / "edges.csv").write_text("\ufeff" + "\r\n".join(row.replace(" ", separator) for row in rows))
    graph = read_graph(tmp_path / "edges.csv")
    assert list(graph.urls) == ["#d", "b", "c", "https://a.example/x"]
    assert links_of(graph) == {(0, 2), (1, 3), (2, 1)}


def test_a_quoted_name_may_hold_the_separator_and_a_short_row_is_told(tmp_path) -> None:
    table = tmp_path / "edges.csv"
    table.write_text('Source,Target\n"Hobbits, all of them",Orcs\n')
    assert list(read_graph(table).urls) == ["Hobbits, all of them", "Orcs"]
    table.write_text("Source,Target\na,b\n" + "x" * 200_000 + ",b\n")
    with pytest.raises(FormatError, match="line 3"):
        read_graph(table)
    table.write_text("Source,Target\na,b\nc\n")
    with pytest.raises(FormatError, match="line 3"):
        read_graph(table)


def test_one_link_between_names_is_enough(tmp_path) -> None:
    (tmp_path / "one.tsv").write_text("# from, to\na\tb\n")
    graph = read_graph(tmp_path / "one.tsv")
    assert (list(graph.urls), links_of(graph)) == (["a", "b"], {(0, 1)})


@pytest.mark.parametrize("heading", ["source,target", "FromNodeId\tToNodeId", "from_node to_node weight", "u v"])
def test_named_columns_of_numbers_are_an_edge_list(tmp_path, heading) -> None:
    (tmp_path / "edges.txt").write_text(f"{heading}\n0 1\n1 2\n")
    assert detect(tmp_path / "edges.txt").name == "edge-list"
    assert links_of(read_graph(tmp_path / "edges.txt")) == {(0, 1), (1, 2)}
