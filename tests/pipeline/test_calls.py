"""Calls gathered by one sort equal those gathered page by page."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.pipeline.stages.test_graph import database, page

from periplus.index.schema import calls_of
from periplus.pipeline import calls
from periplus.pipeline.calls import Calls
from periplus.web.url import site_of

TEXTS = ["otter", "Otter", " otter ", "", "sea"]


@pytest.mark.parametrize("wide", [False, True])
def test_calls_equal_those_gathered_page_by_page(monkeypatch: pytest.MonkeyPatch, wide: bool) -> None:
    if wide:  # as if a row did not fit into 64 bits
        monkeypatch.setattr(calls, "KEY_BITS", 0)
    rng = random.Random(3)
    urls = [f"http://{site}.example/{number}" for site in "abc" for number in range(8)]
    captures = [
        page(url, *((rng.choice(urls), rng.choice(TEXTS)) for _ in range(6)), digest=str(rng.randint(0, 12)))
        for url in urls
    ]  # fmt: skip
    made, newest = database(*captures)
    gathered = Calls(made, newest.urls)
    for node in range(made.graph.nodes):
        if made.representatives[node] != node:
            assert gathered.of(node) == ()
            continue
        copies = np.flatnonzero(made.representatives == node).tolist()
        said = [
            (text, site_of(newest.urls[source]))
            for copy in copies
            for source, text in made.anchors.of_page(copy)
            if source not in copies
        ]
        assert gathered.of(node) == calls_of([text for text, _ in said], tuple(site for _, site in said))
