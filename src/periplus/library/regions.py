"""The pages of one region of the bow-tie, the best ranked first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from periplus.errors import ParameterError
from periplus.library.library import Library
from periplus.library.neighbours import title_of
from periplus.numeric.arrays import Ids
from periplus.structure.connectivity.bowtie import REGION_NAMES, REGION_WORDS

REGIONS = tuple(dict.fromkeys(name.partition("_")[0] for name in REGION_NAMES))
"""The regions as pictures show them: all tendrils are one."""


class RegionRow(NamedTuple):
    """One page of a region: its place among all pages by the default ranking, and its in-links."""

    url: str
    title: str
    place: int
    in_links: int


def region_words(name: str) -> str:
    """What a region is, in a sentence."""
    kinds = _codes(name)
    return REGION_WORDS[kinds[0]] if len(kinds) == 1 else "Tendrils: hanging off IN or OUT without touching the core"


def region_pages(library: Library, name: str) -> Ids:
    """The ids of a region's pages, best first by the default ranking; none before the structure stage has run."""
    codes = _codes(name)
    if library.regions is None:
        return np.empty(0, np.uint32)
    nodes = np.flatnonzero(np.isin(library.regions, codes)).astype(np.uint32)
    rankers = library.searcher.rankers
    return nodes[np.lexsort((nodes, rankers.share(rankers.default, nodes)))]


def region_rows(library: Library, nodes: Ids) -> list[RegionRow]:
    """Some of these pages as rows of a table."""
    rankers, graph = library.searcher.rankers, library.graph
    places = np.maximum(1, np.rint(rankers.share(rankers.default, nodes) * graph.nodes)).astype(np.int64)
    return [
        RegionRow(graph.urls[node], title_of(library, node), place, len(graph.predecessors(node)))
        for node, place in zip(nodes.tolist(), places.tolist(), strict=True)
    ]


def _codes(name: str) -> list[int]:
    if name not in REGIONS:
        raise ParameterError("region", name, f"one of {', '.join(REGIONS)}")
    return [code for code, known in enumerate(REGION_NAMES) if known.partition("_")[0] == name]
