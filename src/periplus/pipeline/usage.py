"""How people go through a site of a collection: web-server logs → paths → the flow, and what it says of the links.

Addresses are hashed with a key as they are read and never stored. What is kept in the collection is the flow alone: how
many people went from which page to which.
"""

from __future__ import annotations

import gc
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.errors import InputError, ParameterError
from periplus.graph.graph import Graph
from periplus.pipeline.graphs import open_graph
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.similar import keep_flow
from periplus.record import Findings
from periplus.similar.usage.clicks import Clicks
from periplus.similar.usage.flow import Flow, Step, flow_of
from periplus.similar.usage.logs import Log
from periplus.similar.usage.sessions import ELSEWHERE, Finder, Sessions
from periplus.similar.usage.suggest import Suggestion, shorten, suggest

MAX_KEY = 64
_REMEMBERED = 1 << 20
_KEPT_APART = 2


@dataclass(frozen=True)
class Usage(Findings):
    """What a site's logs or click paths say; the steps and suggestions with the URLs of their pages."""

    host: str
    counts: dict[str, int]
    paths: int
    steps: int
    without_links: list[dict[str, Any]]
    off_the_links: list[dict[str, Any]]
    unused_links: list[dict[str, Any]]
    suggestions: list[dict[str, Any]]
    trial: dict[str, float]
    flow: Flow = field(metadata={"json": None})


def usage(
    collection: Collection,
    logs: Sequence[str | Path],
    *,
    host: str | None = None,
    key: str | None = None,
    top: int = 20,
) -> Usage:
    """Read logs of one site in the order given, compare the steps with the links, and keep the flow."""
    graph = load_links(collection).graph
    site = host or _largest_host(graph)
    hashing = secrets.token_bytes(16) if key is None else _checked(key)
    sessions = Sessions(_pages_of(graph, site), _origins(graph))
    read = [Log(path, hashing) for path in logs]
    robots: set[bytes] = set()
    for log in read:
        log.robots = robots
    with _uncollected():
        paths = list(sessions.paths(chain.from_iterable(read), robots))
    counts = sum((log.counts for log in read), Counter())
    counts |= Counter({"page views": sessions.pages, "not of this collection": sessions.elsewhere})
    if not sessions.pages:
        raise InputError(
            f"{', '.join(map(str, logs))}: none of the {counts['lines']:,} lines asks for a page of {site}. "
            "Is this the log of another site? --host says which it is"
        )
    with _uncollected():
        flow = flow_of(paths, graph.nodes, urls=graph.urls)
        keep_flow(collection, flow)
        return _told(site, dict(counts), paths, flow, graph, top)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection: it would visit millions of paths again and again, which hold no circles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def usage_of_paths(target: str | Path, files: Sequence[str | Path], *, top: int = 20, lenient: bool = False) -> Usage:
    """The same from files of click paths (`periplus.similar.usage.clicks`), over a collection or any graph."""
    collection = Collection.open(target) if Collection.is_collection(target) else None
    graph = open_graph(target, lenient=lenient) if collection is None else load_links(collection).graph
    read = [Clicks(path, _named(graph)) for path in files]
    paths = [path for one in read for path in one]
    counts = sum((one.counts for one in read), Counter())
    if not paths:
        raise InputError(
            f"{', '.join(map(str, files))}: none of the {counts['lines']:,} lines names a page of {target}"
        )
    flow = flow_of(paths, graph.nodes, urls=graph.urls)
    if collection is not None:
        keep_flow(collection, flow)
    return _told(str(target), dict(counts), paths, flow, graph, top)


def _named(graph: Graph) -> Finder:
    """From what a line calls a page (its URL or name, else its id) to the page."""

    def find(name: bytes) -> int:
        text = name.decode("utf-8", "replace")
        found = None if graph.urls is None else graph.urls.find(text)
        if found is None and text.isdecimal() and int(text) < graph.nodes:
            return int(text)
        return ELSEWHERE if found is None else int(found)

    return _remembering(find)


def _name(graph: Graph, page: int) -> str:
    return str(page) if graph.urls is None else str(graph.urls[page])


def _told(
    site: str, counts: dict[str, int], paths: Sequence[Sequence[int]], flow: Flow, graph: Graph, top: int
) -> Usage:
    def pair(one: Step | Suggestion, **more: int) -> dict[str, Any]:
        return {"from": _name(graph, one.source), "to": _name(graph, one.target), **more}

    return Usage(
        host=site,
        counts=counts,
        paths=len(paths),
        steps=int(flow.counts.sum()),
        without_links=[{**one._asdict(), "page": _name(graph, one.page)} for one in flow.without_links(graph, top)],
        off_the_links=[pair(one, people=one.times) for one in flow.off_the_links(graph, top)],
        unused_links=[pair(one, visits=one.times) for one in flow.unused(graph, top)],
        suggestions=[pair(one, paths=one.paths, clicks=one.clicks) for one in suggest(graph, paths, count=top)],
        trial=_trial(graph, paths, top),
        flow=flow,
    )


def _trial(graph: Graph, paths: Sequence[Sequence[int]], top: int) -> dict[str, float]:
    """Suggestions from every other path, tried on those left out."""
    learned = suggest(graph, paths[::_KEPT_APART], count=top)
    found = shorten(paths[1::_KEPT_APART], [(one.source, one.target) for one in learned])
    return {"paths_held_out": found.paths, "share_shortened": found.share, "clicks_saved_each": found.saved_each}


def _largest_host(graph: Graph) -> str:
    labels, names = graph.urls.host_ids(), graph.urls.hosts()
    if not len(names):
        raise InputError("the collection has no pages yet: crawl or add some first")
    return str(names[int(np.argmax(np.bincount(labels, minlength=len(names))))])


def _checked(key: str) -> bytes:
    if not 0 < len(key.encode()) <= MAX_KEY:
        raise ParameterError("key", "…", f"1 to {MAX_KEY} bytes")
    return key.encode()


def _pages_of(graph: Graph, host: str) -> Finder:
    """From the path of a request to the page, by https or http; a full URL, as proxies log it, is taken as it is."""
    bases = (f"https://{host}", f"http://{host}")

    def find(path: bytes) -> int:
        text = path.decode("utf-8", "replace")
        for url in (text,) if "://" in text else [base + text for base in bases]:
            found = graph.urls.find(url) if text[:1] in "/h" else None
            if found is not None:
                return int(found)
        return ELSEWHERE

    return _remembering(find)


def _origins(graph: Graph) -> Finder:
    """From a referrer to the page, wherever it is."""

    def find(referrer: bytes) -> int:
        found = graph.urls.find(referrer.decode("utf-8", "replace"))
        return ELSEWHERE if found is None else int(found)

    return _remembering(find)


def _remembering(find: Callable[[bytes], int]) -> Finder:
    """The same, with the answers kept: a log asks for the same few pages again and again."""
    known: dict[bytes, int] = {}

    def lookup(text: bytes) -> int:
        page = known.get(text)
        if page is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            page = known[text] = find(text)
        return page

    return lookup
