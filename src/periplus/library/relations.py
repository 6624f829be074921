"""One site (or host) among others: who links to it, where it links, its regions and copies, its links with another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.index.schema import normalised
from periplus.library.library import Library
from periplus.numeric.arrays import AnyArray
from periplus.record import Table
from periplus.structure.connectivity.bowtie import REGION_WORDS


def linking_sites(library: Library, pages: range, own: str) -> list[tuple[str, int]]:
    """The other sites that link here, by the number of their links."""
    graph = library.graph
    return _tally(library, graph.in_sources[graph.in_offsets[pages.start] : graph.in_offsets[pages.stop]], own)


def linked_sites(library: Library, pages: range, own: str) -> list[tuple[str, int]]:
    """The other sites that these pages link to, by the number of links."""
    graph = library.graph
    return _tally(library, graph.out_targets[graph.out_offsets[pages.start] : graph.out_offsets[pages.stop]], own)


def _tally(library: Library, ends: AnyArray, own: str) -> list[tuple[str, int]]:
    names = library.graph.urls.sites()
    numbers, counts = np.unique(np.asarray(library.graph.urls.site_ids())[ends], return_counts=True)
    found = [(names[number], count) for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)]
    return sorted((one for one in found if one[0] != own), key=lambda one: (-one[1], one[0]))


def region_shares(library: Library, pages: range) -> list[tuple[str, int]]:
    """How many of the pages are in each region of the bow-tie, in words, most first; none before they are found."""
    if library.regions is None:
        return []
    counts = np.bincount(library.regions[pages.start : pages.stop], minlength=len(REGION_WORDS)).tolist()
    found = [(words, count) for words, count in zip(REGION_WORDS, counts, strict=True) if count]
    return sorted(found, key=lambda one: -one[1])


def copies_in(library: Library, pages: range) -> list[tuple[str, str]]:
    """The pages that are folded under another with the same content: (the page, the one that stands for it)."""
    stands_for = np.asarray(library.links.representatives[pages.start : pages.stop])
    urls, nodes = library.graph.urls, np.arange(pages.start, pages.stop)
    folded = np.flatnonzero(stands_for != nodes)
    return [(urls[int(nodes[at])], urls[int(stands_for[at])]) for at in folded.tolist()]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A link from a page of one site to a page of another, with its texts."""

    source: str
    target: str
    texts: tuple[str, ...]


def crosstalk(library: Library, pages: range, others: range) -> list[Crossing]:
    """Every link from some pages to some others, by source and target; swapped, the links back."""
    graph = library.graph
    begin, end = int(graph.out_offsets[pages.start]), int(graph.out_offsets[pages.stop])
    targets = np.asarray(graph.out_targets[begin:end])
    links = begin + np.flatnonzero((targets >= others.start) & (targets < others.stop))
    sources = np.searchsorted(graph.out_offsets, links, side="right") - 1
    return [
        Crossing(
            graph.urls[source],
            graph.urls[int(graph.out_targets[link])],
            tuple(normalised(text) for text in library.links.anchors.of_link(link) if text),
        )
        for link, source in zip(links.tolist(), sources.tolist(), strict=True)
    ]


def crosstalk_table(library: Library, pages: range, others: range) -> Table:
    """The links both ways, a row per link and text."""
    both = [*crosstalk(library, pages, others), *crosstalk(library, others, pages)]
    rows = [(one.source, one.target, text) for one in both for text in one.texts or ("",)]
    return Table.of_rows(("source", "target", "text"), rows)
