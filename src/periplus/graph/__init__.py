"""The web graph: ids, compressed sparse rows both ways, and every format people keep graphs in."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from periplus.graph.graph import Graph

if TYPE_CHECKING:
    from periplus.graph.build import build_graph
    from periplus.graph.formats import read_graph, write_graph

_HOMES = {
    "build_graph": "periplus.graph.build",
    "read_graph": "periplus.graph.formats",
    "write_graph": "periplus.graph.formats",
}

__all__ = ["Graph", "build_graph", "read_graph", "write_graph"]


def __getattr__(name: str) -> Any:
    # Readers and builders bring compiled kernels with them: loaded when they are asked for.
    if name not in _HOMES:
        raise AttributeError(f"module 'periplus.graph' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
