"""From hits to paths, from paths to a flow, from a flow to suggestions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.similar import association, association_usage, flow_of, suggest
from periplus.similar.usage.logs import Hit
from periplus.similar.usage.sessions import PAUSE, Sessions
from periplus.similar.usage.suggest import Suggestion, shorten


def paths(*hits: tuple[str, int, int] | tuple[str, int, int, int], robots: set[bytes] = frozenset()) -> list[list[int]]:
    """Paths of (visitor, time, page[, referrer page]); pages from 90 on are elsewhere."""
    made = [
        Hit(who.encode(), time, b"%d" % page, b"%d" % origin[0] if origin else b"") for who, time, page, *origin in hits
    ]
    find = lambda text: int(text) if int(text) < 90 else -1  # noqa: E731
    return sorted(Sessions(find, find).paths(made, set(robots)))


def test_each_visitor_has_a_path() -> None:
    assert paths(("a", 0, 1), ("b", 5, 7), ("a", 9, 2), ("a", 20, 3)) == [[1, 2, 3], [7]]


def test_a_pause_cuts_a_path() -> None:
    assert paths(("a", 0, 1), ("a", PAUSE, 2), ("a", 2 * PAUSE + 1, 3)) == [[1, 2], [3]]


def test_the_referrer_says_where_a_step_came_from() -> None:
    # 1 → 2, back to 1, → 3: the way back was not logged, but the referrer tells of it.
    assert paths(("a", 0, 1), ("a", 1, 2, 1), ("a", 2, 3, 1)) == [[1, 2, 1, 3]]
    assert paths(("a", 0, 2, 1)) == [[1, 2]]


def test_who_comes_from_elsewhere_begins_anew_and_reloading_is_no_step() -> None:
    assert paths(("a", 0, 1), ("a", 1, 2, 95)) == [[1], [2]]
    assert paths(("a", 0, 1), ("a", 1, 1), ("a", 2, 1, 95), ("a", 3, 2)) == [[1, 2]]


def test_robots_have_no_path() -> None:
    assert paths(("a", 0, 1), ("b", 1, 2), robots={b"a"}) == [[2]]


GRAPH = Graph.from_edges(*np.array([(0, 1), (1, 2), (2, 3), (0, 3), (3, 3), (4, 0)]).T, 5)
PATHS = [[0, 1, 2], [0, 1, 2, 3], [1, 3], [0, 1, 2], [4]]


def test_the_flow_counts_steps_visits_and_starts() -> None:
    flow = flow_of(PATHS, 5)
    steps = Counter((a, b) for path in PATHS for a, b in pairwise(path))
    sources = np.repeat(np.arange(5), flow.graph.out_degrees).tolist()
    found = zip(sources, flow.graph.out_targets.tolist(), strict=True)
    assert dict(zip(found, flow.counts.tolist(), strict=True)) == dict(steps)
    assert flow.visits.tolist() == [3, 4, 3, 2, 1]
    assert flow.starts.tolist() == [3, 1, 0, 0, 1]
    assert repr(flow) == "Flow(8 steps over 4 pairs of pages)"


@pytest.mark.parametrize("seed", range(5))
def test_the_flow_of_random_paths_is_that_of_a_plain_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = [rng.integers(0, 9, rng.integers(0, 6)).tolist() for _ in range(50)]
    flow = flow_of(made, 9)
    steps = Counter((a, b) for path in made for a, b in pairwise(path))
    assert int(flow.counts.sum()) == steps.total()
    assert flow.graph.links == len(steps)


def test_steps_off_the_links_and_links_nobody_takes() -> None:
    flow = flow_of(PATHS, 5)
    assert [tuple(step) for step in flow.off_the_links(GRAPH)] == [(1, 3, 1)]
    assert [tuple(step) for step in flow.unused(GRAPH)] == [(0, 3, 3), (4, 0, 1)]
    assert [tuple(one) for one in flow.without_links(GRAPH)] == [(0, 3, 3), (1, 1, 4), (3, 1, 2), (4, 1, 1)]
    assert [one.page for one in flow.without_links(GRAPH, 2)] == [0, 1]
    empty = flow_of([], 5)
    assert empty.without_links(GRAPH) == []
    assert empty.off_the_links(GRAPH) == empty.unused(GRAPH) == []
    assert len(flow.off_the_links(Graph.from_edges(np.zeros(0, int), np.zeros(0, int), 5))) == 4


def test_a_suggestion_saves_the_most_clicks_and_more_than_one_person() -> None:
    assert suggest(GRAPH, PATHS) == [Suggestion(0, 2, 3, 3)]
    assert suggest(GRAPH, PATHS, least=1)[1] == Suggestion(1, 3, 1, 1)
    assert suggest(GRAPH, PATHS, count=0) == []
    assert suggest(GRAPH, [[4, 0, 1, 3]] * 2, reach=2) == [Suggestion(4, 1, 2, 2)]


def test_far_ends_of_long_walks_are_no_suggestion() -> None:
    empty = Graph.from_edges(np.zeros(0, int), np.zeros(0, int), 30)
    walk = list(range(30))
    assert max(one.target - one.source for one in suggest(empty, [walk, walk], count=500, reach=4)) == 4


def test_what_a_link_does_to_paths() -> None:
    found = shorten(PATHS, [(0, 2), (1, 3)])
    assert (found.paths, found.shortened, found.clicks, found.clicks_saved) == (5, 3, 8, 3)
    assert (found.share, found.saved_each) == (0.6, 1.0)
    assert shorten([], [(0, 1)]).share == shorten(PATHS, []).saved_each == 0


def test_pages_that_are_none_are_refused() -> None:
    with pytest.raises(ParameterError, match="paths"):
        flow_of([[0, 5]], 5)


def test_usage_as_a_graph_for_every_other_tool() -> None:
    found = association_usage(GRAPH, PATHS)
    assert found.graph == found.graph.reverse()
    assert [(one.id, one.score) for one in found.nearest(1)] == [(0, 3.0), (2, 3.0), (3, 1.0)]
    assert found.nearest(1)[0].why == "3 people went from one to the other"
    same = association_usage(GRAPH, flow_of(PATHS, 5))
    assert same.graph == found.graph
    with pytest.raises(ParameterError, match="a flow over 5 pages"):
        association_usage(GRAPH, flow_of([[0]], 3))


def test_the_three_signs_together_and_each_alone() -> None:
    words = np.eye(5)
    words[0, 2] = words[4, 2] = 1
    matrix = csr_array(words)
    both = association(GRAPH, matrix, PATHS)
    alone = association(GRAPH, matrix, PATHS, links=0, text=0)
    assert alone.graph == association_usage(GRAPH, PATHS).graph
    assert both.graph.links >= alone.graph.links
    assert both.graph == both.graph.reverse()
    assert "both say" in {one.id: one.why for one in both.nearest(0)}[4]
    with pytest.raises(ParameterError, match="some part above 0"):
        association(GRAPH, matrix, PATHS, links=0, text=0, usage=0)
