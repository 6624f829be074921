"""Graphs from and to other libraries; each library is imported only by the function named after it.

numpy and scipy share our arrays where their types allow: the column indices of the matrix that `to_scipy` returns are
our targets, without a copy, up to 2³¹ nodes and links. A link from i to j is the entry in row i, column j. Multiple
links become one; weights are dropped.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from periplus.errors import MissingDependencyError, ParameterError
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
        raise ParameterError("matrix", matrix.shape, "square: one row and one column a page")
    rows = csr_array(matrix)
    if not rows.has_canonical_format or np.count_nonzero(rows.data) < len(rows.data):
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    columns = rows.indices.view(np.uint32) if rows.indices.dtype == np.int32 else rows.indices
    return Graph(rows.indptr, columns, urls=urls)


def to_networkx(graph: Graph) -> Any:
    """A `networkx.DiGraph` with nodes 0 … n − 1, and `url` on each node where the graph has URLs."""
    networkx = _library("networkx", "to_networkx")
    result = networkx.DiGraph()
    if graph.urls is None:
        result.add_nodes_from(range(graph.nodes))
    else:
        result.add_nodes_from((page, {"url": graph.urls[page]}) for page in range(graph.nodes))
    result.add_edges_from(zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True))
    return result


def from_networkx(other: Any) -> Graph:
    """Nodes in networkx's order; an undirected edge becomes a link each way."""
    ids = {node: number for number, node in enumerate(other)}
    pairs = np.array([(ids[source], ids[target]) for source, target in other.edges()], np.int64).reshape(-1, 2)
    return _from_pairs(pairs, len(ids), directed=other.is_directed())


def to_igraph(graph: Graph) -> Any:
    """An `igraph.Graph` (GPL), directed."""
    igraph = _library("igraph", "to_igraph")
    pairs = np.column_stack((graph.sources, graph.out_targets)).astype(np.int64)
    return igraph.Graph(n=graph.nodes, edges=pairs, directed=True)


def from_igraph(other: Any) -> Graph:
    """Vertices keep their numbers; an undirected edge becomes a link each way."""
    pairs = np.array(other.get_edgelist(), np.int64).reshape(-1, 2)
    return _from_pairs(pairs, other.vcount(), directed=other.is_directed())


def to_networkit(graph: Graph) -> Any:
    """A `networkit.Graph`, directed, unweighted."""
    networkit = _library("networkit", "to_networkit")
    links = (graph.sources.astype(np.uint64), graph.out_targets.astype(np.uint64))
    return networkit.GraphFromCoo(links, n=graph.nodes, weighted=False, directed=True)


def from_networkit(other: Any) -> Graph:
    """Nodes keep their numbers; an undirected edge becomes a link each way."""
    pairs = np.array(list(other.iterEdges()), np.int64).reshape(-1, 2)
    return _from_pairs(pairs, other.upperNodeIdBound(), directed=other.isDirected())


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


def from_table(table: Any, *, source: str = "source", target: str = "target", nodes: int | None = None) -> Graph:
    """A graph from two columns of ids of a pandas or polars frame or an arrow table."""
    return Graph.from_edges(np.asarray(table[source]), np.asarray(table[target]), nodes)


def _from_pairs(pairs: AnyArray, nodes: int, *, directed: bool) -> Graph:
    sources, targets = pairs[:, 0], pairs[:, 1]
    if not directed:
        sources, targets = np.concatenate((sources, targets)), np.concatenate((targets, sources))
    return Graph.from_edges(sources, targets, nodes)


def _library(name: str, purpose: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependencyError(name, "arrow" if name == "pyarrow" else None, purpose) from error
