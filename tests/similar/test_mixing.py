"""The part of the words in lsi-stacked: larger where words are the steadier sign, found without classes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from periplus.graph import Graph
from periplus.similar import lsi_stacked

PAGES, GROUPS = 120, 6
OWNER = np.arange(PAGES) % GROUPS


def words_of(steady: bool, *, many: int = 40) -> csr_array:
    """Forty words on a page: of its group, or any."""
    random = np.random.default_rng(1)
    group = OWNER if steady else random.integers(0, GROUPS, PAGES)
    columns = (group[:, None] * 50 + random.integers(0, 50, (PAGES, many))) if steady else None
    if columns is None:
        columns = random.integers(0, 300, (PAGES, many))
    rows = np.repeat(np.arange(PAGES), many)
    return csr_array((np.ones(rows.size, np.float32), (rows, columns.ravel())), shape=(PAGES, 300))


def links_of(steady: bool) -> Graph:
    random = np.random.default_rng(2)
    sources = np.repeat(np.arange(PAGES), 8)
    targets = random.integers(0, PAGES // GROUPS, sources.size) * GROUPS + OWNER[sources]
    return Graph.from_edges(sources, targets if steady else random.integers(0, PAGES, sources.size), PAGES)


def part_of_words(graph: Graph, words: csr_array, seed: int = 0) -> float:
    return float(lsi_stacked(graph, words, k=12, seed=seed).parameters["mixing"])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_steadier_sign_weighs_more(seed: int) -> None:
    by_words = part_of_words(links_of(False), words_of(True), seed)
    by_links = part_of_words(links_of(True), words_of(False), seed)
    assert by_words > 0.6
    assert by_links < 0.4


def test_without_links_words_are_all_and_the_same_seed_gives_the_same_part() -> None:
    bare = Graph.from_edges([], [], PAGES)
    assert part_of_words(bare, words_of(True)) == 1.0
    assert part_of_words(links_of(True), words_of(True)) == part_of_words(links_of(True), words_of(True))


def test_one_page_has_nothing_to_compare() -> None:
    one = Graph.from_edges([], [], 1)
    assert part_of_words(one, csr_array(np.ones((1, 3), np.float32))) == 0.5


def test_a_part_that_is_given_is_taken() -> None:
    found = lsi_stacked(links_of(True), words_of(True), mixing=0.25, k=12)
    assert found.parameters["mixing"] == 0.25
