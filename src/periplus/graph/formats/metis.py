"""METIS files: undirected graphs, one line per node, ids from 1.

The first line is `nodes edges [format [weights]]`; line i after it lists the neighbours of node i, with weights where
the format (three digits: sizes, node weights, edge weights) says so; they are ignored with a warning. Every edge stands
in both of its lines and becomes two links; a loop stands once and is counted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError
from periplus.graph.files import PIECE, read_lines, writing
from periplus.graph.formats.base import (
    MOST_NODES,
    Format,
    Probe,
    build_graph,
    lied,
    no_options,
    undirected_pairs,
    warn_skipped,
    warn_weights,
)
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Offsets


def recognises(probe: Probe) -> bool:
    """A first line of two to four numbers, and after it what no edge list is: see `_looks_like_rows`."""
    lines = [line for line in probe.text.split("\n") if not line.startswith("%")]
    header = lines[0].split()
    if not 2 <= len(header) <= 4 or not all(word.isdecimal() for word in header):
        return False
    if probe.suffix in (*FORMAT.suffixes, ".graph"):
        return True
    whole = len(probe.head) < PIECE
    return len(header) < 4 and _looks_like_rows(lines[1:] if whole else lines[1:-1], header, whole)


def _looks_like_rows(lines: list[str], header: list[str], whole: bool) -> bool:
    """Rows of many lengths whose numbers are nodes; if the whole file is in memory, exactly as many as it promises."""
    nodes, edges = int(header[0]), int(header[1])
    rows = [line.split() for line in lines]
    while rows and not rows[-1]:
        rows.pop()
    if len(header) > 2 and int(header[2]) != 0:
        return False
    if not all(word.isdecimal() and 1 <= int(word) <= nodes for row in rows for word in row):
        return False
    if whole:
        loops = sum(str(i) in row for i, row in enumerate(rows, start=1))
        entries = sum(map(len, rows))
        return len(rows) <= nodes and 0 < 2 * edges in (entries, entries + loops) and len(set(map(len, rows))) > 1
    return len({len(row) for row in rows}) > 3


def read(path: Path, lenient: bool) -> Graph:
    lines = ((number, line) for number, line in read_lines(path) if not line.startswith(b"%"))
    nodes, edges, skip, weighted = _header(path, lines)
    ends, targets, rows, skipped = _rows(path, lines, nodes, (skip, weighted), lenient)
    if rows != nodes:
        lied(path, f"the header promises {nodes:,} nodes, the file has {rows:,} lines of neighbours", lenient)
    sources = np.repeat(np.arange(nodes, dtype=np.int64), np.diff(ends))
    _check_edges(path, sources, targets, nodes, edges, lenient)
    if skip or weighted:
        warn_weights(path)
    warn_skipped(path, skipped)
    return build_graph(sources, targets, nodes, symmetric=True)


def _header(path: Path, lines: Iterator[tuple[int, bytes]]) -> tuple[int, int, int, bool]:
    """Nodes, edges, numbers to pass over at the start of a line, and whether neighbours have weights."""
    number, line = next(lines, (1, b""))
    words = line.split()
    if not 2 <= len(words) <= 4 or not all(word.isdigit() for word in words):
        raise FormatError(path, "expected `nodes edges [format [weights]]`", line=number)
    nodes, edges = int(words[0]), int(words[1])
    kind = words[2].decode().zfill(3) if len(words) > 2 else "000"
    if nodes > MOST_NODES:
        raise FormatError(path, f"{nodes:,} nodes are more than 2³²", line=number)
    weights = int(words[3]) if len(words) > 3 else 1
    return nodes, edges, (kind[0] == "1") + weights * (kind[1] == "1"), kind[2] == "1"


def _rows(
    path: Path, lines: Iterator[tuple[int, bytes]], nodes: int, weights: tuple[int, bool], lenient: bool
) -> tuple[Offsets, Offsets, int, int]:
    """Where each row ends, all neighbours, the number of rows, and how many lines were no neighbours."""
    skip, weighted = weights
    parts: list[Offsets] = []
    counts: list[int] = []
    skipped = 0
    for number, line in lines:
        if len(counts) == nodes:
            if not line.strip():
                continue
            if not lenient:
                raise FormatError(path, f"more lines than the {nodes:,} nodes of the header", line=number)
            skipped += 1
            continue
        try:
            row = np.array(line.split()[skip :: 2 if weighted else 1], dtype=np.int64)
            if len(row) and not 1 <= row.min() <= row.max() <= nodes:
                raise ValueError
        except (ValueError, OverflowError):
            if not lenient:
                problem = f"{line[:80].decode('utf-8', 'replace')!r} is no list of nodes from 1 to {nodes}"
                raise FormatError(path, problem, line=number) from None
            row, skipped = np.empty(0, dtype=np.int64), skipped + 1
        parts.append(row - 1)
        counts.append(len(row))
    rows = len(counts)
    if rows < nodes <= rows + 1:  # a last line without neighbours and without its line end
        counts.append(0)
        rows += 1
    counts += [0] * (nodes - rows if lenient else 0)
    ends = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return ends, np.concatenate(parts) if parts else np.empty(0, dtype=np.int64), rows, skipped


def _check_edges(path: Path, sources: Offsets, targets: Offsets, nodes: int, edges: int, lenient: bool) -> None:
    """The count of the header, and that every edge stands in both lines."""
    loops = int((sources == targets).sum())
    if 2 * edges not in (len(targets), len(targets) + loops):
        found = (len(targets) + loops) // 2
        lied(path, f"the header promises {edges:,} edges, the lines hold {found:,}", lenient, line=1)
    if lenient:
        return
    there = np.sort(sources * nodes + targets)
    back = np.sort(targets * nodes + sources)
    if not np.array_equal(there, back):
        first = int(there[np.argmax(there != back)])
        problem = f"the edge {first // nodes + 1} – {first % nodes + 1} or its neighbour stands in one line only"
        raise FormatError(path, problem)


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("METIS", options)
    sources, _ = undirected_pairs(graph, "METIS")
    with writing(path) as stream:
        stream.write(f"{graph.nodes} {len(sources)}\n".encode())
        for node in range(graph.nodes):
            row = graph.successors(node)
            stream.write((" ".join(map(str, (row.astype(np.int64) + 1).tolist())) + "\n").encode())


FORMAT = Format(
    name="metis",
    title="METIS (undirected)",
    suffixes=(".metis",),
    recognises=recognises,
    read=read,
    write=write,
    directed=False,
)
