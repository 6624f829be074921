"""Common Crawl's host and domain graphs, in the layout of their releases: one folder.

    *vertices.txt.gz   id<TAB>reversed host (com.example.www)[<TAB>number of hosts], ids from 0, in order of the names
    *edges.txt.gz      id<TAB>id; host releases split it: then `vertices/` and `edges/` are folders of such files
    *ranks.txt.gz      harmonic centrality and PageRank of every vertex, with a header line
    *.graph …          the links as a BVGraph; read instead of the edges if present

The names are kept as they stand, reversed, so that a host lies among its neighbours; `read_ranks` returns the ranks by
node. Text files may be plain or compressed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from periplus.errors import FormatError, ParameterError
from periplus.graph.bv.files import basename_of
from periplus.graph.files import plain_name, read_blocks, read_lines, writing_all
from periplus.graph.formats.base import Format, Probe, names_of, no_options, warn_skipped
from periplus.graph.formats.matrix_market import write_pairs
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.numeric.arrays import Floats

_RANKS_HEADER = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev"


def recognises(probe: Probe) -> bool:
    return probe.is_folder and bool(_parts(probe.path, "vertices")) and _has_links(probe.path)


def _has_links(folder: Path) -> bool:
    return bool(_parts(folder, "edges")) or basename_of(folder) is not None


def _parts(folder: Path, what: str) -> list[Path]:
    """The files `*vertices.txt` (or edges, ranks) of a folder, or those of its sub-folder of that name."""
    found = [path for path in sorted(folder.iterdir()) if path.is_file() and plain_name(path).endswith(f"{what}.txt")]
    if not found and (folder / what).is_dir():
        found = [path for path in sorted((folder / what).iterdir()) if plain_name(path).endswith(".txt")]
    return found


def read(path: Path, lenient: bool) -> Graph:
    from periplus.graph.bv.reader import read_bv

    names = _name_table(_parts(path, "vertices"))
    basename = basename_of(path)
    graph = read_bv(basename, lenient=lenient) if basename is not None else _edges(path, len(names), lenient)
    if graph.nodes != len(names):
        raise FormatError(path, f"{len(names):,} vertices for a graph of {graph.nodes:,} nodes")
    graph.urls = names
    return graph


def _name_table(parts: list[Path]) -> NameTable:
    """The names as a table; releases are in order, so they are packed as they come and never held all at once."""
    try:
        return NameTable.from_sorted(_names(parts))
    except ParameterError:
        return NameTable.from_names(name.decode("utf-8", "surrogateescape") for name in _names(parts))


def _names(parts: list[Path]) -> Iterator[bytes]:
    due = 0
    for part in parts:
        for number, line in read_lines(part):
            fields = line.split(b"\t")
            if len(fields) < 2 or not fields[0].isdigit():
                raise FormatError(part, "expected id<TAB>host", line=number)
            if int(fields[0]) != due:
                raise FormatError(part, f"id {int(fields[0])} where {due} is due", line=number)
            due += 1
            yield fields[1]


def _edges(path: Path, nodes: int, lenient: bool) -> Graph:
    from periplus.graph.formats.numbers import read_pairs

    parts = [read_pairs(p, read_blocks(p), high=nodes - 1, lenient=lenient) for p in _parts(path, "edges")]
    warn_skipped(path, sum(part.skipped for part in parts))
    sources = np.concatenate([part.first for part in parts])
    targets = np.concatenate([part.second for part in parts])
    return Graph.from_edges(sources, targets, nodes)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The published ranks, by node."""

    harmonic: Floats
    pagerank: Floats


def read_ranks(path: str | Path, graph: Graph) -> Ranks:
    """The ranks file of a release folder, by the nodes of its graph; a host that is not in the graph is an error."""
    ranks = Ranks(np.full(graph.nodes, np.nan), np.full(graph.nodes, np.nan))
    for part in _parts(Path(path), "ranks"):
        for number, line in read_lines(part):
            if line.startswith(b"#") or not line.strip():
                continue
            fields = line.decode("utf-8", "surrogateescape").split("\t")
            try:
                harmonic, pagerank, node = float(fields[1]), float(fields[3]), graph.urls.find(fields[4])
            except (ValueError, IndexError):
                raise FormatError(part, "expected position, harmonic, position, PageRank, host", line=number) from None
            if node is None:
                raise FormatError(part, f"host {fields[4]!r} is no vertex of this graph", line=number)
            ranks.harmonic[node], ranks.pagerank[node] = harmonic, pagerank
    return ranks


def write(graph: Graph, path: Path, *, ranks: Ranks | None = None, **options: Any) -> None:
    """Write the folder: vertices, edges, BVGraph and, where given, ranks; names that are hosts should be reversed."""
    from periplus.graph.bv.reader import write_bv

    no_options("the Common Crawl layout", options)
    if graph.urls is None:
        raise ParameterError("graph", repr(graph), "with host names: the layout is made of them")
    path.mkdir(parents=True, exist_ok=True)
    write_bv(graph, path / path.name)
    names = [path / f"{path.name}-{what}.txt.gz" for what in ("edges", "ranks", "vertices")]
    with writing_all(*(name for name in names if ranks is not None or "-ranks" not in name.name)) as streams:
        write_pairs(streams[0], graph.sources, graph.out_targets, separator="\t")
        if ranks is not None:
            _write_ranks(streams[1], graph, ranks)
        rows = (f"{i}\t{name}\n" for i, name in enumerate(names_of(graph)))
        streams[-1].writelines(row.encode("utf-8", "surrogateescape") for row in rows)


def _write_ranks(stream: IO[bytes], graph: Graph, ranks: Ranks) -> None:
    stream.write(f"{_RANKS_HEADER}\n".encode())
    stream.writelines(row.encode("utf-8", "surrogateescape") for row in _rank_rows(graph, ranks))


def _rank_rows(graph: Graph, ranks: Ranks) -> Iterator[str]:
    """Rows by falling harmonic centrality, with the position by either rank from 1."""
    by_harmonic, by_pagerank = (np.argsort(-values, kind="stable") for values in (ranks.harmonic, ranks.pagerank))
    place = np.empty(graph.nodes, dtype=np.int64)
    place[by_pagerank] = np.arange(1, graph.nodes + 1)
    for position, node in enumerate(by_harmonic.tolist(), start=1):
        values = float(ranks.harmonic[node]), int(place[node]), float(ranks.pagerank[node])
        yield f"{position}\t{values[0]!r}\t{values[1]}\t{values[2]!r}\t{graph.urls[node]}\n"


FORMAT = Format(
    name="common-crawl",
    title="Common Crawl host or domain graph",
    suffixes=(),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
