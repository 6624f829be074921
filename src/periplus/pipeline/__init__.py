"""How pages get into a collection, and how everything else is made from them.

`crawl` and `add` bring pages in. `STAGES` is the table of what is made of them, in order; `build` runs the stages that
are stale and no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "BuildReport": "periplus.pipeline.run",
    "STAGES": "periplus.pipeline.stages",
    "Stage": "periplus.pipeline.stages",
    "add": "periplus.pipeline.gather",
    "add_pages": "periplus.pipeline.gather",
    "build": "periplus.pipeline.run",
    "crawl": "periplus.pipeline.gather",
    "open_graph": "periplus.pipeline.graphs",
    "sample_web": "periplus.pipeline.live",
    "store_scores": "periplus.pipeline.stages.scores",
}

__all__ = [
    "STAGES",
    "BuildReport",
    "Stage",
    "add",
    "add_pages",
    "build",
    "crawl",
    "open_graph",
    "sample_web",
    "store_scores",
]

if TYPE_CHECKING:
    from periplus.pipeline.gather import add, add_pages, crawl
    from periplus.pipeline.graphs import open_graph
    from periplus.pipeline.live import sample_web
    from periplus.pipeline.run import BuildReport, build
    from periplus.pipeline.stages import STAGES, Stage
    from periplus.pipeline.stages.scores import store_scores


__getattr__, __dir__ = offers(__name__, _HOMES)
