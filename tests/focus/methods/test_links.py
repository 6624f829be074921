"""The rankings by the links of the base set are those of `periplus.rank` over the right graph and numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.focus.webs import focus

from periplus.focus import rank_focus


def test_hits_is_the_principal_eigenvector_of_the_base_set() -> None:
    around = focus()
    links = np.zeros((len(around.pages),) * 2)
    links[around.graph.sources, around.graph.out_targets] = 1.0
    _, _, right = np.linalg.svd(links)
    found = rank_focus(around, "hits").scores
    assert found.values == pytest.approx(np.abs(right[0]), abs=1e-5)
    assert found.extra["hubs"] == pytest.approx(np.abs(links @ right[0]) / np.linalg.norm(links @ right[0]), abs=1e-5)


def test_salsa_is_in_degree_within_a_component() -> None:
    around = focus()
    found = rank_focus(around, "salsa").scores.values
    linked = around.graph.in_degrees > 0
    ratio = found[linked] / around.graph.in_degrees[linked]
    assert len(np.unique(ratio.round(12))) < 0.2 * linked.sum()
    assert not found[~linked].any()


def test_distillation_leaves_out_what_is_not_near_the_words() -> None:
    around = focus()
    found = rank_focus(around, "distillation").scores
    far = around.likeness < np.median(around.likeness)
    assert not found.values[far | (around.likeness == 0)].any()


def test_one_host_has_one_voice_where_hosts_are_several() -> None:
    around = focus(pages=300, links=4000, sites=3)
    sites = around.web.graph.urls.site_ids()[around.pages]
    near = np.where(around.likeness >= np.median(around.likeness), around.likeness, 0.0)
    weights = np.zeros((len(near),) * 2)
    for source, target in zip(around.graph.sources.tolist(), around.graph.out_targets.tolist(), strict=True):
        weights[source, target] = near[source] > 0 and near[target] > 0
    into, out = weights.copy(), weights.copy()
    for site in range(3):
        into[sites == site] /= np.maximum(weights[sites == site].sum(axis=0), 1)
        out[:, sites == site] /= np.maximum(weights[:, sites == site].sum(axis=1, keepdims=True), 1)
    authorities = np.ones(len(near))
    relevance = near / near.max()
    for _ in range(500):
        authorities = into.T @ (relevance * (out @ (relevance * authorities)))
        authorities /= np.linalg.norm(authorities)
    assert rank_focus(around, "distillation").scores.values == pytest.approx(authorities, abs=1e-4)


def test_markov_moves_among_the_results() -> None:
    around = focus(count=12)
    found = rank_focus(around, "markov").scores.values
    root, tendency = around.root, np.full((12, 12), 0.15)
    for i, one in enumerate(root):
        for j, other in enumerate(root):
            if around.graph.has_edge(int(one), int(other)):
                tendency[i, j] = 0.4
            elif around.graph.has_edge(int(other), int(one)):
                tendency[i, j] = 0.2
    np.fill_diagonal(tendency, 0.25 * around.text / around.text.max())
    chain = tendency / tendency.sum(axis=1, keepdims=True)
    wanted = np.full(12, 1 / 12)
    for _ in range(5000):
        wanted = wanted @ chain
    assert found[root] == pytest.approx(wanted, abs=1e-6)
    assert found.sum() == pytest.approx(1)
