"""`Graph`: an immutable directed graph as compressed sparse rows, out and in.

Row i of the out side lists, in increasing order and without repeats, the pages that page i links to:
`out_targets[out_offsets[i] : out_offsets[i + 1]]`. The in side is the transpose: row j lists the pages that
link to j. Ids are uint32, offsets int64, so graphs past 2³¹ links work. Self-links are kept.

Memory: 4 bytes a link and 8 a page for each direction; the in side is built when first asked for, then kept.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets


class Graph:
    """An immutable directed graph in CSR form; see the module docstring for the layout."""

    def __init__(self, out_offsets: Offsets, out_targets: Ids, *, urls: Any = None) -> None:
        self.out_offsets = out_offsets
        self.out_targets = out_targets
        self.urls = urls

    @classmethod
    def from_edges(cls, sources: AnyArray, targets: AnyArray, nodes: int | None = None, *, urls: Any = None) -> Graph:
        """A graph from two equally long arrays of ids; duplicates are dropped, order does not matter."""
        sources, targets = np.asarray(sources), np.asarray(targets)
        if len(sources) != len(targets):
            raise ParameterError("targets", len(targets), f"as many as sources ({len(sources)})")
        largest = int(max(sources.max(), targets.max())) if len(sources) else -1
        if nodes is None:
            nodes = largest + 1
        if largest >= nodes:
            raise ParameterError("nodes", nodes, f"more than the largest id ({largest})")
        keys = np.sort(sources.astype(np.uint64) << np.uint64(32) | targets.astype(np.uint64))
        if len(keys):
            keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        degrees = np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=nodes)
        offsets = np.concatenate(([0], np.cumsum(degrees))).astype(np.int64)
        return cls(offsets, keys.astype(np.uint32), urls=urls)

    @property
    def nodes(self) -> int:
        return len(self.out_offsets) - 1

    @property
    def links(self) -> int:
        return len(self.out_targets)

    @cached_property
    def _transposed(self) -> tuple[Offsets, Ids]:
        sources = np.repeat(np.arange(self.nodes, dtype=np.uint32), np.diff(self.out_offsets))
        order = np.argsort(self.out_targets, kind="stable")
        degrees = np.bincount(self.out_targets, minlength=self.nodes)
        return np.concatenate(([0], np.cumsum(degrees))).astype(np.int64), sources[order]

    @property
    def in_offsets(self) -> Offsets:
        return self._transposed[0]

    @property
    def in_sources(self) -> Ids:
        return self._transposed[1]

    @property
    def out_degrees(self) -> Offsets:
        return np.diff(self.out_offsets)

    @property
    def in_degrees(self) -> Offsets:
        return np.diff(self.in_offsets)

    @property
    def dangling(self) -> Bools:
        """True where a page has no out-link."""
        return self.out_degrees == 0

    def successors(self, page: int) -> Ids:
        return self.out_targets[self.out_offsets[page] : self.out_offsets[page + 1]]

    def predecessors(self, page: int) -> Ids:
        return self.in_sources[self.in_offsets[page] : self.in_offsets[page + 1]]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the out side: two graphs are equal exactly when their digests are."""
        digest = hashlib.sha256(np.ascontiguousarray(self.out_offsets, dtype="<i8").data)
        digest.update(np.ascontiguousarray(self.out_targets, dtype="<u4").data)
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"Graph(nodes={self.nodes:,}, links={self.links:,})"
