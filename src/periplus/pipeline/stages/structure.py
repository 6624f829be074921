"""Link database → the region of every page in the bow-tie, and the whole study after the first request.

The regions are found with every build. The study takes longer than all other stages together and few people need it, so
the first request makes it. It is kept beside the regions; a new build discards both.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.errors import MissingStageError, PeriplusError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.numeric.npy import load_array, save_array
from periplus.pipeline.growth import with_growth
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.structure.connectivity.bowtie import REGION_NAMES, regions

_REGIONS = "regions.npy"
_STUDY = "study.json"


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    found = regions(load_links(collection).graph)
    save_array(folder / _REGIONS, found)
    counts = np.bincount(found, minlength=len(REGION_NAMES))
    return dict(zip(REGION_NAMES, counts.tolist(), strict=True))


def load_regions(collection: Collection) -> AnyArray:
    """The region of every page, as places in `REGION_NAMES`."""
    return load_array(collection.current("structure") / _REGIONS, mapped=True)


def load_study(collection: Collection, digest: str) -> dict[str, Any] | None:
    """The study of the graph with this digest; None where none is kept, or one of another graph."""
    try:
        found = json.loads((collection.current("structure") / _STUDY).read_bytes())
    except (MissingStageError, OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("graph_digest") == digest else None


def complete_study(found: dict[str, Any], collection: Collection, graph: Graph) -> dict[str, Any]:
    """A study (`Study.to_dict`) with the growth of the collection, kept beside the regions for the next request.

    This works too when the collection is read-only or being written: then nothing is kept.
    """
    found = with_growth(found, collection, graph)
    kept = load_study(collection, graph.digest)
    if kept is not None and not kept.get("fast") and found.get("fast"):
        return found  # the better one stays
    with contextlib.suppress(PeriplusError, OSError):
        collection.keep("structure", {_STUDY: json.dumps(found, separators=(",", ":")).encode()})
    return found


STAGE = Stage(
    "structure",
    "find the region of every page in the bow-tie",
    inputs=("graph",),
    run=_run,
    load=load_regions,
    files={_REGIONS: "the bow-tie region of each page", _STUDY: "the whole study, after the first request"},
)
