"""How much words and links weigh beside each other, read from the data: no page needs a class.

A sign counts as far as it can be relied on. Words are cut in two at random, and links too (both directions of a pair
stay together). Each half gives vectors of its own, and r is the share of the ten nearest pages that two halves have in
common (split-half reliability; Spearman 1910, Brown 1910):

    mixing = r(words) / (r(words) + r(links))

Long texts with few links lean on their words, short ones with links that stay on the subject on their links. Pages
compared: `SAMPLE` at most, drawn from the seed. Cost: four decompositions of half the size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.similar.scan import unit_vectors
from periplus.similar.svd import svd

SAMPLE, TEN = 1000, 10
_TOGETHER = 1e-4  # a cosine below this is the rounding of none


def mixing_of(
    graph: Graph, words: Any, of_words: Callable[[Any], Any], of_links: Callable[[Graph], Any], k: int, seed: int
) -> float:
    """The part of the words; the two functions weigh some columns of the words, and some links, as rows of pages."""
    random = np.random.default_rng(seed)
    sample = np.sort(random.permutation(graph.nodes)[:SAMPLE])
    said = random.random(words.shape[1]) < 0.5
    by_words = [_nearest(of_words(words[:, np.flatnonzero(half)]), sample, k, seed) for half in (said, ~said)]
    by_links = [_nearest(of_links(half), sample, k, seed) for half in _halves(graph, random)]
    reliable = [_in_common(*by_words), _in_common(*by_links)]
    return reliable[0] / sum(reliable) if sum(reliable) else 0.5


def _halves(graph: Graph, random: np.random.Generator) -> list[Graph]:
    """Every pair of linked pages in one of two graphs."""
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    targets = graph.out_targets.astype(np.int64)
    pairs = np.minimum(sources, targets) * graph.nodes + np.maximum(sources, targets)
    known, place = np.unique(pairs, return_inverse=True)
    first = (random.random(len(known)) < 0.5)[place]
    return [Graph.from_edges(sources[half], targets[half], graph.nodes) for half in (first, ~first)]


def _nearest(rows: Any, sample: AnyArray, k: int, seed: int) -> list[set[int]]:
    """The ten nearest pages of each page of the sample, by the cosine of their vectors; fewer where none is near."""
    found = svd(rows, k, seed=seed)
    unit = unit_vectors((found.left * found.values).astype(np.float32))
    near = []
    for page in sample.tolist():
        cosines = unit @ unit[page]
        cosines[page] = 0.0
        best = np.argpartition(-cosines, min(TEN, len(cosines)) - 1)[:TEN]
        near.append(set(best[cosines[best] > _TOGETHER].tolist()))
    return near


def _in_common(first: list[set[int]], second: list[set[int]]) -> float:
    return sum(len(one & other) for one, other in zip(first, second, strict=True)) / (TEN * max(len(first), 1))
