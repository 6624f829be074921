"""Broder's reach experiment: how much of a web can be reached from a page picked at random, and how much reaches it.

From each of some random pages one breadth-first search runs along the links and one against them. In Broder's web
of 203 million pages the searches from 570 starts either died out at once or "exploded" to about 100 million pages;
starts that explode both ways lie in the core. The sorted numbers of pages reached are the curve he drew.
Broder et al., "Graph structure in the Web", WWW9 (2000), figures 6–8; Deo & Gupta 4.1, third experiment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import Ids, Offsets
from periplus.structure.connectivity.sweeps import bits_of, both, spread


@dataclass(frozen=True, slots=True)
class Reach:
    """Pages reached from each start (the start included), along the links and against them."""

    starts: Ids
    forward: Offsets
    backward: Offsets
    nodes: int
    seed: int

    @property
    def exploding(self) -> tuple[float, float, float]:
        """Shares of the starts that reach at least a hundredth of the web: forward, backward, both ways."""
        if not len(self.starts):
            return 0.0, 0.0, 0.0
        far, back = self.forward * 100 >= self.nodes, self.backward * 100 >= self.nodes
        return float(far.mean()), float(back.mean()), float((far & back).mean())

    def to_dict(self) -> dict[str, Any]:
        """The shares that explode, and the sorted curves."""
        forward, backward, both_ways = self.exploding
        return {
            "starts": len(self.starts),
            "explode_forward": forward,
            "explode_backward": backward,
            "explode_both": both_ways,
            "forward": np.sort(self.forward).tolist(),
            "backward": np.sort(self.backward).tolist(),
        }


@checked
def reach_experiment(graph: Graph, *, starts: int = 100, seed: int = 0) -> Reach:
    """Sweeps from `starts` distinct random pages (all pages, where there are fewer), both ways."""
    if starts < 1:
        raise ParameterError("starts", starts, "at least 1")
    count = min(starts, graph.nodes)
    pages = np.random.default_rng(seed).choice(max(graph.nodes, 1), count, replace=False).astype(np.uint32)
    sides = (graph.out_offsets, graph.out_targets), (graph.in_offsets, graph.in_sources)
    forward, backward = both(lambda: _sizes(*sides[0], pages), lambda: _sizes(*sides[1], pages))
    return Reach(pages, forward, backward, graph.nodes, seed)


def _sizes(offsets: Offsets, ends: Ids, pages: Ids) -> Offsets:
    nodes = len(offsets) - 1
    stack = np.empty(nodes, np.uint32)
    sizes = np.empty(len(pages), np.int64)
    for at, page in enumerate(pages.tolist()):
        seen = bits_of(nodes)
        seen[page >> 3] = 1 << (page & 7)
        stack[0] = page
        sizes[at] = 1 + spread(offsets, ends, seen, stack, 1)
    return sizes
