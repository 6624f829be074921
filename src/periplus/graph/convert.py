"""Graphs from and to other libraries; each library is imported only by the function named after it.

numpy and scipy share our arrays where their types allow: the column indices of the matrix that `to_scipy` returns are
our targets, without a copy, up to 2³¹ nodes and links. A link from i to j is the entry in row i, column j. Multiple
links become one; of their attributes the first are kept, with a note.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from periplus.errors import MissingDependencyError, ParameterError
from periplus.graph.attributes import Attributes, Column
from periplus.graph.formats.arrow import columns_of as arrow_columns
from periplus.graph.formats.base import name_table
from periplus.graph.formats.joined import Columns, Tables, graph_of_tables
from periplus.graph.formats.values import Values, first_of_each, tell_united
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_INT32_LIMIT = 2**31 - 1


def to_scipy(graph: Graph, dtype: Any = np.float64) -> csr_array[Any]:
    """The adjacency matrix; shares the column indices with the graph, so do not change it in place."""
    from scipy.sparse import csr_array

    small = graph.nodes <= _INT32_LIMIT and graph.links <= _INT32_LIMIT
    index = np.int32 if small else np.int64
    columns = graph.out_targets.view(np.int32) if small else graph.out_targets.astype(np.int64)
    values = np.ones(graph.links, dtype)
    matrix: Any = csr_array((values, columns, graph.out_offsets.astype(index)), shape=(graph.nodes, graph.nodes))
    matrix.has_canonical_format = True
    return matrix


def from_scipy(matrix: Any, *, urls: Any = None) -> Graph:
    """A link for every non-zero entry; a canonical CSR matrix without stored zeros is shared, not copied."""
    from scipy.sparse import csr_array

    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ParameterError("matrix", matrix.shape, "square: one row and one column per page")
    rows = csr_array(matrix)
    if not rows.has_canonical_format or np.count_nonzero(rows.data) < len(rows.data):
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    columns = rows.indices.view(np.uint32) if rows.indices.dtype == np.int32 else rows.indices
    return Graph(rows.indptr, columns, urls=urls)


def to_networkx(graph: Graph) -> Any:
    """A `networkx.DiGraph` with nodes 0 … n − 1, `url` on each node where the graph has URLs, and all attributes."""
    networkx = _library("networkx", "to_networkx")
    result = networkx.DiGraph()
    result.add_nodes_from(range(graph.nodes))
    if graph.urls is not None:
        networkx.set_node_attributes(result, dict(enumerate(graph.urls)), "url")
    for name, column in (graph.node_attributes or {}).items():
        told = {node: value for node, value in enumerate(column.tolist()) if value is not None}
        networkx.set_node_attributes(result, told, name)
    pairs = list(zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True))
    result.add_edges_from(pairs)
    for name, column in (graph.link_attributes or {}).items():
        values = zip(pairs, column.tolist(), strict=True)
        networkx.set_edge_attributes(result, {pair: value for pair, value in values if value is not None}, name)
    return result


def from_networkx(other: Any) -> Graph:
    """Nodes in networkx's order, with their attributes; an undirected edge becomes a link each way.

    Nodes that are not 0, 1, 2 … keep what they are as names, or beside the names where every node has a `url`.
    """
    ids = {node: number for number, node in enumerate(other)}
    about = Values(Path())
    for number, (_, values) in enumerate(other.nodes(data=True)):
        for name, value in values.items():
            about.put(number, str(name), value)
    edges = list(other.edges(data=True))
    links = Values(Path())
    for number, (_, _, values) in enumerate(edges):
        for name, value in values.items():
            links.put(number, str(name), value)
    table = about.table(len(ids)) or Attributes({}, len(ids))
    numbered = list(ids) == list(range(len(ids)))
    names = None if numbered else [str(node) for node in ids]
    if "url" in table and table["url"].kind == "text" and table["url"].missing is None:
        if names is not None and "node" not in table:
            table = table.joined({"node": names})
        names = table["url"].tolist()
        table = Attributes({name: column for name, column in table.items() if name != "url"}, len(ids))
    pairs = np.array([(ids[source], ids[target]) for source, target, _ in edges], np.int64).reshape(-1, 2)
    graph = _from_pairs(pairs, len(ids), other.is_directed(), links.table(len(edges)))
    graph.urls, graph.node_attributes = name_table(names), table or None
    return graph


def to_igraph(graph: Graph) -> Any:
    """An `igraph.Graph` (GPL), directed."""
    igraph = _library("igraph", "to_igraph")
    pairs = np.column_stack((graph.sources, graph.out_targets)).astype(np.int64)
    return igraph.Graph(n=graph.nodes, edges=pairs, directed=True)


def from_igraph(other: Any) -> Graph:
    """Vertices keep their numbers; an undirected edge becomes a link each way."""
    pairs = np.array(other.get_edgelist(), np.int64).reshape(-1, 2)
    return _from_pairs(pairs, other.vcount(), other.is_directed())


def to_networkit(graph: Graph) -> Any:
    """A `networkit.Graph`, directed, unweighted."""
    networkit = _library("networkit", "to_networkit")
    links = (graph.sources.astype(np.uint64), graph.out_targets.astype(np.uint64))
    return networkit.GraphFromCoo(links, n=graph.nodes, weighted=False, directed=True)


def from_networkit(other: Any) -> Graph:
    """Nodes keep their numbers; an undirected edge becomes a link each way."""
    pairs = np.array(list(other.iterEdges()), np.int64).reshape(-1, 2)
    return _from_pairs(pairs, other.upperNodeIdBound(), other.isDirected())


def to_pandas(graph: Graph) -> Any:
    """A `pandas.DataFrame` with the columns source and target, sorted."""
    pandas = _library("pandas", "to_pandas")
    return pandas.DataFrame({"source": graph.sources, "target": graph.out_targets})


def to_polars(graph: Graph) -> Any:
    """A `polars.DataFrame` with the columns source and target, sorted."""
    polars = _library("polars", "to_polars")
    return polars.DataFrame({"source": graph.sources, "target": graph.out_targets})


def to_arrow(graph: Graph) -> Any:
    """A `pyarrow.Table` with the columns source and target, sorted; the targets are shared."""
    pyarrow = _library("pyarrow", "to_arrow")
    return pyarrow.table({"source": pyarrow.array(graph.sources), "target": pyarrow.array(graph.out_targets)})


def from_table(
    table: Any, *, source: str = "source", target: str = "target", nodes: int | None = None, about: Any = None
) -> Graph:
    """A graph from a pandas or polars frame or an arrow table with a row per link; other columns are attributes.

    The ends are ids, or names of any kind, which are kept. `about` is a table of the nodes: their ids or names, and
    attributes, as in the files of `periplus.graph.formats.tables`.
    """
    links = _columns(table)
    for name, column in (("source", source), ("target", target)):
        if column not in links.names:
            raise ParameterError(name, column, f"a column of the table: {', '.join(links.names)}")
    # The ends come first: no other column is taken for them.
    order = sorted(range(len(links.names)), key=lambda at: (links.names[at] != source, links.names[at] != target))
    ours = Columns(
        ["source", "target", *(links.names[at] for at in order[2:])],
        [links.columns[at] for at in order],
        [at < 2 or links.names[order[at]].lower() == "type" for at in range(len(order))],
    )
    return graph_of_tables(Tables(Path(), ours, None if about is None else _columns(about), nodes))


def _columns(table: Any) -> Columns:
    """The columns of a table of another library; what it holds as missing (NaN of pandas too) is missing."""
    if type(table).__module__.startswith("pyarrow"):
        return arrow_columns(Path(), table)[0]
    names = list(table.columns)
    made: dict[str, Any] = {}
    for name in names:
        values = table[name].to_numpy()
        missing = np.asarray(table[name].isna() if hasattr(table[name], "isna") else table[name].is_null())
        if values.dtype.kind in "biuf":
            plain = Column.of(np.where(missing, 0, values) if missing.any() else values)
            made[name] = Column(plain.kind, plain.values, missing if missing.any() else None, plain.words)
        else:
            made[name] = [None if gap else value for gap, value in zip(missing.tolist(), values.tolist(), strict=True)]
    return Columns(list(map(str, names)), list(Attributes.of(made, len(table)).values()))


def _from_pairs(pairs: AnyArray, nodes: int, directed: bool, about: Attributes | None = None) -> Graph:
    """A graph of links one way or both; `about` has a row per pair, of which the first of each link is kept."""
    sources, targets = pairs[:, 0], pairs[:, 1]
    rows = np.arange(len(pairs))
    if not directed:
        sources, targets = np.concatenate((sources, targets)), np.concatenate((targets, sources))
        rows = np.concatenate((rows, rows))
    graph = Graph.from_edges(sources, targets, nodes)
    if about is not None:
        tell_united(Path(), len(pairs), len(first_of_each(pairs[:, 0], pairs[:, 1])))
        graph.link_attributes = about.take(rows[first_of_each(sources, targets)])
    return graph


def _library(name: str, purpose: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependencyError(name, "arrow" if name == "pyarrow" else None, purpose) from error
