"""Graphs out of a graph: parts, both directions, fewer links. Attributes go with their nodes and links.

Each takes one or two passes over the links, O(nodes + links), and does not change the graph it starts from.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.building.build import gather_rows
from periplus.graph.building.runs import Rows
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.numeric.pairs import merge_rows
from periplus.numeric.parallel import ordered_map
from periplus.numeric.rows import ABSENT, count_taken, kept_offsets, same_label, take_rows

_ROWS_AT_ONCE = 1 << 16


def subgraph(graph: Graph, ids: AnyArray) -> Graph:
    """The pages `ids` (or where a mask is True) and the links among them, renumbered in the order given."""
    taken = _taken(graph, np.asarray(ids))
    place = np.full(graph.nodes, ABSENT, np.uint32)
    place[taken] = np.arange(len(taken), dtype=np.uint32)
    offsets = count_taken(graph.out_offsets, graph.out_targets, taken, place)
    targets = take_rows(graph.out_offsets, graph.out_targets, taken, place, offsets)
    original = taken if graph.original_ids is None else graph.original_ids[taken]
    urls = None if graph.urls is None else SelectedUrls(graph.urls, taken)
    part = Graph(offsets, targets, urls=urls, original_ids=original)
    if graph.node_attributes is not None:
        part.node_attributes = graph.node_attributes.take(taken)
    if graph.link_attributes is not None:
        sources = taken[part.sources]
        part.link_attributes = graph.link_attributes.take(places_of(graph, sources, taken[targets]))
    return part


def places_of(graph: Graph, sources: AnyArray, targets: AnyArray) -> Offsets:
    """Where links lie among `out_targets`; −1 for one that the graph has not."""
    if not graph.links:
        return np.full(len(sources), -1, np.int64)
    keys = _keys(graph.sources, graph.out_targets)
    wanted = _keys(sources, targets)
    found = np.minimum(np.searchsorted(keys, wanted), graph.links - 1)
    return np.where(keys[found] == wanted, found, -1)


def _keys(sources: AnyArray, targets: AnyArray) -> AnyArray:
    return sources.astype(np.uint64) << np.uint64(32) | targets.astype(np.uint64)


def _taken(graph: Graph, ids: AnyArray) -> Ids:
    if ids.dtype == np.bool_:
        if ids.shape != (graph.nodes,):
            raise ParameterError("ids", f"mask of {ids.shape}", f"one value for each of {graph.nodes} pages")
        return np.flatnonzero(ids).astype(np.uint32)
    if ids.ndim != 1:
        raise ParameterError("ids", ids.tolist(), "a list of page ids, or a flag for every page")
    if len(ids) and (ids.dtype.kind not in "iu" or int(ids.min()) < 0 or int(ids.max()) >= graph.nodes):
        raise ParameterError("ids", ids, f"ids from 0 to {graph.nodes - 1}")
    seen = np.zeros(graph.nodes, np.bool_)
    seen[ids.astype(np.int64)] = True
    if int(seen.sum()) != len(ids):
        raise ParameterError("ids", ids, "each page once")
    return np.ascontiguousarray(ids, np.uint32)


def symmetrised(graph: Graph) -> Graph:
    """Every link both ways: the undirected graph underneath."""
    sides = ((graph.out_offsets, graph.out_targets), (graph.in_offsets, graph.in_sources))

    def united(first: int) -> Rows:
        last = min(first + _ROWS_AT_ONCE, graph.nodes)
        ends = [offsets[first : last + 1] for offsets, _ in sides]
        parts = np.concatenate([columns[end[0] : end[-1]] for end, (_, columns) in zip(ends, sides, strict=True)])
        part_degrees = np.stack([np.diff(end) for end in ends]).astype(np.uint32)
        degrees, columns = np.empty(last - first, np.uint32), np.empty(len(parts), np.uint32)
        return Rows(degrees, columns[: merge_rows(parts, part_degrees, degrees, columns)])

    rows = ordered_map(united, range(0, graph.nodes, _ROWS_AT_ONCE))
    offsets, targets = gather_rows(rows, graph.nodes, 2 * graph.links)
    both = Graph(offsets, targets, urls=graph.urls, original_ids=graph.original_ids)
    both.__dict__["_transposed"] = (both.out_offsets, both.out_targets)
    both.node_attributes = graph.node_attributes
    if graph.link_attributes is not None:  # a link that is new has what the one the other way has
        sources = both.sources
        there, back = places_of(graph, sources, targets), places_of(graph, targets, sources)
        both.link_attributes = graph.link_attributes.take(np.where(there >= 0, there, back))
    return both


def without(graph: Graph, links: Bools | str) -> Graph:
    """The graph less some links: a mask over `out_targets`, or "navigational" for those within one site."""
    if isinstance(links, str):
        if links != "navigational":
            raise ParameterError("links", links, 'a mask over the links, or "navigational"')
        links = navigational(graph)
    dropped = np.asarray(links)
    if dropped.dtype != np.bool_ or dropped.shape != (graph.links,):
        raise ParameterError(
            "links", f"{dropped.dtype}{dropped.shape}", f"one True or False for each of {graph.links} links"
        )
    offsets = kept_offsets(graph.out_offsets, dropped)
    rest = Graph(offsets, graph.out_targets[~dropped], urls=graph.urls, original_ids=graph.original_ids)
    rest.node_attributes = graph.node_attributes
    if graph.link_attributes is not None:
        rest.link_attributes = graph.link_attributes.take(np.flatnonzero(~dropped))
    return rest


def navigational(graph: Graph) -> Bools:
    """For each link, whether both ends lie on one site: such links organise a site, they recommend nothing."""
    from periplus.graph.collapse import labels_of

    labels, _ = labels_of(graph, "site")
    return same_label(graph.out_offsets, graph.out_targets, labels)


class SelectedUrls:
    """The URLs of some pages, in a new order, seen through the table of all: nothing is copied until it is saved."""

    def __init__(self, table: Any, ids: Ids) -> None:
        inner = isinstance(table, SelectedUrls)
        self._table: Any = table._table if inner else table
        self._ids: Ids = table._ids[ids] if inner else ids

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, page: int) -> str:
        return str(self._table[int(self._ids[page])])

    def __iter__(self) -> Iterator[str]:
        return (str(self._table[int(page)]) for page in self._ids)

    @cached_property
    def _by_id(self) -> tuple[Ids, AnyArray]:
        order = np.argsort(self._ids)
        return self._ids[order], order

    def find(self, url: str) -> int | None:
        wanted = self._table.find(url)
        if wanted is None:
            return None
        ids, order = self._by_id
        at = int(np.searchsorted(ids, wanted))
        return int(order[at]) if at < len(ids) and ids[at] == wanted else None

    def host_ids(self) -> Ids:
        labels: Ids = self._table.host_ids()
        return labels[self._ids]

    def hosts(self) -> list[str]:
        return list(self._table.hosts())

    def site_ids(self) -> Ids:
        labels: Ids = self._table.site_ids()
        return labels[self._ids]

    def sites(self) -> list[str]:
        return list(self._table.sites())

    def take(self, ids: AnyArray) -> SelectedUrls:
        return SelectedUrls(self, np.asarray(ids))

    def save(self, path: str | Path) -> None:
        self._table.take(self._ids).save(path)
