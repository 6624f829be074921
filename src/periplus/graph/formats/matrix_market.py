"""Matrix Market coordinate files (`.mtx`): a square sparse matrix as text, ids from 1.

Entry (i, j) is the link i → j. `symmetric`, `skew-symmetric` and `hermitian` files store one triangle; both directions
are read. Values of `real`, `integer` and `complex` files are ignored with a warning; an explicit zero is a link.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError
from periplus.graph.files import read_blocks, writing
from periplus.graph.formats.base import (
    Format,
    Probe,
    build_graph,
    check_nodes,
    lied,
    no_options,
    warn_skipped,
    warn_weights,
)
from periplus.graph.graph import Graph

_BANNER = "%%matrixmarket"


def recognises(probe: Probe) -> bool:
    return probe.text[: len(_BANNER)].lower() == _BANNER


def read(path: Path, lenient: bool) -> Graph:
    from periplus.graph.formats.numbers import read_pairs

    blocks = read_blocks(path)
    first = next(blocks, b"")
    kind, symmetry, nodes, entries, line, start = _header(path, first)
    rest = (block for part in ((first[start:],), blocks) for block in part)
    pairs = read_pairs(path, rest, line=line, low=1, high=nodes, lenient=lenient)
    if len(pairs.first) != entries:
        lied(path, f"the header promises {entries:,} entries, the file has {len(pairs.first):,}", lenient)
    if kind != "pattern":
        warn_weights(path)
    warn_skipped(path, pairs.skipped)
    return build_graph(pairs.first - 1, pairs.second - 1, nodes, symmetric=symmetry != "general")


def _header(path: Path, head: bytes) -> tuple[str, str, int, int, int, int]:
    """Kind, symmetry, nodes and entries; the line and the byte after the size line."""
    lines = head.split(b"\n")
    banner = lines[0].decode("ascii", "replace").lower().split()
    if len(banner) != 5 or banner[1:3] != ["matrix", "coordinate"]:
        raise FormatError(path, "only `matrix coordinate` files are graphs (this is no sparse matrix)", line=1)
    start = len(lines[0]) + 1
    for number, line in enumerate(lines[1:], start=2):
        start += len(line) + 1
        if not line.strip() or line.startswith(b"%"):
            continue
        try:
            rows, columns, entries = (int(word) for word in line.split())
        except ValueError:
            raise FormatError(path, "expected `rows columns entries`", line=number) from None
        if rows != columns:
            raise FormatError(path, f"a graph needs a square matrix, this one is {rows} × {columns}", line=number)
        if rows < 0 or entries < 0:
            raise FormatError(path, f"{rows} rows and {entries} entries are out of range", line=number)
        check_nodes(path, rows, line=number)
        return banner[3], banner[4], rows, entries, number, start
    raise FormatError(path, "the file ends before the line `rows columns entries`", line=len(lines))


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Matrix Market", options)
    with writing(path) as stream:
        stream.write(b"%%MatrixMarket matrix coordinate pattern general\n")
        stream.write(f"{graph.nodes} {graph.nodes} {graph.links}\n".encode())
        write_pairs(stream, graph.sources, graph.out_targets, first_id=1)


def write_pairs(stream: Any, sources: Any, targets: Any, *, first_id: int = 0, separator: str = " ") -> None:
    """Two columns of ids as text, a block of lines at a time."""
    step = 1 << 18
    for at in range(0, len(sources), step):
        pairs = np.empty((min(step, len(sources) - at), 2), dtype=np.int64)
        pairs[:, 0], pairs[:, 1] = sources[at : at + step], targets[at : at + step]
        rows = (pairs + first_id).tolist()
        stream.write("".join([f"{a}{separator}{b}\n" for a, b in rows]).encode())


FORMAT = Format(
    name="matrix-market",
    title="Matrix Market coordinate file",
    suffixes=(".mtx", ".mm"),
    recognises=recognises,
    read=read,
    write=write,
)
