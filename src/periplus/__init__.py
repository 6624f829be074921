"""Periplus: chart a piece of the web.

`import periplus` is cheap: each name below is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import loader

__version__ = "0.1.0"

# No name of a folder stands here: `import periplus.search` would put the package in the function's place.
_HOMES = {
    "Collection": "periplus.collection",
    "Graph": "periplus.graph",
    "Library": "periplus.pipeline",
    "PeriplusError": "periplus.errors",
    "Scores": "periplus.rank.scores",
    "build": "periplus.pipeline",
    "open_graph": "periplus.pipeline",
    "open_library": "periplus.pipeline",
    "pagerank": "periplus.rank",
}

__all__ = [
    "Collection",
    "Graph",
    "Library",
    "PeriplusError",
    "Scores",
    "build",
    "open_graph",
    "open_library",
    "pagerank",
]

if TYPE_CHECKING:
    from periplus.collection import Collection
    from periplus.errors import PeriplusError
    from periplus.graph import Graph
    from periplus.pipeline import Library, build, open_graph, open_library
    from periplus.rank import pagerank
    from periplus.rank.scores import Scores


__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
