"""The base set against its definition, page by page."""

from __future__ import annotations

import numpy as np
import pytest
from tests.focus.webs import focus, matches, web

from periplus.focus import Matches, Web, focus_on
from periplus.focus import base as module
from periplus.graph.graph import Graph


def of(made: Web, pages: list[int]) -> Matches:
    text = np.arange(len(pages), 0, -1.0)
    none = np.zeros(0, np.uint32), np.zeros(0)
    return Matches(np.array(pages, np.uint32), text, text, *none)


def test_root_successors_and_predecessors_with_the_links_between_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEFORE", 10_000)
    found = focus()
    graph, root = found.web.graph, found.matches.pages.tolist()
    wanted = set(root)
    for page in root:
        wanted |= set(graph.successors(page).tolist()) | set(graph.predecessors(page).tolist())
    assert found.pages.tolist() == sorted(wanted)
    assert found.pages[found.root].tolist() == root
    sites = graph.urls.site_ids()
    links = {
        (page, other)
        for page in wanted
        for other in graph.successors(page).tolist()
        if other in wanted and sites[page] != sites[other]
    }
    kept = zip(found.pages[found.graph.sources].tolist(), found.pages[found.graph.out_targets].tolist(), strict=True)
    assert set(kept) == links
    assert not found.navigation


def test_the_root_set_is_the_best_by_text_and_the_first_by_both() -> None:
    made = web(pages=1500, links=3000)
    given = matches(1500, 450)
    given = given._replace(blended=given.text[::-1])
    found = focus_on(made, given)
    both = set(np.argsort(-given.blended, kind="stable")[: module.FIRST].tolist())
    chosen = sorted(set(range(module.ROOT)) | both)
    assert len(chosen) > module.ROOT
    assert found.pages[found.root].tolist() == given.pages[chosen].tolist()
    assert found.text.tolist() == given.text[chosen].tolist()


def test_a_page_that_many_link_to_brings_in_a_bounded_number_from_all_sites() -> None:
    pages = 1200
    made = web(pages=pages, links=10, sites=40)
    to_one = Graph.from_edges(np.arange(1, pages), np.zeros(pages - 1, np.int64), pages, urls=made.graph.urls)
    found = focus_on(Web(to_one), of(made, [0]))
    assert len(found.pages) == module.BEFORE + 1
    assert len(set(to_one.urls.site_ids()[found.pages])) >= 39


def test_where_nearly_all_links_are_within_a_site_they_count() -> None:
    made = web(sites=1)
    found = focus_on(made, matches(400))
    assert found.navigation
    assert found.graph.links
    assert not (found.graph.sources == found.graph.out_targets).any()


def test_a_graph_without_urls_leaves_out_loops_only() -> None:
    graph = Graph.from_edges([0, 0, 1], [0, 1, 2], 3)
    found = focus_on(Web(graph), of(web(), [0, 1]))
    assert sorted(zip(found.graph.sources.tolist(), found.graph.out_targets.tolist(), strict=True)) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("pages", [[], [7]])
def test_no_result_and_one(pages: list[int]) -> None:
    made = web(links=0)
    found = focus_on(made, of(made, pages))
    assert found.pages.tolist() == pages
    assert found.graph.links == 0
    assert found.likeness.tolist() == [1.0] * len(pages)


def test_likeness_is_the_best_text_score_over_the_highest() -> None:
    found = focus()
    scores = dict(zip(found.matches.partly.tolist(), found.matches.partly_text.tolist(), strict=True))
    for page, text in zip(found.matches.pages.tolist(), found.matches.text.tolist(), strict=True):
        scores[page] = max(text, scores.get(page, 0.0))
    wanted = np.array([scores.get(page, 0.0) for page in found.pages.tolist()])
    assert found.likeness == pytest.approx(wanted / wanted.max())
