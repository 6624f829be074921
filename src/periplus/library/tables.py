"""Pages, links and sites as tables for other programs: of a collection, or of a graph alone.

    pages   one row per page: URL, title, host, site, language, degrees, region, every ranking with its places, copies,
            subject, path in the tree, communities
    links   one row per link and text: both ends, the text, whether it stays on the site, whether it is nofollow
    sites   one row per site: its pages, and the links inside, from others and to others
    communities  one row per community of the knowledge base: name, pages, authorities, hubs
    tree    one row per node of the tree: parent, path, pages, density, authorities, hubs

A graph alone has its links, and its names if there are any. Rows come in parts, so that a table of links takes no more
memory than one part; a table of pages takes a few hundred bytes per page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from periplus.errors import InputError
from periplus.graph.graph import Graph
from periplus.library.belonging import BELONGING, belonging
from periplus.library.branches import nodes_table
from periplus.library.communities import communities_table
from periplus.library.library import Library
from periplus.library.sites import SITE_COLUMNS, count_sites
from periplus.numeric.arrays import AnyArray
from periplus.record import Table
from periplus.record.writing import AT_ONCE, Kind, Part
from periplus.search.rankers import TEXT_ONLY
from periplus.structure.connectivity.bowtie import REGION_NAMES

Source = Library | Graph
Columns = dict[str, Kind]

_NAMED: Columns = {"url": "text", "host": "text", "site": "text"}
_TOLD: Columns = {"title": "text", "language": "text", "fetched": "text", "status": "whole"}
_FETCHED = list(_TOLD).index("fetched")


def pages_table(source: Source, nodes: AnyArray | range | None = None) -> Table:
    """One row per page, in the order of the ids; of `nodes` if given.

    A ranking has two columns: the value, and the place, which counts the pages that rank at least as high.
    """
    graph = _graph_of(source)
    wanted = np.arange(graph.nodes) if nodes is None else np.asarray(nodes, dtype=np.int64)
    columns: Columns = {"id": "whole", **(_NAMED if graph.urls is not None else {})}
    columns |= {"in_degree": "whole", "out_degree": "whole"}
    if isinstance(source, Graph):
        kept = dict((graph.node_attributes or {}).items())
        columns |= {_free(name, columns): column.kind for name, column in kept.items()}
        return _in_parts(
            columns,
            len(wanted),
            lambda at: [
                *_page_part(graph, wanted[at]),
                *(column.take(wanted[at]).tolist() for column in kept.values()),
            ],
        )
    columns |= {**_TOLD, "region": "text"}
    for name in _rankings(source):
        columns |= {name: "number", f"{name}_place": "whole"}
    columns |= {"copies": "whole", "copy_of": "text", **dict.fromkeys(BELONGING, "text")}
    told, copies = source.told, np.bincount(source.links.representatives, minlength=graph.nodes)

    def part(at: slice) -> Part:
        pages = wanted[at]
        of_pages = [told[page] for page in pages.tolist()]
        heads = [[getattr(one, name) for one in of_pages] for name in _TOLD]
        heads[_FETCHED] = [iso_time(stamp) for stamp in heads[_FETCHED]]
        links = [_regions(source, pages), *_places(source, pages), *_copies(source, pages, copies)]
        links += belonging(source, pages).values()
        return [*_page_part(graph, pages), *heads, *links]

    return _in_parts(columns, len(wanted), part)


def links_table(source: Source) -> Table:
    """One row per link and text, by source and target; a link of several texts has several rows."""
    graph = _graph_of(source)
    named = graph.urls is not None
    columns: Columns = {"source": "text" if named else "whole", "target": "text" if named else "whole"}
    if isinstance(source, Graph):
        columns |= {"navigational": "flag"} if named else {}
        return Table(columns, graph.links, (_link_part(graph, *run) for run in _runs(graph.links)))
    anchors = source.links.anchors
    columns |= {"text": "text", "navigational": "flag", "nofollow": "flag"}
    if anchors.positions is not None:
        columns |= {"position": "whole"}

    def part(begin: int, end: int) -> Part:
        counts, texts = anchors.of_links(begin, end)
        sources, targets, inside = _link_part(graph, begin, end)
        repeats = np.repeat(np.arange(end - begin), counts).tolist()
        ends: list[Any] = [[column[at] for at in repeats] for column in (sources, targets)]
        made: list[Any] = [*ends, texts, np.repeat(inside, counts), np.repeat(~anchors.followed[begin:end], counts)]
        if anchors.positions is not None:
            made.append(np.repeat(anchors.positions[begin:end], counts))
        return made

    return Table(columns, anchors.entries, (part(*run) for run in _runs(graph.links)))


def sites_table(source: Source) -> Table:
    """One row per site, those with the most links from other sites first."""
    graph = _graph_of(source)
    if graph.urls is None:
        raise InputError("this graph has no URLs, and so no sites: ask for its `pages` or `links`")
    rows = [tuple(getattr(row, name) for name in SITE_COLUMNS.values()) for row in count_sites(graph)]
    return Table.of_rows(tuple(SITE_COLUMNS), rows)


def _kept(made: Callable[[Library], Table], what: str) -> Callable[[Source], Table]:
    """A table of what only a collection keeps."""

    def table(source: Source) -> Table:
        if isinstance(source, Graph):
            raise InputError(f"a graph keeps no communities: `periplus {what} GRAPH` finds them")
        return made(source)

    return table


TABLES: dict[str, Callable[[Source], Table]] = {
    "pages": pages_table,
    "links": links_table,
    "sites": sites_table,
    "communities": _kept(communities_table, "kb"),
    "tree": _kept(nodes_table, "tree"),
}


def iso_time(stamp: str) -> str:
    """`20261116055258` → `2026-11-16T05:52:58Z`, which no spreadsheet takes for a number."""
    if len(stamp) != 14 or not stamp.isdecimal():
        return stamp
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}Z"


def _graph_of(source: Source) -> Graph:
    return source if isinstance(source, Graph) else source.graph


def _free(name: str, taken: Columns) -> str:
    """The name of an attribute as a column: where the name is taken already, with a mark."""
    return f"{name} (attribute)" if name in taken else name


def _in_parts(columns: Columns, length: int, part: Callable[[slice], Part]) -> Table:
    return Table(columns, length, (part(slice(at, at + AT_ONCE)) for at in range(0, length, AT_ONCE)))


def _runs(links: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, links, AT_ONCE):
        yield begin, min(begin + AT_ONCE, links)


def _rankings(library: Library) -> list[str]:
    return [name for name in library.searcher.rankers.names if name != TEXT_ONLY]


def _page_part(graph: Graph, pages: AnyArray) -> list[Any]:
    columns: list[Any] = [pages]
    if graph.urls is not None:
        urls, sites = [graph.urls[page] for page in pages.tolist()], graph.urls.sites()
        of_sites = [sites[number] for number in graph.urls.site_ids()[pages].tolist()]
        hosts = graph.urls.hosts()
        columns += [urls, [hosts[number] for number in graph.urls.host_ids()[pages].tolist()], of_sites]
    return [*columns, graph.in_degrees[pages], graph.out_degrees[pages]]


def _regions(library: Library, pages: AnyArray) -> list[str | None]:
    if library.regions is None:
        return [None] * len(pages)
    return [REGION_NAMES[number] for number in library.regions[pages].tolist()]


def _places(library: Library, pages: AnyArray) -> list[Any]:
    """Value and place by every ranking, as in a page's portrait."""
    columns: list[Any] = []
    for name in _rankings(library):
        share = library.searcher.rankers.share(name, pages)
        place = np.maximum(1, np.rint(share * library.graph.nodes)).astype(np.int64)
        columns += [np.asarray(library.scores[name].values, dtype=np.float64)[pages], place]
    return columns


def _copies(library: Library, pages: AnyArray, copies: AnyArray) -> list[Any]:
    """How many pages have the same content, itself included; and the one that represents them."""
    stands_for = np.asarray(library.links.representatives)[pages]
    urls = library.graph.urls
    kept = [None if one == page else urls[one] for page, one in zip(pages.tolist(), stands_for.tolist(), strict=True)]
    return [copies[stands_for], kept]


def _link_part(graph: Graph, begin: int, end: int) -> list[Any]:
    """The ends of a run of links, and whether both are on one site."""
    sources = np.searchsorted(graph.out_offsets, np.arange(begin, end), side="right") - 1
    targets = np.asarray(graph.out_targets[begin:end], dtype=np.int64)
    if graph.urls is None:
        return [sources, targets]
    sites = graph.urls.site_ids()
    names = {page: graph.urls[page] for page in np.unique(np.concatenate((sources, targets))).tolist()}
    ends = [[names[page] for page in side.tolist()] for side in (sources, targets)]
    return [*ends, sites[sources] == sites[targets]]
