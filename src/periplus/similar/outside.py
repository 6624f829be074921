"""URLs that stored pages link to and that are not stored: Companion and Cocitation can start from them too.

Both read the links around a page, not the page. Such a URL becomes one page more of the graph, with the links to it in
their places and none out of it.

Cost: O(n + m) a URL, for a graph with one page more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.web.url import host_of


class Outside(NamedTuple):
    """The URLs; row i of `sources` and `places` says which pages link to the i-th, and where among their links."""

    urls: Any
    offsets: Offsets
    sources: Ids
    places: Ids

    def linking(self, url: str) -> tuple[Ids, Ids] | None:
        """The pages that link to a URL and the places of these links; None where no page does."""
        found = self.urls.find(url)
        if found is None:
            return None
        row = slice(int(self.offsets[found]), int(self.offsets[found + 1]))
        return self.sources[row], self.places[row]


def with_page(
    graph: Graph, positions: AnyArray | None, url: str, sources: Ids, places: Ids
) -> tuple[Graph, AnyArray | None]:
    """The graph and the places of its links with one page more, to which these pages link."""
    ends = graph.out_offsets[sources.astype(np.int64) + 1]
    new = np.full(len(ends), graph.nodes, np.uint32)  # the largest id: the last of each row
    targets = np.insert(graph.out_targets, ends, new)
    more = np.bincount(sources, minlength=graph.nodes)
    offsets = graph.out_offsets + np.concatenate(([0], np.cumsum(more)))
    larger = Graph(np.append(offsets, offsets[-1]), targets, urls=_OneMore(graph.urls, url))
    return larger, None if positions is None else np.insert(positions, ends, places)


class _OneMore:
    """A table of URLs with one more at its end."""

    def __init__(self, urls: Any, url: str) -> None:
        self._urls, self._url = urls, url

    def __len__(self) -> int:
        return len(self._urls) + 1

    def __getitem__(self, page: int) -> str:
        return self._url if page == len(self._urls) else str(self._urls[page])

    def __iter__(self) -> Iterator[str]:
        yield from self._urls
        yield self._url

    def find(self, url: str) -> int | None:
        found: int | None = self._urls.find(url)
        return len(self._urls) if found is None and url == self._url else found

    def host_ids(self) -> Ids:
        host, hosts = self._host(), self._urls.hosts()
        own = hosts.index(host) if host in hosts else len(hosts)
        return np.append(self._urls.host_ids(), np.uint32(own))

    def hosts(self) -> list[str]:
        host, hosts = self._host(), self._urls.hosts()
        return list(hosts) if host in hosts else [*hosts, host]

    def _host(self) -> str:
        return host_of(self._url)
