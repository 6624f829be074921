"""Edge lists: one link a line, `source target`, as SNAP, KONECT and spreadsheets write them.

Ids are numbers, or names (then the nodes are numbered in the order of the sorted names). A file that lies beside a
list of its nodes (`edges.tsv` beside `nodes.tsv`, `x.edges.tsv` beside `x.nodes.tsv`) takes their names and their
number from it; see `tables.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from periplus.graph.files import writing
from periplus.graph.formats.base import Format, Probe, no_options, sources_of
from periplus.graph.formats.matrix_market import write_pairs
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
    from periplus.graph.files import read_blocks
    from periplus.graph.formats.numbers import read_pairs

    pairs = read_pairs(path, read_blocks(path), lenient=lenient)
    return Graph.from_edges(pairs.first, pairs.second)


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("an edge list", options)
    separator = "," if path.name.lower().partition(".")[2].startswith("csv") else "\t"
    with writing(path) as stream:
        write_pairs(stream, sources_of(graph), graph.out_targets, separator=separator)


FORMAT = Format(
    name="edge-list",
    title="edge list (SNAP, KONECT, CSV)",
    suffixes=(".tsv", ".txt", ".csv", ".edges", ".el", ".edgelist"),
    recognises=recognises,
    read=read,
    write=write,
)
