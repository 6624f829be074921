"""Tables of links in Parquet or Arrow (Feather) files, and the table of the nodes in a file beside them.

`x.parquet` has a row per link: the columns source and target (or src and dst, from and to, else the first two), numbers
that are ids or texts that are names, and the attributes of the links. Names and attributes of the nodes are in
`x.nodes.parquet`, where there are any; see `joined`. How many nodes there are, which a table of links cannot tell when
the last nodes have none, and which columns are ours stand in the metadata of the schema. Needs pyarrow:
`pip install 'periplus[arrow]'`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

from periplus.errors import FormatError, MissingDependencyError
from periplus.graph.attributes import Attributes, Column
from periplus.graph.files import writing, writing_all
from periplus.graph.formats.base import Format, Probe, names_of, no_options
from periplus.graph.formats.joined import Columns, Tables, graph_of_tables
from periplus.graph.formats.values import say
from periplus.graph.graph import Graph

_NODES, _NODES_BESIDE, _COLUMNS = b"periplus.nodes", b"periplus.nodes.beside", b"periplus.columns"
_PARQUET, _ARROW = b"PAR1", b"ARROW1"
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


def read_parquet(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    return _read(path, lenient, directed, lambda pyarrow, file: pyarrow.parquet.read_table(file, memory_map=True))


def read_arrow(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    return _read(path, lenient, directed, lambda pyarrow, file: pyarrow.feather.read_table(file, memory_map=True))


def _read(path: Path, lenient: bool, directed: bool | None, load: Callable[[Any, Path], Any]) -> Graph:
    pyarrow = _pyarrow()
    try:
        links, size = columns_of(path, load(pyarrow, path))
        beside = nodes_beside(path)
        nodes = None
        if beside.exists():
            nodes, _ = columns_of(beside, load(pyarrow, beside))
        elif _NODES_BESIDE in (load(pyarrow, path).schema.metadata or {}):
            say(
                path,
                f"the names and attributes of its nodes are in {beside.name}, which is not here: they are left out",
            )
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(path, f"not a readable table: {error}") from error
    return graph_of_tables(Tables(path, links, nodes, size, lenient, directed))


def nodes_beside(path: Path) -> Path:
    """The table of the nodes that goes with a table of links: `x.nodes.parquet` of `x.parquet`."""
    return path.with_name(f"{path.stem}.nodes{path.suffix}")


def columns_of(path: Path, table: Any) -> tuple[Columns, int | None]:
    """The columns of an arrow table, and the number of nodes that its metadata tell of."""
    told = table.schema.metadata or {}
    names = [str(name) for name in table.column_names]
    columns = [_column(path, name, table.column(at)) for at, name in enumerate(names)]
    size = told.get(_NODES)
    if size is not None and not size.isdigit():
        raise FormatError(path, f"its metadata tell of {size.decode('utf-8', 'replace')} nodes")
    free = None
    if _COLUMNS in told:
        ours, names = json.loads(told[_COLUMNS])
        free = [at < ours for at in range(len(names))]
    return Columns(names, columns, free), None if size is None else int(size)


def _column(path: Path, name: str, chunks: Any) -> Column:
    """A column; what is neither text, number nor flag is kept as text, with a note."""
    import pyarrow.types as types

    column = chunks.combine_chunks()
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    missing = np.asarray(column.is_null()) if column.null_count else None
    if types.is_boolean(column.type) or types.is_integer(column.type) or types.is_floating(column.type):
        filled = column.fill_null(False if types.is_boolean(column.type) else 0) if column.null_count else column
        made = Column.of(np.asarray(filled))
        return Column(made.kind, made.values, missing, made.words)
    if not (types.is_string(column.type) or types.is_large_string(column.type) or types.is_null(column.type)):
        say(path, f"column {name!r} holds {column.type}: kept as texts")
    return Column.of_kind("text", column.to_pylist())


# -- writing -------------------------------------------------------------------------------------------------


def write_parquet(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Parquet", options)
    pyarrow = _pyarrow()
    _write(graph, path, lambda table, stream: pyarrow.parquet.write_table(
        table, stream, compression="zstd", row_group_size=_BATCH
    ))  # fmt: skip


def write_arrow(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Arrow", options)
    pyarrow = _pyarrow()
    _write(graph, path, lambda table, stream: pyarrow.feather.write_feather(table, stream, compression="zstd"))


def _write(graph: Graph, path: Path, save: Callable[[Any, IO[bytes]], None]) -> None:
    """The links, and beside them the nodes where there is something to tell of them; else no such file is left."""
    ends = {"source": graph.sources, "target": np.asarray(graph.out_targets)}
    told = graph.urls is not None or bool(graph.node_attributes)
    metadata = {_NODES: str(graph.nodes).encode()} | ({_NODES_BESIDE: b"yes"} if told else {})
    links = _table(ends, graph.link_attributes, metadata)
    if not told:
        nodes_beside(path).unlink(missing_ok=True)
        with writing(path) as stream:
            save(links, stream)
        return
    ids: dict[str, Any] = {"id": np.arange(graph.nodes, dtype=np.uint32)}
    if graph.urls is not None:
        ids["url"] = [name.encode("utf-8", "replace").decode() for name in names_of(graph)]
    with writing_all(nodes_beside(path), path) as (node_stream, link_stream):
        save(_table(ids, graph.node_attributes, {}), node_stream)
        save(links, link_stream)


def _table(ours: dict[str, Any], attributes: Attributes | None, metadata: dict[bytes, bytes]) -> Any:
    """Our columns, then the attributes; two that would bear one name get numbers, and their own in the metadata."""
    pyarrow = _pyarrow()
    table = pyarrow.table(ours)
    if attributes:
        for name, column in zip(attributes, attributes.to_arrow().columns, strict=True):
            free = name
            while free in table.column_names:
                free += "_"
            table = table.append_column(free, column)
        metadata = metadata | {_COLUMNS: json.dumps([len(ours), [*ours, *attributes]]).encode()}
    elif "url" in ours or "id" in ours:
        metadata = metadata | {_COLUMNS: json.dumps([len(ours), list(ours)]).encode()}
    return table.replace_schema_metadata(metadata)


PARQUET = Format(
    name="parquet",
    title="Parquet tables",
    suffixes=(".parquet",),
    recognises=recognises_parquet,
    read=read_parquet,
    write=write_parquet,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
ARROW = Format(
    name="arrow",
    title="Arrow (Feather) tables",
    suffixes=(".arrow", ".feather"),
    recognises=recognises_arrow,
    read=read_arrow,
    write=write_arrow,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
