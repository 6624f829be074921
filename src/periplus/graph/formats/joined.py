"""A graph from a table of links and, where there is one, a table of nodes; for text, Parquet, Arrow and data frames.

The ends of the links are the columns called source and target (src and dst, from and to), else the first two. Numbers
are ids as they stand, where no table of nodes says otherwise; of texts the nodes are numbered in the order of the
sorted names. The table of nodes has a column called id (or node, key; else its first), of any kind: ids from 0 stay,
ids from 1 become one less, with a note, and all others are kept, as names or beside them. Names are the column called
url, uri, name, title, host, domain or, of texts, label. A column `type` of the links that says directed or undirected
(Gephi's) is obeyed. All other columns are attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from periplus.errors import FormatError
from periplus.graph.attributes import Attributes, Column, text_of
from periplus.graph.formats.base import MOST_NODES, build_graph, check_nodes, tell_from_one, warn_skipped
from periplus.graph.formats.delimited import names_apart
from periplus.graph.formats.values import first_of_each, free_name, say, tell_doubles, tell_united
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Offsets
from periplus.wording import counted_verb

ENDS = (("source", "target"), ("src", "dst"), ("from", "to"))
IDS = ("id", "node", "key")
NAMES = ("url", "uri", "name", "title", "host", "domain", "label")


class Columns(NamedTuple):
    """A table as it was read. `free` is False for columns that can only be attributes, whatever they are called."""

    names: Sequence[str]
    columns: Sequence[Column]
    free: Sequence[bool] | None = None

    def find(self, wanted: Sequence[str]) -> int | None:
        """The first column that bears one of these names."""
        for name in wanted:
            for at, one in enumerate(self.names):
                if plain(one) == name and (self.free is None or self.free[at]):
                    return at
        return None

    def rest(self, path: Path, *used: int | None) -> dict[str, Column]:
        """The other columns by name, none twice."""
        left = [at for at in range(len(self.names)) if at not in used]
        told = names_apart(path, [self.names[at] for at in left])
        return {name: self.columns[at] for name, at in zip(told, left, strict=True)}


class Tables(NamedTuple):
    """What a graph is made of; `size` is the number of nodes, where that is known without a table of them."""

    path: Path
    links: Columns
    nodes: Columns | None = None
    size: int | None = None
    lenient: bool = False
    directed: bool | None = None


def graph_of_tables(tables: Tables) -> Graph:
    """The graph, with what is left of the columns as attributes."""
    ends = ends_of(tables.path, tables.links)
    sources, targets = (tables.links.columns[at] for at in ends)
    told = _type_column(tables.links)
    links = tables.links.rest(tables.path, *ends, told)
    kept = _whole_links(tables, sources, targets)
    both_ways = _both_ways(tables, told)[kept]
    sources, targets = sources.take(kept), targets.take(kept)
    if tables.nodes is None:
        first, second, count, names = _without_nodes(tables, sources, targets)
        about = None
    else:
        nodes = nodes_of(tables.path, tables.nodes)
        first, second, known = _in_nodes(tables, nodes, sources, targets)
        kept, both_ways = kept[known], both_ways[known]
        count, names, about = nodes.size, nodes.names, nodes.attributes
    back = np.flatnonzero(both_ways)
    all_first, all_second = np.concatenate((first, second[back])), np.concatenate((second, first[back]))
    graph = build_graph(all_first, all_second, count, names=names)
    if names is None and tables.nodes is None and tables.size is None:
        tell_from_one(tables.path, graph)
    graph.node_attributes = about
    if links:
        tell_united(tables.path, len(first), len(first_of_each(first, second)))
        rows = np.concatenate((kept, kept[back]))[first_of_each(all_first, all_second)]
        graph.link_attributes = Attributes(links, len(tables.links.columns[0])).take(rows)
    return graph


def ends_of(path: Path, links: Columns) -> tuple[int, int]:
    """The columns that hold the ends of the links."""
    for names in ENDS:
        source, target = (links.find([name]) for name in names)
        if source is not None and target is not None:
            return source, target
    if len(links.names) < 2:
        raise FormatError(path, f"a table of links has two columns, this one has {list(links.names)}")
    return 0, 1


def plain(name: str) -> str:
    """The name of a column in the form that is compared."""
    return name.strip().lstrip("#").lower()


def _type_column(links: Columns) -> int | None:
    """Gephi's column that tells which links are directed; None where no column is that."""
    at = links.find(["type"])
    if at is None or links.columns[at].kind != "text":
        return None
    words = {None if word is None else word.lower() for word in links.columns[at].words}
    return at if words and words <= {"directed", "undirected", "mutual"} else None


def _both_ways(tables: Tables, told: int | None) -> Bools:
    if told is None or tables.directed is not None:
        return np.full(len(tables.links.columns[0]), tables.directed is False)
    return np.array([word is not None and word.lower() != "directed" for word in tables.links.columns[told].tolist()])


def _whole_links(tables: Tables, sources: Column, targets: Column) -> Offsets:
    """The rows with both ends."""
    gaps = sources.gaps | targets.gaps
    if gaps.any() and not tables.lenient:
        told = counted_verb(int(gaps.sum()), "link", "lacks")
        remedy = "" if tables.path == Path() else " (--lenient passes such links over)"
        raise FormatError(tables.path, f"{told} an end{remedy}")
    warn_skipped(tables.path, int(gaps.sum()))
    for column in (sources, targets):
        if column.kind not in ("whole", "text"):
            raise FormatError(tables.path, f"a column of {column.kind}s holds neither ids nor names")
    return np.flatnonzero(~gaps)


def _without_nodes(
    tables: Tables, sources: Column, targets: Column
) -> tuple[AnyArray, AnyArray, int, list[str] | None]:
    """The ends as ids, the number of nodes, and their names where the ends are names."""
    path = tables.path
    if "text" in (sources.kind, targets.kind):
        ends = [text_of(end) for column in (sources, targets) for end in column.tolist()]
        names = sorted(set(ends), key=lambda name: name.encode("utf-8", "surrogateescape"))
        place = {name: at for at, name in enumerate(names)}
        ids = np.fromiter((place[end] for end in ends), np.int64, len(ends))
        return ids[: len(sources)], ids[len(sources) :], len(names), names
    both = np.concatenate((sources.values, targets.values))
    smallest, largest = (int(both.min()), int(both.max())) if len(both) else (0, -1)
    if smallest < 0 or largest >= MOST_NODES:
        raise FormatError(
            path, f"ids from {smallest} to {largest} are not between 0 and 2³² − 1: make them names (texts)"
        )
    count = largest + 1 if tables.size is None else tables.size
    if not largest < count <= MOST_NODES:
        raise FormatError(path, f"lists {count} nodes, the largest id is {largest}")
    check_nodes(path, count)
    return sources.values, targets.values, count, None


class Nodes(NamedTuple):
    """Nodes in the order of a graph; `begin` is the first id where ids are numbers without gaps, else None."""

    keys: Column
    size: int
    names: list[str] | None
    attributes: Attributes | None
    begin: int | None


def nodes_of(path: Path, table: Columns) -> Nodes:
    """The nodes in the order of their ids where these are numbers from 0 or 1 on, else in that of the table."""
    if not table.names:
        return Nodes(Column.of([]), 0, None, None, 0)
    ids = table.find(IDS) or 0
    keys = table.columns[ids]
    if keys.gaps.any() or keys.kind not in ("whole", "text"):
        raise FormatError(path, f"the column {table.names[ids]!r} of the nodes does not hold an id or a name for each")
    listed = keys.tolist()
    if len(set(listed)) < len(listed):
        raise FormatError(path, f"an id stands twice in the column {table.names[ids]!r} of the nodes")
    named = _name_column(table, ids)
    names = None if named is None else ["" if word is None else text_of(word) for word in table.columns[named].tolist()]
    begin = _running_from(keys)
    rest = table.rest(path, ids, named)
    if begin is None:
        texts = [text_of(key) for key in listed]
        if names is not None and names != texts:
            rest[free_name(path, table.names[ids], rest)] = keys  # neither names nor places: kept beside the names
        names = names or texts
    else:
        order = np.argsort(keys.values, kind="stable")
        keys, rest = keys.take(order), {name: column.take(order) for name, column in rest.items()}
        names = None if names is None else [names[at] for at in order.tolist()]
        if begin == 1:
            say(path, f"the ids of the nodes run from 1 to {len(keys):,}: here they are one less, from 0")
    if names is not None:
        tell_doubles(path, names)
    return Nodes(keys, len(keys), names, Attributes(rest, len(keys)) if rest else None, begin)


def _running_from(keys: Column) -> int | None:
    """0 or 1 where the ids are all numbers from there on, in any order."""
    if keys.kind != "whole" or not len(keys):
        return None if len(keys) else 0
    low, high = int(keys.values.min()), int(keys.values.max())
    return low if low in (0, 1) and high - low == len(keys) - 1 else None


def _name_column(table: Columns, ids: int) -> int | None:
    """The column that holds the names of the nodes."""
    for wanted in NAMES:
        at = table.find([wanted])
        if at is None or at == ids or table.columns[at].gaps.all():
            continue
        if wanted != "label" or table.columns[at].kind == "text":  # a label that is a number is a class
            return at
    return None


def _in_nodes(tables: Tables, nodes: Nodes, sources: Column, targets: Column) -> tuple[AnyArray, AnyArray, Offsets]:
    """The ends as places in the table of nodes, and which links have both there."""
    first, second = places(nodes.keys, sources), places(nodes.keys, targets)
    absent = (first < 0) | (second < 0)
    if absent.any() and not tables.lenient:
        row = int(np.argmax(absent))
        end = (sources if first[row] < 0 else targets)[row]
        raise FormatError(tables.path, f"a link names node {end!r}, which the table of {nodes.size:,} nodes lacks")
    warn_skipped(tables.path, int(absent.sum()))
    known = np.flatnonzero(~absent)
    return first[known], second[known], known


def places(keys: Column, ends: Column) -> Offsets:
    """Where each end stands among the keys; −1 where it does not."""
    if not len(keys):
        return np.full(len(ends), -1, np.int64)
    if keys.kind == ends.kind == "whole":
        order = np.argsort(keys.values, kind="stable")
        at = np.minimum(np.searchsorted(keys.values, ends.values, sorter=order), len(keys) - 1)
        return np.where(keys.values[order[at]] == ends.values, order[at], -1)
    place = {text_of(key): at for at, key in enumerate(keys.tolist())}
    return np.fromiter((place.get(text_of(end), -1) for end in ends.tolist()), np.int64, len(ends))
