"""`load_graph`: what a person may write where a command takes a graph.

A collection (its current link graph), a folder that `Graph.save` wrote, a file of any format that
`periplus.graph.formats` knows, or the base name of a WebGraph (`cnr-2000` for `cnr-2000.graph`).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.numeric.arrays import Floats

LENIENT = "Pass over what cannot be read, and say how much."
lenient_option = click.option("--lenient", is_flag=True, help=LENIENT)


direction_option = click.option(
    "--directed/--undirected",
    "directed",
    default=None,
    help="What the links are: each as it is written, or both ways; else the file says, or the standard of its format.",
)


def load_graph(target: str | Path, *, lenient: bool = False, directed: bool | None = None) -> Graph:
    """The graph that a command-line argument names; `lenient` passes over what cannot be read and says how much."""
    from periplus.pipeline.graphs import open_graph

    with showing_warnings():
        return open_graph(target, lenient=lenient, directed=directed)


@contextmanager
def showing_warnings() -> Iterator[None]:
    """Print our warnings as one plain line each, on standard error."""
    from periplus.errors import PeriplusWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PeriplusWarning)
        yield
    for warning in caught:
        click.echo(f"periplus: {warning.message}", err=True)


def format_of(target: str | Path) -> str:
    """The kind of thing that an argument names: "collection", "folder", or the name of a file format."""
    from periplus.collection import Collection
    from periplus.graph.store import is_graph_folder

    if Collection.is_collection(target):
        return "collection"
    if is_graph_folder(target):
        return "folder"
    from periplus.graph.formats import detect

    return detect(target).name


def page_id(graph: Graph, page: str) -> int:
    """The id of a page given as a number or, where the graph has URLs, as a URL or name."""
    from periplus.errors import ParameterError

    found = graph.urls.find(page) if graph.urls is not None else None
    if found is None and page.isdecimal() and int(page) < graph.nodes:
        found = int(page)
    if found is None:
        kinds = "an id" if graph.urls is None else "a URL of this graph, or an id"
        raise ParameterError("page", page, f"{kinds} from 0 to {graph.nodes - 1}")
    return found


def read_numbers(path: str | Path) -> Floats:
    """The real numbers of a .npy file."""
    from periplus.errors import FormatError, ParameterError
    from periplus.numeric.given import real_numbers
    from periplus.numeric.npy import load_array

    found = load_array(path)
    try:
        return real_numbers(found, "numbers")
    except ParameterError as error:
        raise FormatError(path, f"holds no real numbers, but {found.dtype}") from error


def read_labels(path: str | Path, graph: Graph) -> Iterator[tuple[int, int, str]]:
    """(line, page id, name) from a table with a page (an id or a URL), a tab and a name on each line.

    Empty lines and lines that begin with # are skipped; any other line is an error that names it.
    """
    from periplus.errors import FormatError, ParameterError, storage

    with storage(path):
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        page, tab, name = (part.strip(" \r") for part in line.partition("\t"))
        if not line.strip() or line.startswith("#"):
            continue
        if not tab or not name:
            raise FormatError(path, "not a page, a tab and a name", line=number)
        try:
            yield number, page_id(graph, page), name
        except ParameterError as error:
            raise FormatError(path, f"{page!r} is no page of this graph", line=number) from error
