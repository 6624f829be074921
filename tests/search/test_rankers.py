"""The formula: share, link part, blend."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.errors import ParameterError
from periplus.rank import RANKERS, Ranker
from periplus.record import Scores
from periplus.search.rankers import LINK, NAME, Rankers, blend, share_in_words


def ranked(**values: np.ndarray) -> Rankers:
    return Rankers({name: Scores(name, given) for name, given in values.items()})


VALUES = np.array([0.1, 0.4, 0.1, 0.3, np.nan])


def test_share_counts_the_pages_at_least_as_high() -> None:
    rankers = ranked(pagerank=VALUES)
    shares = rankers.share("pagerank", np.array([0, 1, 2, 3, 4, 99]))
    assert shares.tolist() == [4 / 5, 1 / 5, 4 / 5, 2 / 5, 1.0, 1.0]


def test_link_is_one_for_the_best_and_falls_by_equal_steps_a_factor_of_ten() -> None:
    rankers = ranked(pagerank=np.arange(10_000, dtype=float))
    nodes = np.array([9999, 9990, 9900, 9000, 0])
    link = rankers.link("pagerank", rankers.share("pagerank", nodes))
    assert link == pytest.approx([1.0, 0.75, 0.5, 0.25, 0.0])


def test_text_alone_knows_no_links() -> None:
    rankers = ranked()
    assert rankers.default == "text"
    assert rankers.link("text", rankers.share("text", np.array([1, 2]))).tolist() == [0.0, 0.0]
    assert rankers.value("text", 0) is None


def test_the_default_comes_first_and_strangers_are_named() -> None:
    rankers = ranked(hits=VALUES, pagerank=VALUES)
    assert rankers.names == ("pagerank", "hits", "text")
    assert rankers.orders == (*rankers.names, "date")
    assert rankers.check(None) == "pagerank"
    with pytest.raises(ParameterError, match="one of pagerank, hits, text"):
        rankers.check("magic")


@pytest.mark.parametrize("row", RANKERS.values(), ids=RANKERS)
def test_a_label_completes_the_sentence_of_a_result(row: Ranker) -> None:
    """ "among the best 2 % of pages by …": a noun, with what tells rankings of one kind apart in brackets."""
    labels = [row.label, row.hub_label] if row.hubs else [row.label]
    names = [row.name, f"{row.name}-hubs"][: len(labels)]
    rankers = Rankers({name: Scores(row.name, VALUES) for name in names})
    assert [rankers.label(name) for name in names] == labels
    for label in labels:
        assert not label.startswith(("by ", "A ", "The ")), label
        assert not label.endswith("."), label
        assert label.count("(") == label.count(")") <= 1, label
        assert label != row.name or " " not in label


def test_no_two_rankings_have_one_label() -> None:
    labels = [label for row in RANKERS.values() for label in (row.label, row.hub_label) if label]
    assert len(set(labels)) == len(labels)


def test_other_settings_than_the_usual_stand_in_the_brackets_of_the_label() -> None:
    kept = {
        "pagerank-damping-0.5": ("pagerank", "PageRank (damping-0.5)"),
        "hits-tolerance-1e-09": ("hits", "authority (HITS, tolerance-1e-09)"),
        "hits-tolerance-1e-09-hubs": ("hits", "links to good pages (hub, HITS, tolerance-1e-09)"),
        "monte-carlo-walks-10": ("monte-carlo", "sampled PageRank (walks-10)"),
        "mine": ("pagerank", "PageRank (mine)"),
        "by-hand": ("a method of mine", "by-hand"),
        "pagerank-of-hubs": ("pagerank", "PageRank (of-hubs)"),
    }
    rankers = Rankers({name: Scores(method, VALUES) for name, (method, _) in kept.items()})
    assert {name: rankers.label(name) for name in kept} == {name: label for name, (_, label) in kept.items()}
    assert rankers.label("text") == "text"


@given(st.lists(st.floats(0, 1, allow_nan=False), min_size=2, max_size=50))
@settings(max_examples=100, derandomize=True)
def test_link_follows_the_order_of_the_ranks(values: list[float]) -> None:
    scores = np.array(values)
    rankers = ranked(r=scores)
    nodes = np.arange(len(scores))
    link = rankers.link("r", rankers.share("r", nodes))
    assert ((link >= 0) & (link <= 1)).all()
    order = np.argsort(scores, kind="stable")
    assert (np.diff(link[order]) >= 0).all()
    assert (link[scores == scores.max()] == link.max()).all()


def test_blend_is_the_stated_product() -> None:
    found = blend(np.array([10.0, 10.0, 10.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 0.5]))
    assert found.tolist() == [10.0, 10.0 * (1 + NAME), 10.0 * (1 + LINK * 0.5)]


@pytest.mark.parametrize(("share", "pages", "words"), [(0.02, 5000, "2 %"), (0.003, 5000, "0.3 %"), (0, 1000, "0.1 %")])
def test_shares_in_words(share: float, pages: int, words: str) -> None:
    assert share_in_words(share, pages) == words
    assert math.isfinite(share)
