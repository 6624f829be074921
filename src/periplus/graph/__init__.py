"""The web graph: ids, compressed sparse rows both ways, and every format people keep graphs in."""

from periplus.graph.graph import Graph

__all__ = ["Graph"]
