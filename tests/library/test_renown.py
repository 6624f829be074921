"""What a page is known for, against reputation over the whole web."""

from __future__ import annotations

import numpy as np
import pytest
from tests.library.captures import TIDES
from tests.library.test_history import library
from tests.rank.methods.test_contributions import dense

from periplus.library import Library, known_for, portrait_of
from periplus.library.portrait import page_facts

__all__ = ["library"]


def test_the_reputation_of_each_word_is_that_of_the_walk(library: Library) -> None:
    node = library.graph.urls.find(TIDES)
    exact = dense(library.recommending, 0.85)[:, node]
    found = known_for(library, node)
    assert {"tide", "tables"} <= {one.word for one in found}
    for one in found:
        holding = library.searcher.holding(one.word, 1000)
        assert len(holding) == one.pages > 1
        assert one.reputation <= exact[holding].mean() + 1e-12
        assert one.reputation >= exact[holding].mean() - one.error_bound - 1e-12
    assert [one.reputation for one in found] == sorted((one.reputation for one in found), reverse=True)


def test_numbers_common_words_and_what_one_page_alone_says_are_left_out(library: Library) -> None:
    words = {one.word for one in known_for(library, library.graph.urls.find(TIDES))}
    assert not words & {"0", "1", "the", "moon", "of"}


def test_a_page_that_nobody_links_to_is_known_for_nothing(library: Library) -> None:
    assert known_for(library, library.graph.urls.find("http://s3.example/")) == ()


def test_it_stands_in_the_portrait_and_in_the_data(library: Library) -> None:
    assert portrait_of(library, TIDES).known_for == known_for(library, library.graph.urls.find(TIDES))
    told = page_facts(library, TIDES)
    assert told["known_for"][0]["reputation"] == pytest.approx(np.max([one["reputation"] for one in told["known_for"]]))
    assert [one["changed"] for one in told["captures"]] == [False, False, True]
