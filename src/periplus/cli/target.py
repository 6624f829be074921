"""`load_graph`: what a person may write where a command takes a graph.

A collection (its current link graph), a folder that `Graph.save` wrote, a file of any format that
`periplus.graph.formats` knows, or the base name of a WebGraph (`cnr-2000` for `cnr-2000.graph`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from periplus.graph import Graph


def load_graph(target: str | Path, *, lenient: bool = False) -> Graph:
    """The graph that a command-line argument names; `lenient` skips bad lines and warns how many."""
    from periplus.collection import Collection
    from periplus.graph import Graph
    from periplus.graph.store import is_graph_folder

    path = Path(target)
    if Collection.is_collection(path):
        return Graph.open(Collection.open(path).current("graph"))
    if is_graph_folder(path):
        return Graph.open(path)
    from periplus.graph.formats import read_graph

    return read_graph(path, lenient=lenient)
