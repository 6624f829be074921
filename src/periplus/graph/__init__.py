"""The web graph: ids, compressed sparse rows both ways, and every format people keep graphs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.graph.graph import Graph
from periplus.lazy import offers

if TYPE_CHECKING:
    from periplus.graph.building.build import build_graph
    from periplus.graph.formats import read_graph, write_graph

_HOMES = {
    "build_graph": "periplus.graph.building.build",
    "read_graph": "periplus.graph.formats",
    "write_graph": "periplus.graph.formats",
}

__all__ = ["Graph", "build_graph", "read_graph", "write_graph"]


# Readers and builders bring compiled kernels with them: they are loaded when asked for.
__getattr__, __dir__ = offers(__name__, _HOMES)
