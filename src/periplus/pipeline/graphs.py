"""`open_graph`: the graph behind whatever a person names."""

from __future__ import annotations

from pathlib import Path

from periplus.catalog import checked
from periplus.collection import Collection
from periplus.graph.formats import read_graph
from periplus.graph.graph import Graph


@checked
def open_graph(target: str | Path, *, lenient: bool = False, directed: bool | None = None) -> Graph:
    """The graph of a collection, a graph folder, a file of any known format, or a WebGraph basename.

    `lenient` passes over entries that cannot be read, and says how many in a warning; `directed` as in `read_graph`.
    """
    if Collection.is_collection(target):
        graph = Graph.open(Collection.open(target).current("graph"))
        return graph.symmetrised() if directed is False else graph
    return read_graph(Path(target), lenient=lenient, directed=directed)
