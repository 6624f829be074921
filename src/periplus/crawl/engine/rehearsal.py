"""`rehearse`: in which order a crawl would fetch the pages of a graph that is known, without a network.

The frontier, the scheduler and the order are those of a real crawl, so what an order is worth can be measured on any
graph. Every page answers at once and no host has a pause; pages are committed a few at a time, as in a crawl.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from periplus.crawl.fetch.reading import Reading
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import Batch, FoundUrl, Frontier
from periplus.crawl.orders.order import Order
from periplus.crawl.outcome import Outcome
from periplus.crawl.visit import Source, Visit
from periplus.graph.graph import Graph
from periplus.pages.cdx import Entry
from periplus.web.url import host_of

BATCH = 16


def rehearse(
    graph: Graph, seeds: Iterable[int], order: Order, *, pages: int | None = None, batch: int = BATCH
) -> list[int]:
    """The pages in the order in which they would be fetched, at most `pages` of them; `graph.urls` names their hosts.

    A graph without URLs is one host. Pages that cannot be reached from the seeds are not fetched.
    """
    with TemporaryDirectory(prefix="periplus-") as folder:
        frontier = Frontier(Path(folder) / "frontier.sqlite", order)
        try:
            return _Rehearsal(graph, frontier, batch).run(seeds, graph.nodes if pages is None else pages)
        finally:
            frontier.close()


class _Rehearsal:
    def __init__(self, graph: Graph, frontier: Frontier, batch: int) -> None:
        self._graph = graph
        self._size = batch
        self._frontier = frontier
        self._scheduler = Scheduler(frontier, delay=0.0, max_depth=None)
        names = graph.urls
        self._name: Callable[[int], str] = (lambda page: str(names[page])) if names is not None else _numbered
        self._number = {self._name(page): page for page in range(graph.nodes)}

    def run(self, seeds: Iterable[int], pages: int) -> list[int]:
        fetched: list[int] = []
        self._commit([], self._found([self._name(int(seed)) for seed in seeds], Source()))
        while len(fetched) < pages and (visits := self._next(min(self._size, pages - len(fetched)))):
            fetched += [self._number[visit.url] for visit in visits]
            self._fetch(visits)
        return fetched

    def _next(self, count: int) -> list[Visit]:
        visits: list[Visit] = []
        while len(visits) < count and (visit := self._scheduler.next()) is not None:
            visits.append(visit)
        return visits

    def _fetch(self, visits: list[Visit]) -> None:
        ended, found = [], []
        for visit in visits:
            targets = tuple(self._name(page) for page in self._graph.successors(self._number[visit.url]).tolist())
            reading = Reading(b"", _entry(visit.url), targets=targets, links=len(targets))
            page = Visit(
                visit.url, visit.host, visit.id, visit.depth, key=visit.key, outcome=Outcome.OK, reading=reading
            )
            ended.append(page)
            found.append(self._found(targets, Source(visit.depth + 1, page=page)))
        self._commit(ended, [url for urls in found for url in urls], [[url.url for url in urls] for urls in found])

    def _found(self, urls: Iterable[str], source: Source) -> list[FoundUrl]:
        host, key = self._scheduler.host, self._frontier.order.found
        return [FoundUrl(url, host(host_of(url)), source.depth, 0, key(url, source)) for url in urls]

    def _commit(self, ended: list[Visit], found: list[FoundUrl], links: list[list[str]] | None = None) -> None:
        order, scheduler, revisions = self._frontier.order, self._scheduler, self._frontier.revisions
        hosts = {url.host.id: url.host for url in found}
        batch = Batch([(visit.outcome.value, visit.id) for visit in ended], found=found, hosts=hosts)
        if order.keeps_links:
            batch.links = [(visit.id, urls) for visit, urls in zip(ended, links or [], strict=True)]
        for visit in ended:
            order.fetched(visit)
        self._frontier.begin()
        self._frontier.write(batch)
        for visit in ended:
            scheduler.release(visit)
            scheduler.finished(visit.host, asked=False)
        for host in hosts.values():
            scheduler.wake(host)
        if revisions != self._frontier.revisions:
            scheduler.reload()


def _numbered(page: int) -> str:
    return f"http://graph.example/{page}"


def _entry(url: str) -> Entry:
    return Entry(url, "", 200, "text/html", "", "", 0, 0)
