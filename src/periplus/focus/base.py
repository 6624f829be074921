"""Root set → base set: the web around the pages that have a query's words (Kleinberg 1999; Deo and Gupta 7.2).

    root set    the `ROOT` best pages by text, and the `FIRST` best by text and links where these are others
    base set    the root set, the pages that it links to, and of those that link to a page of it at most `BEFORE`

Of a page with more links than `AFTER`, or more in-links than `BEFORE`, every k-th is taken in the order of their URLs:
so as many sites are heard as can be. Links within a site are navigation and recommend nothing; they are left out
unless fewer than `LEAST` of the root set would keep a link, as on a collection of one site.

Cost: the links of the root set and of the base set, a vector over the pages of the web; a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets

ROOT, FIRST, BEFORE, AFTER = 200, 50, 50, 1000
LEAST = 0.1
MOST_WALKED = 2_000_000  # links of a web that one request may walk over; of a larger one it walks the base set


class Web(NamedTuple):
    """What is known before any query: the links that recommend, PageRank, and the topic of each page (−1: none)."""

    graph: Graph
    standing: Floats | None = None
    topics: AnyArray | None = None


class Matches(NamedTuple):
    """The pages that have the words, best by text first, with their scores by text and by text and links together.

    `partly` are pages with any of the words and their scores by text.
    """

    pages: Ids
    text: Floats
    blended: Floats
    partly: Ids
    partly_text: Floats


@dataclass(frozen=True)
class Focus:
    """A query's base set: `pages` by id, the recommending links among them, the places of the root set.

    `text` and `blended` are scores of the root set; `navigation` says whether links within a site count.
    """

    web: Web
    matches: Matches
    pages: Ids
    graph: Graph
    root: Offsets
    text: Floats
    blended: Floats
    navigation: bool

    def over_base(self, of_root: AnyArray | float) -> Floats:
        """Numbers of the root set as a vector over the base set, zero elsewhere."""
        values = np.zeros(len(self.pages))
        values[self.root] = of_root
        return values

    @cached_property
    def likeness(self) -> Floats:
        """The text score of each page of the base set by any of the words, over the highest."""
        values = np.zeros(len(self.pages))
        for pages, scores in ((self.matches.partly, self.matches.partly_text), (self.matches.pages, self.matches.text)):
            places = np.minimum(np.searchsorted(self.pages, pages), max(len(self.pages) - 1, 0))
            inside = self.pages[places] == pages if len(self.pages) else np.zeros(len(pages), np.bool_)
            values[places[inside]] = np.maximum(values[places[inside]], scores[inside])
        highest = values.max(initial=0.0)
        return values / highest if highest > 0 else self.over_base(1.0)

    @property
    def whole(self) -> bool:
        """Whether a walk may go over the whole web."""
        return self.web.graph.links <= MOST_WALKED

    @property
    def walked(self) -> tuple[Graph, Ids]:
        """The graph that a walk goes over, and the node in it of each page of the base set."""
        return (self.web.graph, self.pages) if self.whole else (self.graph, np.arange(len(self.pages), dtype=np.uint32))

    def jumps(self, weights: Floats) -> Floats:
        """Weights of the pages of the web as a vector over the graph that is walked."""
        return weights if self.whole else weights[self.pages]


def focus_on(web: Web, matches: Matches) -> Focus:
    """The base set of a query."""
    best = np.argsort(-matches.blended, kind="stable")[:FIRST]
    chosen = np.union1d(np.arange(min(ROOT, len(matches.pages))), best)
    graph, root = web.graph, np.asarray(matches.pages[chosen], np.uint32)
    parts = [root]
    for page in root.tolist():
        parts += [_every(graph.successors(page), AFTER), _every(graph.predecessors(page), BEFORE)]
    pages = np.unique(np.concatenate(parts)).astype(np.uint32)
    part, places = graph.subgraph(pages), np.searchsorted(pages, root)
    inside = _navigational(graph, pages, part)
    recommending = part.without(inside)
    linked = (recommending.in_degrees + recommending.out_degrees)[places] > 0
    navigation = bool(np.count_nonzero(linked) < LEAST * len(root))
    counting = part.without(_loops(part)) if navigation else recommending
    return Focus(web, matches, pages, counting, places, matches.text[chosen], matches.blended[chosen], navigation)


def _every(pages: Ids, most: int) -> Ids:
    """All pages, or so many of them at equal steps."""
    return pages if len(pages) <= most else pages[np.arange(most) * len(pages) // most]


def _loops(part: Graph) -> Bools:
    return np.asarray(part.sources == part.out_targets)


def _navigational(graph: Graph, pages: Ids, part: Graph) -> Bools:
    """The links of a page to itself, and those within a site where sites are known."""
    if graph.urls is None:
        return _loops(part)
    sites = np.asarray(graph.urls.site_ids())[pages]
    return np.asarray(sites[part.sources] == sites[part.out_targets])
