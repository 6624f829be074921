"""Every format that people keep graphs in: one file per format, one line each in `FORMATS`.

Reading finds the format by content (the first bytes, decompressed), never by the ending alone; writing goes by the
ending. `read_graph(path)` and `write_graph(graph, path)` are all that other parts need.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from periplus.catalog import checked
from periplus.errors import InputError, ParameterError, UnknownFormatError
from periplus.graph.files import plain_name
from periplus.graph.formats import (
    arrow,
    common_crawl,
    edge_list,
    folder,
    gexf,
    gml,
    graphml,
    matrix_market,
    metis,
    named_edges,
    npz,
    pajek,
    tables,
    webgraph,
)
from periplus.graph.formats.base import Format, Probe
from periplus.graph.graph import Graph

# Asked in this order: the sure ones first, the edge list, which is any two columns, last.
FORMATS: tuple[Format, ...] = (
    folder.FORMAT,
    common_crawl.FORMAT,
    webgraph.FORMAT,
    tables.FORMAT,
    npz.FORMAT,
    arrow.PARQUET,
    arrow.ARROW,
    matrix_market.FORMAT,
    graphml.FORMAT,
    gexf.FORMAT,
    pajek.FORMAT,
    gml.FORMAT,
    metis.FORMAT,
    named_edges.FORMAT,
    edge_list.FORMAT,
)

__all__ = ["FORMATS", "Format", "detect", "format_by_name", "format_for_writing", "read_graph", "write_graph"]


def format_by_name(name: str) -> Format:
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    raise ParameterError("format", name, "one of " + ", ".join(each.name for each in FORMATS))


def detect(path: str | Path) -> Format:
    """The format of a file, folder or basename, by its content."""
    probe = Probe(Path(path))
    for candidate in FORMATS:
        if candidate.recognises(probe):
            return candidate
    if not probe.path.exists():
        raise InputError(f"{path} does not exist")
    raise UnknownFormatError(f"{path}: no reader recognises it; formats: " + ", ".join(each.name for each in FORMATS))


def format_for_writing(path: str | Path, graph: Graph | None = None) -> Format:
    """The format that an ending asks for; no ending asks for a graph folder, an unknown one is an error.

    `.csv` is an edge list, or tables where the graph has names or attributes, which an edge list would lose.
    """
    name = plain_name(Path(path))
    if "." not in name:
        return format_by_name("folder")
    if name.endswith(".csv") and graph is not None and _has_more_than_links(graph):
        return tables.FORMAT
    for candidate in FORMATS:
        if any(name.endswith(suffix) for suffix in candidate.suffixes):
            return candidate
    known = ", ".join(suffix for each in FORMATS for suffix in each.suffixes)
    raise UnknownFormatError(f"{path}: its ending names no format; use one of {known}, or say the format")


def _has_more_than_links(graph: Graph) -> bool:
    return graph.urls is not None or bool(graph.node_attributes) or bool(graph.link_attributes)


def read_graph(
    path: str | Path, *, format: str | None = None, lenient: bool = False, directed: bool | None = None
) -> Graph:
    """Read a graph of any format; with `lenient`, entries that cannot be read are skipped and counted in a warning.

    `directed` says what the links are, whatever the file says or leaves unsaid: each as it is written, or both ways.
    """
    chosen = detect(path) if format is None else format_by_name(format)
    if chosen.takes_direction and directed is not None:
        return chosen.read(Path(path), lenient, directed=directed)
    if directed and not chosen.directed:
        raise ParameterError("directed", directed, f"only for formats that can hold it: {chosen.title} is not directed")
    graph = chosen.read(Path(path), lenient)
    return graph.symmetrised() if directed is False else graph


@checked
def write_graph(graph: Graph, path: str | Path, *, format: str | None = None, **options: Any) -> None:
    """Write a graph in the format that the ending names; the file appears only when it is complete."""
    chosen = format_for_writing(path, graph) if format is None else format_by_name(format)
    chosen.write(graph, Path(path), **options)
