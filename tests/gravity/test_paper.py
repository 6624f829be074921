"""The three pictures of Bennouas, Bouklit and de Montgolfier (2003, figures 5 to 7), as numbers over two seeds."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.gravity import Simulation, ring, summary
from periplus.gravity.constants import paper
from periplus.gravity.measure import group_sizes
from periplus.models import MODELS


def small_world(p: float, seed: int, pages: int = 1000) -> Simulation:
    graph = MODELS["watts-strogatz"].generate(n=pages, d=10, p=p, seed=seed)
    return Simulation(graph, ring(pages), paper(graph))


@pytest.mark.parametrize("seed", [0, 1])
def test_figure_5_a_ring_contracts_to_one_community(seed):
    simulation = small_world(0.0, seed)
    widest, closest, held = 0.0, np.inf, 0.0
    for _ in range(150):
        moment = summary(simulation.run(20))
        widest = max(widest, moment.radius)
        if moment.radius < closest:
            closest, held = moment.radius, group_sizes(simulation.positions, 0.1)[0] / 1000
    assert closest < 0.1 * widest
    assert held == 1.0


@pytest.mark.parametrize(
    ("seed", "pages"), [(0, 1000), (1, 1000), *(pytest.param(seed, 3000, marks=pytest.mark.long) for seed in (0, 1))]
)
def test_figure_7_a_random_graph_dissolves(seed, pages):
    simulation = small_world(1.0, seed, pages)
    before = summary(simulation)
    after = summary(simulation.run(3000))
    assert after.link_distance >= 5 * before.link_distance
    assert 0.85 < after.gathered < 1.0


@pytest.mark.parametrize("p", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("seed", [0, 1])
def test_figure_6_a_small_world_parts_into_several_communities(p, seed):
    simulation = small_world(p, seed)
    best = 0
    for _ in range(15):
        simulation.run(200)
        sizes = group_sizes(simulation.positions, 0.1 * summary(simulation).radius)
        if sizes[sizes >= 10].sum() >= 0.99 * 1000:
            best = max(best, int((sizes >= 10).sum()))
    assert best >= 2


def test_gravity_stays_as_rings_grow_until_a_step_would_throw_pages_past_each_other():
    constants = {pages: small_world(0.0, 0, pages).constants for pages in (1000, 3000, 20_000)}
    assert constants[3000].gravity == pytest.approx(constants[1000].gravity)
    assert constants[3000].softening == pytest.approx(0.05, abs=1e-3)
    last = constants[20_000]
    assert last.gravity * 20 / last.softening**3 == pytest.approx(1.0)  # ten links per page, each pulls both its ends
