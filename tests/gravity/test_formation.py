"""Films of a sky: frames against the positions themselves, and going on after a break."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity import Simulation, ball, formation, summary
from periplus.gravity.constants import sky
from periplus.gravity.formation import Formation, as_frame, by_mass, frame_steps
from periplus.models import MODELS
from periplus.record import PagePositions


def some_formation(steps: int = 100, nodes: int = 300) -> Formation:
    graph = MODELS["watts-strogatz"].generate(n=nodes, d=4, p=0.1, seed=1)
    return Formation(Simulation(graph, ball(nodes), sky(graph)), steps, about={"preset": "sky"})


def places(record: PagePositions, frame: int) -> np.ndarray:
    """What a frame says of every page, by page id."""
    found = np.empty((len(record), 3))
    reach = record.findings["reach"][frame]
    found[record.extra["order"]] = record.extra["frames"][frame] / 32767 * reach
    return found


def test_frames_hold_the_moments_they_name():
    record = some_formation().run().record()
    assert record.findings["frame_steps"] == frame_steps(100)
    assert record.iterations == record.parameters["steps"] == 100
    again = some_formation().simulation
    for frame in (0, 7, 60):
        again.run(record.findings["frame_steps"][frame] - again.steps)
        reach = record.findings["reach"][frame]
        inside = np.clip(again.positions, -reach, reach)
        assert np.abs(places(record, frame) - inside).max() <= reach / 32767
        assert (inside != again.positions).any(axis=1).mean() <= 0.01
        assert record.findings["history"]["gathered"][frame] == summary(again).gathered


def test_a_film_goes_on_after_a_break_with_the_same_bits(tmp_path):
    whole = some_formation().run().record()
    first = some_formation()

    def stop(so_far: Formation) -> None:
        if so_far.simulation.steps == 37:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.run(each=stop)
    halfway = first.record()
    assert not halfway.converged
    halfway.save(tmp_path, "halfway")
    loaded = PagePositions.load(tmp_path, "halfway")
    assert Formation.resume(first.simulation.graph, loaded).run().record() == whole


@pytest.mark.parametrize("steps", [0, 1, 5, 60, 61, 3000])
def test_frames_lie_evenly_between_both_ends(steps):
    moments = frame_steps(steps)
    assert moments[0] == 0
    assert moments[-1] == steps
    assert len(moments) == min(steps, 60) + 1
    assert np.ptp(np.diff(moments)) <= 1 if steps > 1 else True


def test_of_a_large_graph_a_third_of_the_moments_is_kept(monkeypatch):
    monkeypatch.setattr(formation, "MANY", 100)
    record = some_formation().run().record()
    assert record.findings["frame_steps"] == list(range(0, 101, 5))
    assert len(record.findings["history"]["energy"]) == len(record.extra["frames"]) == 21


def test_beyond_the_limit_the_pages_most_linked_to_are_filmed(monkeypatch):
    monkeypatch.setattr(formation, "FILMED", 50)
    record = some_formation(10).run().record()
    graph = some_formation().simulation.graph
    order, masses = record.extra["order"], record.extra["masses"]
    assert record.extra["frames"].shape == (11, 50, 3)
    assert sorted(order.tolist()) == list(range(300))
    assert graph.in_degrees[order[:50]].min() >= graph.in_degrees[order[50:]].max()
    assert (np.diff(masses[order[:50]]) <= 1e-6).all()
    last = record.extra["frames"][-1] / 32767 * record.findings["reach"][-1]
    assert np.abs(last - record.positions[order[:50]]).max() < 0.1


def test_the_heaviest_come_first_and_ties_by_id():
    masses = np.array([1.0, 3.0, 1.0, 3.0, 2.0], np.float32)
    assert by_mass(masses, np.arange(5, dtype=np.uint32)).tolist() == [1, 3, 4, 0, 2]
    assert by_mass(masses, np.array([0, 4], np.uint32)).tolist() == [4, 0, 1, 3, 2]


def test_one_page_far_out_does_not_blur_the_others():
    points = np.vstack([ball(5000, seed=1), [[1e6, 0, 0]]])
    frame, reach = as_frame(points)
    assert reach < 2
    assert frame[-1].tolist() == [32767, 0, 0]


@pytest.mark.parametrize("nodes", [0, 1])
def test_no_pages_and_one_page(nodes):
    graph = Graph.from_edges(np.zeros(0, int), np.zeros(0, int), nodes)
    record = Formation(Simulation(graph, np.zeros((nodes, 3))), 5).run().record()
    assert record.extra["frames"].shape == (6, nodes, 3)


def test_a_checkpoint_of_a_bare_simulation_is_refused():
    bare = some_formation().simulation
    with pytest.raises(ParameterError, match="checkpoint of a formation"):
        Formation.resume(bare.graph, bare.record())
