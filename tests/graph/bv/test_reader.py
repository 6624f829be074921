"""BVGraph: cnr-2000 both ways, the definition by the book, every flag, and files that lie."""

from __future__ import annotations

import contextlib
import lzma
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path
from tests.oracles import graph_bv as book

from periplus.errors import FormatError, InputError, ParameterError, PeriplusWarning
from periplus.graph import Graph
from periplus.graph.bv import reader as bv
from periplus.graph.bv.properties import parse


def cnr():
    return data_path("cnr-2000") / "cnr-2000"


def rows_of(graph: Graph) -> list[list[int]]:
    return [graph.successors(i).tolist() for i in range(graph.nodes)]


def random_graph(seed: int, nodes: int = 200) -> Graph:
    """Copied rows, runs and scattered links: every part of the format occurs."""
    rng = np.random.default_rng(seed)
    rows: list[set[int]] = []
    for node in range(nodes):
        row: set[int] = set()
        if node and rng.random() < 0.6:
            row |= {x for x in rows[node - int(rng.integers(1, min(node, 6) + 1))] if rng.random() < 0.8}
        if rng.random() < 0.4:
            left = int(rng.integers(nodes))
            row |= set(range(left, min(nodes, left + int(rng.integers(2, 12)))))
        row |= set(rng.integers(0, nodes, size=int(rng.integers(0, 4))).tolist())
        rows.append(row)
    pairs = [(i, x) for i, row in enumerate(rows) for x in row]
    sources, targets = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Graph.from_edges(sources, targets, nodes)


def test_cnr_2000_decodes_to_its_published_arcs() -> None:
    graph = bv.read_bv(cnr())
    assert (graph.nodes, graph.links) == (325_557, 3_216_152)
    with lzma.open(data_path("cnr-2000") / "edges.tsv.xz", "rb") as stream:
        pairs = np.array(stream.read().split(), dtype=np.int64).reshape(-1, 2)
    expected = Graph.from_edges(pairs[:, 0], pairs[:, 1], graph.nodes)
    assert graph.digest == expected.digest


def test_cnr_2000_is_written_byte_for_byte(tmp_path) -> None:
    """Stream, offsets and every published statistic: the bit counts field by field tell where one differs."""
    bv.write_bv(bv.read_bv(cnr()), tmp_path / "cnr")
    ours, theirs = parse(tmp_path / "cnr.properties"), parse(cnr().with_name("cnr-2000.properties"))
    assert ours == theirs
    counts = [int(ours[f"bitsfor{part}"]) for part in ("outdegrees", "references", "blocks", "intervals", "residuals")]
    assert counts == [1_660_205, 781_540, 1_353_080, 829_187, 4_694_729]
    for ending in ("graph", "offsets"):
        assert (tmp_path / f"cnr.{ending}").read_bytes() == cnr().with_name(f"cnr-2000.{ending}").read_bytes()
    assert bv.bits_per_link(tmp_path / "cnr") <= 2.897


def test_random_access_agrees_with_the_whole() -> None:
    stored = bv.BVGraph(cnr())
    graph = stored.decode()
    fresh = bv.BVGraph(cnr())
    for node in np.random.default_rng(5).integers(0, graph.nodes, size=500).tolist():
        assert np.array_equal(fresh.successors(node), graph.successors(node))
    with pytest.raises(ParameterError):
        fresh.successors(graph.nodes)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{}, {"window": 0}, {"min_interval": 0}, {"k": 1}, {"window": 3, "k": 5}])
def test_the_stream_is_what_the_book_says(tmp_path, seed, options) -> None:
    graph = random_graph(seed)
    bv.write_bv(graph, tmp_path / "g", **options)
    rows = book.decode((tmp_path / "g.graph").read_bytes(), graph.nodes, **options)
    assert rows == rows_of(graph)
    assert rows_of(bv.read_bv(tmp_path / "g")) == rows


@pytest.mark.parametrize(
    "flags",
    [
        "OUTDEGREES_DELTA | BLOCKS_DELTA | RESIDUALS_DELTA | REFERENCES_DELTA | BLOCK_COUNT_DELTA | OFFSETS_DELTA",
        "RESIDUALS_GAMMA | REFERENCES_GAMMA | BLOCK_COUNT_UNARY",
        "BLOCKS_UNARY | RESIDUALS_NIBBLE",
        "RESIDUALS_GOLOMB",
    ],
)
@pytest.mark.parametrize("bounds", [{}, {"max_references": -1}, {"max_references": 0, "window": 1}])
def test_every_code_goes_round(tmp_path, flags, bounds) -> None:
    graph = random_graph(7)
    bv.write_bv(graph, tmp_path / "g", flags=flags, k=4, **bounds)
    stored = bv.BVGraph(tmp_path / "g")
    assert [stored.successors(i).tolist() for i in range(graph.nodes)] == rows_of(graph)
    assert stored.decode().digest == graph.digest
    assert parse(tmp_path / "g.properties")["compressionflags"] == flags


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29))), st.integers(0, 3))
def test_any_links_go_round(tmp_path_factory, nodes, links, window) -> None:
    links = [(a % nodes, b % nodes) for a, b in links]
    graph = Graph.from_edges([a for a, _ in links], [b for _, b in links], nodes)
    base = tmp_path_factory.mktemp("bv") / "g"
    bv.write_bv(graph, base, window=window, min_interval=2)
    assert rows_of(bv.read_bv(base)) == rows_of(graph)


def test_small_graphs(tmp_path) -> None:
    for nodes, links in ((0, []), (1, []), (1, [(0, 0)]), (3, [])):
        graph = Graph.from_edges([a for a, _ in links], [b for _, b in links], nodes)
        bv.write_bv(graph, tmp_path / "g")
        back = bv.read_bv(tmp_path / "g")
        assert (back.nodes, back.links) == (nodes, len(links))


def test_a_row_larger_than_the_buffer(tmp_path) -> None:
    nodes = 400_000
    targets = np.arange(0, nodes, 2)
    graph = Graph.from_edges(np.full(len(targets), 7), targets, nodes)
    bv.write_bv(graph, tmp_path / "g", min_interval=0, k=16)
    assert bv.read_bv(tmp_path / "g").digest == graph.digest


def test_without_offsets_the_stream_is_enough(tmp_path) -> None:
    graph = random_graph(1)
    bv.write_bv(graph, tmp_path / "g")
    (tmp_path / "g.offsets").unlink()
    stored = bv.BVGraph(tmp_path / "g.graph")
    assert stored.successors(17).tolist() == graph.successors(17).tolist()
    assert stored.decode().digest == graph.digest


def test_base_names(tmp_path) -> None:
    bv.write_bv(random_graph(1), tmp_path / "a.b")
    for path in ("a.b", "a.b.graph", "a.b.properties", "a.b.offsets", "."):
        assert bv.basename_of(tmp_path / path) == tmp_path / "a.b"
    assert bv.basename_of(tmp_path / "c") is None
    with pytest.raises(InputError):
        bv.read_bv(tmp_path / "c")


# -- files that lie ---------------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path):
    bv.write_bv(random_graph(3), tmp_path / "g")
    return tmp_path / "g"


def edit(base, **changes) -> None:
    path = base.with_name(base.name + ".properties")
    values = parse(path) | {key: str(value) for key, value in changes.items()}
    path.write_text("".join(f"{key}={value}\n" for key, value in values.items() if value != "None"))


def test_a_truncated_stream_names_its_byte(stored) -> None:
    path = stored.with_name("g.graph")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FormatError, match=r"g\.graph, byte \d+: node \d+: the bit stream ends") as caught:
        bv.read_bv(stored)
    assert 90 <= caught.value.byte <= 100


def test_offsets_of_another_graph(stored, tmp_path) -> None:
    bv.write_bv(random_graph(4), tmp_path / "other")
    shutil.copy(tmp_path / "other.offsets", tmp_path / "g.offsets")
    with pytest.raises(FormatError, match=r"g\.offsets.*(another graph|ends after)"):
        bv.read_bv(stored)
    with pytest.raises(FormatError, match=r"g\.offsets"):
        bv.BVGraph(stored).successors(3)
    with pytest.warns(PeriplusWarning, match="offsets are not used"):
        assert bv.read_bv(stored, lenient=True).digest == random_graph(3).digest


def test_truncated_offsets(stored) -> None:
    path = stored.with_name("g.offsets")
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(FormatError, match=r"g\.offsets, byte 20: ends after"):
        bv.read_bv(stored)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arcs": 5}, "more arcs than"),
        ({"arcs": 10**6}, "promises 1,000,000 arcs, the stream holds"),
        ({"arcs": 10**17}, "more than memory"),
        ({"nodes": 10**9}, "cannot hold"),
        ({"nodes": 201}, r"g\."),
        ({"nodes": 100}, r"g\."),
        ({"nodes": -1}, "nodes = -1"),
        ({"nodes": "many"}, "not a whole number"),
        ({"arcs": None}, "arcs is missing"),
        ({"zetak": 0}, "zetak"),
        ({"zetak": 5}, r"g\."),
        ({"windowsize": 1}, r"g\."),
        ({"minintervallength": 1}, "minintervallength"),
        ({"compressionflags": "RESIDUALS_MAGIC"}, "RESIDUALS_MAGIC"),
        ({"graphclass": "it.unimi.dsi.webgraph.EFGraph"}, "EFGraph"),
        ({"endianness": "little"}, "little-endian"),
    ],
)
def test_properties_that_lie(stored, changes, message) -> None:
    edit(stored, **changes)
    with pytest.raises(FormatError, match=message):
        bv.read_bv(stored)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.binary(min_size=0, max_size=300), st.integers(0, 40), st.integers(0, 500), st.integers(0, 9))
def test_garbage_never_crashes(tmp_path_factory, data, nodes, arcs, window) -> None:
    base = tmp_path_factory.mktemp("bv") / "g"
    bv.write_bv(random_graph(3, 20), base)
    edit(base, nodes=nodes, arcs=arcs, windowsize=window)
    base.with_name("g.graph").write_bytes(data)
    base.with_name("g.offsets").unlink()
    try:
        graph = bv.read_bv(base)
    except FormatError:
        return
    graph.check()
    assert graph.links == arcs


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_one_flipped_bit_never_crashes(tmp_path_factory, data) -> None:
    base = tmp_path_factory.mktemp("bv") / "g"
    bv.write_bv(random_graph(3), base)
    path = base.with_name("g.graph")
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, 8 * len(content) - 1))
    content[place // 8] ^= 1 << place % 8
    path.write_bytes(content)
    fresh = bv.BVGraph(base)
    for node in range(0, 200, 20):
        with contextlib.suppress(FormatError):
            assert (np.diff(fresh.successors(node).astype(np.int64)) > 0).all()
    with contextlib.suppress(FormatError):
        bv.read_bv(base).check()


def test_a_failed_write_leaves_nothing(tmp_path) -> None:
    with pytest.raises(ParameterError):
        bv.write_bv(random_graph(1), tmp_path / "g", k=0)
    with pytest.raises(ParameterError):
        bv.write_bv(random_graph(1), tmp_path / "g", flags="RESIDUALS_HUFFMAN")
    broken = random_graph(1)
    broken.out_targets = None  # type: ignore[assignment]
    with pytest.raises(Exception):  # noqa: B017, whatever it is, no file may be left
        bv.write_bv(broken, tmp_path / "g")
    assert list(tmp_path.iterdir()) == []
