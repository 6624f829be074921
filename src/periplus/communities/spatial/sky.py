"""The three communities of the gravitational model (Bennouas, Bouklit and de Montgolfier 2003, §4.4), of a graph alone.

Each makes the sky first, then finds places in it; `periplus.gravity` finds them in a sky that is there. Under the
preset `sky` pages begin by the tree of communities, so what is found has much of that tree; under `paper`, the literal
model, they begin by site, or in a ball where there are no URLs. Cost: that of the sky, and of the tree where there is
one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from periplus.catalog import checked
from periplus.communities.hierarchy.tree import tree
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.gravity import communities as places
from periplus.gravity.layouts import world
from periplus.gravity.start import Tree
from periplus.gravity.table import LAYOUTS
from periplus.record import PageLabels, PagePositions


@checked(COMMUNITIES["attractors"])
def attractors(
    graph: Graph,
    *,
    mass: float = 3.0,
    together: float = 0.1,
    reach: float = 1.0,
    preset: str = "sky",
    steps: int | None = None,
    seed: int = 0,
) -> PageLabels:
    """Every page belongs to the nearest heavy page of the sky, unless all are too far."""
    sky, about = _sky(graph, preset, steps, seed)
    return _of(graph, places.attractors(sky, mass=mass, together=together, reach=reach), about)


@checked(COMMUNITIES["spheres"])
def spheres(
    graph: Graph, *, k: int = 8, volume: float = 1.0, preset: str = "sky", steps: int | None = None, seed: int = 0
) -> PageLabels:
    """k balls of the sky with the most mass in the least volume."""
    sky, about = _sky(graph, preset, steps, seed)
    return _of(graph, places.spheres(sky, k=k, volume=volume), about)


@checked(COMMUNITIES["dichotomy"])
def dichotomy(
    graph: Graph, *, density: float = 8.0, preset: str = "sky", steps: int | None = None, seed: int = 0
) -> PageLabels:
    """Nearest pages of the sky paired, and these pairs, while they are dense."""
    sky, about = _sky(graph, preset, steps, seed)
    return _of(graph, places.dichotomy(sky, density=density), about)


def _sky(graph: Graph, preset: str, steps: int | None, seed: int) -> tuple[PagePositions, dict[str, Any]]:
    """The sky, and how it was made."""
    branches = None
    if preset == "sky":
        grown = tree(graph, seed=seed)
        branches = Tree(grown.parents, grown.labels)
    given = LAYOUTS[preset].checked({} if steps is None else {"steps": steps})["steps"]
    sky = world(graph, preset, tree=branches, seed=seed).run(given).record()
    return sky, {"preset": preset, "steps": given, "seed": seed}


def _of(graph: Graph, found: PageLabels, about: dict[str, Any]) -> PageLabels:
    return replace(found, graph_digest=graph, parameters=dict(found.parameters) | about, urls=graph.urls)
