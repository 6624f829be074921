"""The simulation against a plain transcription, PageRank, and the laws of mechanics."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from tests.oracles import gravity as oracle

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity import Constants, Simulation, ball, ring, summary
from periplus.gravity.constants import paper, sky
from periplus.models import MODELS
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import pagerank
from periplus.record import PagePositions


def some_graph(nodes: int = 30, links: int = 90, seed: int = 0) -> Graph:
    random = np.random.default_rng(seed)
    sources, targets = random.integers(0, nodes, (2, links))
    return Graph.from_edges(sources[sources != targets], targets[sources != targets], nodes)


def pairs_of(graph: Graph) -> list[tuple[int, int]]:
    return [(page, int(other)) for page in range(graph.nodes) for other in graph.successors(page)]


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 1000),
    st.integers(0, 4),
    st.booleans(),
    st.floats(0.0, 0.1),
    st.floats(0.5, 1.0),
)
def test_three_steps_are_those_of_the_plain_transcription(seed, delta, divided, expansion, damping):
    graph, random = some_graph(seed=seed), np.random.default_rng(seed)
    places, speeds, masses = random.standard_normal((30, 3)), np.zeros((30, 3)), list(random.random(30) + 0.1)
    chosen = {"gravity": 1e-4, "delta": delta, "divided": divided, "expansion": expansion, "damping": damping}
    simulation = Simulation(graph, places, Constants(**chosen), masses=masses, precision="float64")
    for at in range(3):
        places, speeds, masses = oracle.step(pairs_of(graph), places, speeds, masses, at=at, **chosen)
        simulation.step()
    np.testing.assert_allclose(simulation.positions, places, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(simulation.velocities, speeds, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(simulation.masses, masses, rtol=1e-11)


def test_without_distance_and_motion_the_masses_are_pageranks_iterates():
    graph = some_graph(300, 1200, seed=3)
    still = Constants(gravity=0.0, delta=0)
    simulation = Simulation(graph, ball(300), still, masses=np.full(300, 1 / 300), precision="float64")
    rank = np.full(300, 1 / 300)
    for _ in range(40):
        simulation.step()
        shares = np.divide(rank, graph.out_degrees, out=np.zeros(300), where=graph.out_degrees > 0)
        handed = np.array([shares[graph.predecessors(page)].sum() for page in range(300)])
        rank = 0.85 * handed + (0.85 * rank[graph.dangling].sum() + 0.15) / 300
        assert np.abs(simulation.masses - rank).max() < 1e-12
    exact = pagerank(graph, dangling="uniform", stop=Tol(1e-13) | MaxIter(1000))
    simulation.run(200)
    assert np.abs(simulation.masses - exact.values).sum() < 1e-10


def test_momentum_is_kept_without_expansion_and_transfer():
    graph, random = some_graph(200, 1000), np.random.default_rng(1)
    calm = Constants(gravity=1e-5, transfer=False)
    masses, speeds = random.random(200) + 0.5, random.standard_normal((200, 3)) * 1e-3
    simulation = Simulation(graph, ball(200), calm, masses=masses, velocities=speeds, precision="float64")
    before = masses @ speeds
    simulation.run(200)
    assert np.abs(masses @ simulation.velocities - before).max() < 1e-12
    assert np.array_equal(simulation.masses, masses)


@pytest.mark.parametrize("preset", [paper, sky])
def test_total_mass_is_always_kept(preset):
    graph = some_graph(500, 1500)
    simulation = Simulation(graph, ball(500), preset(graph))
    simulation.run(200)
    assert abs(float(simulation.masses.sum(dtype=float)) - 500) < 500 * 1e-6
    assert simulation.masses.min() > 0


def test_two_bodies_fall_as_newton_says():
    """From rest at distance 1, with one link each way; the time comes from the energy, by quadrature."""
    softening, pull = 0.02, 4e-6  # each link pulls both ends: x¨ = −4G x/(x² + ε²)^1.5

    def slowness(x: float) -> float:
        return 1 / math.sqrt(2 * pull * (1 / math.hypot(x, softening) - 1 / math.hypot(1, softening)))

    graph = Graph.from_edges(np.array([0, 1]), np.array([1, 0]), 2)
    errors = []
    for time_step in (2.0, 1.0):
        law = Constants(gravity=1e-6, softening=softening, time_step=time_step, transfer=False)
        simulation = Simulation(graph, [[-0.5, 0, 0], [0.5, 0, 0]], law, precision="float64")
        simulation.run(round(500 / time_step))
        apart = float(simulation.positions[1, 0] - simulation.positions[0, 0])
        errors.append(abs(quad(slowness, apart, 1)[0] - 500))
    assert apart < 0.5
    assert errors[1] < 1.0  # first order: half a step, and half as much with half the step
    assert errors[1] < 0.6 * errors[0]


def test_the_bits_are_the_same_for_any_number_of_threads_and_from_any_checkpoint(tmp_path):
    graph = MODELS["watts-strogatz"].generate(n=20_000, d=10, p=0.1, seed=1)
    whole = Simulation(graph, ring(20_000), paper(graph)).run(6)
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        halfway = Simulation(graph, ring(20_000), paper(graph)).run(3).record()
    finally:
        numba.set_num_threads(before)
    halfway.save(tmp_path, "halfway")
    again = Simulation.resume(graph, PagePositions.load(tmp_path, "halfway")).run(3)
    assert again.steps == 6
    for name in ("positions", "velocities", "masses"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))


def test_a_checkpoint_of_another_graph_is_refused():
    record = Simulation(some_graph(), ball(30)).record()
    with pytest.raises(ParameterError, match="this very graph"):
        Simulation.resume(some_graph(seed=5), record)


@pytest.mark.parametrize(
    ("constants", "said"),
    [
        ({"gravity": 1.0, "softening": 1e-4}, r"gravity \(G\), softening \(ε\), time_step \(dt\)"),
        ({"gravity": math.nan}, "gravity"),
        ({"gravity": -1.0}, "gravity"),
        ({"softening": 0.0}, "softening"),
        ({"expansion": 1.0}, "expansion"),
        ({"expansion": math.inf}, "expansion"),
        ({"delta": 9}, "delta"),
        ({"damping": 1.1}, "damping"),
        ({"time_step": 1e9}, "time_step"),
        ({"gravity": 1e300}, "gravity"),
        ({"gravity": 0.0, "softening": 1e-30}, "softening"),
        ({"softening": 1e30}, "softening"),
        ({"farthest": 1e300}, "farthest"),
    ],
)
def test_constants_that_must_explode_are_refused_by_name(constants, said):
    with pytest.raises(ParameterError, match=said):
        Simulation(some_graph(), ball(30), Constants(**constants))


@pytest.mark.parametrize(
    "start", [np.zeros((30, 2)), np.full((30, 3), np.nan), np.full((30, 3), 1e30), "here", None, np.zeros((29, 3))]
)
def test_a_start_that_is_none_is_refused(start):
    with pytest.raises(ParameterError, match="start"):
        Simulation(some_graph(), start)


def test_two_pages_at_one_point_and_all_mass_on_one_page_stay_finite():
    graph = some_graph(100, 400)
    masses = np.zeros(100)
    masses[7] = 100.0
    for preset in (paper, sky):
        for start in (np.zeros((100, 3)), ball(100)):
            simulation = Simulation(graph, start, preset(graph), masses=masses).run(100)
            assert np.isfinite(simulation.positions).all()
            assert np.isfinite(simulation.masses).all()


@pytest.mark.parametrize("links", [0, 400])
@pytest.mark.parametrize("softening", [1e-6, 1e6])
@pytest.mark.parametrize("delta", [0, 4])
@pytest.mark.filterwarnings("error")
def test_at_the_bounds_of_the_constants_there_is_no_nan(links, softening, delta):
    """Two pages at one point, ε the least and the largest, and G the largest that moves nothing apart."""
    graph = some_graph(100, links) if links else Graph.from_edges(np.zeros(0, int), np.zeros(0, int), 100)
    gravity = 0.01 * softening**3 if links else 1e30
    most = Constants(gravity=gravity, softening=softening, delta=delta, time_step=1.0 if links else 1e6, expansion=0.4)
    start = ball(100)
    start[:10] = 0.0
    simulation = Simulation(graph, start, most).run(20)
    for values in (simulation.positions, simulation.velocities, simulation.masses):
        assert np.isfinite(values).all()
    assert float(simulation.masses.sum(dtype=float)) == pytest.approx(100, abs=1e-4)
    assert np.isfinite(list(summary(simulation).to_dict().values())).all()


def test_no_gravity_no_expansion_nothing_moves():
    graph = some_graph()
    simulation = Simulation(graph, ball(30), Constants(gravity=0.0)).run(10)
    assert np.array_equal(simulation.positions, ball(30).astype(np.float32))


def test_one_page_no_pages_and_a_page_without_links():
    for nodes in (0, 1):
        empty = Graph.from_edges(np.zeros(0, int), np.zeros(0, int), nodes)
        assert len(Simulation(empty, ball(nodes), paper(empty)).run(5).record()) == nodes
        assert summary(Simulation(empty, ball(nodes), paper(empty))).pair_distance == 0.0
    lonely = Graph.from_edges(np.array([0, 1]), np.array([1, 0]), 3)
    simulation = Simulation(lonely, [[-1.0, 0, 0], [1.0, 0, 0], [0, 1.0, 0]], Constants(gravity=1e-3)).run(20)
    assert simulation.positions[2].tolist() == [0.0, 1.0, 0.0]
    assert simulation.masses[2] > 0


def test_energy_of_a_closed_world_is_kept():
    graph = some_graph(100, 400)
    calm = Constants(gravity=1e-6, softening=0.2, transfer=False)
    simulation = Simulation(graph, ball(100), calm, precision="float64")
    before = summary(simulation)
    after = summary(simulation.run(300))
    assert after.kinetic > 0.1 * abs(before.potential)  # it has moved
    assert abs(after.energy - before.energy) < 0.01 * abs(before.potential)


def test_it_holds_36_bytes_per_page_in_single_precision() -> None:
    assert Simulation(some_graph(500), ball(500), Constants()).nbytes == 36 * 500
