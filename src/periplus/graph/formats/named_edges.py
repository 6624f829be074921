"""Links between names: `from<TAB>to`, two columns of text, as the Wikispeedia `links.tsv` has them.

The nodes are numbered in the order of the sorted names. Only tabs separate (names may hold blanks); `#` begins a
comment. Such a file cannot hold a node without links.

A table whose first line names a `source` and a `target` column is read by these names, its fields separated by commas,
semicolons or tabs and quoted where they hold one: the edge tables of Gephi and of spreadsheets. A URL may begin with
anything, so in such a table nothing is a comment. A table of the nodes beside it is read too, see `tables`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from periplus.errors import ParameterError
from periplus.graph.attributes import Column
from periplus.graph.files import read_lines, writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options, warn_skipped
from periplus.graph.formats.delimited import cells_of
from periplus.graph.formats.joined import Columns, Tables, graph_of_tables
from periplus.graph.formats.tables import heading_of, nodes_beside, read_links, read_nodes
from periplus.graph.graph import Graph


def recognises(probe: Probe) -> bool:
    """Lines of two names each, none of them a number; or a table of which not all names are."""
    if b"\0" in probe.head:
        return False
    lines = [line.rstrip("\r") for line in probe.first_lines]
    if len(probe.head) >= 1 << 16:
        lines = lines[:-1]
    heading = heading_of(lines[0]) if lines else None
    if heading is not None:
        rows = [cells for line in lines[1:] if len(cells := cells_of(line, heading[0])) > 1]
        return not all(cell.isdecimal() for cells in rows for cell in cells)
    lines = [line for line in lines if not line.startswith("#")]
    pairs = [line.split("\t") for line in lines]
    names = [word for pair in pairs for word in pair]
    return bool(pairs) and all(len(pair) == 2 and all(pair) for pair in pairs) and not any(map(str.isdecimal, names))


def read(path: Path, lenient: bool) -> Graph:
    heading = heading_of(next(iter(Probe(path).first_lines), ""))
    if heading is not None:
        links = read_links(path, heading[0], lenient)
    else:
        rows = list(_pairs(LinkList(path, lenient)))
        links = Columns(("source", "target"), [Column.of([row[at] for row in rows]) for at in (0, 1)])
    names = [Column.of_kind("text", column.tolist()) for column in links.columns]
    beside = nodes_beside(path) if heading is not None else None
    nodes = None if beside is None else read_nodes(beside)
    return graph_of_tables(Tables(path, links._replace(columns=names), nodes, lenient=lenient))


def _pairs(problems: LinkList) -> Iterator[tuple[str, str]]:
    """Line by line the two names; whatever follows them is passed over."""
    for number, line in read_lines(problems.path):
        text = line.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        if not text.strip() or text.startswith("#"):
            continue
        first, tab, rest = text.partition("\t")
        second = rest.partition("\t")[0]
        if not tab or not first or not second:
            problems.problem(f"{text[:80]!r} is no pair of names", number)
            continue
        yield first, second
    warn_skipped(problems.path, problems.skipped)


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("named edges", options)
    if graph.urls is None:
        raise ParameterError("graph", repr(graph), "with names; a graph without them is an edge list")
    names = [name.replace("\t", " ").replace("\n", " ").encode("utf-8", "surrogateescape") for name in names_of(graph)]
    with writing(path) as stream:
        for i in range(graph.nodes):
            stream.writelines(names[i] + b"\t" + names[j] + b"\n" for j in graph.successors(i).tolist())


FORMAT = Format(
    name="named-edges",
    title="links between names",
    suffixes=(".names.tsv",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    lists_nodes=False,
)
