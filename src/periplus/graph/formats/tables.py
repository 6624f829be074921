"""Tables of links and of nodes as text: `x.edges.csv` and `x.nodes.csv`, or a folder with `edges.tsv` and `nodes.tsv`.

`edges` has a line per link. Where its first line names columns beside source and target, these are attributes; two
columns without a heading are ids, as in an edge list. `nodes` has a line per node: `id<TAB>…`, or a first line that
names the columns (`#id`, or `Id,Label` as Gephi has it); see `joined` for what the columns mean, `delimited` for what
quotes do. All files may be compressed. The nodes of any other `x.csv` are in `x.nodes.csv`. Written are `edges.tsv` and
`nodes.tsv` in a folder, or, by the ending `.edges.csv`, `.edges.tsv` or `.csv`, that file and the nodes beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from periplus.errors import FormatError, ParameterError
from periplus.graph.attributes import Attributes, Column
from periplus.graph.files import COMPRESSED, plain_name, writing_all
from periplus.graph.formats.base import Format, Probe, name_table, names_of, no_options, warn_skipped
from periplus.graph.formats.delimited import Row, as_needed, cells_of, columns_of, in_quotes, read_rows, row_of
from periplus.graph.formats.joined import ENDS, IDS, NAMES, Columns, Tables, ends_of, graph_of_tables, nodes_of, plain
from periplus.graph.formats.matrix_market import write_pairs
from periplus.graph.formats.values import Bare, rows_of
from periplus.graph.graph import Graph

_EDGES = re.compile(r"^((?:.*[._-])?)edges(\.[a-z]+)$")
_LONGEST = 1 << 14  # characters of a name
_OURS = {*IDS, *NAMES, *(name for pair in ENDS for name in pair), "type"}


def recognises(probe: Probe) -> bool:
    """A folder with a list of edges, or a table of links with attributes."""
    if probe.is_folder:
        return edges_in(probe.path) is not None
    return bool(probe.first_lines) and b"\0" not in probe.head and has_attributes(probe.first_lines[0])


def heading_of(line: str) -> tuple[str, list[str]] | None:
    """What separates the columns of a table of links whose first line names them, and these names."""
    for separator in ",;\t":
        names = cells_of(line.strip("\r\n\ufeff"), separator)
        if {"source", "target"} <= {plain(name) for name in names}:
            return separator, names
    return None


def has_attributes(line: str) -> bool:
    """Whether a first line names a source, a target and more."""
    heading = heading_of(line)
    return heading is not None and len(heading[1]) > 2


def edges_in(folder: Path) -> Path | None:
    """The one `edges.tsv` (or .txt, .csv, compressed or not) of a folder; None where there is none or several."""
    found = [path for path in sorted(folder.iterdir()) if re.fullmatch(r"edges\.(tsv|txt|csv)", plain_name(path))]
    return found[0] if len(found) == 1 else None


def nodes_beside(edges: Path) -> Path | None:
    """The list of nodes beside a list of edges, compressed or not: `x.nodes.csv` of `x.edges.csv` or `x.csv`."""
    wanted = _nodes_name(plain_name(edges))
    if wanted is None:
        return None
    for name in (wanted, *(wanted + suffix for suffix in COMPRESSED)):
        for path in edges.parent.glob("*"):
            if path.name.lower() == name:
                return path
    return None


def _nodes_name(edges: str) -> str | None:
    """How the list of nodes beside a list of edges is called; None where that can be no other file."""
    match = _EDGES.match(edges)
    if match is not None:
        return f"{match[1]}nodes{match[2]}"
    other = edges.endswith(".csv") and re.search(r"(^|[._-])nodes\.csv$", edges) is None
    return f"{edges.removesuffix('.csv')}.nodes.csv" if other else None


# -- reading -------------------------------------------------------------------------------------------------


def read(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    from periplus.graph.building.text import read_edge_list

    edges = edges_in(path) if path.is_dir() else path
    if edges is None:
        raise FormatError(path, "the folder holds no list of edges (edges.tsv)")
    nodes = nodes_beside(edges)
    if has_attributes(_first_line(edges)):
        return _joined(edges, nodes, lenient, directed)
    graph = read_edge_list(edges, lenient=lenient) if nodes is None else read_with_nodes(edges, nodes, lenient)
    return graph.symmetrised() if directed is False else graph


def _first_line(path: Path) -> str:
    return next(iter(Probe(path).first_lines), "")


def _joined(edges: Path, nodes: Path | None, lenient: bool, directed: bool | None) -> Graph:
    heading = heading_of(_first_line(edges))
    if heading is not None:
        links = read_links(edges, heading[0], lenient)
    else:
        separator = "," if plain_name(edges).endswith(".csv") else "\t"
        rows = [row for row in read_rows(edges, separator) if not row.cells[0].startswith(("#", "%"))]
        links = Columns(("source", "target"), columns_of(edges, ("source", "target"), rows))
    beside = None if nodes is None else read_nodes(nodes)
    return graph_of_tables(Tables(edges, links, beside, lenient=lenient, directed=directed))


def read_links(path: Path, separator: str, lenient: bool = False) -> Columns:
    """A table of links whose first line names the columns."""
    rows = list(read_rows(path, separator))
    heading, rows = rows[0], rows[1:]
    links = Columns(heading.cells, (), _free(heading.cells))
    ends = ends_of(path, links)
    bad = [row for row in rows if not _tells_ends(row, ends)]
    if bad and not lenient:
        problem = f"{' '.join(bad[0].cells)[:80]!r} has no source and target"
        raise FormatError(path, problem, line=bad[0].line)
    warn_skipped(path, len(bad))
    whole = [row for row in rows if _tells_ends(row, ends)] if bad else rows
    return links._replace(columns=columns_of(path, heading.cells, whole))


def _tells_ends(row: Row, ends: tuple[int, int]) -> bool:
    return len(row.cells) > max(ends) and all(0 < len(row.cells[at]) <= _LONGEST for at in ends)


def _free(heading: Sequence[str]) -> list[bool]:
    """Columns whose name stands in quotes are attributes, unless all stand in quotes."""
    bare = [isinstance(cell, Bare) for cell in heading]
    return bare if any(bare) else [True] * len(bare)


def read_nodes(path: Path) -> Columns:
    """The columns of a table of nodes; without a first line that names them they are the id, the name, and others."""
    separator = "," if plain_name(path).endswith(".csv") else "\t"
    rows = list(read_rows(path, separator))
    if separator == "," and rows and len(rows[0].cells) == 1:
        rows = list(read_rows(path, ";"))
    if not rows:
        return Columns((), ())
    if _names_columns(rows[0].cells, rows[1].cells if len(rows) > 1 else ()):
        heading, rows = rows[0].cells, rows[1:]
        free = _free(heading)
    else:
        heading = ["id", "name", *(f"column {at}" for at in range(3, max(len(row.cells) for row in rows) + 1))]
        heading, free = heading[: max(len(row.cells) for row in rows)], [True] * len(heading)
    rows = [row for row in rows if not row.cells[0].startswith("#") or len(row.cells) > 1]
    columns = columns_of(path, heading, rows)
    _refuse_doubles(path, columns[0], [row.line for row in rows])
    return Columns([re.sub("^#", "", heading[0]), *heading[1:]], columns, free)


def _names_columns(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a first line names columns: it begins with #, or names an id, or is the only one without a number."""
    if first[0].startswith("#") or plain(first[0]) in IDS:
        return True
    return bool(second) and not first[0].isdecimal() and second[0].isdecimal()


def _refuse_doubles(path: Path, keys: Column, lines: Sequence[int]) -> None:
    seen = set()
    for key, line in zip(keys.tolist(), lines, strict=True):
        if key is None or key in seen:
            raise FormatError(path, f"{key!r} is no id of a new node", line=line)
        seen.add(key)


def read_with_nodes(edges: Path, nodes: Path, lenient: bool) -> Graph:
    """Links without attributes, whose nodes are counted, named and described by their own list."""
    from periplus.graph.building.text import read_edge_list

    found = nodes_of(nodes, read_nodes(nodes))
    if found.begin is None:
        return _joined(edges, nodes, lenient, None)
    try:
        graph = read_edge_list(edges, nodes=found.size + found.begin, lenient=lenient)
        if found.begin and len(graph.successors(0)) + len(graph.predecessors(0)):
            raise ParameterError("id", 0, "an id of the list")
    except ParameterError as error:
        raise FormatError(edges, f"a link names a node that {nodes.name}, which lists {found.size:,}, lacks") from error
    if found.begin:
        graph = Graph(graph.out_offsets[1:], graph.out_targets - 1)
    graph.urls, graph.node_attributes = name_table(found.names), found.attributes
    return graph


# -- writing -------------------------------------------------------------------------------------------------


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("tables", options)
    if _nodes_name(plain_name(path)) is None:
        path.mkdir(parents=True, exist_ok=True)
        edges, nodes = path / "edges.tsv", path / "nodes.tsv"
    else:
        edges = path
        own = _EDGES.match(plain_name(path)) is not None
        old, new = (r"edges(\.[a-z]+(\.[a-z0-9]+)?)$", r"nodes\1") if own else (r"\.(csv(\.[a-z0-9]+)?)$", r".nodes.\1")
        nodes = path.with_name(re.sub(old, new, path.name, flags=re.I))
    comma = plain_name(edges).endswith(".csv")
    separator = "," if comma else "\t"
    with writing_all(nodes, edges) as (node_stream, edge_stream):
        named = [] if graph.urls is None else ["Label" if comma else "url"]
        heading = _heading(["Id" if comma else "#id", *named], graph.node_attributes, separator)
        node_stream.write(heading)
        node_stream.writelines(_node_rows(graph, separator))
        if not graph.link_attributes:
            edge_stream.write(b"Source,Target\n" if comma else b"")
            write_pairs(edge_stream, graph.sources, graph.out_targets, separator=separator)
            return
        ends = ["Source", "Target"] if comma else ["source", "target"]
        edge_stream.write(_heading(ends, graph.link_attributes, separator))
        pairs = zip(graph.sources.tolist(), graph.out_targets.tolist(), graph.link_attributes.rows(), strict=True)
        edge_stream.writelines(
            f"{source}{separator}{target}{separator}{row_of(row, separator)}\n".encode("utf-8", "surrogateescape")
            for source, target, row in pairs
        )


def _heading(ours: list[str], attributes: Attributes | None, separator: str) -> bytes:
    """Names of attributes that a reader could take for ours stand in quotes; a blank stands for a line end in them."""
    names = [re.sub(r"[\r\n]", " ", name) for name in attributes or ()]
    told = [
        in_quotes(name) if plain(name) in _OURS or not name.strip() else as_needed(name, separator) for name in names
    ]
    return (separator.join([*ours, *told]) + "\n").encode("utf-8", "surrogateescape")


def _node_rows(graph: Graph, separator: str) -> Iterable[bytes]:
    names = iter(names_of(graph)) if graph.urls is not None else None
    for i, row in enumerate(rows_of(graph.node_attributes, graph.nodes)):
        cells = [str(i)]
        if names is not None:
            cells.append(as_needed(next(names), separator))
        if graph.node_attributes:
            cells.append(row_of(row, separator))
        yield (separator.join(cells) + "\n").encode("utf-8", "surrogateescape")


FORMAT = Format(
    name="tables",
    title="tables of links and nodes (CSV, TSV)",
    suffixes=(".edges.csv", ".edges.tsv"),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
