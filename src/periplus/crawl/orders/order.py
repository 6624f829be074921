"""`Order`: what a crawl fetches first. It sees what is found, linked and fetched, and gives waiting URLs their keys.

    found     a page links to a URL, or a seed is given    the key that this link gives the URL
    linked    a page, its depth, and the frontier's ids    (orders that set `keeps_links`; again after a restart)
              of the URLs that it links to
    fetched   the visit of a URL has ended
    revised   a batch was written                          new keys of URLs that wait, as (key, id); mostly none

The smallest key is first; the order of discovery breaks ties. Hosts keep their pauses whatever the order: it decides
within a host, and among hosts that may be asked at the same time. Keys stand in the frontier, and so do the links, so
an order survives a kill without a file of its own. `found` is called in the loop of the crawl, the other three in the
thread that commits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from periplus.collection import Collection
    from periplus.crawl.options import CrawlOptions
    from periplus.crawl.visit import Source, Visit


class Order:
    """The order of one crawl; a subclass overrides what it wants to see.

    `adds`: the keys that all pages give a URL are added up; otherwise the key of the shortest path counts.
    """

    adds: ClassVar[bool] = False
    keeps_links: ClassVar[bool] = False

    def __init__(self, options: CrawlOptions, collection: Collection | None = None) -> None:
        self.options = options
        self.collection = collection

    def found(self, url: str, source: Source) -> float:
        """The key that a page gives a URL by its link; `source.page` is None for a seed."""
        raise NotImplementedError

    def linked(self, page: int, depth: int, urls: Sequence[int]) -> None:
        """The page with this id, so many links from the nearest seed, links to the URLs with these."""

    def fetched(self, visit: Visit) -> None:
        """A visit has ended, with a page or without."""

    def revised(self) -> Iterable[tuple[float, int]]:
        """New keys of URLs that may wait, each with its id."""
        return ()
