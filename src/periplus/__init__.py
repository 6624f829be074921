"""Periplus: chart a piece of the web.

`import periplus` is cheap: each name below is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Collection": "periplus.collection",
    "Graph": "periplus.graph",
    "PeriplusError": "periplus.errors",
    "Scores": "periplus.rank.scores",
    "build": "periplus.pipeline",
    "crawl": "periplus.pipeline",
    "open_graph": "periplus.pipeline",
    "pagerank": "periplus.rank",
    "search": "periplus.pipeline",
}

__all__ = [
    "Collection",
    "Graph",
    "PeriplusError",
    "Scores",
    "build",
    "crawl",
    "open_graph",
    "pagerank",
    "search",
]

if TYPE_CHECKING:
    from periplus.collection import Collection
    from periplus.errors import PeriplusError
    from periplus.graph import Graph
    from periplus.pipeline import build, crawl, open_graph, search
    from periplus.rank import pagerank
    from periplus.rank.scores import Scores


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'periplus' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
