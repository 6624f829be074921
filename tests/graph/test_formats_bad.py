"""Bad input of every kind: an error that names the file and the place, or a count when lenient; never half a file."""

from __future__ import annotations

import gzip
import lzma

import pytest

from periplus.errors import FormatError, InputError, PeriplusError, PeriplusWarning, UnknownFormatError
from periplus.graph import Graph
from periplus.graph.formats import FORMATS, read_graph, write_graph
from periplus.graph.urls.table import NameTable

XML = '<?xml version="1.0"?>'
BAD = [
    ("edges.tsv", "0\t1\n1\n2\t3\n", 2),
    ("edges.tsv", "0\t1\nfoo\tbar\n", 2),
    ("edges.tsv", "0\t1\n0\t4294967296\n", 2),
    ("edges.tsv", "0\t1\n0\t99999999999999999999999\n", 2),
    ("edges.tsv", "0\t1\n-1\t2\n", 2),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", 3),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n0 1\n", 3),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n", 2),
    ("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n1\n", 1),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\nlots\n", 2),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n", None),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n", 2),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n9999999999 9999999999 1\n1 1\n", 2),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4294967295 4294967295 1\n1 1\n", 2),
    ("a.net", "*Vertices 4000000000\n*Arcs\n1 2\n", 1),
    ("a.metis", "3 2\n2\n1 3\nx\n", 4),
    ("a.metis", "3 2\n2\n1 4\n2\n", 3),
    ("a.metis", "3 9\n2\n1 3\n2\n", 1),
    ("a.metis", "9 2\n2\n1 3\n2\n", None),
    ("a.metis", "3 2\n2\n1 3\n2\n1\n", 5),
    ("a.metis", "3 1\n2\n3\n\n", None),
    ("a.net", "*Vertices 2\n*Arcs\n1 3\n", 3),
    ("a.net", "*Vertices two\n", 1),
    ("a.net", "*Vertices 2\n3 x\n", 2),
    ("a.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", 2),
    ("a.net", "*Vertices 2\n*Edges\none two\n", 3),
    ("a.gml", "graph [\n node [ id 1 ]\n node [ id 2 ]\n edge [ source 1 ]\n]\n", 4),
    ("a.gml", "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]\n", None),
    ("a.gml", "graph [\n node [ id 1 ]\n node [ id 1 ]\n]\n", None),
    ("a.gml", "graph [\n node [ id 1 ]\n", 3),
    ("a.gml", 'graph [\n node [ id 1 label "open ]\n]\n', 2),
    ("a.gml", "graph [\n node [ ] ]\n", 2),
    ("a.graphml", f"{XML}\n<graphml><graph><node id='a'/><edge source='a'/></graph></graphml>", 2),
    ("a.graphml", f"{XML}\n<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>", 3),
    ("a.graphml", f"{XML}\n<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", 2),
    ("a.graphml", f"{XML}\n<graphml><graph>\n<node id='a'/>", 3),
    ("a.graphml", f"{XML}\n<graphml><graph><hyperedge/></graph></graphml>", 2),
    ("a.gexf", f"{XML}\n<gexf><graph><nodes><node/></nodes></graph></gexf>", 2),
    ("a.gexf", f"{XML}\n<gexf><graph><edges><edge source='1' target='2'/></edges></graph></gexf>", 2),
    ("a.gexf", f"{XML}\n<gexf><graph><edges><edge source='1'/></edges></graph></gexf>", 2),
]


@pytest.mark.parametrize(("name", "text", "line"), BAD)
def test_bad_lines_are_named(tmp_path, name, text, line) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_graph(path)
    assert str(path) in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("name", "text", "links"),
    [
        ("edges.tsv", "0\t1\nfoo\n1\t0\n", 2),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n9 9\n2 1\n", 2),
        ("a.metis", "3 2\n2\n1 3 x\n2\n", 4),
        ("a.net", "*Vertices 2\n*Arcs\n1 2\n1 9\n", 1),
        ("a.gml", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] edge [ source 1 ] ]", 1),
        (
            "a.graphml",
            "<graphml><graph><node id='a'/><edge source='a' target='a'/><edge source='a'/></graph></graphml>",
            1,
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:.*the header promises")
def test_lenient_counts_what_it_skips(tmp_path, name, text, links) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.warns(PeriplusWarning, match=r"1"):
        assert read_graph(path, lenient=True).links == links


ENTITIES = [
    '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
    '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE g [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>',
]


@pytest.mark.parametrize("kind", ["graphml", "gexf"])
@pytest.mark.parametrize("entity", ENTITIES)
def test_entities_are_refused(tmp_path, kind, entity) -> None:
    path = tmp_path / f"a.{kind}"
    path.write_text(f"{XML}\n{entity}\n<{kind}><graph><node id='a' label='&x;'/></graph></{kind}>")
    with pytest.raises(FormatError, match=r"line 2: .*entit"):
        read_graph(path)


def test_a_document_type_alone_is_harmless(tmp_path) -> None:
    (tmp_path / "a.graphml").write_text(f"{XML}<!DOCTYPE graphml><graphml><graph><node id='a'/></graph></graphml>")
    assert read_graph(tmp_path / "a.graphml").nodes == 1


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
@pytest.mark.parametrize("name", ["edges.tsv", "a.mtx", "a.net", "a.gml", "a.graphml"])
def test_a_truncated_compressed_file(tmp_path, name, ending, pack) -> None:
    plain = tmp_path / name
    write_graph(Graph.from_edges(range(3000), [(i * i * 7 + i // 3) % 3000 for i in range(3000)], 3000), plain)
    path = tmp_path / (name + ending)
    whole = pack(plain.read_bytes())
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(FormatError, match=r"cut off|end early|damaged|truncated") as caught:
        read_graph(path)
    assert str(path) in str(caught.value)
    assert caught.value.byte is not None


def test_a_damaged_zst_file(tmp_path) -> None:
    path = tmp_path / "a.mtx.zst"
    write_graph(Graph.from_edges(range(3000), [(i * i * 7) % 3000 for i in range(3000)], 3000), path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="byte"):
        read_graph(path)


@pytest.mark.parametrize("name", ["a.npz", "a.parquet", "a.arrow"])
def test_truncated_archives(tmp_path, name) -> None:
    path = tmp_path / name
    write_graph(Graph.from_edges(range(300), [(i * i * 7) % 300 for i in range(300)], 300), path)
    whole = path.read_bytes()
    for size in (len(whole) // 2, len(whole) - 3):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match=name):
            read_graph(path)


def test_npz_that_lies(tmp_path) -> None:
    import numpy as np

    good = {
        "format": np.array(b"csr"),
        "shape": np.array([2, 2]),
        "indptr": np.array([0, 1, 1]),
        "indices": np.array([1]),
    }
    for change in (
        {"indices": np.array([2])},
        {"indices": np.array([-1])},
        {"indptr": np.array([0, 2, 1])},
        {"indptr": np.array([0, 5, 5])},
        {"shape": np.array([2, 3])},
        {"shape": np.array([2**40, 2**40])},
        {"shape": np.array([2**32, 2**32]), "format": np.array(b"coo"), "row": np.array([0]), "col": np.array([1])},
        {"format": np.array(b"dia")},
        {"indices": np.array([{"a": 1}], dtype=object)},
    ):
        np.savez(tmp_path / "a.npz", **(good | change))
        with pytest.raises(FormatError):
            read_graph(tmp_path / "a.npz")


def test_nodes_that_do_not_fit_the_edges(tmp_path) -> None:
    (tmp_path / "edges.tsv").write_text("0\t1\n1\t2\n")
    (tmp_path / "nodes.tsv").write_text("0\ta\n1\tb\n")
    with pytest.raises(FormatError, match=r"edges\.tsv"):
        read_graph(tmp_path)
    (tmp_path / "nodes.tsv").write_text("0\ta\n0\tb\n")
    with pytest.raises(FormatError, match=r"nodes\.tsv, line 2"):
        read_graph(tmp_path)
    (tmp_path / "nodes.tsv").write_text("0\ta\n5\tb\n")
    with pytest.raises(FormatError, match=r"edges\.tsv: a link names node 1, which the table of 2 nodes lacks"):
        read_graph(tmp_path)


def test_vertices_out_of_order(tmp_path) -> None:
    (tmp_path / "x-vertices.txt").write_text("0\tcom.a\n2\tcom.b\n")
    (tmp_path / "x-edges.txt").write_text("0\t1\n")
    with pytest.raises(FormatError, match=r"vertices\.txt, line 2"):
        read_graph(tmp_path)
    (tmp_path / "x-vertices.txt").write_text("0\tcom.a\n1\tcom.b\n")
    (tmp_path / "x-edges.txt").write_text("0\t1\n0\t2\n")
    with pytest.raises(FormatError, match=r"edges\.txt, line 2"):
        read_graph(tmp_path)


def test_what_is_nothing(tmp_path) -> None:
    with pytest.raises(InputError):
        read_graph(tmp_path / "absent")
    with pytest.raises(UnknownFormatError):
        read_graph(tmp_path)
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 4)
    with pytest.raises(UnknownFormatError, match="noise"):
        read_graph(tmp_path / "noise")
    with pytest.raises(InputError):
        write_graph(Graph.from_edges([0], [1]), tmp_path / "no" / "such" / "folder.mtx")


@pytest.mark.parametrize("form", [each for each in FORMATS if each.name not in ("named-edges",)], ids=lambda f: f.name)
@pytest.mark.parametrize(("nodes", "links"), [(0, []), (1, []), (1, [(0, 0)])])
def test_empty_and_single(tmp_path, form, nodes, links) -> None:
    if form.name == "edge-list" and not links:
        nodes = 0
    names = NameTable.from_names([f"n{i}.example" for i in range(nodes)]) if form.name == "common-crawl" else None
    graph = Graph.from_edges([a for a, _ in links], [b for _, b in links], nodes, urls=names)
    path = tmp_path / ("g" + (form.suffixes[0] if form.suffixes else ""))
    write_graph(graph, path, format=form.name)
    back = read_graph(path, format=form.name)
    assert (back.nodes, back.links) == (nodes, len(links))


class _Breaks:
    """Names that cannot all be read: what a disk error in the middle of writing looks like."""

    def __len__(self) -> int:
        return 3

    def __iter__(self):
        yield "one"
        raise OSError("the disk went away")

    def save(self, path) -> None:
        raise OSError("the disk went away")


@pytest.mark.parametrize("form", [each for each in FORMATS if each.keeps_names], ids=lambda f: f.name)
def test_a_write_that_fails_leaves_the_old_file(tmp_path, form) -> None:
    path = tmp_path / ("g" + (form.suffixes[0] if form.suffixes else ""))
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], 3, urls=NameTable.from_names(["a.com", "b.com", "c.com"]))
    write_graph(graph, path, format=form.name)
    before = {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    with pytest.raises((OSError, PeriplusError)):
        write_graph(Graph.from_edges([0, 1], [1, 2], 3, urls=_Breaks()), path, format=form.name)
    after = {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    assert set(after) == set(before)
    if form.name not in ("folder", "bv", "common-crawl"):
        assert after == before
