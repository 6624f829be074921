"""BVGraph files by their base name (see `periplus.graph.bv`); `.urls` beside them names the nodes, one per line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from periplus.errors import FormatError
from periplus.graph.bv.files import basename_of
from periplus.graph.files import read_lines, writing
from periplus.graph.formats.base import Format, Probe, name_table, names_of
from periplus.graph.graph import Graph


def recognises(probe: Probe) -> bool:
    return basename_of(probe.path) is not None


def read(path: Path, lenient: bool) -> Graph:
    from periplus.graph.bv.reader import read_bv

    graph = read_bv(path, lenient=lenient)
    names_file = _names_file(basename_of(path) or path)
    if names_file.is_file():
        names = [line.decode("utf-8", "surrogateescape") for _, line in read_lines(names_file)]
        if len(names) != graph.nodes:
            raise FormatError(names_file, f"{len(names):,} names for {graph.nodes:,} nodes")
        graph.urls = name_table(names)
    return graph


def write(graph: Graph, path: Path, **options: Any) -> None:
    """Options are those of `write_bv`."""
    from periplus.graph.bv.reader import write_bv

    base = path.with_suffix("") if path.suffix in FORMAT.suffixes else path
    if graph.urls is None:
        _names_file(base).unlink(missing_ok=True)  # the names of a graph that is written over
    write_bv(graph, base, **options)
    if graph.urls is not None:
        with writing(_names_file(base)) as stream:
            stream.writelines(
                name.replace("\n", " ").encode("utf-8", "surrogateescape") + b"\n" for name in names_of(graph)
            )


def _names_file(basename: Path) -> Path:
    return basename.with_name(basename.name + ".urls")


FORMAT = Format(
    name="bv",
    title="WebGraph BVGraph",
    suffixes=(".graph", ".properties", ".bv"),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
