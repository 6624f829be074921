"""What every ranking of a query promises, whatever it ranks by."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.focus.test_base import of
from tests.focus.webs import focus, web

from periplus.errors import ParameterError
from periplus.focus import QUERY_RANKERS, Web, firmness_of, focus_on, rank_focus
from periplus.focus import base as module
from periplus.focus.ranking import offered
from periplus.graph.graph import Graph

NAMES = list(QUERY_RANKERS)


@pytest.mark.parametrize("name", NAMES)
def test_a_score_for_each_page_of_the_base_set_and_a_list_best_first(name: str) -> None:
    around = focus()
    found = rank_focus(around, name)
    values = found.scores.values
    assert values.shape == around.pages.shape
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert set(around.pages[around.root].tolist()) <= set(found.pages.tolist())
    listed = values[np.searchsorted(around.pages, found.pages)]
    assert (np.diff(listed) <= 1e-9 * listed[0]).all()
    assert (listed[: found.scored] > 0).all()
    assert not listed[found.scored :].any()
    assert bool(len(found.hubs)) == found.row.hubs == ("hubs" in found.row.returns)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_query_has_the_same_answer(name: str) -> None:
    one, other = (rank_focus(focus(), name) for _ in range(2))
    assert one.pages.tolist() == other.pages.tolist()
    assert one.hubs.tolist() == other.hubs.tolist()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("pages", [[], [7], [7, 9]])
def test_pages_without_links_stand_in_the_order_of_the_words(name: str, pages: list[int]) -> None:
    made = web(links=0)
    made = made._replace(standing=np.full(made.graph.nodes, 1 / made.graph.nodes))
    around = focus_on(made, of(made, pages))
    found = rank_focus(around, name)
    assert found.pages.tolist() == pages
    assert bool(found.notes) == (bool(pages) and "links" in found.row.needs)
    assert isinstance(firmness_of(around, found).sentence, str)


@pytest.mark.parametrize("name", NAMES)
def test_its_firmness_is_a_sentence_and_plain_data(name: str) -> None:
    around = focus()
    told = firmness_of(around, rank_focus(around, name))
    assert told.shown == 10
    assert not told.sentence[:1].islower()
    assert bool(told.sentence) == (name != "markov")
    assert json.loads(json.dumps(told.to_dict()))["ranking"] == name


@pytest.mark.parametrize("name", ["topic", "reputation"])
def test_a_large_web_is_walked_around_the_query_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    around = focus()
    monkeypatch.setattr(module, "MOST_WALKED", around.web.graph.links - 1)
    found = rank_focus(around, name)
    assert any("large" in note for note in found.notes)
    assert len(found.scores.extra["walk"]) == len(around.pages)


def test_what_a_web_has_not_is_not_offered() -> None:
    bare = Web(Graph.from_edges([0], [1], 2))
    assert offered(bare) == tuple(name for name in NAMES if name not in ("pagerank", "topic"))
    for name, says in (("pagerank", "no PageRank"), ("topic", "no tree")):
        with pytest.raises(ParameterError, match=says):
            rank_focus(replace(focus(), web=bare), name)
    with pytest.raises(ParameterError, match="ranking"):
        rank_focus(focus(), "magic")


def test_the_table_is_listed_without_loading_a_ranking() -> None:
    code = (
        "import sys; from periplus.focus.table import QUERY_RANKERS; assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_ranking_is_in_the_guide() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs" / "search.md").read_text()
    assert [name for name in NAMES if f"`{name}`" not in guide] == []
