"""What Companion and Cocitation share: a graph with the order of its links, its voices, its stoplist."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.similar.outside import Outside, with_page
from periplus.similar.record import Neighbour, Pages, Related, check_count, start_pages, unknown_page
from periplus.similar.starts import itself_and_above
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
    copies: Ids | None = field(default=None, kw_only=True)
    outside: Callable[[], Outside | None] = field(default=lambda: None, kw_only=True)

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
        """The pages most like the given ones.

        A URL that is not stored but linked to is as good; one that is neither is chopped up until one is.
        """
        starts, unknown = start_pages(pages, self.graph.nodes, self.urls)
        record, notes = self, list[str]()
        for url in unknown:
            record, page, note = record._standing_for(url)
            starts.append(page)
            notes.append(note)
        found = record._found(list(dict.fromkeys(starts)), check_count(count), notes)
        return found if record is self else replace(found, of=tuple(one for one in found.of if one < self.graph.nodes))

    def _standing_for(self, url: str) -> tuple[ByLinks, int, str]:
        """What knows of a URL that is not stored, the page that stands for it, and a note that says so."""
        outside = self.outside()
        for nearest in itself_and_above(url):
            page = self.urls.find(nearest)
            if page is not None:
                return self, int(page), f"{url} is not here: {nearest} stands for it"
            linked = None if outside is None else outside.linking(nearest)
            if linked is not None:
                graph, positions = with_page(self.graph, self.positions, nearest, *linked)
                to = "" if nearest == url else f" to {nearest}"
                pages = "1 page" if len(linked[0]) == 1 else f"{len(linked[0]):,} pages"
                note = f"{url} is not stored: the links from {pages}{to} speak for it"
                copies = None if self.copies is None else np.append(self.copies, np.uint32(self.graph.nodes))
                larger = replace(self, graph=graph, positions=positions, heard=None, copies=copies)
                return larger, self.graph.nodes, note
        raise unknown_page(url)

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
