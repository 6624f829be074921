"""Who speaks with one voice, and which pages everyone links to.

Links within a host, and many links from one host, are the work of one hand. A collection of one site has one host, by
which every link would weigh nothing: there each directory is a voice, and where these are one too, each page.

The *stoplist* of Dean and Henzinger holds 21 pages found by hand ("www.yahoo.com"). Here it is derived: a page that
more than `share` of all voices link to, and at least `LEAST` of them.

Cost: O(n + m) for the stoplist, once a graph (a collection keeps what it takes); directories read every URL once.
"""

from __future__ import annotations

from functools import cached_property
from typing import cast

import numpy as np
from numba import njit

from periplus.errors import ParameterError
from periplus.graph.collapse import labels_of
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Bools, Ids, Offsets

LEAST = 20
LEVELS = ("host", "directory", "page")


class Voices:
    """The voice of every page of a graph, at each level, made when first asked for; `heard` where it is known."""

    def __init__(self, graph: Graph, heard: Offsets | None = None) -> None:
        self._graph = graph
        if heard is not None and len(heard) == graph.nodes:
            self.heard = heard

    def levels(self, wanted: str) -> tuple[str, ...]:
        """The levels to try, coarsest first: all that tell pages apart, or the one that is wanted."""
        if wanted == "auto":
            return tuple(level for level in LEVELS if level == "page" or self._tells_apart(level))
        if wanted != "page" and self._graph.urls is None:
            raise ParameterError("voice", wanted, "auto or page: this graph has no URLs to read hosts from")
        return (wanted,)

    def labels(self, level: str) -> Ids:
        """The number of each page's voice."""
        return {"host": lambda: self._hosts, "directory": lambda: self._directories, "page": lambda: self._pages}[
            level
        ]()

    def stoplist(self, share: float) -> Bools:
        """True for the pages that more than this share of the voices link to."""
        stop: Bools = (self.heard >= LEAST) & (self.heard > share * self._count)
        return stop

    @cached_property
    def heard(self) -> Offsets:
        """How many voices other than its own link to each page, at the coarsest level that tells pages apart."""
        graph = self._graph
        return cast("Offsets", _voices_heard(graph.in_offsets, graph.in_sources, self._coarsest, self._count))

    @property
    def _coarsest(self) -> Ids:
        return self.labels(self.levels("auto")[0])

    @property
    def _count(self) -> int:
        return int(self._coarsest.max()) + 1 if self._graph.nodes else 0

    def _tells_apart(self, level: str) -> bool:
        return self._graph.urls is not None and bool(self._graph.nodes) and bool(self.labels(level).max() > 0)

    @cached_property
    def _hosts(self) -> Ids:
        return labels_of(self._graph, "host")[0]

    @cached_property
    def _directories(self) -> Ids:
        numbers: dict[str, int] = {}
        names = (url.partition("?")[0].rpartition("/")[0] for url in self._graph.urls)
        return np.fromiter((numbers.setdefault(name, len(numbers)) for name in names), np.uint32, self._graph.nodes)

    @cached_property
    def _pages(self) -> Ids:
        return np.arange(self._graph.nodes, dtype=np.uint32)


@njit(cache=True, nogil=True)
def _voices_heard(in_offsets, in_sources, labels, voices):  # type: ignore[no-untyped-def]
    """How many voices link to each page; a page's own voice does not count."""
    heard = np.zeros(len(in_offsets) - 1, np.int64)
    last = np.full(voices, -1, np.int64)
    for page in range(len(in_offsets) - 1):
        for link in range(in_offsets[page], in_offsets[page + 1]):
            voice = labels[in_sources[link]]
            if voice != labels[page] and last[voice] != page:
                last[voice] = page
                heard[page] += 1
    return heard
