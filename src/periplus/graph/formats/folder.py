"""A graph folder of our own, see `periplus.graph.store`: memory-mapped, opened in milliseconds whatever its size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from periplus.graph.formats.base import Format, Probe
from periplus.graph.graph import Graph
from periplus.graph.store import is_graph_folder


def recognises(probe: Probe) -> bool:
    return probe.is_folder and is_graph_folder(probe.path)


def read(path: Path, lenient: bool) -> Graph:
    del lenient  # a folder is whole or damaged
    return Graph.open(path)


def write(graph: Graph, path: Path, **options: Any) -> None:
    """Options are those of `Graph.save`."""
    graph.save(path, **options)


FORMAT = Format(
    name="folder",
    title="graph folder",
    suffixes=(),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    keeps_attributes=True,
)
