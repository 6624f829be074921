"""Edge lists: one link per line, `source target`, as SNAP, KONECT and spreadsheets write them.

Ids are numbers; `named_edges.py` reads names. A file beside a list of its nodes (`edges.tsv` beside `nodes.tsv`,
`x.edges.tsv` beside `x.nodes.tsv`, `x.csv` beside `x.nodes.csv`) takes their names and number from it; see `tables.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from periplus.graph.files import plain_suffix
from periplus.graph.formats.base import Format, Probe, no_options, tell_from_one
from periplus.graph.graph import Graph

_PAIR = re.compile(r"^\s*[^\s,;]+[\s,;]+[^\s,;]+")


def recognises(probe: Probe) -> bool:
    """The last in the table: any text whose first real line has two columns, and an empty file by its ending."""
    if b"\0" in probe.head:
        return False
    for line in probe.first_lines:
        if not line.lstrip().startswith(("#", "%", "//")):
            return _PAIR.match(line) is not None and not line.lstrip().startswith(("<", "{", "["))
    return probe.suffix in FORMAT.suffixes


def read(path: Path, lenient: bool) -> Graph:
    from periplus.graph.building.text import read_edge_list
    from periplus.graph.formats.tables import nodes_beside, read_with_nodes

    nodes = nodes_beside(path)
    if nodes is not None:
        return read_with_nodes(path, nodes, lenient)
    graph = read_edge_list(path, lenient=lenient)
    tell_from_one(path, graph)
    return graph


def write(graph: Graph, path: Path, **options: Any) -> None:
    from periplus.graph.building.text import write_edge_list
    from periplus.graph.formats.tables import nodes_beside

    no_options("an edge list", options)
    if plain_suffix(path) == ".csv" and (beside := nodes_beside(path)) is not None:
        beside.unlink()  # the nodes of a graph that is written over
    write_edge_list(graph, path, separator="," if plain_suffix(path) == ".csv" else "\t")


FORMAT = Format(
    name="edge-list",
    title="edge list (SNAP, KONECT, CSV)",
    suffixes=(".tsv", ".txt", ".csv", ".edges", ".el", ".edgelist"),
    recognises=recognises,
    read=read,
    write=write,
    lists_nodes=False,
)
