"""Communities of the sky, of a graph alone: planted blocks are found where pages begin by the tree."""

from __future__ import annotations

import numpy as np
import pytest
from tests.communities.webs import blocks

from periplus.communities import COMMUNITIES, adjusted_mutual_information
from periplus.errors import ParameterError
from periplus.gravity.constants import paper, sky


@pytest.mark.parametrize("name", ["attractors", "spheres", "dichotomy"])
def test_planted_blocks_are_found(name: str) -> None:
    graph = blocks(3, 5, 20, links=(8, 2, 0), seed=2)
    truth = np.arange(graph.nodes) // 20
    found = COMMUNITIES[name].function()(graph)
    held = found.labels >= 0
    assert held.mean() > 0.25
    assert adjusted_mutual_information(found.labels[held], truth[held]) > 0.5
    assert found.parameters["steps"] == 60


def test_the_preset_and_the_steps_are_those_asked_for() -> None:
    graph = blocks(3, 5, 20, links=(8, 2, 1), seed=2)
    literal = COMMUNITIES["attractors"].function()(graph, preset="paper", steps=5)
    assert literal.parameters["preset"] == "paper"
    assert literal.parameters["steps"] == 5
    assert paper(graph).damping == 1 > sky(graph).damping
    with pytest.raises(ParameterError, match="steps"):
        COMMUNITIES["attractors"].function()(graph, steps=-1)
