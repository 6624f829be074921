"""Graphs that several tests of the structure read."""

from __future__ import annotations

import lzma

import numpy as np
import pytest
from tests.conftest import data_path

from periplus.graph import Graph


@pytest.fixture(scope="session")
def cnr() -> Graph:
    """cnr-2000 from its plain list of links; the tests that need it are skipped where the data is absent."""
    text = lzma.decompress((data_path("cnr-2000") / "edges.tsv.xz").read_bytes())
    ends = np.array(text.split(), dtype=np.uint32).reshape(-1, 2)
    return Graph.from_edges(ends[:, 0], ends[:, 1], 325_557)
