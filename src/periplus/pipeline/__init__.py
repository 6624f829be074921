"""The stages in their order; each takes a collection and options, and leaves a record of what it did.

    crawl, add ──▶ pages ──parse──▶ parsed ──link──▶ graph ──rank──▶ scores
                                          └───────────┴──index──▶ index      graph ──shape──▶ structure

`build` runs whatever is stale, in this order, and nothing else. Names are loaded when first used, so that
`periplus info` need not import the compiler of the kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "BuildReport": "periplus.pipeline.stages",
    "Library": "periplus.pipeline.library",
    "add": "periplus.pipeline.gather",
    "build": "periplus.pipeline.stages",
    "crawl": "periplus.pipeline.gather",
    "info": "periplus.pipeline.inspect",
    "open_graph": "periplus.pipeline.graphs",
    "open_library": "periplus.pipeline.library",
    "open_searcher": "periplus.pipeline.library",
    "sample_web": "periplus.pipeline.live",
    "search": "periplus.pipeline.library",
    "store_scores": "periplus.pipeline.ranks",
    "verify": "periplus.pipeline.inspect",
}

__all__ = [
    "BuildReport",
    "Library",
    "add",
    "build",
    "crawl",
    "info",
    "open_graph",
    "open_library",
    "open_searcher",
    "sample_web",
    "search",
    "store_scores",
    "verify",
]

if TYPE_CHECKING:
    from periplus.pipeline.gather import add, crawl
    from periplus.pipeline.graphs import open_graph
    from periplus.pipeline.inspect import info, verify
    from periplus.pipeline.library import Library, open_library, open_searcher, search
    from periplus.pipeline.live import sample_web
    from periplus.pipeline.ranks import store_scores
    from periplus.pipeline.stages import BuildReport, build


__getattr__, __dir__ = offers(__name__, _HOMES)
