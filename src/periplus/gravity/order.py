"""Orders of the nodes from the sky: near pages get near numbers (Bennouas, Bouklit and de Montgolfier 2003, §7).

The paper closes with two ideas: the tree of near pages is a second tree beside that of the sites, dense in links that
leave their site; and both together should serve better than either. Here the tree of near pages is the octree of the
sky, walked along Hilbert's curve: `by_sky` orders pages by it, `by_sky_and_site` orders *hosts* by it (each at the
mean of its pages) and keeps the order of the URLs within a host. Cost: one sort.
"""

from __future__ import annotations

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity.hilbert import BITS, places_of
from periplus.numeric.arrays import AnyArray, Ids
from periplus.record import PagePositions


def by_sky(sky: PagePositions) -> Ids:
    """The pages along Hilbert's curve through the sky: `order[new] = old`."""
    return np.argsort(places_of(_cells(sky.positions)), kind="stable").astype(np.uint32)


def by_sky_and_site(graph: Graph, sky: PagePositions) -> Ids:
    """Hosts along Hilbert's curve, and the pages of a host in the order of their ids."""
    if graph.urls is None:
        raise ParameterError("order", "sky-and-site", "only for a graph with URLs: try sky")
    hosts = np.asarray(graph.urls.host_ids(), np.int64)
    counts = np.maximum(np.bincount(hosts), 1)
    sums = [np.bincount(hosts, np.asarray(sky.positions[:, axis], np.float64)) for axis in range(3)]
    place = places_of(_cells(np.stack(sums, axis=1) / counts[:, None]))
    return np.lexsort((np.arange(len(hosts)), hosts, place[hosts])).astype(np.uint32)


def _cells(places: AnyArray) -> AnyArray:
    """Whole coordinates from 0 to 2^BITS − 1; the nearest 99 % fill the cube, pages far out lie on its faces."""
    if not len(places):
        return np.zeros((0, 3), np.uint64)
    low, high = np.quantile(places, [0.005, 0.995], axis=0)
    side = max(float((high - low).max()), 1e-300)
    scaled = (np.asarray(places, np.float64) - low) / side * (2**BITS - 1)
    return np.clip(scaled, 0, 2**BITS - 1).astype(np.uint64)
