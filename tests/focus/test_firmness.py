"""What is said of firmness is true: the theorem of every page it calls safe, the experiment of its count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.focus.webs import focus

from periplus.focus import Focus, Matches, Web, firmness_of, focus_on, rank_focus
from periplus.focus.ranking import perturbed
from periplus.graph.graph import Graph


def rewired(around: Focus, page: int, seed: int) -> Focus:
    """The same matches in a web where one page links elsewhere."""
    graph, rng = around.web.graph, np.random.default_rng(seed)
    kept = graph.sources != page
    fresh = rng.choice(graph.nodes, int(rng.integers(1, 20)), replace=False)
    sources = np.concatenate((graph.sources[kept], np.full(len(fresh), page)))
    changed = Graph.from_edges(sources, np.concatenate((graph.out_targets[kept], fresh)), graph.nodes, urls=graph.urls)
    return replace(around, web=Web(changed, around.web.standing, around.web.topics))


@pytest.mark.parametrize("top", [1, 3, 10])
def test_no_safe_page_can_change_the_first_ones(top: int) -> None:
    around = focus()
    found = rank_focus(around, "topic")
    told = firmness_of(around, found, top=top)
    assert told.safe_pages is not None
    walk = found.scores.extra["walk"]
    safe = np.argsort(walk, kind="stable")[: told.safe_pages]
    first = set(found.pages[:top].tolist())
    for seed, page in enumerate(safe[-25:].tolist()):
        again = rank_focus(rewired(around, page, seed), "topic")
        assert set(again.pages[:top].tolist()) == first
    assert f"{told.safe_pages:,} page" in told.sentence or "already change" in told.sentence


def test_the_count_of_the_experiment_is_that_of_the_changed_links() -> None:
    around = focus()
    for name in ("hits", "salsa", "distillation", "two-level-reputation"):
        found = rank_focus(around, name)
        again = perturbed(around, name, share=0.1, seed=0)
        told = firmness_of(around, found, top=10)
        assert told.kept == len(set(found.pages[:10].tolist()) & set(again.pages[:10].tolist()))
        assert str(told.kept) in told.sentence


def test_hits_tells_its_eigengap_and_a_multiple_eigenvalue() -> None:
    around = focus()
    told = firmness_of(around, rank_focus(around, "hits"))
    assert told.eigengap > 0
    assert f"{2 * told.eigengap:.3g}" in told.sentence
    two_stars = Graph.from_edges([0, 1, 3, 4], [2, 2, 5, 5], 6)
    all_pages = np.arange(6, dtype=np.uint32)
    text = np.arange(6, 0, -1.0)
    even = focus_on(Web(two_stars), Matches(all_pages, text, text, all_pages, text))
    told = firmness_of(even, rank_focus(even, "hits"))
    assert told.degenerate
    assert "another community" in told.sentence


def test_words_alone_do_not_depend_on_links_and_both_say_how_much() -> None:
    around = focus()
    assert firmness_of(around, rank_focus(around, "text")).sentence == "Links play no part"
    by_text, both = (set(rank_focus(around, name).pages[:10].tolist()) for name in ("text", "blended"))
    assert firmness_of(around, rank_focus(around, "blended")).kept == len(by_text & both)
