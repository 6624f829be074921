"""Who links to a page and where it links, grouped by site, at most `MAX_NEIGHBOURS` of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from periplus.errors import UnknownPageError
from periplus.index.schema import normalised
from periplus.library.library import Library
from periplus.numeric.arrays import Ids
from periplus.web.url import site_of

MAX_NEIGHBOURS = 1000
MAX_GROUPS = 12
SHOWN_A_GROUP = 3
_TEXTS_A_LINK = 3


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A page at the other end of a link, with the texts of the links between."""

    node: int
    url: str
    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteGroup:
    """The neighbours on one site: how many, and the first few."""

    site: str
    count: int
    shown: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """All neighbours on one side; `looked_at` of `total` were gathered into `sites` sites."""

    total: int
    looked_at: int
    sites: int
    groups: tuple[SiteGroup, ...]

    @property
    def truncated(self) -> bool:
        return self.looked_at < self.total


def find_page(library: Library, url: str) -> int:
    """The id of a URL in any spelling."""
    node: int | None = library.graph.urls.find(url) if url else None
    if node is None:
        shown = url if len(url) <= 200 else url[:200] + "…"
        raise UnknownPageError(f"{shown or 'An empty address'} is not in this collection. Search for words instead.")
    return node


def linking_here(library: Library, node: int) -> Neighbourhood:
    """The pages that link to this one, with what they call it."""
    sources = library.graph.predecessors(node)
    return _gathered(library, sources, texts_by_source(library, node, len(sources)))


def linked_from(library: Library, node: int) -> Neighbourhood:
    """The pages that this one links to."""
    return _gathered(library, library.graph.successors(node), {})


def texts_by_source(library: Library, node: int, in_degree: int) -> dict[int, tuple[str, ...]]:
    """What each page that links here calls this one; nothing where there are too many to read at once."""
    if in_degree > MAX_NEIGHBOURS:
        return {}
    texts: defaultdict[int, list[str]] = defaultdict(list)
    for source, text in library.anchors_of(node):
        if text and len(texts[source]) < _TEXTS_A_LINK:
            texts[source].append(normalised(text))
    return {source: tuple(said) for source, said in texts.items()}


def title_of(library: Library, node: int) -> str:
    """A page's title as the index has it; a page without one goes by the path of its URL."""
    document = library.searcher.document(node)
    if document and document["title"]:
        return str(document["title"])
    url = library.graph.urls[node]
    return "/" + url.partition("://")[2].partition("/")[2]


def _gathered(library: Library, nodes: Ids, texts: Mapping[int, tuple[str, ...]]) -> Neighbourhood:
    looked_at = [int(node) for node in nodes[:MAX_NEIGHBOURS]]
    by_site: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for node in looked_at:
        url = library.graph.urls[node]
        by_site[site_of(url)].append((node, url))
    ordered = sorted(by_site.items(), key=lambda item: (-len(item[1]), item[0]))
    groups = tuple(
        SiteGroup(
            site,
            len(members),
            tuple(
                Neighbour(node, url, title_of(library, node), texts.get(node, ()))
                for node, url in members[:SHOWN_A_GROUP]
            ),
        )
        for site, members in ordered[:MAX_GROUPS]
    )
    return Neighbourhood(len(nodes), len(looked_at), len(by_site), groups)
