"""Pages of the highest PageRank first, as far as the links met so far tell (Cho, Garcia-Molina and Page, WWW 1998).

    PageRank of the graph of all fetched pages and of the URLs they link to, solved again whenever it has grown by a
    fifth. Between two solutions a URL gets d·(PageRank of the page)/(its links) from each new page that links to it
    (Baeza-Yates, Castillo, Marin and Rodriguez, WWW 2005).

Memory: 8 bytes per link. All solutions together cost six times the last one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from periplus.crawl.orders.order import Order
from periplus.crawl.visit import Source

if TYPE_CHECKING:
    from periplus.collection import Collection
    from periplus.crawl.options import CrawlOptions

DAMPING = 0.85
GROWTH = 1.2
FIRST = 50  # pages before the first solution
TOLERANCE = 1e-4  # the order of waiting URLs hardly changes below


class PartialPageRank(Order):
    """The key is minus the PageRank of a URL in the graph met so far."""

    adds = True
    keeps_links = True

    def __init__(self, options: CrawlOptions, collection: Collection | None = None) -> None:
        super().__init__(options, collection)
        self._sources, self._targets = array("I"), array("I")
        self._pages, self._solve_at = 0, FIRST

    def found(self, url: str, source: Source) -> float:
        return -1.0 if source.page is None else DAMPING * source.key / source.links

    def linked(self, page: int, depth: int, urls: Sequence[int]) -> None:
        self._pages += 1
        self._sources.extend([page] * len(urls))
        self._targets.extend(urls)

    def revised(self) -> Iterable[tuple[float, int]]:
        if self._pages < self._solve_at:
            return ()
        self._solve_at = int(self._pages * GROWTH) + 1
        return self._solved()

    def _solved(self) -> Iterable[tuple[float, int]]:
        import numpy as np

        from periplus.graph import Graph
        from periplus.numeric.stop import Tol
        from periplus.rank.methods.pagerank import pagerank

        ids, links = np.unique(np.array([self._sources, self._targets]), return_inverse=True)
        sources, targets = links.reshape(2, -1)
        scores = pagerank(Graph.from_edges(sources, targets, len(ids)), damping=DAMPING, stop=Tol(TOLERANCE)).values
        waits = np.ones(len(ids), bool)
        waits[sources] = False
        return zip((-scores[waits]).tolist(), ids[waits].tolist(), strict=True)
