"""Link database → the region of every page in the bow-tie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.numeric.arrays import AnyArray
from periplus.pipeline.links import LinkDatabase
from periplus.structure.bowtie import REGION_NAMES, regions

_REGIONS = "regions.npy"


def shape_stage(database: LinkDatabase, folder: Path) -> Mapping[str, Any]:
    """Find and store the regions."""
    found = regions(database.graph)
    np.save(folder / _REGIONS, found)
    counts = np.bincount(found, minlength=len(REGION_NAMES))
    return dict(zip(REGION_NAMES, counts.tolist(), strict=True))


def load_regions(collection: Collection) -> AnyArray:
    """The region of every page, as places in `REGION_NAMES`."""
    found: AnyArray = np.load(collection.current("structure") / _REGIONS, mmap_mode="r")
    return found
