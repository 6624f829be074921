"""What stands beside the stars: names of communities in space, facts of single stars, their links, and finding them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from periplus.errors import ParameterError
from periplus.library.library import Library
from periplus.library.neighbours import title_of
from periplus.library.sky.colours import tree_of
from periplus.library.sky.stars import Stars
from periplus.numeric.arrays import AnyArray, Floats
from periplus.structure.connectivity.bowtie import REGION_NAMES
from periplus.web.url import site_of

MOST_STARS = 100
MOST_ARCS = 300
MOST_FOUND = 8
MOST_PLACES = 500
_FEWEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A community in space: its middle and its radius in units of the span, its pages, and how deep in the tree."""

    name: str
    at: tuple[float, float, float]
    radius: float
    pages: int
    depth: int
    colour: int


@dataclass(frozen=True, slots=True)
class Star:
    """One star, as its card shows it; `place` counts the stars that are at least as heavy."""

    star: int
    url: str
    title: str
    site: str
    at: tuple[float, float, float]
    mass: float
    place: int
    in_links: int
    out_links: int
    region: str
    community: str


@dataclass(frozen=True, slots=True)
class Arcs:
    """The stars at the other ends of a star's links, the heaviest first; at most `MOST_ARCS` on a side."""

    star: int
    linking: tuple[int, ...]
    linked: tuple[int, ...]
    all_linking: int
    all_linked: int


def places_of(library: Library, stars: Stars) -> list[Place]:
    """The communities of the tree as places in the sky, the largest first; none without the communities stage."""
    tree, found = tree_of(library), []
    if tree is None:
        return []
    for depth, nodes in enumerate(tree.levels(), 1):
        here = nodes[stars.pages]
        deep = tree.depths[here] == depth
        for node, place in _bodies(here[deep], stars.places[deep], stars.masses[deep], stars.colours[deep]):
            if tree.name(node) != "elsewhere":
                found.append(Place(tree.name(node), *place[:3], depth, place[3]))
    return sorted(found, key=lambda place: (-place.pages, place.depth))[:MOST_PLACES]


def _bodies(
    groups: AnyArray, places: Floats, masses: Floats, colours: AnyArray
) -> list[tuple[int, tuple[tuple[float, float, float], float, int, int]]]:
    """Of every group large enough: barycentre, root of the mean square distance from it, size, colour of most mass."""
    if not len(groups):
        return []
    sizes = np.bincount(groups)
    weights = np.bincount(groups, masses)
    moments = np.stack([np.bincount(groups, masses * places[:, axis]) for axis in range(3)], axis=1)
    middles = moments / np.maximum(weights, 1e-30)[:, None]
    squares = np.bincount(groups, masses * ((places - middles[groups]) ** 2).sum(axis=1))
    radii = np.sqrt(squares / np.maximum(weights, 1e-30))
    first = np.full(len(sizes), len(groups))
    np.minimum.at(first, groups, np.arange(len(groups)))  # stars are in the order of their mass
    return [
        (node, (_point(middles[node]), round(float(radii[node]), 5), int(sizes[node]), int(colours[first[node]])))
        for node in np.flatnonzero(sizes >= _FEWEST).tolist()
    ]


def star_facts(library: Library, stars: Stars, numbers: Sequence[int]) -> list[Star]:
    """What a card shows of each of these stars."""
    if len(numbers) > MOST_STARS:
        raise ParameterError("at", len(numbers), f"at most {MOST_STARS} stars at once")
    return [_star(library, stars, _checked(stars, number)) for number in numbers]


def links_of_star(library: Library, stars: Stars, number: int) -> Arcs:
    """Where the links of a star lead, and whence they come."""
    page = int(stars.pages[_checked(stars, number)])
    sides = (library.graph.predecessors(page), library.graph.successors(page))
    ends = [np.sort(stars.place_of[np.asarray(side, np.int64)]) for side in sides]
    ends = [side[side != number] for side in ends]
    shown = [tuple(side[:MOST_ARCS].tolist()) for side in ends]
    return Arcs(number, shown[0], shown[1], len(ends[0]), len(ends[1]))


def find_stars(library: Library, stars: Stars, query: str) -> list[Star]:
    """The stars of the pages that a search finds first."""
    found = library.searcher.search(query, size=MOST_FOUND).results
    return [_star(library, stars, int(stars.place_of[result.node])) for result in found]


def _star(library: Library, stars: Stars, number: int) -> Star:
    page = int(stars.pages[number])
    url, graph = library.graph.urls[page], library.graph
    tree = tree_of(library)
    community = "" if tree is None else tree.name(int(tree.labels[page]))
    region = "" if library.regions is None else REGION_NAMES[int(library.regions[page])].partition("_")[0].upper()
    return Star(
        number,
        url,
        title_of(library, page),
        site_of(url),
        _point(stars.places[number]),
        float(stars.masses[number]),
        number + 1,
        int(graph.in_degrees[page]),
        int(graph.out_degrees[page]),
        region,
        community,
    )


def _checked(stars: Stars, number: int) -> int:
    if not 0 <= number < len(stars):
        raise ParameterError("star", number, f"from 0 to {len(stars) - 1:,}")
    return number


def _point(place: Floats) -> tuple[float, float, float]:
    x, y, z = (round(float(one), 5) for one in place)
    return x, y, z
