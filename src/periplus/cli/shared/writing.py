"""Writing the graph or table of a command, and saying what its format cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.target import showing_warnings
from periplus.errors import ParameterError

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.graph.formats import Format
    from periplus.numeric.arrays import AnyArray


def write_output(written: Graph, output: str, name: str | None = None, *, transpose: bool = False) -> None:
    """Write a graph in the format of `name` or else of the ending; a note says what the format could not hold."""
    if not output:
        raise ParameterError("output", output, "a name")
    path = Path(output)
    if is_folder(path, name):
        written.save(path, transpose=transpose)
        return
    from periplus.graph.formats import format_by_name, format_for_writing

    chosen = format_for_writing(path, written) if name is None else format_by_name(name)
    with showing_warnings():
        chosen.write(written, path)
    for note in _losses(written, chosen, output):
        click.echo(f"note: {note}", err=True)


def is_folder(path: Path, name: str | None) -> bool:
    """Whether a graph folder is to be written."""
    return name == "folder" or (name is None and (path.is_dir() or not path.suffix))


def _losses(written: Graph, chosen: Format, output: str) -> list[str]:
    notes = []
    if written.urls is not None and not chosen.keeps_names:
        notes.append(
            f"{chosen.title} has no place for the names of the pages: {output} has ids only. A graph folder, "
            "GraphML, GEXF, Pajek or CSV keeps them."
        )
    attributes = [*(written.node_attributes or ()), *(written.link_attributes or ())]
    if attributes and not chosen.keeps_attributes:
        notes.append(
            f"{chosen.title} has no place for attributes: {', '.join(attributes)} left out of {output}. A graph "
            "folder, GraphML, GEXF, GML, Pajek, CSV and Parquet keep them."
        )
    if not chosen.lists_nodes and (lost := _unseen(written, by_name=chosen.keeps_names)):
        notes.append(
            f"{chosen.title} has no place for pages without links: {lost:,} of the {written.nodes:,} pages cannot be "
            f"seen in {output}. A graph folder, npz or Matrix Market keeps them."
        )
    return notes


def _unseen(graph: Graph, *, by_name: bool) -> int:
    """Pages missing from a list of links: with names all pages without links, else those after the last one linked."""
    import numpy as np

    if by_name:
        return int(((graph.out_degrees == 0) & (graph.in_degrees == 0)).sum())
    linking = np.flatnonzero(graph.out_degrees)
    last = max(int(linking[-1]), int(graph.out_targets.max())) if len(linking) else -1
    return graph.nodes - 1 - last


def write_values(path: str | Path, values: AnyArray, columns: Mapping[str, Any]) -> None:
    """Write the values of every page: a .npy file holds the numbers alone, any other format their table."""
    from periplus.record import Table, write_table

    if Path(path).suffix.lower() != ".npy":
        write_table(path, Table.of(columns))
        return
    import numpy as np

    from periplus.durable import write_atomically

    buffer = BytesIO()
    np.save(buffer, values)
    write_atomically(Path(path), buffer.getvalue())
