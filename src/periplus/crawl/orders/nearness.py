"""Pages first that lie near the seeds in the gravitational sky (Bennouas, Bouklit and de Montgolfier 2003, §7).

    All fetched pages and the URLs they link to become a sky, made again whenever they have grown by half: they begin in
    the cubes of the tree of their communities and move to where their links pull them. The key is the distance to the
    nearest seed. Between two skies a URL has the key of the page that links to it.

So a crawl that may fetch only some pages gets a region of the web rather than a sample of all of it. Memory: 8 bytes
per link. All skies together cost three times the last one.
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

GROWTH = 1.5
FIRST = 50  # pages before the first sky
STEPS = 60


class Nearness(Order):
    """The key is the distance of a URL to the nearest seed, in the sky of what was met so far."""

    keeps_links = True

    def __init__(self, options: CrawlOptions, collection: Collection | None = None) -> None:
        super().__init__(options, collection)
        self._sources, self._targets, self._seeds = array("I"), array("I"), array("I")
        self._pages, self._next = 0, FIRST
        self._least = 1 << 30  # links from a seed: a seed that redirects has none of its own

    def found(self, url: str, source: Source) -> float:
        return source.key

    def linked(self, page: int, depth: int, urls: Sequence[int]) -> None:
        self._pages += 1
        self._sources.extend([page] * len(urls))
        self._targets.extend(urls)
        if urls and depth < self._least:
            self._least, self._seeds = depth, array("I")
        if urls and depth == self._least:
            self._seeds.append(page)

    def revised(self) -> Iterable[tuple[float, int]]:
        if self._pages < self._next or not self._seeds:
            return ()
        self._next = int(self._pages * GROWTH) + 1
        return self._mapped()

    def _mapped(self) -> Iterable[tuple[float, int]]:
        import numpy as np

        from periplus.communities import tree
        from periplus.graph import Graph
        from periplus.gravity import Tree, nearness, world

        ids, links = np.unique(np.array([self._sources, self._targets]), return_inverse=True)
        sources, targets = links.reshape(2, -1)
        graph = Graph.from_edges(sources, targets, len(ids))
        grown = tree(graph)
        seeds = np.flatnonzero(np.isin(ids, np.array(self._seeds)))
        sky = world(graph, "sky", start="cubes", tree=Tree(grown.parents, grown.labels)).run(STEPS).record()
        far = nearness(sky, seeds)
        waits = np.ones(len(ids), bool)
        waits[sources] = False
        return zip(far[waits].tolist(), ids[waits].tolist(), strict=True)
