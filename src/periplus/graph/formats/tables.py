"""Links beside nodes: a folder with `edges.tsv` and `nodes.tsv`, or the two files `x.edges.tsv` and `x.nodes.tsv`.

`nodes.tsv` has one line per node, `id<TAB>…`, ids from 0 on; a line that begins with `#` names the columns. The names
of the nodes are the column called url (or name, title, host), in a list without a header the second column. Both files
may be compressed. A folder is also written this way: `edges.tsv` and `nodes.tsv` with the columns id and url.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from periplus.errors import FormatError
from periplus.graph.files import COMPRESSED, plain_name, read_lines, writing_all
from periplus.graph.formats.base import Format, Probe, name_table, names_of, no_options
from periplus.graph.formats.matrix_market import write_pairs
from periplus.graph.graph import Graph

_EDGES = re.compile(r"^((?:.*[._-])?)edges(\.[a-z]+)$")
_NAME_COLUMNS = ("url", "uri", "name", "title", "host", "domain")


def recognises(probe: Probe) -> bool:
    return probe.is_folder and edges_in(probe.path) is not None


def edges_in(folder: Path) -> Path | None:
    """The one `edges.tsv` (or .txt, .csv, compressed or not) of a folder; None where there is none or several."""
    found = [path for path in sorted(folder.iterdir()) if re.fullmatch(r"edges\.(tsv|txt|csv)", plain_name(path))]
    return found[0] if len(found) == 1 else None


def nodes_beside(edges: Path) -> Path | None:
    """The list of nodes that goes with a list of edges: the same name with `nodes` for `edges`, compressed or not."""
    match = _EDGES.match(plain_name(edges))
    if match is None:
        return None
    wanted = f"{match[1]}nodes{match[2]}"
    for name in (wanted, *(wanted + suffix for suffix in COMPRESSED)):
        for path in edges.parent.glob("*"):
            if path.name.lower() == name:
                return path
    return None


def read(path: Path, lenient: bool) -> Graph:
    from periplus.graph.building.text import read_edge_list

    edges = edges_in(path)
    if edges is None:
        raise FormatError(path, "the folder holds no list of edges (edges.tsv)")
    nodes = nodes_beside(edges)
    return read_edge_list(edges, lenient=lenient) if nodes is None else read_with_nodes(edges, nodes, lenient)


def read_with_nodes(edges: Path, nodes: Path, lenient: bool) -> Graph:
    """A graph whose nodes are counted and named by their own list."""
    from periplus.errors import ParameterError
    from periplus.graph.building.text import read_edge_list

    count, names = read_nodes(nodes)
    try:
        graph = read_edge_list(edges, nodes=count, lenient=lenient)
    except ParameterError as error:
        raise FormatError(edges, f"a link names a node that {nodes.name}, which lists {count:,}, lacks") from error
    graph.urls = name_table(names)
    return graph


def read_nodes(path: Path) -> tuple[int, list[str] | None]:
    """How many nodes a list has, and their names where it has any."""
    column: int | None = 1
    rows: dict[int, str] = {}
    for number, line in read_lines(path):
        text = line.decode("utf-8", "surrogateescape")
        if not text.strip():
            continue
        fields = text.split("\t")
        if text.startswith("#"):
            column = _name_column(fields)
            continue
        if not fields[0].isdecimal() or int(fields[0]) in rows:
            raise FormatError(path, f"{fields[0][:80]!r} is no id of a new node", line=number)
        rows[int(fields[0])] = fields[column] if column is not None and column < len(fields) else ""
    if rows and max(rows) != len(rows) - 1:
        raise FormatError(path, f"the ids are not 0 to {len(rows) - 1}: {max(rows)} is one of them")
    names = [rows[i] for i in range(len(rows))]
    return len(rows), names if any(names) else None


def _name_column(header: list[str]) -> int | None:
    columns = [re.split(r"\W", name.strip().lstrip("#").lower())[0] for name in header]
    for wanted in _NAME_COLUMNS:
        if wanted in columns:
            return columns.index(wanted)
    return None


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("tables", options)
    path.mkdir(parents=True, exist_ok=True)
    with writing_all(path / "nodes.tsv", path / "edges.tsv") as (nodes, edges):
        nodes.write(b"#id" + (b"\turl" if graph.urls is not None else b"") + b"\n")
        if graph.urls is None:
            nodes.writelines(f"{i}\n".encode() for i in range(graph.nodes))
        else:
            nodes.writelines(_row(i, name) for i, name in enumerate(names_of(graph)))
        write_pairs(edges, graph.sources, graph.out_targets, separator="\t")


def _row(i: int, name: str) -> bytes:
    one_line = name.replace("\t", " ").replace("\n", " ").replace("\r", " ")
    return f"{i}\t{one_line}\n".encode("utf-8", "surrogateescape")


FORMAT = Format(
    name="tables",
    title="folder of edges.tsv and nodes.tsv",
    suffixes=(),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
