"""The walks of a query against dense solutions of their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from tests.focus.webs import focus

from periplus.focus import Focus, rank_focus

ALPHA = 0.85


def matrix(around: Focus) -> np.ndarray:
    graph = around.web.graph
    links = np.zeros((graph.nodes, graph.nodes))
    links[graph.sources, graph.out_targets] = 1.0
    return links


def stationary(links: np.ndarray, preference: np.ndarray) -> np.ndarray:
    """π = α π H + (α π·a + 1 − α) v, by elimination."""
    degrees = links.sum(axis=1, keepdims=True)
    walk = np.where(degrees > 0, links / np.maximum(degrees, 1), preference[None, :])
    system = np.eye(len(links)) - ALPHA * walk.T
    return np.linalg.solve(system, (1 - ALPHA) * preference)


def test_topic_is_pagerank_of_the_topics_by_their_share_of_the_words() -> None:
    around = focus()
    topics, root = around.web.topics, around.pages[around.root]
    preference = np.zeros(around.web.graph.nodes)
    for topic in range(5):
        inside = topics == topic
        preference[inside] = around.text[topics[root] == topic].sum() / around.text.sum() / inside.sum()
    wanted = stationary(matrix(around), preference)
    found = rank_focus(around, "topic").scores
    assert found.values[around.root] == pytest.approx(wanted[root], abs=1e-3)
    assert np.abs(found.extra["walk"] - wanted).sum() <= found.error_bound
    outside = np.setdiff1d(np.arange(len(around.pages)), around.root)
    assert not found.values[outside].any()


def test_reputation_jumps_to_the_pages_with_the_words() -> None:
    around = focus()
    preference = np.zeros(around.web.graph.nodes)
    preference[around.matches.pages] = 1 / len(around.matches.pages)
    wanted = stationary(matrix(around), preference)
    found = rank_focus(around, "reputation").scores
    assert np.abs(found.extra["walk"] - wanted).sum() <= found.error_bound <= 1e-3
    assert found.values == pytest.approx(wanted[around.pages], abs=1e-3)


def test_pagerank_is_read_for_the_root_set_alone() -> None:
    around = focus()
    found = rank_focus(around, "pagerank").scores.values
    assert found[around.root].tolist() == around.web.standing[around.pages[around.root]].tolist()
    assert np.count_nonzero(found) == len(around.root)
