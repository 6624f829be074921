"""Edge tables in Parquet or Arrow (Feather) files: one row per link, two columns of ids or of names.

The columns are called source and target (or src and dst, from and to), else they are the first two. Numbers are ids;
with strings the nodes are numbered in the order of the sorted names. The schema's metadata keep the number of nodes,
which the links do not show when the last nodes have none. Needs pyarrow: `pip install 'periplus[arrow]'`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError, MissingDependencyError
from periplus.graph.files import writing
from periplus.graph.formats.base import MOST_NODES, Format, Probe, build_graph, check_nodes, no_options
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray

_NODES = b"periplus.nodes"
_PARQUET, _ARROW = b"PAR1", b"ARROW1"
_COLUMNS = (("source", "target"), ("src", "dst"), ("from", "to"))
_BATCH = 1 << 20


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError:
        raise MissingDependencyError("pyarrow", "arrow", "reading and writing Parquet and Arrow files") from None
    return pyarrow


def recognises_parquet(probe: Probe) -> bool:
    return probe.head.startswith(_PARQUET)


def recognises_arrow(probe: Probe) -> bool:
    return probe.head.startswith(_ARROW)


def read_parquet(path: Path, lenient: bool) -> Graph:
    del lenient
    pyarrow = _pyarrow()
    try:
        return _graph(path, pyarrow.parquet.read_table(path, memory_map=True, columns=None))
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(path, f"not a readable Parquet file: {error}") from error


def read_arrow(path: Path, lenient: bool) -> Graph:
    del lenient
    pyarrow = _pyarrow()
    try:
        return _graph(path, pyarrow.feather.read_table(path, memory_map=True))
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(path, f"not a readable Arrow file: {error}") from error


def _graph(path: Path, table: Any) -> Graph:
    sources, targets = (_column(path, table.column(name)) for name in _column_names(path, table))
    if sources.dtype.kind == "U" or targets.dtype.kind == "U":
        names, ids = np.unique(np.concatenate((sources.astype(str), targets.astype(str))), return_inverse=True)
        return build_graph(ids[: len(sources)], ids[len(sources) :], len(names), names=names.tolist())
    largest = int(max(sources.max(), targets.max())) if len(sources) else -1
    smallest = int(min(sources.min(), targets.min())) if len(sources) else 0
    if smallest < 0 or largest >= MOST_NODES:
        raise FormatError(path, f"ids from {smallest} to {largest} are not between 0 and 2³² − 1")
    stated = (table.schema.metadata or {}).get(_NODES, str(largest + 1).encode())
    if not stated.isdigit() or not largest < int(stated) <= MOST_NODES:
        raise FormatError(
            path, f"its metadata promise {stated.decode('utf-8', 'replace')} nodes, the largest id is {largest}"
        )
    check_nodes(path, int(stated))
    return build_graph(sources, targets, int(stated))


def _column_names(path: Path, table: Any) -> tuple[str, str]:
    names = [str(name) for name in table.column_names]
    for wanted in _COLUMNS:
        if all(name in names for name in wanted):
            return wanted
    if len(names) < 2 or len(set(names)) < len(names):
        raise FormatError(path, f"a table of links has two columns, this one has {names}")
    return names[0], names[1]


def _column(path: Path, column: Any) -> AnyArray:
    if column.null_count:
        raise FormatError(path, f"{column.null_count:,} links have an end missing")
    values = column.to_numpy()
    if values.dtype.kind == "O":
        values = values.astype(str)
    if values.dtype.kind not in "iuU":
        raise FormatError(path, f"a column of {column.type} holds neither ids nor names")
    return np.asarray(values)


def write_parquet(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Parquet", options)
    pyarrow = _pyarrow()
    with writing(path) as stream:
        pyarrow.parquet.write_table(_table(pyarrow, graph), stream, compression="zstd", row_group_size=_BATCH)


def write_arrow(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Arrow", options)
    pyarrow = _pyarrow()
    with writing(path) as stream:
        pyarrow.feather.write_feather(_table(pyarrow, graph), stream, compression="zstd")


def _table(pyarrow: Any, graph: Graph) -> Any:
    table = pyarrow.table({"source": graph.sources, "target": np.asarray(graph.out_targets)})
    return table.replace_schema_metadata({_NODES: str(graph.nodes).encode()})


PARQUET = Format(
    name="parquet",
    title="Parquet edge table",
    suffixes=(".parquet",),
    recognises=recognises_parquet,
    read=read_parquet,
    write=write_parquet,
)
ARROW = Format(
    name="arrow",
    title="Arrow (Feather) edge table",
    suffixes=(".arrow", ".feather"),
    recognises=recognises_arrow,
    read=read_arrow,
    write=write_arrow,
)
