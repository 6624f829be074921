"""Two states of one web, aligned by name: the ranking of the later one, and of each page the change of that page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.rank import pagerank
from periplus.rank.updating.alignment import ranked_change


def web(links: list[tuple[str, str]], names: list[str]) -> Graph:
    ids = {name: page for page, name in enumerate(names)}
    ends = np.array([(ids[a], ids[b]) for a, b in links if a in ids and b in ids], dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(ends[:, 0], ends[:, 1], nodes=len(names), urls=NameTable.from_names(names))


letters = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)
links = st.lists(st.tuples(*[st.sampled_from("abcdefgh")] * 2), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(letters, letters, links, links)
def test_it_is_what_two_rankings_from_scratch_say(names, later_names, first, second):
    before, after = web(first, names), web(second, later_names)
    if not {*names} & {*later_names}:
        with pytest.raises(ParameterError, match="shares no page"):
            ranked_change(before, after)
        return
    found = ranked_change(before, after)
    now, was = pagerank(after), dict(zip(names, pagerank(before).values, strict=True))
    error = np.abs(found.scores.values - now.values).sum()
    assert error <= found.scores.error_bound + now.error_bound
    assert found.scores.error_bound < 1e-7
    assert found.was == pytest.approx([was.get(name, np.nan) for name in later_names], abs=1e-8, nan_ok=True)
    gained = [score - was.get(name, 0.0) for score, name in zip(now.values, later_names, strict=True)]
    assert found.moved == pytest.approx(gained, abs=1e-7)
    assert (found.new, found.gone) == (len({*later_names} - {*names}), len({*names} - {*later_names}))
    assert found.scores.urls is after.urls


def test_names_on_one_side_alone_are_refused():
    """As many pages on both sides say nothing: one may have gone and another come."""
    bare, named = Graph.from_edges([0, 1], [1, 0]), web([("a", "b")], ["a", "b"])
    for pair in ((bare, named), (named, bare)):
        with pytest.raises(ParameterError, match=r"without names.*--by-id"):
            ranked_change(*pair)
        assert ranked_change(*pair, by_id=True).by_id


def test_without_names_only_graphs_of_one_size_are_compared():
    before, after = Graph.from_edges([0, 1], [1, 0]), Graph.from_edges([0, 1, 2], [1, 2, 0])
    with pytest.raises(ParameterError, match="--by-id"):
        ranked_change(before, after)
    assert ranked_change(before, after, by_id=True).new == 1
    found = ranked_change(before, Graph.from_edges([1], [0]))
    assert (found.gone, found.by_id) == (0, True)


def test_a_name_that_stands_for_two_pages_is_refused():
    twice = Graph.from_edges([0, 1], [1, 0], urls=NameTable.from_names(["a", "a"]))
    with pytest.raises(ParameterError, match="each name once"):
        ranked_change(twice, twice)
