"""A row per page, by id and by URL; how a record came about; equality."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.record.samples import GRAPHS, graphs, makers, web

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.record import (
    PageLabels,
    Record,
    Scores,
)
from periplus.record.plain import same
from periplus.structure import strong_components


@makers
@graphs
def test_every_page_is_found_by_id_and_by_url(maker: Callable[[Graph], Record], graph: Graph) -> None:
    record = maker(graph)
    assert len(record) == graph.nodes
    assert same(list(record), record.array.tolist())
    assert same(np.asarray(record), record.array)
    for page in range(graph.nodes):
        assert same(record[page], record.array[page].tolist())
        assert same(record[np.uint32(page)], record[page])  # type: ignore[index]
        if graph.urls is None:
            assert record.url(page) is None
        else:
            assert record.url(page) == graph.urls[page] == f"https://example.org/{page}"
            assert same(record[graph.urls[page]], record[page])
            assert record.page(graph.urls[page].upper().replace("HTTPS", "https")) == page  # however it is spelt


@makers
@pytest.mark.parametrize("page", [7, -1, 1.0, True, None, "https://example.org/none", "3", slice(0, 2)])
def test_what_is_no_page_is_refused(maker: Callable[[Graph], Record], page: Any) -> None:
    with pytest.raises(ParameterError, match="a page id from 0 to 6, or the URL of a page of this graph"):
        maker(GRAPHS["with URLs"])[page]
    with pytest.raises(ParameterError, match=r"0 to 6 \(this graph has no URLs"):
        maker(GRAPHS["without URLs"])[page]
    with pytest.raises(ParameterError, match="no pages"):
        maker(GRAPHS["empty"])[page]


@makers
@graphs
def test_a_record_says_how_it_came_about(maker: Callable[[Graph], Record], graph: Graph) -> None:
    record = maker(graph)
    assert record.graph_digest == graph.digest
    assert record.urls is graph.urls
    assert same(json.loads(json.dumps(record.to_dict())), record.to_dict())
    assert record.method in repr(record)
    assert f"{graph.nodes} page" in repr(record)


def test_names_of_another_graph_are_refused() -> None:
    with pytest.raises(ParameterError, match="one for each of 2 pages"):
        Scores("mine", np.ones(2), urls=GRAPHS["with URLs"].urls)


def test_the_digest_is_read_when_it_is_asked_for() -> None:
    graph = web(urls=False)
    record = strong_components(graph)
    assert "digest" not in vars(graph)
    assert record.graph_digest == graph.digest
    assert Scores("mine", np.ones(2)).graph_digest == ""
    assert Scores("mine", np.ones(2), graph_digest="abc").graph_digest == "abc"


def test_records_are_equal_number_by_number() -> None:
    first, second = (Scores("mine", np.array([1.0, np.nan]), extra={"hubs": np.ones(2), "gap": math.nan}) for _ in "ab")
    assert first == second
    assert hash(first) == hash(second)
    assert first != Scores("mine", np.array([1.0, 2.0]), extra=first.extra)
    assert first != Scores("other", first.values, extra=first.extra)
    assert first != Scores("mine", first.values, extra={**first.extra, "hubs": np.zeros(2)})
    assert first != Scores("mine", first.values, extra={"hubs": np.ones(2)})
    assert Scores("mine", np.ones(2)) != PageLabels("mine", np.ones(2, np.int64))
    assert Scores("mine", np.ones(2)) != "mine"
    assert len({first, second}) == 1
