"""What Companion and Cocitation share: a graph with the order of its links, its voices, its stoplist."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Offsets
from periplus.similar.record import Neighbour, Pages, Related, check_count, start_pages, unknown_page
from periplus.similar.starts import above
from periplus.similar.vicinity import Links, Reach
from periplus.similar.voices import Voices

NAMED = 3


@dataclass(frozen=True, eq=False, repr=False)
class ByLinks:
    """Pages alike by the links around them; nothing is worked out before `nearest` is asked."""

    method: str
    graph: Graph
    reach: Reach
    parameters: dict[str, Any]
    positions: AnyArray | None = field(default=None)
    heard: Offsets | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.positions is not None and np.shape(self.positions) != (self.graph.links,):
            shape = np.shape(self.positions)
            raise ParameterError("positions", shape, f"the place of each of {self.graph.links} links in its page")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.method}, {self.graph.nodes:,} pages)"

    @property
    def urls(self) -> Any:
        """The URLs of the graph, None where it has none."""
        return self.graph.urls

    def nearest(self, pages: Pages, count: int = 10) -> Related:
        """The pages most like the given ones. A URL that is not here is chopped up until one is."""
        starts, unknown = start_pages(pages, self.graph.nodes, self.urls)
        notes = []
        for url in unknown:
            shorter, page = next(above(url, self.urls), ("", -1))
            if page < 0:
                raise unknown_page(url)
            notes.append(f"{url} is not here: {shorter} stands for it")
            starts.append(page)
        return self._found(list(dict.fromkeys(starts)), check_count(count), notes)

    def _found(self, starts: list[int], count: int, notes: list[str]) -> Related:
        raise NotImplementedError

    @cached_property
    def voices(self) -> Voices:
        """Who speaks with one voice."""
        return Voices(self.graph, self.heard)

    @cached_property
    def stoplist(self) -> Bools:
        """True for the pages that everyone links to."""
        return self.voices.stoplist(self.parameters["stop_share"])

    @cached_property
    def links(self) -> Links:
        """The graph, the order of its links, the stoplist."""
        return Links.of(self.graph, self.positions, self.stoplist)

    def url(self, page: int) -> str | None:
        """The URL of a page, None where the graph has none."""
        return None if self.urls is None else str(self.urls[page])

    def name(self, page: int) -> str:
        """What a page is called in a sentence."""
        return self.url(page) or f"page {page}"

    def _neighbour(self, page: int, score: float, why: str) -> Neighbour:
        return Neighbour(page, self.url(page), score, why)

    def _order_note(self) -> list[str]:
        if self.positions is not None:
            return []
        return ["this graph does not tell the order of links in a page: the order of the ids stands for it"]
