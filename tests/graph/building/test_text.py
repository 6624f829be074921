from __future__ import annotations

import gzip
import lzma
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from tests.oracles.graph_sets import Links, assert_is_graph_of, link_lists, links_of

import periplus.graph.building.text as text
from periplus.errors import FormatError, InputError, PeriplusWarning
from periplus.graph import Graph
from periplus.graph.building.text import read_edge_list, write_edge_list


def read(tmp_path: Path, content: str | bytes, *, lenient: bool = False) -> Graph:
    path = tmp_path / "links.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_edge_list(path, lenient=lenient)


@pytest.mark.parametrize(
    "content",
    [
        "0\t1\n1\t2\n",
        "0 1\n1 2",
        "# SNAP\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n",
        "% asym unweighted\n0 1\n1 2\n",
        "source,target\n0,1\n1,2\n",
        "Source;Target\r\n0;1\r\n1;2\r\n",
        "\ufeff0,1\n1,2\n",
        "\ufefffrom,to\n0,1\n1,2\n",
        "  0   1  \n\n\t1,\t2\n\n",
        "0, 1\n1, 2\n0, 1\n",
        "00000000000000000000 1\n1 2\n",
        "0 1\n# a comment between\n1 2\n%",
    ],
)
def test_dialects(tmp_path: Path, content: str) -> None:
    assert links_of(read(tmp_path, content)) == {(0, 1), (1, 2)}


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n", "source\ttarget\n"])
def test_a_file_without_links_is_an_empty_graph(tmp_path: Path, content: str) -> None:
    assert (read(tmp_path, content).nodes, read(tmp_path, content).links) == (0, 0)


@pytest.mark.parametrize(
    ("content", "line", "complaint"),
    [
        ("0 1\n2\n", 2, "'2' is no pair"),
        ("hello world\n", 1, "'hello world' is no pair"),
        ("# c\n\n0 1\n-1 2\n", 4, "no pair"),
        ("0 1\n1 x\n", 2, "no pair"),
        ("0 1\n1.5 2\n", 2, "no pair"),
        ("0 1\n1 2x\n", 2, "no pair"),
        ("0 1\n12\n", 2, "no pair"),
        ("0 1\r\n1\r\n", 2, "no pair"),
        ("0 1\nsource target\n", 2, "no pair"),
        ("0 1\n4294967296 1\n", 2, "past 2³²"),
        ("0 1\n1 99999999999999999999999999\n", 2, "past 2³²"),
        ("0 1\n" * 7 + "oops", 8, "oops"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: str, line: int, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint) as caught:
        read(tmp_path, content)
    assert caught.value.line == line
    assert str(tmp_path / "links.txt") in str(caught.value)


def test_lenient_counts_what_it_skips(tmp_path: Path) -> None:
    with pytest.warns(PeriplusWarning, match="skipped 3 of 5 lines"):
        graph = read(tmp_path, "0 1\nx\n4294967296 0\n7\n1 2\n", lenient=True)
    assert links_of(graph) == {(0, 1), (1, 2)}


def test_weights_are_ignored_with_one_warning(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = read(tmp_path, "0 1 0.5\n1 2 7 1220000000\n2 0\n")
    assert links_of(graph) == {(0, 1), (1, 2), (2, 0)}
    assert [str(each.message) for each in caught if each.category is PeriplusWarning] == [
        f"{tmp_path / 'links.txt'}: 2 lines have more than two fields: weights and the like are ignored"
    ]


def test_blocks_end_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = [(i, i * 37 % 1000) for i in range(300)]
    content = "".join(f"{a}\t{b}\n" for a, b in links)
    for size in (5, 16, 17, 64, len(content) - 1, len(content)):
        monkeypatch.setattr(text, "BLOCK", size)
        assert_is_graph_of(read(tmp_path, content), links)
        with pytest.raises(FormatError) as caught:
            read(tmp_path, content + "x\n" + content)
        assert caught.value.line == 301


def test_the_first_of_many_bad_lines_is_named_whatever_thread_met_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "BLOCK", 64)
    lines = ["1 2"] * 400
    for bad in (150, 151, 250, 399):
        lines[bad] = "broken"
    for _ in range(5):
        with pytest.raises(FormatError) as caught:
            read(tmp_path, "\n".join(lines))
        assert caught.value.line == 151


def test_a_line_without_end_is_no_edge_list(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"longer than 1 MiB|no pair"):
        read(tmp_path, b"1" * (text.BLOCK + 3_000_000))
    with pytest.raises(FormatError):
        read(tmp_path, bytes(range(256)) * 100)


def _zstd(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


PACKERS = {"gz": gzip.compress, "xz": lzma.compress, "zst": _zstd}


@pytest.mark.parametrize("packer", PACKERS)
def test_compressed_files(tmp_path: Path, packer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 1000)
    links = [(i, i * i % 777) for i in range(2000)]
    data = "".join(f"{a} {b}\n" for a, b in links).encode()
    half = len(data) // 2
    packed = PACKERS[packer](data[:half]) + PACKERS[packer](data[half:])  # two members, as `cat a.gz b.gz` makes
    assert_is_graph_of(read(tmp_path, packed), links)
    with pytest.raises(FormatError) as caught:
        read(tmp_path, PACKERS[packer](data + b"bad\n" + data))
    assert caught.value.line == 2001


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("kept", [0.2, 0.6, 0.99])
def test_truncated_compressed_files_are_errors(tmp_path: Path, packer: str, kept: float) -> None:
    random = np.random.default_rng(3)
    data = "".join(f"{a}\t{b}\n" for a, b in random.integers(0, 10**6, (5000, 2))).encode()
    packed = PACKERS[packer](data)
    for lenient in (False, True):
        with pytest.raises(FormatError, match=r"links.txt"):
            read(tmp_path, packed[: int(kept * len(packed))], lenient=lenient)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_edge_list(path)


@given(links=link_lists)
@settings(max_examples=30, derandomize=True, deadline=None)
def test_written_and_read_is_the_same(links: Links, tmp_path_factory: pytest.TempPathFactory) -> None:
    pairs = np.array(links, np.int64).reshape(-1, 2)
    graph = Graph.from_edges(pairs[:, 0], pairs[:, 1])
    path = tmp_path_factory.mktemp("text") / "links.tsv"
    write_edge_list(graph, path)
    assert path.read_text() == "".join(f"{a}\t{b}\n" for a, b in sorted(set(links)))
    assert read_edge_list(path).digest == graph.digest


def test_writing_in_blocks_and_compressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_LINKS_A_BLOCK", 7)
    random = np.random.default_rng(1)
    pairs = random.integers(0, 200, (500, 2))
    graph = Graph.from_edges(pairs[:, 0], pairs[:, 1])
    expected = "".join(f"{a},{b}\n" for a, b in sorted(map(tuple, pairs.tolist())) if True)
    write_edge_list(graph, tmp_path / "x.csv", separator=",")
    assert set((tmp_path / "x.csv").read_text().splitlines()) == set(expected.splitlines())
    for ending in PACKERS:
        write_edge_list(graph, tmp_path / f"x.tsv.{ending}")
        assert read_edge_list(tmp_path / f"x.tsv.{ending}").digest == graph.digest


def test_the_largest_id_is_written_and_parsed(tmp_path: Path) -> None:
    from periplus.numeric.digits import format_rows, parse_pairs

    buffer = np.empty(64, np.uint8)
    size = format_rows(4294967294, np.array([0, 1, 2]), np.array([4294967295, 0], np.uint32), buffer, 9)
    assert buffer[:size].tobytes() == b"4294967294\t4294967295\n4294967295\t0\n"
    buffer[size:] = 10
    sources, targets, report = np.empty(9, np.uint32), np.empty(9, np.uint32), np.zeros(5, np.int64)
    assert parse_pairs(buffer, size, sources, targets, report) == 2
    assert (sources[:2].tolist(), targets[:2].tolist()) == ([4294967294, 4294967295], [4294967295, 0])


def test_a_real_graph(tmp_path: Path, real_data) -> None:
    graph = read_edge_list(real_data("cnr-2000") / "edges.tsv.xz")
    assert (graph.nodes, graph.links, int(graph.dangling.sum())) == (325_557, 3_216_152, 78_056)
    write_edge_list(graph, tmp_path / "out.tsv")
    with lzma.open(real_data("cnr-2000") / "edges.tsv.xz") as file:
        assert (tmp_path / "out.tsv").read_bytes() == file.read()
