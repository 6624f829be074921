"""Orders from the sky."""

from __future__ import annotations

import numpy as np

from periplus.graph.graph import Graph
from periplus.graph.order import mean_log_gap
from periplus.graph.urls.table import UrlTable
from periplus.gravity import by_sky, by_sky_and_site, world
from periplus.gravity.hilbert import BITS, cells_of, places_of
from periplus.models import MODELS
from periplus.record import PagePositions


def test_the_curve_walks_through_neighbouring_cells():
    """All cells of the lowest 8³ corner, in the order of the curve: each step goes to a face neighbour."""
    cells = np.stack(np.meshgrid(*[np.arange(8)] * 3, indexing="ij"), axis=-1).reshape(-1, 3).astype(np.uint64)
    places = places_of(cells)
    assert sorted(places.tolist()) == list(range(512))
    walk = cells[np.argsort(places)].astype(int)
    assert (np.abs(np.diff(walk, axis=0)).sum(axis=1) == 1).all()


def test_the_curve_leads_back_from_its_places_to_the_cells():
    cells = np.random.default_rng(0).integers(0, 2**BITS, (2000, 3)).astype(np.uint64)
    cells[0], cells[1] = 0, 2**BITS - 1
    assert np.array_equal(cells_of(places_of(cells)), cells)


def test_pages_that_gather_get_near_numbers():
    graph = MODELS["watts-strogatz"].generate(n=2000, d=10, p=0.02, seed=1)
    shuffled = graph.reordered(np.random.default_rng(0).permutation(2000))
    moving = world(shuffled, "sky", seed=1, gravity=1e-3, softening=0.1)
    order = by_sky(moving.run(200).record())
    assert sorted(order.tolist()) == list(range(2000))
    assert mean_log_gap(shuffled.subgraph(order)) < mean_log_gap(shuffled) - 2


def test_hosts_stay_together_in_the_order_of_both_trees():
    urls = [f"http://h{host}.net/{page}" for host in range(5) for page in range(4)]
    graph = Graph.from_edges(np.arange(19), np.arange(1, 20), 20, urls=UrlTable.from_urls(urls))
    places = np.random.default_rng(0).standard_normal((20, 3))
    order = by_sky_and_site(graph, PagePositions("gravity", places))
    hosts = np.asarray(graph.urls.host_ids())[order]
    assert sorted(order.tolist()) == list(range(20))
    assert (np.diff(hosts) != 0).sum() == 4
