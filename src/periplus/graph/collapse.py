"""Groups of pages (by host, site, top-level domain, an attribute, or labels given), and the graph of groups.

The graph of groups has a link where any page of one group links to a page of the other; links within a group stay as
loops. Its links have the attribute `weight`, the number of links behind each; where the links of the pages have a
`weight` of their own (numbers), it is their sum, and `links` is the number. Its nodes have `pages`, and every attribute
of the pages that is the same all over a group. O(nodes + links log links).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.errors import ParameterError, PeriplusWarning
from periplus.graph.attributes import Attributes, Column
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.rows import label_pairs

BY_URL = ("host", "site", "tld")
NONE = "(none)"


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A graph of groups: `counts[k]` links stand behind link k of `graph`, `labels[i]` is the group of page i."""

    graph: Graph
    counts: Offsets
    labels: Ids
    sizes: Offsets
    names: tuple[str, ...]


def collapse(graph: Graph, by: AnyArray | str, *, names: tuple[str, ...] = ()) -> Collapsed:
    """One node a group of pages; `by` as in `labels_of`, or a label from 0 for each page and `names` of the groups."""
    from periplus.graph.urls.table import NameTable

    if isinstance(by, str):
        labels, names = labels_of(graph, by)
    else:
        labels = _checked_labels(graph, np.asarray(by))
    groups = len(names) or (int(labels.max()) + 1 if len(labels) else 0)
    raw = label_pairs(graph.out_offsets, graph.out_targets, labels)
    pairs = np.sort(raw)
    first = np.flatnonzero(np.concatenate((np.ones(min(1, len(pairs)), np.bool_), pairs[1:] != pairs[:-1])))
    counts = np.diff(np.append(first, len(pairs)))
    kept = pairs[first]
    degrees = np.bincount((kept >> np.uint64(32)).astype(np.int64), minlength=groups)
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    sizes = np.bincount(labels, minlength=groups)
    graph_of_groups = Graph(
        offsets, kept.astype(np.uint32), urls=NameTable.from_names(names) if names else None
    ).described({"pages": sizes, **_shared(graph, labels, groups)}, _weights(graph, raw, first, counts))
    return Collapsed(graph_of_groups, counts, labels, sizes, names)


def _checked_labels(graph: Graph, labels: AnyArray) -> Ids:
    if labels.shape != (graph.nodes,) or labels.dtype.kind not in "iu":
        raise ParameterError("by", f"{labels.dtype}{labels.shape}", f"one whole number for each of {graph.nodes} pages")
    if len(labels) and not 0 <= int(labels.min()) <= int(labels.max()) < max(graph.nodes, 1) * 2:
        raise ParameterError("by", int(labels.max()), "labels from 0 on, without large gaps")
    return labels.astype(np.uint32)


def _weights(graph: Graph, pairs: AnyArray, first: Offsets, counts: Offsets) -> dict[str, Any]:
    own: Mapping[str, Column] = graph.link_attributes or {}
    for name in set(own) - {"weight"}:
        _warn(f"the attribute {name!r} of links is left behind: it has no meaning for many links together")
    if "weight" not in own or own["weight"].kind not in ("whole", "number") or not len(first):
        return {"weight": counts}
    weight = np.where(own["weight"].gaps, 0, own["weight"].values)
    return {"weight": np.add.reduceat(weight[np.argsort(pairs, kind="stable")], first), "links": counts}


def _shared(graph: Graph, labels: Ids, groups: int) -> dict[str, Column]:
    """Of every attribute the value that all pages of a group share, as far as it is known of them."""
    columns = {}
    for name, column in (graph.node_attributes or Attributes({}, graph.nodes)).items():
        known = np.flatnonzero(~column.gaps)
        first = np.full(groups, -1, np.int64)
        first[labels[known][::-1]] = known[::-1]
        differs = column.values[known] != column.values[first[labels[known]]]
        mixed = np.unique(labels[known][differs])
        first[mixed] = -1
        if (first < 0).all() and len(column):
            _warn(f"attribute {name!r} is left out: no group has one value of it")
            continue
        if len(mixed):
            _warn(f"attribute {name!r} is left empty in {len(mixed):,} of {groups:,} groups: they hold several values")
        columns[name] = column.take(first)
    return columns


def _warn(message: str) -> None:
    warnings.warn(message, PeriplusWarning, stacklevel=4)


# -- which page is in which group ------------------------------------------------------------------------------


def labels_of(graph: Graph, by: str) -> tuple[Ids, tuple[str, ...]]:
    """The group of each page, and the names of the groups; pages without a value are the last group, "(none)"."""
    labels, names = groups_of(graph, by)
    if (labels < 0).any():
        labels, names = np.where(labels < 0, len(names), labels), (*names, NONE)
    return labels.astype(np.uint32), names


def groups_of(graph: Graph, by: str) -> tuple[Offsets, tuple[str, ...]]:
    """The group of each page, −1 for none, and the names of the groups: "host", "site", "tld", or an attribute."""
    if graph.node_attributes is not None and by in graph.node_attributes:
        return graph.node_attributes[by].groups()
    if by not in BY_URL:
        known = ", ".join(f'"{name}"' for name in (*BY_URL, *(graph.node_attributes or ())))
        raise ParameterError("by", by, f"one of {known}, or an array of labels")
    if graph.urls is None:
        raise ParameterError("by", by, "only for a graph with URLs: this one has none, give an array of labels")
    table = graph.urls
    labels, names = (table.site_ids(), table.sites()) if by == "site" else (table.host_ids(), table.hosts())
    if by == "tld":
        names, of_host = np.unique([_top_level(host) for host in names], return_inverse=True)
        labels = of_host[labels]
    used = np.flatnonzero(np.bincount(labels, minlength=len(names)))  # a part of a graph may lack some hosts
    place = np.zeros(len(names), np.int64)
    place[used] = np.arange(len(used))
    return place[labels], tuple(str(names[group]) for group in used)


def _top_level(host: str) -> str:
    """The last label of a host: `org` of `www.example.org`; an address or a name without dots is itself."""
    host = host.strip(" .")
    last = host.rpartition(".")[2]
    return host if last.isdecimal() or not last else last
